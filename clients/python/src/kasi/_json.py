"""JSON whose numbers come through exactly."""

from __future__ import annotations

import json
import math
from decimal import Decimal
from typing import Any, Mapping, NoReturn, Union

from ._generated.numbers import FREE_NAMES, NUMBER_NAMES


def parse_json(text: bytes) -> Any:
    """The value of a JSON text in UTF-8. Raises `ValueError` when it is something else.

    A number with a fraction is a `Decimal`, and so is every field that the contract calls a number, whole or not: an
    amount has one type, whatever it is. Other whole numbers are `int`.
    """
    try:
        value = json.loads(text.decode("utf-8"), parse_float=Decimal, parse_constant=_refuse_constant)
        _unify(value)
    except RecursionError:
        raise ValueError("JSON that is nested too deeply.") from None
    return value


def parse_json_or_text(text: bytes) -> Any:
    """The JSON value of a text, or the text itself if it isn't JSON."""
    try:
        return parse_json(text)
    except ValueError:
        return text.decode("utf-8", "replace")


def to_json(value: Any) -> str:
    """The JSON text of a value as the client returns it: a `Decimal` becomes a number, digit by digit.

    Raises `TypeError` for what has no place in JSON, and `ValueError` for a number that is not finite.
    """
    return _write(value, "")


def to_body(value: Any) -> bytes:
    """The bytes of a request's body. One amount is one text, whether it is `25`, `25.0` or `Decimal("25.00")`: a request
    that is repeated under its idempotency key has to be the same byte for byte. Raises what `to_json` raises.
    """
    return _write(value, "", shortest=True).encode()


def _unify(value: Any) -> None:
    """Makes a `Decimal` of every whole number that is the value of a number field. Leaves your metadata alone."""
    if isinstance(value, list):
        for item in value:
            _unify(item)
    elif isinstance(value, dict):
        for name, item in value.items():
            if type(item) is int and name in NUMBER_NAMES:
                value[name] = Decimal(item)
            elif name not in FREE_NAMES:
                _unify(item)


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON.")


def _write(value: Any, at: str, shortest: bool = False) -> str:
    if value is None or isinstance(value, (bool, str)):
        return json.dumps(value)
    if isinstance(value, int):
        return int.__repr__(value)
    if isinstance(value, (float, Decimal)):
        return _write_fraction(value, at, shortest)
    if isinstance(value, Mapping):
        return "{" + ",".join(_write_entry(name, item, at, shortest) for name, item in value.items()) + "}"
    if isinstance(value, (list, tuple)):
        return "[" + ",".join(_write(item, f"{at}[{index}]", shortest) for index, item in enumerate(value)) + "]"
    hint = " Write it as text: value.isoformat()." if hasattr(value, "isoformat") else ""
    raise TypeError(f"{at or 'The value'} is a {type(value).__name__}, which JSON does not have.{hint}")


def _write_fraction(value: Union[float, Decimal], at: str, shortest: bool) -> str:
    if not math.isfinite(value):
        raise ValueError(f"{at or 'The value'} is {value}, which is not a number in JSON.")
    text = format(value, "f") if isinstance(value, Decimal) else float.__repr__(value)
    if shortest and "." in text and "e" not in text:
        text = text.rstrip("0").rstrip(".")
    return text


def _write_entry(name: Any, value: Any, at: str, shortest: bool) -> str:
    if not isinstance(name, str):
        raise TypeError(f"{at or 'The value'} has a name that is a {type(name).__name__} and not a text.")
    return json.dumps(name) + ":" + _write(value, f"{at}.{name}" if at else name, shortest)
