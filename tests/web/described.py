"""Additional checks for schemathesis, see ``test_description.py``."""

from __future__ import annotations

import re

import schemathesis

SEATS = "bad_message seat: the seats are "
MEANT = {
    "/api/codes": "bad_token ",
    "/api/games": "bad_option |bad_notation |bad_message .* seats |bad_message new game, 'seed': Input should be less than",
    "/api/games/{id}/picture.{kind}": f"no_such_ply |{SEATS}",
    "/api/ladder/{game}/submissions": "bad_file |bad_key |bad_name ",
    "/api/ladder/{game}/submissions/{number}/log": "bad_key ",
    "/api/opened": "bad_record |bad_notation ",
    "/api/organiser/ban": "bad_message (a ban is of |a name has |.* is not an address)",
    "/api/people": "bad_name |bad_key ",
    "/api/people/code": "bad_key ",
    "/api/positions/{id}.{kind}": f"bad_option |bad_notation |{SEATS}",
}
"""Refusals (``CODE MESSAGE``) by route, for texts that fit the document and have no meaning, such as a wrong key. Seeds a little over 2**64 are among
them, because schemathesis reads the bound as a float."""


@schemathesis.check
def well_formed_requests_are_understood(ctx: schemathesis.CheckContext, response: schemathesis.Response, case: schemathesis.Case) -> None:
    """Fail where the server calls a request malformed that the document calls valid."""
    if case.meta is None or not case.meta.generation.mode.is_positive or response.status_code != 400:
        return
    refusal = response.json()
    told = f"{refusal['code']} {refusal['message']}"
    meant = MEANT.get(case.operation.path)
    assert meant is not None, f"{case.operation.path} refuses what its description allows: {told}"
    assert re.match(meant, told), f"{case.operation.path} calls malformed what its description allows: {told}"
