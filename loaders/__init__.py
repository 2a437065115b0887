"""Loaders: they bring source tables into the stage as immutable batches."""
