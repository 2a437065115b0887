"""Every error a loader raises on purpose, named for who is to blame.

LoaderError            anything below; its text is one line: what failed, on what, what to do
+-- SettingsError      a setting, option or declaration is missing or wrong; nothing was read
+-- SourceError        the source delivered something that cannot be kept exactly as it is
|   +-- SourceUnavailableError  the source did not answer, or refused us; asking for more is no use now
+-- StageError         the warehouse could not be reached or refused the batch
"""


class LoaderError(Exception):
    """An error for people: one line that says what failed, on what, and what to do."""


class SettingsError(LoaderError):
    """A setting, an option or a declaration is missing or wrong; nothing was read."""


class SourceError(LoaderError):
    """The source delivered something that cannot be kept exactly as it is."""


class SourceUnavailableError(SourceError):
    """The source did not answer within all tries, or refused the credentials."""


class SourceGoneError(SourceError):
    """What was asked for was there once, and is gone for good."""


class StageError(LoaderError):
    """The warehouse could not be reached, or refused the batch."""
