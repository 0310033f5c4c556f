<?php

declare(strict_types=1);

namespace Kasi\Internal;

use Kasi\HttpResponse;
use Kasi\KasiError;

/** The errors in answers. */
final class Errors
{
    public static function fromResponse(HttpResponse $response): KasiError
    {
        $body = Json::parseOrText($response->body);
        $detail = is_array($body) ? ($body['error'] ?? null) : null;
        $retryAfter = self::parseSeconds($response->headers['retry-after'] ?? null);
        $requestId = $response->headers['x-request-id'] ?? null;
        if (!is_array($detail) || !is_string($detail['code'] ?? null) || !is_string($detail['message'] ?? null)) {
            $said = is_string($body) && $body !== '' ? ': ' . substr($body, 0, 200) : '.';
            $message = "$response->status with a body that is not Kasi's$said";
            $location = $response->headers['location'] ?? null;
            if ($response->status >= 300 && $response->status < 400 && $location !== null) {
                $message = "$response->status leads to " . substr($location, 0, 200) . ', and no redirect is followed. '
                    . 'Let baseUrl be the address of the service itself.';
            }
            return new KasiError('UNEXPECTED_RESPONSE', $message, $response->status, requestId: $requestId, retryAfterSeconds: $retryAfter);
        }
        return new KasiError(
            $detail['code'],
            $detail['message'],
            $response->status,
            self::text($detail['reason'] ?? null),
            self::fields($detail['fields'] ?? null),
            self::text($detail['requestId'] ?? null) ?? $requestId,
            $retryAfter,
        );
    }

    public static function unexpected(string $message, int $status = 200): KasiError
    {
        return new KasiError('UNEXPECTED_RESPONSE', $message, $status);
    }

    /** @return list<array{path: string, message: string}> */
    private static function fields(mixed $fields): array
    {
        $isField = static fn (mixed $field): bool =>
            is_array($field) && is_string($field['path'] ?? null) && is_string($field['message'] ?? null);
        return is_array($fields) ? array_values(array_filter($fields, $isField)) : [];
    }

    private static function text(mixed $value): ?string
    {
        return is_string($value) ? $value : null;
    }

    /** `Retry-After` is a number of seconds or, from proxies, a date. */
    private static function parseSeconds(?string $header): ?int
    {
        if ($header === null) {
            return null;
        }
        if (preg_match('/^\d{1,9}$/', $header) === 1) {
            return (int) $header;
        }
        $date = \DateTimeImmutable::createFromFormat(DATE_RFC7231, $header, new \DateTimeZone('UTC'));
        return $date === false ? null : max($date->getTimestamp() - time(), 0);
    }
}
