<?php

declare(strict_types=1);

namespace Kasi\Internal;

/** An operation of the contract. */
final class Operation
{
    /**
     * @param string $path as the contract writes it, parameters in braces
     * @param bool $isOpen whether it is sent without credentials
     * @param bool $isIdempotent whether it takes an `Idempotency-Key`
     * @param ?string $signedPath its path when the client signs with an API key, where that is another
     */
    public function __construct(
        public readonly string $method,
        public readonly string $path,
        public readonly bool $isOpen = false,
        public readonly bool $isIdempotent = false,
        public readonly ?string $signedPath = null,
    ) {
    }

    public function name(): string
    {
        return "$this->method $this->path";
    }

    /** Whether a repeated request has the effect of one. */
    public function isRepeatable(): bool
    {
        return $this->method === 'GET' || $this->method === 'PUT' || $this->isIdempotent;
    }
}
