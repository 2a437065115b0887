"""Where the loaders get their settings: the dbt project, the dbt profile, and the environment."""

from __future__ import annotations

import ast
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import jinja2
import yaml
from jinja2.sandbox import SandboxedEnvironment

from loaders.errors import SettingsError

# With this target schema, schemas have their plain names; any other becomes a prefix of them all, so that a
# developer or a pull request never touches production's rows. The macro generate_schema_name has the same rule.
DEFAULT_SCHEMA = "hotelmind_warehouse"


@dataclass(frozen=True)
class Target:
    """One output of the dbt profile, rendered."""

    name: str
    type: str
    schema: str
    credentials: Mapping[str, Any] = field(repr=False)

    def schema_name(self, name: str) -> str:
        """The schema that holds `name` (stage, bronze, ..., hotelmind_warehouse) for this target."""
        return name if self.schema == DEFAULT_SCHEMA else f"{self.schema}_{name}"


def project_directory(environment: Mapping[str, str] = os.environ) -> Path:
    """The dbt project: DBT_PROJECT_DIR, else the current directory, as dbt finds it."""
    directory = Path(environment.get("DBT_PROJECT_DIR") or Path.cwd())
    if not (directory / "dbt_project.yml").is_file():
        raise SettingsError(f"{directory}: no dbt_project.yml; run in the project's folder or set DBT_PROJECT_DIR")
    return directory


def read_yaml(path: Path) -> Any:
    """A YAML file's content; a file that cannot be parsed is a SettingsError with its line."""
    try:
        return yaml.load(path.read_text(encoding="utf-8"), Loader=_YamlLoader)  # noqa: S506 - the safe loader, in C
    except yaml.YAMLError as error:
        # Not the message itself, which repeats the file's text: a profile may hold secrets.
        mark = getattr(error, "problem_mark", None)
        place = f" at line {mark.line + 1}, column {mark.column + 1}" if mark else ""
        raise SettingsError(f"{path}: not valid YAML{place}") from None


def load_target(
    project: Path,
    *,
    target: str | None = None,
    profiles_dir: str | None = None,
    environment: Mapping[str, str] = os.environ,
) -> Target:
    """The target that dbt itself would use: same files, same order, same env_var."""
    path = _profiles_path(profiles_dir, environment)
    profile_name = environment.get("DBT_PROFILE") or read_yaml(project / "dbt_project.yml").get("profile")
    profile = (read_yaml(path) or {}).get(profile_name)
    if not isinstance(profile, dict) or not isinstance(profile.get("outputs"), dict):
        raise SettingsError(f"{path}: no profile {profile_name!r} with outputs; compare it with profiles.example.yml")
    name = target or environment.get("DBT_TARGET") or _render(profile.get("target", "default"), path, environment)
    output = profile["outputs"].get(name)
    if not isinstance(output, dict):
        raise SettingsError(f"{path}: no target {name!r}; there are: {', '.join(sorted(profile['outputs']))}")
    credentials = _render_all(output, path, environment)
    missing = [key for key in ("type", "schema") if not credentials.get(key)]
    if missing:
        raise SettingsError(f"{path}: target {name!r} lacks {' and '.join(missing)}")
    if not re.fullmatch(r"[a-z_][a-z0-9_]*", credentials["schema"]):
        raise SettingsError(f"{path}: target {name!r}: schema is {credentials['schema']!r}, expected a lower-case name")
    return Target(name=name, type=credentials["type"], schema=credentials["schema"], credentials=credentials)


def read_environment(required: Sequence[str], environment: Mapping[str, str] = os.environ) -> list[str]:
    """The values of all `required` variables; names every missing one at once."""
    missing = [name for name in required if not environment.get(name, "").strip()]
    if missing:
        raise SettingsError(f"set {', '.join(missing)} in the environment (README.md, Settings)")
    return [environment[name].strip() for name in required]


class _YamlLoader(getattr(yaml, "CSafeLoader", yaml.SafeLoader)):  # type: ignore[misc]
    """PyYAML's safe loader, in C where it was built: the sources' YAML is read at every start."""


def _profiles_path(profiles_dir: str | None, environment: Mapping[str, str]) -> Path:
    chosen = profiles_dir or environment.get("DBT_PROFILES_DIR")
    directories = [Path(chosen)] if chosen else [Path.cwd(), Path.home() / ".dbt"]
    for directory in directories:
        if (directory / "profiles.yml").is_file():
            return directory / "profiles.yml"
    looked = " and ".join(str(directory) for directory in directories)
    raise SettingsError(f"no profiles.yml in {looked}; copy profiles.example.yml there")


def _render_all(output: Mapping[str, Any], path: Path, environment: Mapping[str, str]) -> dict[str, Any]:
    """Every value rendered; all undefined environment variables are named at once."""
    rendered: dict[str, Any] = {}
    missing: list[str] = []
    for key, value in output.items():
        try:
            rendered[key] = _render(value, path, environment)
        except _UndefinedVariableError as error:
            missing.append(error.args[0])
    if missing:
        raise SettingsError(f"{path}: environment variables not set: {', '.join(sorted(set(missing)))}")
    return rendered


def _render(value: Any, path: Path, environment: Mapping[str, str]) -> Any:
    if isinstance(value, dict):
        return {key: _render(item, path, environment) for key, item in value.items()}
    if isinstance(value, list):
        return [_render(item, path, environment) for item in value]
    if not isinstance(value, str) or "{" not in value:
        return value

    def env_var(name: str, default: str | None = None) -> str:
        found = environment.get(name, default)
        if found is None:
            raise _UndefinedVariableError(name)
        return str(found)

    jinja = SandboxedEnvironment(undefined=jinja2.StrictUndefined)
    jinja.filters.update(dict.fromkeys(("as_number", "as_bool", "as_native"), _Native.marked), as_text=str)
    try:
        text = jinja.from_string(value).render(env_var=env_var)
    except jinja2.TemplateError as error:
        # Neither the value nor Jinja's own message, which repeats parts of it: it may hold a secret.
        raise SettingsError(
            f"{path}: a value cannot be rendered ({type(error).__name__}); look at its braces"
        ) from None
    return _Native.read(text)


class _Native:
    """dbt's as_number and as_bool filters: the text they end as is read as a Python literal."""

    MARK = "\0native:"

    @classmethod
    def marked(cls, value: object) -> str:
        return f"{cls.MARK}{value}"

    @classmethod
    def read(cls, text: str) -> Any:
        if not text.startswith(cls.MARK):
            return text
        literal = text.removeprefix(cls.MARK)
        try:
            return ast.literal_eval(literal.capitalize() if literal in {"true", "false"} else literal)
        except (ValueError, SyntaxError):
            return literal


class _UndefinedVariableError(Exception):
    """An environment variable that a profile needs and that is not set."""


def yaml_files(project: Path) -> Iterator[Path]:
    """The YAML files that declare sources, in a fixed order."""
    return iter(sorted((project / "models").rglob("_*__sources.yml")))
