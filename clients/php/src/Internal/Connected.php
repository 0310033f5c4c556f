<?php

declare(strict_types=1);

namespace Kasi\Internal;

use Kasi\SessionTokens;

/** What every client has besides its methods. */
trait Connected
{
    /** The current tokens of the session; null without a session. */
    public function tokens(): ?SessionTokens
    {
        return $this->transport->session?->tokens();
    }

    /**
     * Any call, with the same credentials, for what the methods don't offer yet. `path` begins with `/v1`.
     *
     * A POST is retried after a broken connection only with an `idempotencyKey`: send one if the operation takes it.
     *
     * @param ?array<string, mixed> $query
     * @param ?array<string, mixed> $body
     */
    public function request(
        string $method,
        string $path,
        ?array $query = null,
        #[\SensitiveParameter] ?array $body = null,
        ?string $idempotencyKey = null,
        ?float $timeout = null,
        ?int $maxRetries = null,
    ): mixed {
        if (preg_match('~^/[^{}?#\s]*$~D', $path) !== 1) {
            throw new \InvalidArgumentException('path begins with /v1 and has no query: that is an argument of its own.');
        }
        $operation = new Operation(strtoupper($method), $path, isIdempotent: $idempotencyKey !== null);
        return $this->transport->call($operation, [], new CallOptions($timeout, $maxRetries, $idempotencyKey), $query, $body);
    }

    /** `getenv` of a name that is not set is false, which must not make a client that calls as nobody. */
    private static function set(#[\SensitiveParameter] string|false|null $value, string $name): ?string
    {
        return $value === false ? throw new \InvalidArgumentException("$name is missing: the setting that it comes from is not set.") : $value;
    }
}
