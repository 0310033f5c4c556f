<?php

declare(strict_types=1);

namespace Kasi\Internal;

use Kasi\KasiError;

/** Authenticates requests. The transport knows only this; each kind of credentials implements it. */
interface Credentials
{
    /** @return array<string, string> the headers of a request that is about to be sent */
    public function authorize(string $method, string $url, string $body, ?string $idempotencyKey): array;

    /** Whether the service may accept the request with other headers, after it was refused. */
    public function renew(KasiError $refusal): bool;
}
