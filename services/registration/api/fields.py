"""What fields of several bodies must be."""

from __future__ import annotations

from typing import Any

import marshmallow as ma

from shared.web.words import lines, words

Name = words(100)
Reason = lines(500)


class Flag(ma.fields.Boolean):
    """True or false, and neither a text nor a number that might be read as such."""

    def _deserialize(self, value: Any, attr: str | None, data: Any, **more: Any) -> bool:
        if not isinstance(value, bool):
            raise self.make_error("invalid", input=value)
        return bool(super()._deserialize(value, attr, data, **more))


class ReasonSchema(ma.Schema):
    """Why."""

    reason = ma.fields.String(required=True, validate=Reason)
