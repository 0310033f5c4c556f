<?php

declare(strict_types=1);

namespace Kasi;

/** Signatures of requests, as the chapter "Signing requests" of the documentation describes them. */
final class Signature
{
    /**
     * The headers of a request that you send with another HTTP library; `Kasi` signs by itself.
     *
     * `url` is the URL, or only its path and query, encoded exactly as it is sent: `/v1/payments?page=2&status=paid`.
     * Send the headers with exactly this method, URL, body and `Idempotency-Key`, within five minutes.
     *
     * @param ?int $now the time to sign for in Unix seconds, for tests
     * @return array{'x-api-key': string, 'x-timestamp': string, 'x-signature': string}
     */
    public static function sign(
        string $apiKey,
        #[\SensitiveParameter] string $apiSecret,
        string $method,
        string $url,
        string $body = '',
        ?string $idempotencyKey = null,
        ?int $now = null,
    ): array {
        $timestamp = (string) ($now ?? time());
        return [
            'x-api-key' => $apiKey,
            'x-timestamp' => $timestamp,
            'x-signature' => self::of($apiSecret, $timestamp, $method, self::targetOf($url), $body, $idempotencyKey ?? ''),
        ];
    }

    /** The signature for a timestamp as in the header: seconds, or empty when the header is left out. */
    public static function of(
        #[\SensitiveParameter] string $apiSecret,
        string $timestamp,
        string $method,
        string $target,
        string $body = '',
        string $idempotencyKey = '',
    ): string {
        $lines = [$timestamp, strtoupper($method), $target, hash('sha256', $body), $idempotencyKey];
        return hash_hmac('sha256', implode("\n", $lines), $apiSecret);
    }

    /** The request target: what is between the method and the version in the first line of the request. */
    private static function targetOf(string $url): string
    {
        if (str_starts_with($url, '/')) {
            return $url;
        }
        if (preg_match('~^https?://[^/?#]+(/[^?#]*)?(\?[^#]*)?~i', $url, $parts) !== 1) {
            throw new \InvalidArgumentException("url is neither a URL nor a path that begins with /: $url");
        }
        return (($parts[1] ?? '') === '' ? '/' : $parts[1]) . ($parts[2] ?? '');
    }
}
