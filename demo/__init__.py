"""Two sources to try the warehouse on: a Gladly sandbox over HTTP and a hotel database in a real PostgreSQL."""
