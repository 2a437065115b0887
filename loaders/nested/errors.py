"""What the normalizer raises on purpose, beside SettingsError.

SourceError
+-- RefusedError   an object that cannot be kept exactly as it is; `path` says where in it, the text which record
StageError
+-- SinkError      a sink that could not take a package; `code` is stable
LoaderError
+-- RebuildError   a package does not give back the objects it was made of
"""

from __future__ import annotations

from loaders.errors import LoaderError, SourceError, StageError


class RefusedError(SourceError):
    """An object that cannot be kept exactly as it is; nothing was published."""

    def __init__(self, problem: str, *, path: str = "", where: str = "") -> None:
        parts = [where, f"path {path}" if path else "", problem]
        super().__init__(": ".join(part for part in parts if part))
        self.problem = problem
        self.path = path
        self.where = where

    def at(self, where: str) -> RefusedError:
        """The same refusal with the record it was met in."""
        return RefusedError(self.problem, path=self.path, where=where)


class SinkError(StageError):
    """A sink cannot take a package; nothing was changed by it."""

    def __init__(self, code: str, problem: str) -> None:
        super().__init__(f"{code}: {problem}")
        self.code = code


class RebuildError(LoaderError):
    """The tables do not give back the objects they were made of; nothing was published."""
