<?php

declare(strict_types=1);

namespace Kasi;

use Kasi\Internal\Json;
use Kasi\Internal\WebhookKeys;

/** Webhooks: genuine or not. */
final class Webhooks
{
    private const TOLERANCE_SECONDS = 300;

    /** The service signs with at most four keys; signatures beyond this number are ignored. */
    private const SIGNATURES_MAX = 10;

    /**
     * Returns the event if the merchant's key signed the body and the timestamp is within the tolerance.
     *
     * That is as Standard Webhooks defines it (`v1a`, Ed25519, strict). Takes the body byte for byte, before any JSON
     * parser: `file_get_contents('php://input')`, with `getallheaders()` or `$_SERVER`. Takes `keys`, or `baseUrl` and
     * `merchantId`, whose keys are fetched and kept for five minutes: in the process, or in `cache`. Handle each event
     * once by its `id`; new types may appear at any time. Throws `WebhookVerificationError` for a request that is not
     * genuine, `KasiError` when the keys can't be fetched, `InvalidArgumentException` when a key is invalid or there is
     * no such merchant.
     *
     * @param array<string, mixed> $headers
     * @param string|list<string>|null $keys as the service shows them: `whpk_...`
     * @param ?int $now the time to compare with in Unix seconds, for tests
     * @param ?object $cache a cache of PSR-16, so that not every process fetches the keys anew
     * @param ?callable(HttpRequest): HttpResponse $send
     * @return array<string, mixed>
     */
    public static function verify(
        string $body,
        array $headers,
        string|array|null $keys = null,
        ?string $baseUrl = null,
        ?string $merchantId = null,
        int $toleranceSeconds = self::TOLERANCE_SECONDS,
        ?int $now = null,
        ?object $cache = null,
        ?callable $send = null,
    ): array {
        $id = self::headerOf($headers, 'webhook-id');
        $timestamp = self::headerOf($headers, 'webhook-timestamp');
        $signatures = self::parseSignatures(self::headerOf($headers, 'webhook-signature'));
        self::checkTime($timestamp, $toleranceSeconds, $now ?? time());
        if ($signatures === []) {
            throw new WebhookVerificationError('no_matching_signature', 'webhook-signature holds no v1a signature.');
        }
        $message = "$id.$timestamp.$body";
        $given = $keys === null ? null : array_map(WebhookKeys::parse(...), (array) $keys);
        $isGenuine = $given !== null
            ? self::fits($given, $message, $signatures)
            : self::fits(WebhookKeys::fetch($baseUrl, $merchantId, false, $cache, $send), $message, $signatures)
                || self::fits(WebhookKeys::fetch($baseUrl, $merchantId, true, $cache, $send), $message, $signatures);
        if (!$isGenuine) {
            $said = 'No signature fits the body. Pass the body exactly as it arrived, and the keys of the merchant that it was sent to.';
            throw new WebhookVerificationError('no_matching_signature', $said);
        }
        $event = Json::parseOrText($body);
        return is_array($event) ? $event : throw new WebhookVerificationError('malformed', 'The body is signed but is not JSON.');
    }

    /**
     * Signs an event as the service would, to test your own endpoint. Uses a new key unless you pass `secret`.
     *
     * @param array<string, mixed>|string $event a text becomes the body unchanged
     * @return array{body: string, headers: array<string, string>, publicKey: string}
     */
    public static function signTest(
        array|string $event,
        #[\SensitiveParameter] ?string $secret = null,
        ?string $id = null,
        ?int $now = null,
    ): array {
        $body = is_string($event) ? $event : Json::body($event);
        $webhookId = $id ?? (is_array($event) ? (string) ($event['id'] ?? 'evt_test') : 'evt_test');
        $timestamp = (string) ($now ?? time());
        $pair = sodium_crypto_sign_seed_keypair($secret === null ? random_bytes(32) : WebhookKeys::parseSecret($secret));
        $signature = sodium_crypto_sign_detached("$webhookId.$timestamp.$body", sodium_crypto_sign_secretkey($pair));
        return [
            'body' => $body,
            'headers' => [
                'webhook-id' => $webhookId,
                'webhook-timestamp' => $timestamp,
                'webhook-signature' => 'v1a,' . base64_encode($signature),
            ],
            'publicKey' => 'whpk_' . base64_encode(sodium_crypto_sign_publickey($pair)),
        ];
    }

    private static function checkTime(string $timestamp, int $toleranceSeconds, int $now): void
    {
        if (preg_match('/^\d{1,12}$/D', $timestamp) !== 1) {
            throw new WebhookVerificationError('malformed', 'webhook-timestamp is not a number of seconds.');
        }
        $skew = abs($now - (int) $timestamp);
        if ($skew > $toleranceSeconds) {
            $said = "The webhook was signed $skew seconds from now. Is the clock right?";
            throw new WebhookVerificationError('timestamp_out_of_tolerance', $said);
        }
    }

    /**
     * @param list<string> $keys
     * @param list<non-empty-string> $signatures
     */
    private static function fits(array $keys, string $message, array $signatures): bool
    {
        foreach ($signatures as $signature) {
            foreach ($keys as $key) {
                if (sodium_crypto_sign_verify_detached($signature, $message, $key)) {
                    return true;
                }
            }
        }
        return false;
    }

    /**
     * The `v1a` signatures of the header, which may contain other schemes as well.
     *
     * @return list<string>
     */
    private static function parseSignatures(string $header): array
    {
        $wanted = array_filter(explode(' ', $header), static fn (string $token): bool => str_starts_with($token, 'v1a,'));
        $decoded = array_map(
            static fn (string $token): string => (string) base64_decode(substr($token, 4), true),
            array_slice(array_values($wanted), 0, self::SIGNATURES_MAX),
        );
        return array_values(array_filter($decoded, static fn (string $bytes): bool => strlen($bytes) === SODIUM_CRYPTO_SIGN_BYTES));
    }

    /** @param array<string, mixed> $headers */
    private static function headerOf(array $headers, string $name): string
    {
        $values = [];
        foreach ($headers as $key => $value) {
            // $_SERVER has HTTP_WEBHOOK_ID.
            if (in_array(str_replace('_', '-', strtolower((string) $key)), [$name, "http-$name"], true)) {
                array_push($values, ...array_values((array) $value));
            }
        }
        if ($values === [] || $values === ['']) {
            throw new WebhookVerificationError('missing_header', "The request has no $name.");
        }
        if (count($values) > 1 || !is_scalar($values[0])) {
            throw new WebhookVerificationError('malformed', "The request has more than one $name.");
        }
        return (string) $values[0];
    }
}
