<?php

declare(strict_types=1);

namespace Kasi\Internal;

/** How to make one call. Null means what the client says. */
final class CallOptions
{
    public function __construct(
        public readonly ?float $timeout = null,
        public readonly ?int $maxRetries = null,
        public readonly ?string $idempotencyKey = null,
    ) {
    }
}
