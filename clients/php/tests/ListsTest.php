<?php

declare(strict_types=1);

namespace Kasi\Tests;

use Kasi\EventFeedError;
use Kasi\EventPosition;
use Kasi\HttpRequest;
use Kasi\HttpResponse;
use Kasi\Internal\Http;
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
        $items = ['pay_0', 'pay_1', 'pay_2', 'pay_3', 'pay_4'];
        $answer = static function (HttpRequest $request) use (&$items): HttpResponse {
            $query = queryOf($request);
            if (isset($query['after'])) {
                array_unshift($items, 'pay_new_' . count($items));
            }
            $start = isset($query['after']) ? array_search($query['after'], $items, true) + 1 : 0;
            $shown = array_slice($items, $start, (int) $query['limit']);
            $next = $start + count($shown) < count($items) ? $shown[count($shown) - 1] : null;
            return reply(['pagination' => ['next' => $next], 'payments' => array_map(static fn (string $id): array => ['id' => $id], $shown)]);
        };
        $attempts = new Attempts([$answer]);
        // The keys count on from page to page, so that none overwrites another.
        $found = array_column(iterator_to_array($attempts->client->payments->iterate(['status' => 'paid', 'limit' => 2])), 'id');
        same(['pay_0', 'pay_1', 'pay_2', 'pay_3', 'pay_4'], $found);
        same([
            ['limit' => '2', 'status' => 'paid'],
            ['limit' => '2', 'after' => 'pay_1', 'status' => 'paid'],
            ['limit' => '2', 'after' => 'pay_3', 'status' => 'paid'],
        ], array_map(queryOf(...), $attempts->requests));
        $later = iterator_to_array($attempts->client->payments->iterate(['after' => 'pay_2', 'page' => 7]));
        same(['pay_3', 'pay_4'], array_column($later, 'id'));
        same(['limit' => '100', 'after' => 'pay_2'], queryOf($attempts->requests[3]));
    },

    'no page is asked for before it is needed' => static function (): void {
        $attempts = new Attempts([reply(['data' => [['id' => 'plink_1']], 'pagination' => ['next' => 'more']])]);
        $links = $attempts->client->paymentLinks->iterate(['limit' => 1]);
        same(0, count($attempts->requests));
        foreach ($links as $link) {
            same('plink_1', $link['id']);
            break;
        }
        same(1, count($attempts->requests));
    },

    'a page that fails is asked for again' => static function (): void {
        $page = static fn (int $number, ?string $next): HttpResponse => reply(['payments' => [['id' => "pay_$number"]], 'pagination' => ['next' => $next]]);
        $attempts = new Attempts([$page(0, '1'), 503, 503, $page(1, '2'), 503, $page(2, null)]);
        same(['pay_0', 'pay_1', 'pay_2'], array_column(iterator_to_array($attempts->client->payments->iterate(['limit' => 1])), 'id'));
        same(6, count($attempts->requests));
    },

    'what is no page with cursors and a list in circles are errors' => static function (): void {
        $circle = ['payments' => [['id' => 'pay_1']], 'pagination' => ['next' => 'the-same']];
        $older = ['payments' => [], 'pagination' => ['page' => 1, 'limit' => 100, 'total' => 0, 'totalPages' => 0]];
        foreach ([[], ['payments' => []], ['payments' => [7], 'pagination' => ['next' => null]], $circle, $older] as $body) {
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
    'a caller who takes longer than the service may be silent is given what came meanwhile' => static function (): void {
        $serve = <<<'PHP'
            $server = stream_socket_server('tcp://127.0.0.1:0');
            echo stream_socket_get_name($server, false), "\n";
            $taken = stream_socket_accept($server, 10);
            fread($taken, 8192);
            fwrite($taken, "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\nfirst");
            fgets(STDIN);
            fwrite($taken, 'second');
            fgets(STDIN);
            PHP;
        $process = proc_open([PHP_BINARY, '-r', $serve], [['pipe', 'r'], ['pipe', 'w']], $pipes);
        $url = 'http://' . trim((string) fgets($pipes[1])) . '/';
        $seen = [];
        foreach ((new Http())->stream(new HttpRequest('GET', $url, [], '', 10.0, true), 1.0) as $piece) {
            if (!is_string($piece)) {
                continue;
            }
            $seen[] = $piece;
            if ($piece === 'second') {
                break;
            }
            fwrite($pipes[0], "\n");
            usleep(1_100_000);
        }
        fclose($pipes[0]);
        proc_close($process);
        same(['first', 'second'], $seen);
    },
];
