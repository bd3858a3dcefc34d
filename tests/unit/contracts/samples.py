"""One event of every contract, made from its types alone: complete, and with only what is required."""

from __future__ import annotations

from datetime import UTC, date, datetime
from typing import Any

import msgspec
from msgspec import inspect

from shared.contracts.catalogue import TOPICS

EVENTS = {event.__name__: event for events in TOPICS.values() for event in events}
TOPIC = {event.__name__: topic for topic, events in TOPICS.items() for event in events}


def sample(event: type[msgspec.Struct], *, complete: bool) -> Any:
    """An event with a value in every field, or with what can be left out left out."""
    kind = inspect.type_info(event)
    assert isinstance(kind, inspect.StructType)
    return _struct(kind, complete)


def _struct(kind: inspect.StructType, complete: bool) -> Any:
    values = {f.name: _value(f.type, f.name, complete) for f in kind.fields if complete or f.required}
    return kind.cls(**values)


def _value(kind: inspect.Type, name: str, complete: bool) -> Any:
    match kind:
        case inspect.StructType():
            return _struct(kind, complete)
        case inspect.StrType():
            return f"{name} 名"
        case inspect.BoolType():
            return True
        case inspect.IntType():
            return 7
        case inspect.DateTimeType():
            return datetime(2018, 11, 12, 4, 0, 0, 123456, tzinfo=UTC)
        case inspect.DateType():
            return date(2018, 11, 24)
        case inspect.LiteralType():
            return kind.values[0]
        case inspect.UnionType():
            some = next(each for each in kind.types if not isinstance(each, inspect.NoneType))
            return _value(some, name, complete) if complete else None
        case inspect.TupleType():
            return tuple(_value(each, name, complete) for each in kind.item_types)
        case inspect.VarTupleType():
            return (_value(kind.item_type, name, complete),) if complete else ()
        case inspect.DictType():
            return {_value(kind.key_type, "key", complete): _value(kind.value_type, name, complete)} if complete else {}
        case inspect.AnyType():
            return {"value": [1, True, None, "值"]}
    raise TypeError(f"{name}: no sample for {kind}; add one here")
