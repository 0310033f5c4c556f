<?php

declare(strict_types=1);

namespace Kasi\Internal;

use Kasi\EventPosition;

/** Methods of the client that belong together. */
abstract class Group
{
    /** @internal */
    public function __construct(protected readonly Transport $transport)
    {
    }

    /**
     * @param array<string, string> $path
     * @param ?array<string, mixed> $query
     * @return \Generator<int, array<string, mixed>>
     */
    protected function pages(Operation $operation, array $path, ?array $query, CallOptions $call): \Generator
    {
        $filters = array_diff_key($query ?? [], ['page' => true, 'before' => true]);
        $fetchPage = fn (?string $after, int $limit): mixed =>
            $this->transport->call($operation, $path, $call, query: ['limit' => $limit, 'after' => $after] + $filters);
        return Lists::iterate($fetchPage, $query['after'] ?? null, $query['limit'] ?? null);
    }

    /**
     * @param array<string, string> $path
     * @return \Generator<int, array<string, mixed>>
     */
    protected function follow(Operation $operation, array $path, CallOptions $call): \Generator
    {
        return EventStream::follow($this->transport, $operation, $path, 'payment', $call);
    }

    /**
     * @param ?array<string, mixed> $query
     * @return \Generator<int, array<string, mixed>>
     */
    protected function feed(Operation $operation, ?array $query, CallOptions $call): \Generator
    {
        return Feed::read($this->transport, $operation, $query['after'] ?? 0, $query['limit'] ?? null, $call);
    }

    protected function proven(Operation $operation, int|EventPosition $after, callable $handle, CallOptions $call): EventPosition
    {
        return Feed::sync($this->transport, $operation, $after, $handle, $call);
    }
}
