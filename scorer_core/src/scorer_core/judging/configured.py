"""Models named in the configuration: `[models.NAME]` of `scorer.toml`, `[tool.scorer.models.NAME]` of `pyproject.toml`.

Keys are never kept in it: `api_key_env` names the variable that holds one, and base_url, proxy and headers may be
`env:NAME`.
"""

from __future__ import annotations

import math
import os
import re
from collections.abc import Callable, Iterator, Mapping
from itertools import chain
from typing import Any
from urllib.parse import urlsplit

from attrs import field, frozen

from ..contract.errors import UsageError
from ..contract.settings import suggestion
from ..support.scrub import scrubbed
from .configuration import Keys, configuration
from .rates import counted_by, rates_of

_PROXIES = {"openai": "openai_proxy", "azure_openai": "openai_proxy"}
_FROM_ENV = ("base_url", "proxy", "headers")
_VARIABLE = re.compile(r"[A-Z_][A-Z0-9_]*")
_SECRET_NAME = re.compile(
    r"^key$|(api|access|auth|private|secret|shared|subscription)[-_ ]?key$"
    r"|(token|secret|password|authorization|cookie)$",
    re.IGNORECASE,
)
_LOGIN = re.compile(r"://[^/@\s]*:[^/@\s]*@")


@frozen(kw_only=True)
class Configured:
    """A model named in the configuration.

    Args:
        model: Its name at the provider.
        arguments: What it is made with.
        secrets: The values that came from environment variables, each with the variable's name.
    """

    model: str
    arguments: Mapping[str, Any] = field(repr=False)
    secrets: Mapping[str, str] = field(repr=False)

    def scrubbed(self, text: str) -> str:
        """`text` without this model's secrets, and without key-like strings."""
        for value, name in self.secrets.items():
            text = text.replace(value, f"[{name}]") if len(value) >= 4 else text
        return scrubbed(text)


def names() -> tuple[str, ...]:
    """The models that the configuration names."""
    return tuple(configuration().under("models").table)


def configured(name: str) -> Configured | None:
    """The model of this name in the configuration; None if there is none.

    Raises:
        UsageError: the file can't be read, or the model's table does not fit; all that is wrong with it is told.
    """
    models = configuration().under("models")
    if name not in models.table:
        return None
    told, at = models.table[name], ".".join((*models.keys, name))
    wrong = _problems(at, told) if isinstance(told, dict) else [f"{at}: expected a table, got {_shown(told)}"]
    if wrong:
        raise UsageError("\n".join([f"model {name!r} of {models.file} can't be used:", *wrong]))
    secrets = {os.environ[variable]: variable for _, variable in _variables(told)}
    return Configured(model=told["model"], arguments=_arguments(f"{models.file}: {at}", told), secrets=secrets)


def _text(value: Any) -> bool:
    return isinstance(value, str) and bool(value.strip())


