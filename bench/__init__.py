"""How fast the project is, measured as whole processes."""
