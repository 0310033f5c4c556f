<?php

declare(strict_types=1);

namespace Kasi\Internal;

use Kasi\KasiError;
use Kasi\Signature;

/** Signs every request with an API key, with the time of sending as its timestamp. */
final class Signer implements Credentials
{
    public function __construct(
        private readonly string $apiKey,
        #[\SensitiveParameter] private readonly string $apiSecret,
    ) {
    }

    public function authorize(string $method, string $url, string $body, ?string $idempotencyKey): array
    {
        return Signature::sign($this->apiKey, $this->apiSecret, $method, $url, $body, $idempotencyKey);
    }

    public function renew(KasiError $refusal): bool
    {
        return false;
    }
}
