"""Asks GitHub's REST API, with bounds on everything that comes back.

The token goes to the API's own origin and nowhere else: not behind a redirect, not to a next page elsewhere,
and into no message.
https://docs.github.com/en/rest/using-the-rest-api/troubleshooting-the-rest-api
"""

from __future__ import annotations

import json
import re
import time
from datetime import UTC, datetime
from email.message import Message
from http.client import HTTPException, HTTPResponse
from typing import IO, Any, Final, NamedTuple, NoReturn
from urllib.error import HTTPError, URLError
from urllib.parse import urlsplit
from urllib.request import HTTPRedirectHandler, Request, build_opener

from novote import __version__
from novote.clip import clip

TIMEOUT_S = 20.0
"""How long an answer may take, from the first word to the last."""

MAX_BYTES: Final = 4_000_000
MAX_PAGES: Final = 30
_LONGEST: Final = 200
_NEXT: Final = re.compile(r'<([^<>]{1,2000})>\s*;\s*rel="next"')
_LOOPBACK: Final = frozenset({"localhost", "127.0.0.1", "::1"})


class NoAnswer(Exception):
    """GitHub does not say, and why; `missing` says that it knows no such thing."""

    def __init__(self, message: str, *, missing: bool = False) -> None:
        super().__init__(message)
        self.missing = missing


class Client(NamedTuple):
    """The API at an address without a slash at its end, and the token for it."""

    api: str
    token: str

    def get(self, path: str) -> Any:
        """The answer for a path below the API's address. Raises NoAnswer."""
        return self._page(f"{self.api}{path}")[0]

    def pages(self, path: str) -> list[Any]:
        """The items of all pages of a list. Raises NoAnswer."""
        found: list[Any] = []
        address: str | None = f"{self.api}{path}?per_page=100"
        for _ in range(MAX_PAGES):
            value, address = self._page(address or "")
            if not isinstance(value, list):
                raise NoAnswer(f"GitHub's answer for {path} is no list")
            found += value
            if address is None:
                return found
        raise NoAnswer(f"GitHub's answer for {path} has more than {MAX_PAGES} pages")

    def _page(self, address: str) -> tuple[Any, str | None]:
        """What stands at an address, and the address of the next page where there is one."""
        if _origin(address) != _origin(self.api):
            raise NoAnswer(f"GitHub's next page is at {_host(address)}, which is not where the API is")
        data, headers = self._fetch(address)
        try:
            value = json.loads(data)
        except (ValueError, RecursionError):
            raise NoAnswer(f"{_host(self.api)} answers with no JSON; is GITHUB_API_URL right?") from None
        following = _NEXT.search(str(headers.get("Link", "")))
        return value, following[1] if following is not None else None

    def _fetch(self, address: str) -> tuple[bytes, Message]:
        try:
            with build_opener(_SameOrigin(self)).open(self.request(address), timeout=TIMEOUT_S) as response:
                return _read(response), response.headers
        except HTTPError as error:
            with error:
                self._refused(error)
        except (OSError, HTTPException) as error:
            reason = error.reason if isinstance(error, URLError) else error
            if isinstance(reason, TimeoutError):
                raise NoAnswer(f"{_host(self.api)} gives no answer within {TIMEOUT_S:g} seconds") from None
            raise NoAnswer(f"{_host(self.api)} cannot be reached: {self._clean(str(reason))}") from None

    def request(self, address: str) -> Request:
        """A request with the token, which no redirect carries on by itself."""
        request = Request(
            address,
            headers={
                "Accept": "application/vnd.github+json",
                "User-Agent": f"novote/{__version__}",
                "X-GitHub-Api-Version": "2022-11-28",
            },
        )
        request.add_unredirected_header("Authorization", f"Bearer {self.token}")
        return request

    def _refused(self, error: HTTPError) -> NoReturn:
        """Says why GitHub refuses."""
        said = self._said(error)
        is_limit = error.headers.get("X-RateLimit-Remaining") == "0" or "Retry-After" in error.headers
        if error.code in (403, 429) and (is_limit or "rate limit" in said.lower()):
            raise NoAnswer(f"the token's rate limit is used up{_until(error.headers)}; try again later")
        if error.code == 401:
            raise NoAnswer("GitHub does not accept the token")
        if error.code == 403:
            raise NoAnswer(f"the token may not read this: {said or 'GitHub does not say why'}")
        if error.code == 404:
            raise NoAnswer("GitHub knows no such thing, or the token may not see it", missing=True)
        raise NoAnswer(f"{_host(self.api)} answers {error.code} {said}".rstrip())

    def _said(self, error: HTTPError) -> str:
        """The message in a refusal; empty where there is none."""
        try:
            value = json.loads(_read(error))
        except (OSError, HTTPException, ValueError, RecursionError):
            return ""
        message = value.get("message") if isinstance(value, dict) else None
        return self._clean(message) if isinstance(message, str) else ""

    def _clean(self, text: str) -> str:
        """Text of a server, short and without the token."""
        return clip(text.replace(self.token, "***"), _LONGEST)


class _SameOrigin(HTTPRedirectHandler):
    """Follows redirects within the API alone, as for a repository that was renamed."""

    def __init__(self, client: Client) -> None:
        self.client = client

    def redirect_request(
        self, req: Request, fp: IO[bytes], code: int, msg: str, headers: Message, newurl: str
    ) -> Request | None:
        """The next request, with the token."""
        if _origin(newurl) != _origin(req.full_url):
            fp.close()
            raise NoAnswer(f"GitHub sends on to {_host(newurl)}, which is not where the API is")
        return self.client.request(newurl)


def is_safe(api: str) -> bool:
    """Whether a token may be sent to an address: encrypted, or to this very machine."""
    scheme, host, _ = _origin(api)
    return bool(host) and (scheme == "https" or (scheme == "http" and host in _LOOPBACK))


def _read(response: HTTPResponse | HTTPError) -> bytes:
    """An answer, with bounds on its size and on how long it takes."""
    deadline = time.monotonic() + TIMEOUT_S
    data = b""
    while chunk := response.read1(1 << 16):
        data += chunk
        if len(data) > MAX_BYTES:
            raise NoAnswer(f"GitHub's answer is longer than {MAX_BYTES} bytes")
        if time.monotonic() > deadline:
            raise TimeoutError
    return data


def _origin(address: str) -> tuple[str, str, int | None]:
    """Scheme, host and port; the host is empty where the address is none."""
    try:
        parts = urlsplit(address)
        port = parts.port or {"https": 443, "http": 80}.get(parts.scheme)
    except ValueError:
        return "", "", None
    return parts.scheme, parts.hostname or "", port


def _host(address: str) -> str:
    return clip(_origin(address)[1] or "no address", _LONGEST)


def _until(headers: Message) -> str:
    """Until when a limit holds, as a clause."""
    stamp = headers.get("X-RateLimit-Reset", "")
    if not re.fullmatch(r"[0-9]{1,11}", stamp):
        return ""
    return f" until {datetime.fromtimestamp(int(stamp), UTC):%Y-%m-%d %H:%M} UTC"
