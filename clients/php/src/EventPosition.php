<?php

declare(strict_types=1);

namespace Kasi;

/** How far a feed was read: the position of an event, and its hash, which covers everything up to it. */
final class EventPosition
{
    public function __construct(public readonly int $position, public readonly string $hash)
    {
    }
}
