<?php

declare(strict_types=1);

namespace Kasi;

/** A request as it goes over the wire. Send exactly this: the signature covers every byte of it. */
final class HttpRequest
{
    /**
     * @param array<string, string> $headers
     * @param float $timeout the seconds left; INF without a limit
     * @param bool $isRepeatable whether it does no harm if it arrives twice
     */
    public function __construct(
        public readonly string $method,
        public readonly string $url,
        public readonly array $headers,
        public readonly string $body,
        public readonly float $timeout,
        public readonly bool $isRepeatable = false,
    ) {
    }
}
