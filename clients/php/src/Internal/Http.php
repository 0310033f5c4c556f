<?php

declare(strict_types=1);

namespace Kasi\Internal;

use Kasi\HttpRequest;
use Kasi\HttpResponse;
use Kasi\NoAnswer;

/** HTTP by curl: one deadline for all of an answer, no redirects, the address exactly as it was signed. */
final class Http
{
    private ?\CurlHandle $handle = null;

    /** @throws NoAnswer */
    public function send(HttpRequest $request): HttpResponse
    {
        // Kept between calls, because it keeps its connection.
        $handle = $this->handle ??= curl_init();
        curl_reset($handle);
        $headers = [];
        curl_setopt_array($handle, self::optionsOf($request, $headers) + [CURLOPT_RETURNTRANSFER => true]);
        $body = curl_exec($handle);
        if (!is_string($body)) {
            throw self::failureOf(curl_errno($handle), curl_error($handle));
        }
        return new HttpResponse(curl_getinfo($handle, CURLINFO_RESPONSE_CODE), $headers, $body);
    }

    /**
     * Yields the answer's head, then its body as it arrives. Leaving the loop closes the connection.
     *
     * @param callable(): float $silence the seconds that may pass without anything
     * @return \Generator<int, HttpResponse|string>
     * @throws NoAnswer
     */
    public function stream(HttpRequest $request, float $silence): \Generator
    {
        $handle = curl_init();
        $headers = [];
        $arrived = [];
        $options = self::optionsOf($request, $headers);
        unset($options[CURLOPT_TIMEOUT_MS]);
        $options[CURLOPT_WRITEFUNCTION] = static function (\CurlHandle $_, string $piece) use (&$arrived): int {
            $arrived[] = $piece;
            return strlen($piece);
        };
        curl_setopt_array($handle, $options);
        $many = curl_multi_init();
        curl_multi_add_handle($many, $handle);
        try {
            yield from self::pump($many, $handle, $headers, $arrived, $request->timeout, $silence);
        } finally {
            curl_multi_remove_handle($many, $handle);
            curl_multi_close($many);
        }
    }

    /**
     * @param array<string, string> $headers
     * @param list<string> $arrived
     * @return \Generator<int, HttpResponse|string>
     */
    private static function pump(
        \CurlMultiHandle $many,
        \CurlHandle $handle,
        array &$headers,
        array &$arrived,
        float $untilHead,
        float $silence,
    ): \Generator {
        $last = hrtime(true) / 1e9;
        $patience = $untilHead;
        $hasHead = false;
        do {
            curl_multi_exec($many, $running);
            $status = curl_getinfo($handle, CURLINFO_RESPONSE_CODE);
            if (!$hasHead && $status > 0 && ($arrived !== [] || $running === 0)) {
                $hasHead = true;
                $patience = $silence;
                yield new HttpResponse($status, $headers, '');
            }
            while ($hasHead && $arrived !== []) {
                yield array_shift($arrived);
                // How long the caller takes is not silence of the service.
                $last = hrtime(true) / 1e9;
            }
            if ($running > 0 && hrtime(true) / 1e9 - $last > $patience) {
                throw new NoAnswer('Nothing came for too long.', true);
            }
        } while ($running > 0 && curl_multi_select($many, 0.25) !== -2);
        $done = curl_multi_info_read($many);
        $result = $done === false ? CURLE_RECV_ERROR : $done['result'];
        if ($result !== CURLE_OK) {
            throw self::failureOf($result, curl_strerror($result) ?? 'The connection was lost.');
        }
    }

    /**
     * @param array<string, string> $headers filled while the answer arrives
     * @return array<int, mixed>
     */
    private static function optionsOf(HttpRequest $request, array &$headers): array
    {
        $lines = array_map(
            static fn (string $name, string $value): string => "$name: $value",
            array_keys($request->headers),
            $request->headers,
        );
        // curl would wait for a permission to send a large body.
        $lines[] = 'expect:';
        if ($request->body === '') {
            // Nor has a body that is not there a type.
            $lines[] = 'content-type:';
        }
        $options = [
            CURLOPT_URL => $request->url,
            CURLOPT_CUSTOMREQUEST => $request->method,
            CURLOPT_HTTPHEADER => $lines,
            CURLOPT_FOLLOWLOCATION => false,
            CURLOPT_PATH_AS_IS => true,
            CURLOPT_PROTOCOLS => CURLPROTO_HTTP | CURLPROTO_HTTPS,
            // What must not arrive twice never meets a connection that the server is just closing.
            CURLOPT_FRESH_CONNECT => !$request->isRepeatable,
            CURLOPT_NOSIGNAL => true,
            CURLOPT_HEADERFUNCTION => static function (\CurlHandle $_, string $line) use (&$headers): int {
                if (str_starts_with($line, 'HTTP/')) {
                    $headers = [];
                } elseif (str_contains($line, ':')) {
                    [$name, $value] = explode(':', $line, 2);
                    $headers[strtolower($name)] = trim($value);
                }
                return strlen($line);
            },
        ];
        if (is_finite($request->timeout)) {
            $options[CURLOPT_TIMEOUT_MS] = max(1, (int) ceil($request->timeout * 1000));
            $options[CURLOPT_CONNECTTIMEOUT_MS] = $options[CURLOPT_TIMEOUT_MS];
        }
        if ($request->body !== '' || !in_array($request->method, ['GET', 'DELETE'], true)) {
            $options[CURLOPT_POSTFIELDS] = $request->body;
        }
        return $options;
    }

    private static function failureOf(int $code, string $message): NoAnswer
    {
        return new NoAnswer($message, $code === CURLE_OPERATION_TIMEDOUT);
    }
}
