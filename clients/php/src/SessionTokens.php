<?php

declare(strict_types=1);

namespace Kasi;

/** The tokens of a login session. Store them as carefully as a password. */
final class SessionTokens
{
    /** @param ?string $refreshToken null when only an access token is known; the session then ends with it */
    public function __construct(public readonly string $token, public readonly ?string $refreshToken)
    {
    }
}
