<?php

declare(strict_types=1);

namespace Kasi;

use Kasi\Generated\Surface;
use Kasi\Internal\Clock;
use Kasi\Internal\Connected;
use Kasi\Internal\Options;
use Kasi\Internal\Transport;

/**
 * A client of the service at `baseUrl`, for merchants and payers. Sends nothing yet.
 *
 * The caller authenticates with an API key (`apiKey`, `apiSecret`: every request is signed) or a login session (`email`
 * and `password`, or `token` and `refreshToken`), or not at all: public operations need neither. Methods return the
 * body of the answer and throw `KasiError`. Throws `InvalidArgumentException` when the options are incomplete or
 * contradict each other.
 */
final class Kasi extends Surface
{
    use Connected;

    /** What no key looks like: tells an option that was left out from a setting that is missing. */
    private const LEFT_OUT = "\0";

    /**
     * @param ?string $baseUrl the URL of the service, without `/v1`
     * @param string|false|null $apiKey left out for a session. A setting that is missing (null, false or empty) is an
     *   error, because it must not make a client that calls as nobody
     * @param string|false|null $token false, from a setting that is missing, is an error for the same reason
     * @param ?callable(?SessionTokens): mixed $onTokens called with the tokens whenever they change; null when the
     *   session has ended. Store them: using a refresh token a second time ends the session
     * @param float $timeout seconds that a call may take with all its attempts; 0 means no limit
     * @param int $maxRetries how often a failed attempt is retried at most, if a retry can do no harm
     * @param ?callable(HttpRequest): HttpResponse $send replaces curl; throws `NoAnswer` when none comes
     */
    public function __construct(
        string|false|null $baseUrl,
        string|false|null $apiKey = self::LEFT_OUT,
        #[\SensitiveParameter] string|false|null $apiSecret = self::LEFT_OUT,
        #[\SensitiveParameter] string|false|null $token = null,
        #[\SensitiveParameter] ?string $refreshToken = null,
        ?string $email = null,
        #[\SensitiveParameter] ?string $password = null,
        ?callable $onTokens = null,
        float $timeout = 30.0,
        int $maxRetries = 2,
        ?callable $send = null,
    ) {
        $key = [$apiKey, $apiSecret] === [self::LEFT_OUT, self::LEFT_OUT] ? null : [self::given($apiKey), self::given($apiSecret)];
        $session = [self::set($token, 'token'), $refreshToken, $email, $password];
        parent::__construct(new Transport(new Options(
            self::given($baseUrl), $key, $session, $onTokens, $timeout, $maxRetries, $send, null, '/v1/auth', new Clock(),
        )));
    }

    private static function given(string|false|null $value): string
    {
        return $value === false || $value === null || $value === self::LEFT_OUT ? '' : $value;
    }
}
