<?php

declare(strict_types=1);

namespace Kasi;

/** No answer came, or it broke off. Throw it in a `send` of your own. */
final class NoAnswer extends \RuntimeException
{
    /** @param bool $isLate whether the time was up */
    public function __construct(string $message, public readonly bool $isLate = false)
    {
        parent::__construct($message);
    }
}
