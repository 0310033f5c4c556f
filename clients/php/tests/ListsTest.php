<?php

declare(strict_types=1);

namespace Kasi\Tests;

use Kasi\EventFeedError;
use Kasi\EventPosition;
use Kasi\HttpRequest;
use Kasi\HttpResponse;
use Kasi\NoAnswer;

/** @return array<string, string> */
function queryOf(HttpRequest $request): array
{
    parse_str((string) parse_url($request->url, PHP_URL_QUERY), $query);
    return $query;
}

/** A genuine feed of five events. */
function seal(): array
{
    $entries = [];
    $before = str_repeat('0', 64);
    for ($position = 1; $position <= 5; $position += 1) {
        $body = json_encode(['id' => "evt_$position", 'type' => 'payment.completed']);
        $hash = hash('sha256', "event-v1\0" . pack('J', $position) . hex2bin($before) . $body);
        $entries[] = ['position' => $position, 'id' => "evt_$position", 'type' => 'payment.completed', 'previousHash' => $before, 'hash' => $hash, 'body' => $body];
        $before = $hash;
    }
    return $entries;
}

/** A client of this feed, and how far it gets. */
function syncOf(array $entries, int|EventPosition $after, array &$handled): EventPosition
{
    $answer = static function (HttpRequest $request) use ($entries): HttpResponse {
        $behind = array_values(array_filter($entries, static fn (array $entry): bool => $entry['position'] > (int) queryOf($request)['after']));
        return reply(['data' => array_slice($behind, 0, 2), 'hasMore' => count($behind) > 2]);
    };
    $handle = static function (array $event) use (&$handled): void {
        $handled[] = $event['id'];
    };
    return (new Attempts([$answer]))->client->events->sync($after, $handle);
}

/** The statuses that connections bring in turn; an exception among the pieces breaks one. */
function statusesOf(array $connections, int $maxRetries = 2): array
{
    $stream = static function () use (&$connections): \Generator {
        $pieces = array_shift($connections) ?? throw new NoAnswer('nobody');
        yield new HttpResponse(200, [], '');
        foreach ($pieces as $piece) {
            yield is_string($piece) ? $piece : throw $piece;
        }
    };
    $client = (new Attempts([200], maxRetries: $maxRetries, stream: $stream))->client;
    $seen = [];
    foreach ($client->public->payments->events('pay_1') as $payment) {
        $seen[] = $payment['status'];
        if ($payment['status'] === 'paid') {
            break;
        }
    }
    return $seen;
}

$event = static fn (string $status, string $name = 'payment'): string => "event: $name\r\ndata: {\"status\":\"$status\",\r\ndata: \"amount\":5}\r\n\r\n";

return [
    'every item comes once although the list grows' => static function (): void {
        $items = array_map(static fn (int $index): array => ['id' => "pay_$index"], range(0, 4));
        $answer = static function (HttpRequest $request) use (&$items): HttpResponse {
            ['page' => $page, 'limit' => $limit] = queryOf($request);
            if ($page === '2') {
                array_unshift($items, ['id' => 'pay_new']);
            }
            $shown = array_slice($items, ($page - 1) * $limit, (int) $limit);
            return reply(['pagination' => ['totalPages' => (int) ceil(count($items) / $limit)], 'payments' => $shown]);
        };
        $attempts = new Attempts([$answer]);
        $found = array_column(iterator_to_array($attempts->client->payments->iterate(['status' => 'paid', 'limit' => 2]), false), 'id');
        same(['pay_0', 'pay_1', 'pay_2', 'pay_3', 'pay_4'], $found);
        same(['page' => '1', 'limit' => '2', 'status' => 'paid'], queryOf($attempts->requests[0]));
    },

    'what is no list and a list without end are errors' => static function (): void {
        $endless = ['payments' => array_fill(0, 11_000, ['id' => 'pay_1']), 'pagination' => ['totalPages' => 1_000_000]];
        foreach ([[], ['payments' => []], ['payments' => [7], 'pagination' => ['totalPages' => 1]], $endless] as $body) {
            $attempts = new Attempts([reply($body)]);
            same('UNEXPECTED_RESPONSE', errorOf(static fn (): mixed => iterator_to_array($attempts->client->payments->iterate(), false))?->code);
        }
    },

    'every event is handled once, and a later run continues' => static function (): void {
        $handled = [];
        $end = syncOf(seal(), 0, $handled);
        same([5, ['evt_1', 'evt_2', 'evt_3', 'evt_4', 'evt_5']], [$end->position, $handled]);
        syncOf(seal(), $end, $handled);
        syncOf(seal(), 3, $handled);
        same(['evt_4', 'evt_5'], array_slice($handled, 5));
        $pruned = seal();
        [$pruned[1]['body'], $pruned[1]['pruned'], $handled] = ['', true, []];
        syncOf($pruned, 0, $handled);
        same(['evt_1', 'evt_3', 'evt_4', 'evt_5'], $handled);
    },

    'a missing, a changed and a replaced event are found' => static function (): void {
        $wrong = static function (array $entries, int|EventPosition $after = 0): array {
            $handled = [];
            $error = throws(EventFeedError::class, '/feed/', static function () use ($entries, $after, &$handled): void {
                syncOf($entries, $after, $handled);
            });
            return [$error->reason, $error->position, count($handled)];
        };
        $gap = seal();
        array_splice($gap, 2, 1);
        same(['missing', 3, 2], $wrong($gap));
        foreach (['body' => ['{}', 'wrong_hash'], 'previousHash' => [str_repeat('1', 64), 'broken_chain'], 'hash' => ['x', 'wrong_hash'], 'id' => ['evt_9', 'wrong_body']] as $name => [$value, $reason]) {
            $entries = seal();
            $entries[2][$name] = $value;
            same([$reason, 3, 2], $wrong($entries));
        }
        same(['wrong_hash', 2, 0], $wrong(seal(), new EventPosition(2, str_repeat('1', 64))));
        same(['missing', 9, 0], $wrong(seal(), 9));
    },

    'streamed events arrive in any pieces, without repeats, across lost connections' => static function () use ($event): void {
        $first = ": hello\n\n" . $event('initiated') . $event('other', 'ping') . $event('pending');
        $pieces = [...str_split($first, 7), new NoAnswer('reset')];
        same(['initiated', 'pending', 'paid'], statusesOf([$pieces, [$event('pending'), $event('paid')]]));
        same(['initiated'], statusesOf([[$event('initiated')], [], []]));
        same(['initiated'], statusesOf([[$event('initiated')], [$event('paid')]], maxRetries: 0));
        $error = errorOf(static fn (): mixed => statusesOf([[new NoAnswer('reset')]], maxRetries: 0));
        same(['NETWORK_ERROR', 'GET /v1/public/payments/{id}/events'], [$error?->code, $error?->operation]);
        foreach ([["event: payment\ndata: <html>\n\n"], [str_repeat('x', 1_100_000)]] as $wrong) {
            same('UNEXPECTED_RESPONSE', errorOf(static fn (): mixed => statusesOf([$wrong]))?->code);
        }
    },
];
