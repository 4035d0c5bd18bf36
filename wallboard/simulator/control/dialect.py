"""/control/dialect: how the provider speaks, changed while it runs."""

from aiohttp import web

from wallboard.simulator.control.fields import read_fields, reply
from wallboard.simulator.dialect import changes
from wallboard.simulator.dialect.switches import Dialect
from wallboard.simulator.service.errors import unprocessable


class DialectControl:
    """The dialect of a running service."""

    def __init__(self, dialect: Dialect) -> None:
        self._dialect = dialect

    async def get(self, request: web.Request) -> web.Response:
        """Every switch with its value now, and the list of what can be set."""
        return web.json_response(
            {"dialect": changes.as_json(self._dialect), "switches": changes.described(self._dialect)}
        )

    async def change(self, request: web.Request) -> web.Response:
        """Set switches: {"wait_unit": "ms", …}; all of them or none. A form of the page has a name and a value."""
        fields = await read_fields(request)
        wanted = {str(fields["name"]): fields.get("value", "")} if "name" in fields else fields
        try:
            changes.apply(self._dialect, wanted)
        except ValueError as problem:
            raise unprocessable(str(problem)) from None
        return reply(request, {"dialect": changes.as_json(self._dialect)})

    async def reset(self, request: web.Request) -> web.Response:
        """Every switch back to its default."""
        await read_fields(request)
        changes.reset(self._dialect)
        return reply(request, {"dialect": changes.as_json(self._dialect)})
