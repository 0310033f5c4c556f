<?php

declare(strict_types=1);

namespace Kasi\Internal;

use Kasi\EventFeedError;
use Kasi\EventPosition;

/** The feed of events: all of them, in one order without gaps, with proof. */
final class Feed
{
    private const PAGE_SIZE = 100;
    private const TAG = "event-v1\0";

    /**
     * Every event after a position, page by page.
     *
     * @return \Generator<int, array<string, mixed>>
     */
    public static function read(Transport $transport, Operation $operation, int $after, ?int $limit, CallOptions $call): \Generator
    {
        for (; ; ) {
            $query = ['after' => $after, 'limit' => $limit ?? self::PAGE_SIZE];
            [$data, $hasMore] = self::parsePage($transport->call($operation, [], $call, query: $query));
            yield from $data;
            if (!$hasMore) {
                return;
            }
            $next = $data === [] ? $after : $data[count($data) - 1]['position'];
            if ($next <= $after) {
                throw Errors::unexpected('The feed says that there is more, and does not show it.');
            }
            $after = $next;
        }
    }

    /** @param callable(array<string, mixed>, EventPosition): mixed $handle */
    public static function sync(Transport $transport, Operation $operation, int|EventPosition $after, callable $handle, CallOptions $call): EventPosition
    {
        $start = is_int($after) ? $after : $after->position;
        if ($start < 0) {
            throw new \InvalidArgumentException('after is 0, the position of an event, or what an earlier sync returned.');
        }
        // Reads the last handled event again, to learn its hash and check that it is unchanged.
        $last = $start === 0 ? new EventPosition(0, str_repeat('0', 64)) : null;
        foreach (self::read($transport, $operation, max(0, $start - 1), null, $call) as $entry) {
            if ($last === null) {
                $last = self::checkStart($entry, $start, is_int($after) ? null : $after->hash);
                continue;
            }
            $event = self::checkNext($entry, $last);
            $at = new EventPosition($entry['position'], $entry['hash']);
            if ($event !== null) {
                $handle($event, $at);
            }
            $last = $at;
        }
        return $last ?? throw self::missing($start, 'the feed ends before it');
    }

    /** @return array{list<array<string, mixed>>, bool} */
    private static function parsePage(mixed $body): array
    {
        $data = is_array($body) ? $body['data'] ?? null : null;
        $hasMore = is_array($body) ? $body['hasMore'] ?? null : null;
        if (!is_array($data) || !is_bool($hasMore) || count(array_filter($data, self::isEntry(...))) !== count($data)) {
            throw Errors::unexpected('The answer is not a piece of the feed.');
        }
        return [array_values($data), $hasMore];
    }

    private static function isEntry(mixed $entry): bool
    {
        if (!is_array($entry) || !is_int($entry['position'] ?? null)) {
            return false;
        }
        $texts = array_map(static fn (string $name): mixed => $entry[$name] ?? null, ['id', 'type', 'previousHash', 'hash', 'body']);
        return array_filter($texts, is_string(...)) === $texts;
    }

    /**
     * Checks that the last handled event is still there and unchanged.
     *
     * @param array<string, mixed> $entry
     */
    private static function checkStart(array $entry, int $start, ?string $hash): EventPosition
    {
        if ($entry['position'] !== $start) {
            throw self::missing($start, "{$entry['position']} stands in its place");
        }
        if (!self::hasItsHash($entry) || ($hash !== null && $entry['hash'] !== $hash)) {
            throw new EventFeedError('wrong_hash', $start, "Event $start of the feed is not the one that you read.");
        }
        return new EventPosition($start, $entry['hash']);
    }

    /**
     * Checks that an event follows the one before it; null for one whose body was pruned.
     *
     * @param array<string, mixed> $entry
     * @return ?array<string, mixed>
     */
    private static function checkNext(array $entry, EventPosition $last): ?array
    {
        $position = $last->position + 1;
        if ($entry['position'] !== $position) {
            throw self::missing($position, "{$entry['position']} stands in its place");
        }
        if ($entry['previousHash'] !== $last->hash) {
            $said = "Event $position of the feed does not follow the one before it: that one, or what led to it, was changed.";
            throw new EventFeedError('broken_chain', $position, $said);
        }
        if (!self::hasItsHash($entry)) {
            throw new EventFeedError('wrong_hash', $position, "Event $position of the feed does not have its own hash.");
        }
        if (self::isPruned($entry)) {
            return null;
        }
        $event = Json::parseOrText($entry['body']);
        if (is_array($event) && ($event['id'] ?? null) === $entry['id'] && ($event['type'] ?? null) === $entry['type']) {
            return $event;
        }
        throw new EventFeedError('wrong_body', $position, "The body of event $position of the feed is not that of {$entry['id']}.");
    }

    /** @param array<string, mixed> $entry */
    private static function isPruned(array $entry): bool
    {
        return ($entry['pruned'] ?? null) === true && $entry['body'] === '';
    }

    /**
     * What is hashed of a pruned event is gone. The event behind it names its hash, so nothing can stand there.
     *
     * @param array<string, mixed> $entry
     */
    private static function hasItsHash(array $entry): bool
    {
        if (self::isPruned($entry)) {
            return self::isHash($entry['hash']);
        }
        if (!self::isHash($entry['previousHash'])) {
            return false;
        }
        $whole = self::TAG . pack('J', $entry['position']) . hex2bin($entry['previousHash']) . $entry['body'];
        return hash('sha256', $whole) === $entry['hash'];
    }

    private static function isHash(string $text): bool
    {
        return preg_match('/^[0-9a-f]{64}$/D', $text) === 1;
    }

    private static function missing(int $position, string $found): EventFeedError
    {
        return new EventFeedError('missing', $position, "Event $position of the feed is missing: $found.");
    }
}
