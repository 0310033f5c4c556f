<?php

declare(strict_types=1);

namespace Kasi\Internal;

/** Every item of a list, page by page. */
final class Lists
{
    private const PAGE_SIZE = 100;

    /**
     * Yields every item of a list once, from the cursor `$after` on. Each page begins behind the last item of the one
     * before, so what is added or removed meanwhile repeats and hides nothing. Asks for a page when the one before is
     * used up. Throws `KasiError` `UNEXPECTED_RESPONSE` for an answer that isn't a page, or a cursor that leads nowhere.
     *
     * @param callable(?string, int): mixed $fetchPage
     * @return \Generator<int, array<string, mixed>>
     */
    public static function iterate(callable $fetchPage, ?string $after, ?int $limit): \Generator
    {
        $cursor = $after;
        do {
            [$items, $next] = self::parsePage($fetchPage($cursor, $limit ?? self::PAGE_SIZE));
            if ($next !== null && $next === $cursor) {
                throw Errors::unexpected('The list shows the same page again and again.');
            }
            foreach ($items as $item) {
                yield $item;
            }
            $cursor = $next;
        } while ($cursor !== null);
    }

    /**
     * The name of a page's list depends on its content: `payments`, `deliveries`, `data`.
     *
     * @return array{list<array<string, mixed>>, ?string}
     */
    private static function parsePage(mixed $body): array
    {
        $page = is_array($body) ? $body : [];
        $pagination = is_array($page['pagination'] ?? null) ? $page['pagination'] : [];
        $next = $pagination['next'] ?? null;
        $hasCursor = array_key_exists('next', $pagination) && ($next === null || is_string($next));
        unset($page['pagination']);
        foreach ($page as $value) {
            if ($hasCursor && is_array($value) && array_is_list($value) && self::areItems($value)) {
                return [$value, $next];
            }
        }
        throw Errors::unexpected('The answer is not a page of a list with cursors. Is the service older than this client?');
    }

    /** @param list<mixed> $items */
    private static function areItems(array $items): bool
    {
        foreach ($items as $item) {
            if (!is_array($item)) {
                return false;
            }
        }
        return true;
    }
}
