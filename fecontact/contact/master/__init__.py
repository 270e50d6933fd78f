"""Master surfaces: rigid shapes, facets, elastic faces, plates."""
