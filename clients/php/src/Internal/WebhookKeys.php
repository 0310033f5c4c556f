<?php

declare(strict_types=1);

namespace Kasi\Internal;

use Kasi\HttpRequest;
use Kasi\KasiError;
use Kasi\NoAnswer;

/** The public keys of merchants, fetched from the service and kept for five minutes. */
final class WebhookKeys
{
    /** How long fetched keys are kept, as the service allows. */
    private const LIFETIME_SECONDS = 300;

    /** The least time between two fetches when a signature fits none of the keys. */
    private const REFETCH_PAUSE_SECONDS = 10;

    private const FETCH_TIMEOUT_SECONDS = 10.0;

    /** @var array<string, array{at: int, keys: list<string>}> */
    private static array $kept = [];

    /**
     * `isStale` asks for newer keys; they are fetched only if the kept ones are at least ten seconds old. Throws
     * `KasiError` when they can't be fetched, `InvalidArgumentException` when there is no such merchant. The keys that were kept before stay: a forgery must not evict them.
     *
     * @return list<string>
     */
    public static function fetch(?string $baseUrl, ?string $merchantId, bool $isStale, ?object $cache, ?callable $send): array
    {
        if ($merchantId === null || $merchantId === '') {
            throw new \InvalidArgumentException('merchantId is missing: whose webhooks to accept (mer_...).');
        }
        $url = Options::baseUrl($baseUrl) . '/v1/public/merchants/' . rawurlencode($merchantId) . '/webhook-keys';
        $name = 'kasi.webhook-keys.' . hash('sha256', $url);
        $kept = $cache === null ? self::$kept[$name] ?? null : $cache->get($name);
        $limit = $isStale ? self::REFETCH_PAUSE_SECONDS : self::LIFETIME_SECONDS;
        if (is_array($kept) && time() - $kept['at'] < $limit) {
            return array_map(self::parse(...), $kept['keys']);
        }
        $fresh = ['at' => time(), 'keys' => self::download($url, $merchantId, $baseUrl, $send ?? (new Http())->send(...))];
        if ($cache === null) {
            self::$kept[$name] = $fresh;
        } else {
            $cache->set($name, $fresh, self::LIFETIME_SECONDS);
        }
        return array_map(self::parse(...), $fresh['keys']);
    }

    /** The 32 bytes of a public key. */
    public static function parse(#[\SensitiveParameter] string $key): string
    {
        // A secret is not repeated, because messages end in logs.
        if (preg_match('/^(whsec|whsk|sk)_/', $key) === 1) {
            throw new \InvalidArgumentException('keys holds a secret, but the keys of webhooks are public: pass whpk_... as '
                . 'webhooks->keys->list() shows it, or baseUrl and merchantId instead of keys. There is no secret to share.');
        }
        $bytes = self::decode(preg_replace('/^whpk_/', '', $key) ?? '');
        return strlen($bytes) === 32 ? $bytes : throw new \InvalidArgumentException('Not a webhook key: ' . substr($key, 0, 60));
    }

    /** The seed is the first part of `whsk_...`, whether or not the public key follows. */
    public static function parseSecret(#[\SensitiveParameter] string $secret): string
    {
        $bytes = self::decode(preg_replace('/^whsk_/', '', $secret) ?? '');
        return in_array(strlen($bytes), [32, 64], true)
            ? substr($bytes, 0, 32)
            : throw new \InvalidArgumentException('Not a webhook secret (whsk_...).');
    }

    /** @return list<string> */
    private static function download(string $url, string $merchantId, ?string $baseUrl, callable $send): array
    {
        $headers = ['accept' => 'application/json', 'user-agent' => 'kasi-php'];
        try {
            $response = $send(new HttpRequest('GET', $url, $headers, '', self::FETCH_TIMEOUT_SECONDS, true));
        } catch (NoAnswer $cause) {
            $code = $cause->isLate ? 'TIMEOUT' : 'NETWORK_ERROR';
            throw new KasiError($code, "The webhook keys could not be fetched from $url: {$cause->getMessage()}", previous: $cause);
        }
        $body = Json::parseOrText($response->body);
        if ($response->status !== 200 || !is_array($body) || !is_array($body['keys'] ?? null)) {
            $refusal = Errors::fromResponse($response);
            throw $refusal->code === 'NOT_FOUND' ? self::noSuchMerchant($merchantId, $baseUrl) : $refusal;
        }
        // Ignores keys of kinds that don't exist yet.
        $known = array_filter($body['keys'], static fn (mixed $key): bool =>
            is_array($key) && ($key['crv'] ?? null) === 'Ed25519' && is_string($key['x'] ?? null));
        return array_values(array_column($known, 'x'));
    }

    /** A wrong setting, which no repetition of the webhook mends. */
    private static function noSuchMerchant(string $merchantId, ?string $baseUrl): \InvalidArgumentException
    {
        return new \InvalidArgumentException("There is no merchant \"$merchantId\" at $baseUrl. Set merchantId to the id that "
            . 'auth->login() shows as merchant.id and every webhook carries as merchantId (mer_...), '
            . 'and baseUrl to the service that sends the webhooks.');
    }

    /** Base64 or base64url, padded or not; empty when it is neither. */
    private static function decode(string $text): string
    {
        return (string) base64_decode(strtr($text, '-_', '+/'), true);
    }
}