def _above_0(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and 0 < value < math.inf


def _table(value: Any) -> bool:
    return isinstance(value, dict)


_KEYS: dict[str, tuple[str, Callable[[Any], bool]]] = {
    "provider": ("a provider of LangChain's, such as 'openai'", _text),
    "model": ("the model's name at the provider", _text),
    "base_url": ("a text", _text),
    "api_version": ("a text", _text),
    "api_key_env": ("the name of an environment variable, in capitals", lambda v: _text(v) and _is_variable(v)),
    "headers": ("a table of texts", _table),
    "proxy": ("a text", _text),
    "timeout": ("a number of seconds above 0", _above_0),
    "requests_per_minute": ("a number above 0", _above_0),
    "tokens_per_minute": ("a number above 0", _above_0),
    "parameters": ("a table", _table),
}
_REQUIRED = ("provider", "model")


def _problems(at: str, told: Mapping[str, Any]) -> list[str]:
    """All that is wrong, one line a place; of a secret nothing else is told."""
    wrong: dict[Keys, str] = {}
    for path, text in chain(_kept_secrets(told), _misfits(told), _unset(told)):
        wrong.setdefault(path, text)
    return [f"{at}.{'.'.join(path)}: {text}" for path, text in wrong.items()]


def _kept_secrets(told: Mapping[str, Any]) -> Iterator[tuple[Keys, str]]:
    for path, value in _leaves(told):
        if _is_secret(path, value):
            remedy = '"env:NAME"' if path[0] in _FROM_ENV else 'api_key_env = "NAME"'
            yield path, f"a secret is not kept in the file; name the environment variable that holds it: {remedy}"


def _misfits(told: Mapping[str, Any]) -> Iterator[tuple[Keys, str]]:
    yield from (((key,), f"expected {_KEYS[key][0]}, got nothing") for key in _REQUIRED if key not in told)
    for key, value in told.items():
        if key not in _KEYS:
            yield (key,), f"no such key{suggestion(key, _KEYS)}; there are: {', '.join(_KEYS)}"
        elif not _KEYS[key][1](value):
            yield (key,), f"expected {_KEYS[key][0]}, got {_shown(value)}"
    for path, value in _leaves(told):
        if path[0] == "headers" and len(path) > 1 and not isinstance(value, str):
            yield path, f"expected a text, got {_shown(value)}"
    if "proxy" in told and _text(told.get("provider")) and _provider(told) not in _PROXIES:
        yield ("proxy",), f"not known of provider {told['provider']!r}; put its own parameter for it into parameters"


def _unset(told: Mapping[str, Any]) -> Iterator[tuple[Keys, str]]:
    for path, variable in _variables(told):
        if not _is_variable(variable):
            yield path, 'expected "env:NAME" with the name of an environment variable, in capitals'
        elif not os.environ.get(variable):
            yield path, f"the environment variable {variable} is not set"


def _variables(told: Mapping[str, Any]) -> Iterator[tuple[Keys, str]]:
    """The environment variables that are named, each with where."""
    for path, value in _leaves(told):
        if isinstance(value, str) and path == ("api_key_env",):
            yield path, value
        elif isinstance(value, str) and path[0] in _FROM_ENV and value.startswith("env:"):
            yield path, value.removeprefix("env:")


def _is_variable(name: str) -> bool:
    """Whether this may be shown as a variable's name: a key pasted in its place seldom is all capitals."""
    return bool(_VARIABLE.fullmatch(name))


def _is_secret(path: Keys, value: Any) -> bool:
    if path in (("provider",), ("model",)) or not isinstance(value, (str, list)):
        return False
    text = str(value)
    if path[0] in _FROM_ENV and text.startswith("env:"):
        return False
    return bool(_SECRET_NAME.search(path[-1]) or _LOGIN.search(text)) or scrubbed(text) != text


def _leaves(told: Mapping[str, Any], above: Keys = ()) -> Iterator[tuple[Keys, Any]]:
    for key, value in told.items():
        if isinstance(value, dict):
            yield from _leaves(value, (*above, key))
        else:
            yield (*above, key), value


def _shown(value: Any) -> str:
    return scrubbed(repr(value))


def _arguments(place: str, told: Mapping[str, Any]) -> dict[str, Any]:
    """What the model is made with: what is told, by LangChain's names."""
    provider = _provider(told)
    given = {key: _from_env(value) for key, value in told.items()}
    renamed = {"timeout": "timeout", "api_version": "api_version", "headers": "default_headers"}
    renamed |= {"proxy": _PROXIES.get(provider, ""), "base_url": _address(provider, given.get("base_url", ""))}
    made: dict[str, Any] = {"model_provider": told["provider"]}
    made |= {to: given[key] for key, to in renamed.items() if key in told}
    if "api_key_env" in told:
        made["api_key"] = os.environ[told["api_key_env"]]
    if "requests_per_minute" in told or "tokens_per_minute" in told:
        rates = rates_of(place, told.get("requests_per_minute"), told.get("tokens_per_minute"))
        made |= {"rate_limiter": rates} | ({} if rates.tokens is None else {"callbacks": [counted_by(rates)]})
    return {**made, **told.get("parameters", {})}


def _provider(told: Mapping[str, Any]) -> str:
    return str(told["provider"]).replace("-", "_").lower()


def _address(provider: str, url: str) -> str:
    """What LangChain calls the address: Azure's own is an endpoint, unless it leads to `/openai/...` itself."""
    return "azure_endpoint" if provider == "azure_openai" and "/openai" not in urlsplit(url).path else "base_url"


def _from_env(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _from_env(v) for key, v in value.items()}
    named = isinstance(value, str) and value.startswith("env:")
    return os.environ[value.removeprefix("env:")] if named else value
