"""Force elements and loads as compiled programs see them."""
