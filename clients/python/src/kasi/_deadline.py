"""How long something may take."""

from __future__ import annotations

import math
import time

from .errors import KasiError


class Deadline:
    """The end of a call. No limit when `seconds` is 0, negative or infinite."""

    __slots__ = ("_ends_at", "_seconds")

    def __init__(self, seconds: float) -> None:
        self.restart(seconds)

    def restart(self, seconds: float) -> None:
        """Begins anew with another length."""
        self._seconds = seconds if seconds > 0 else math.inf
        self._ends_at = time.monotonic() + self._seconds

    def left(self) -> float:
        """The seconds left, negative when the time is up; infinite without a limit."""
        return self._ends_at - time.monotonic()

    def is_over(self) -> bool:
        return self.left() <= 0

    def error(self) -> KasiError:
        """What is thrown when the time is up."""
        return KasiError("TIMEOUT", f"No answer within {self._seconds:g} seconds.")

    def check(self) -> None:
        if self.is_over():
            raise self.error()

    def share(self, seconds: float) -> Deadline:
        """A part of the time for one attempt; all of it when `seconds` is 0."""
        return self if seconds <= 0 else Deadline(min(seconds, self.left()))
