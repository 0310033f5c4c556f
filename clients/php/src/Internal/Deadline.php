<?php

declare(strict_types=1);

namespace Kasi\Internal;

use Kasi\KasiError;

/** The end of a call. No limit when `seconds` is 0. */
final class Deadline
{
    private readonly float $seconds;
    private readonly float $endsAt;

    public function __construct(float $seconds, private readonly Clock $clock)
    {
        $this->seconds = $seconds > 0 ? $seconds : INF;
        $this->endsAt = $clock->now() + $this->seconds;
    }

    /** The seconds left, negative when the time is up; infinite without a limit. */
    public function left(): float
    {
        return $this->endsAt - $this->clock->now();
    }

    public function isOver(): bool
    {
        return $this->left() <= 0;
    }

    public function error(?\Throwable $previous = null): KasiError
    {
        return new KasiError('TIMEOUT', "No answer within $this->seconds seconds.", previous: $previous);
    }

    /** A part of the time for one attempt; all of it when `seconds` is 0. */
    public function share(float $seconds): self
    {
        return $seconds <= 0 ? $this : new self(min($seconds, $this->left()), $this->clock);
    }
}
