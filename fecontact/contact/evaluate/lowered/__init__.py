"""Contact pairs on rigid surfaces as compiled programs see them."""
