"""Nested deliveries from stage to stage: raw lines to packages of root and child batches, inside dbt's process."""

from loaders.packages.normalize import normalize_pending
from loaders.packages.options import read_options

__all__ = ["normalize_pending", "read_options"]
