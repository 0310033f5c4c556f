<?php

declare(strict_types=1);

namespace Kasi\Internal;

/** The time of retries. Tests put another one in its place. */
class Clock
{
    /** Seconds that only ever grow. */
    public function now(): float
    {
        return hrtime(true) / 1e9;
    }

    public function sleep(float $seconds): void
    {
        usleep((int) ceil($seconds * 1e6));
    }

    /** A random number from 0 to 1. */
    public function random(): float
    {
        return mt_rand() / mt_getrandmax();
    }
}
