<?php

declare(strict_types=1);

namespace Kasi;

use Kasi\Generated\AdminSurface;
use Kasi\Internal\Clock;
use Kasi\Internal\Connected;
use Kasi\Internal\Options;
use Kasi\Internal\Transport;

/** A client for administrators of the platform. They use a login session; the options are those of `Kasi`. */
final class KasiAdmin extends AdminSurface
{
    use Connected;

    /**
     * @param string|false|null $token false, from a setting that is missing, is an error
     * @param ?callable(?SessionTokens): mixed $onTokens
     * @param ?callable(HttpRequest): HttpResponse $send
     */
    public function __construct(
        string|false|null $baseUrl,
        #[\SensitiveParameter] string|false|null $token = null,
        #[\SensitiveParameter] ?string $refreshToken = null,
        ?string $email = null,
        #[\SensitiveParameter] ?string $password = null,
        ?callable $onTokens = null,
        float $timeout = 30.0,
        int $maxRetries = 2,
        ?callable $send = null,
    ) {
        $session = [self::set($token, 'token'), $refreshToken, $email, $password];
        parent::__construct(new Transport(new Options(
            $baseUrl === false ? null : $baseUrl, null, $session, $onTokens, $timeout, $maxRetries, $send, null, '/v1/admin/auth', new Clock(),
        )));
    }
}
