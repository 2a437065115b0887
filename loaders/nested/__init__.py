"""Nested objects to tables of text and back, with nothing lost: a library without a database."""

from loaders.nested.errors import RebuildError, RefusedError, SinkError
from loaders.nested.generation import Generation, TableFile, open_generation
from loaders.nested.inspection import Preview, preview
from loaders.nested.json_lines import JsonLines
from loaders.nested.json_text import Number
from loaders.nested.normalization import normalize
from loaders.nested.options import NestedOptions
from loaders.nested.package import MemoryTable, Package, TableFacts, Verdict
from loaders.nested.publication import spill
from loaders.nested.reconstruction import rebuild
from loaders.nested.registry import Binding, Registry
from loaders.nested.sink import Sink, deliver

__all__ = [
    "Binding",
    "Generation",
    "JsonLines",
    "MemoryTable",
    "NestedOptions",
    "Number",
    "Package",
    "Preview",
    "RebuildError",
    "RefusedError",
    "Registry",
    "Sink",
    "SinkError",
    "TableFacts",
    "TableFile",
    "Verdict",
    "deliver",
    "normalize",
    "open_generation",
    "preview",
    "rebuild",
    "spill",
]
