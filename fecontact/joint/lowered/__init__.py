"""Force elements, loads and constraint rows as compiled programs see them."""
