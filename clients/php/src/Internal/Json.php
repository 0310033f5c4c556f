<?php

declare(strict_types=1);

namespace Kasi\Internal;

use Kasi\Generated\Types;

/** JSON whose numbers come through exactly: an amount has two decimals, which a float holds and writes unchanged. */
final class Json
{
    /** @throws \JsonException */
    public static function parse(string $text): mixed
    {
        return json_decode($text, true, 512, JSON_THROW_ON_ERROR | JSON_BIGINT_AS_STRING);
    }

    /** The JSON value of a text, or the text itself if it isn't JSON. */
    public static function parseOrText(string $text): mixed
    {
        try {
            return self::parse($text);
        } catch (\JsonException) {
            return $text;
        }
    }

    /**
     * A body. An empty array is an object there, and so it is in every field that the contract calls an object: in PHP
     * no metadata are `[]`, and so are those of an answer.
     *
     * @param array<string, mixed> $body
     */
    public static function body(#[\SensitiveParameter] array $body): string
    {
        try {
            return self::write($body === [] ? (object) [] : self::withObjects($body));
        } catch (\JsonException $error) {
            throw new \InvalidArgumentException("The body has something that JSON does not have: {$error->getMessage()}", 0, $error);
        }
    }

    /** @throws \JsonException */
    public static function write(#[\SensitiveParameter] mixed $value): string
    {
        // With the value that older settings have, 49.99 would become 49.990000000000002.
        $before = ini_set('serialize_precision', '-1');
        try {
            return json_encode($value, JSON_THROW_ON_ERROR | JSON_UNESCAPED_SLASHES | JSON_UNESCAPED_UNICODE);
        } finally {
            if ($before !== false) {
                ini_set('serialize_precision', $before);
            }
        }
    }

    /**
     * @param array<array-key, mixed> $value
     * @return array<array-key, mixed>
     */
    private static function withObjects(#[\SensitiveParameter] array $value): array
    {
        foreach ($value as $name => $item) {
            if ($item === [] && in_array($name, Types::OBJECTS, true)) {
                $value[$name] = (object) [];
            } elseif (is_array($item)) {
                $value[$name] = self::withObjects($item);
            }
        }
        return $value;
    }
}
