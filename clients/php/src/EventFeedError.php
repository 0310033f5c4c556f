<?php

declare(strict_types=1);

namespace Kasi;

/** The feed is incomplete or was changed. Everything before `position` was correct and has been handled. */
final class EventFeedError extends \RuntimeException
{
    /**
     * @param 'missing'|'broken_chain'|'wrong_hash'|'wrong_body' $reason
     * @param int $position the first position that is wrong
     */
    public function __construct(public readonly string $reason, public readonly int $position, string $message)
    {
        parent::__construct($message);
    }
}
