<?php

declare(strict_types=1);

namespace Kasi\Internal;

use Kasi\KasiError;
use Kasi\NoAnswer;

/** Server-sent events, across lost connections. */
final class EventStream
{
    /** The service sends a comment every 15 seconds; after three missing ones the connection counts as lost. */
    private const SILENCE_MAX_SECONDS = 45.0;

    /** Far more bytes than any message has. */
    private const MESSAGE_MAX = 1_000_000;

    /**
     * Yields the data of every server-sent event named `name`, without consecutive duplicates.
     *
     * Reconnects when the connection is lost or the service shuts down. Ends as the last connection did once
     * `maxRetries` connections in a row brought nothing; with 0 it never reconnects. Leaving the loop closes the
     * connection.
     *
     * @param array<string, string> $path
     * @return \Generator<int, array<string, mixed>>
     */
    public static function follow(Transport $transport, Operation $operation, array $path, string $name, CallOptions $call): \Generator
    {
        $maxRetries = $transport->maxRetries($call);
        $last = null;
        for ($idle = 0; ; $idle += 1) {
            try {
                foreach (self::messages($transport->stream($operation, $path, $call, 'text/event-stream', self::SILENCE_MAX_SECONDS), $name) as $text) {
                    $idle = 0;
                    if ($text !== $last) {
                        yield self::parse($text);
                    }
                    $last = $text;
                }
                if ($idle >= $maxRetries) {
                    return;
                }
            } catch (NoAnswer $lost) {
                if ($idle >= $maxRetries) {
                    $error = new KasiError('NETWORK_ERROR', "The answer broke off: {$lost->getMessage()}", previous: $lost);
                    $error->operation = $operation->name();
                    $error->describe();
                    throw $error;
                }
            }
            $transport->clock()->sleep(Retry::longestPause($idle + 1));
        }
    }

    /**
     * @param \Generator<int, string> $pieces
     * @return \Generator<int, string>
     */
    private static function messages(\Generator $pieces, string $name): \Generator
    {
        $buffer = '';
        foreach ($pieces as $piece) {
            $buffer .= str_replace("\r", '', $piece);
            $messages = explode("\n\n", $buffer);
            $buffer = array_pop($messages);
            if (strlen($buffer) > self::MESSAGE_MAX) {
                throw Errors::unexpected('An event does not end.');
            }
            foreach ($messages as $message) {
                $text = self::dataOf($message, $name);
                if ($text !== '') {
                    yield $text;
                }
            }
        }
    }

    /** @return array<string, mixed> */
    private static function parse(string $text): array
    {
        $data = Json::parseOrText($text);
        return is_array($data) ? $data : throw Errors::unexpected('An event whose data is not JSON.');
    }

    /** The data of one message, empty when the message has another name or none. */
    private static function dataOf(string $message, string $name): string
    {
        $values = ['event' => [], 'data' => []];
        foreach (explode("\n", $message) as $line) {
            [$field, $value] = [...explode(':', $line, 2), ''];
            if (isset($values[$field])) {
                $values[$field][] = str_starts_with($value, ' ') ? substr($value, 1) : $value;
            }
        }
        return end($values['event']) === $name ? implode("\n", $values['data']) : '';
    }
}
