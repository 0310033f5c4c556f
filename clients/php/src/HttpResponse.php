<?php

declare(strict_types=1);

namespace Kasi;

/** An answer. */
final class HttpResponse
{
    /** @var array<string, string> by names in lower case */
    public readonly array $headers;

    /** @param array<string, string> $headers */
    public function __construct(public readonly int $status, array $headers, public readonly string $body)
    {
        $this->headers = array_change_key_case($headers);
    }
}
