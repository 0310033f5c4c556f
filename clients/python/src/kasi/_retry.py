"""When another attempt is made, and when."""

from __future__ import annotations

import math
import random
import time
from typing import Callable, NamedTuple, TypeVar

from ._deadline import Deadline
from .errors import KasiError

Answer = TypeVar("Answer")

# The first pause; each following one is twice as long.
_PAUSE_SECONDS = 0.5
_PAUSE_MAX_SECONDS = 8.0

# A longer `Retry-After` is not waited for: the error is raised at once, even if the call has no deadline.
_RETRY_AFTER_MAX_SECONDS = 60


class RetryPolicy(NamedTuple):
    max_retries: int
    """How often a failed attempt is retried at most."""
    is_repeatable: bool
    """Whether a second attempt has no second effect, whatever happened to the first."""


def with_retries(attempt: Callable[[Deadline], Answer], policy: RetryPolicy, deadline: Deadline) -> Answer:
    """Makes attempts until one succeeds, one fails for good, or no other fits into the deadline.

    While another attempt may follow, one gets half of the time left, so that a hanging connection doesn't use up the
    call. Raises the error of the last attempt, with the number of attempts.
    """
    attempts = 0
    while True:
        attempts += 1
        deadline.check()
        may_repeat = attempts <= policy.max_retries
        try:
            return attempt(deadline.share(_share_of(deadline.left(), attempts, may_repeat and policy.is_repeatable)))
        except KasiError as error:
            if deadline.is_over():
                raise _counted(deadline.error() if error.status == 0 else error, attempts) from error
            pause = _pause_after(error, attempts)
            if not may_repeat or not _is_worth_another(error, policy) or pause >= deadline.left():
                raise _counted(error, attempts)
        time.sleep(pause)


def longest_pause(attempts: int) -> float:
    """The pause after this many attempts, before jitter shortens it."""
    return min(_PAUSE_SECONDS * 2.0 ** min(attempts - 1, 10), _PAUSE_MAX_SECONDS)


def _share_of(left: float, attempts: int, may_repeat: bool) -> float:
    """Half of the time left if another attempt then fits; else 0, which means all of it."""
    is_enough = may_repeat and math.isfinite(left) and left / 2 > longest_pause(attempts)
    return left / 2 if is_enough else 0.0


def _is_worth_another(error: KasiError, policy: RetryPolicy) -> bool:
    """Whether another attempt can do no harm and may succeed."""
    # Already retried: it comes from the call that renews the session, which makes its own attempts.
    if error.attempts > 0:
        return False
    # The service refused it before it did anything.
    if error.status == 429 or error.code == "RATE_UNAVAILABLE":
        return True
    # In all other cases the service may have carried it out.
    if not policy.is_repeatable:
        return False
    return error.status in (0, 500, 502, 503, 504) or error.code == "IDEMPOTENCY_IN_PROGRESS"


def _pause_after(error: KasiError, attempts: int) -> float:
    """The time that the service asks for plus a random pause, so that clients that failed together come apart."""
    seconds = error.retry_after_seconds or 0
    if seconds > _RETRY_AFTER_MAX_SECONDS:
        return math.inf
    return seconds + longest_pause(attempts) * (0.5 + random.random() / 2)


def _counted(error: KasiError, attempts: int) -> KasiError:
    """Stores the number of attempts in an error, once: several calls may share an error of the session."""
    if error.attempts == 0:
        error.attempts = attempts
    return error
