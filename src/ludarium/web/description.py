"""The description of the HTTP interface for programs: ``/openapi.json``."""

from __future__ import annotations

from http import HTTPStatus
from typing import Any

from fastapi import FastAPI
from pydantic import BaseModel


class Refusal(BaseModel):
    """The body of every refusal."""

    code: str
    message: str


ALWAYS = (HTTPStatus.BAD_REQUEST, HTTPStatus.FORBIDDEN, HTTPStatus.TOO_MANY_REQUESTS, HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE)
"""Refusals of all routes: broken HTTP, wrong host names and origins, and limits."""
WITH_INPUT = (HTTPStatus.NOT_FOUND, HTTPStatus.SERVICE_UNAVAILABLE)
"""Refusals of routes with parameters or a body: these may name something that does not exist."""
WITH_BODY = (HTTPStatus.REQUEST_ENTITY_TOO_LARGE,)

_LATER = {"Retry-After": {"description": "Seconds until another try may be worth it", "schema": {"type": "integer", "minimum": 1}}}


class DescribedApp(FastAPI):
    """An application that describes the refusals of each of its routes.

    FastAPI describes what it does by itself with wrong parameters: status 422 and errors in a shape of its own. Here they are refused as everything else is.
    """

    def openapi(self) -> dict[str, Any]:
        """Return the OpenAPI document."""
        if self.openapi_schema is None:
            described = super().openapi()
            schemas = described.setdefault("components", {}).setdefault("schemas", {})
            for name in ("HTTPValidationError", "ValidationError"):
                schemas.pop(name, None)
            schemas["Refusal"] = Refusal.model_json_schema()
            for path in described["paths"].values():
                for operation in path.values():
                    _add_refusals(operation)
        assert self.openapi_schema is not None
        return self.openapi_schema


def _add_refusals(operation: dict[str, Any]) -> None:
    has_body = "requestBody" in operation
    statuses = [*ALWAYS, *(WITH_INPUT if has_body or "parameters" in operation else ()), *(WITH_BODY if has_body else ())]
    if "security" in operation:
        statuses.append(HTTPStatus.UNAUTHORIZED)
    responses = operation["responses"]
    responses.pop("422", None)
    for status in sorted(statuses):
        responses[str(status.value)] = {
            "description": status.phrase,
            "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Refusal"}}},
            **({"headers": _LATER} if status in (HTTPStatus.TOO_MANY_REQUESTS, HTTPStatus.SERVICE_UNAVAILABLE) else {}),
        }


def described(model: type[BaseModel], example: dict[str, Any] | None = None) -> dict[str, Any]:
    """Return the description of a request's body as JSON. Routes read the body themselves, up to a limit."""
    content = {"schema": model.model_json_schema(), **({} if example is None else {"example": example})}
    return {"requestBody": {"required": True, "content": {"application/json": content}}}
