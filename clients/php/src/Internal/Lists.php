<?php

declare(strict_types=1);

namespace Kasi\Internal;

/** Every item of a list, page by page. */
final class Lists
{
    private const PAGE_SIZE = 100;

    /** How many recent ids are remembered. An item appears twice only if more than this are added between two pages. */
    private const REMEMBERED_IDS = 10_000;

    /**
     * Yields every item of a list once. Lists are newest first, so items added meanwhile push others to a later page,
     * where they are recognised by their ids.
     *
     * @param callable(int, int): mixed $fetchPage
     * @return \Generator<int, array<string, mixed>>
     */
    public static function iterate(callable $fetchPage, ?int $limit): \Generator
    {
        $seen = [];
        $repeated = 0;
        for ($page = 1, $isLast = false; !$isLast; $page += 1) {
            [$items, $totalPages] = self::parsePage($fetchPage($page, $limit ?? self::PAGE_SIZE));
            $isLast = $items === [] || $page >= $totalPages;
            foreach ($items as $item) {
                $repeated = isset($seen[$item['id']]) ? $repeated + 1 : 0;
                if ($repeated > 0) {
                    continue;
                }
                $seen[$item['id']] = true;
                yield $item;
            }
            if ($repeated > self::REMEMBERED_IDS) {
                throw Errors::unexpected('The list shows the same items on page after page.');
            }
            if (count($seen) > self::REMEMBERED_IDS) {
                $seen = array_slice($seen, -self::REMEMBERED_IDS, null, true);
            }
        }
    }

    /**
     * The name of a page's list depends on its content: `payments`, `deliveries`, `data`.
     *
     * @return array{list<array<string, mixed>>, int}
     */
    private static function parsePage(mixed $body): array
    {
        $page = is_array($body) ? $body : [];
        $totalPages = is_array($page['pagination'] ?? null) ? $page['pagination']['totalPages'] ?? null : null;
        unset($page['pagination']);
        foreach ($page as $value) {
            if (is_array($value) && array_is_list($value) && is_int($totalPages) && self::areItems($value)) {
                return [$value, $totalPages];
            }
        }
        throw Errors::unexpected('The answer is not a page of a list.');
    }

    /** @param list<mixed> $items */
    private static function areItems(array $items): bool
    {
        foreach ($items as $item) {
            if (!is_array($item) || !is_string($item['id'] ?? null)) {
                return false;
            }
        }
        return true;
    }
}
