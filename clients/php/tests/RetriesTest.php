<?php

declare(strict_types=1);

namespace Kasi\Tests;

$order = ['amount' => 5, 'currency' => 'USD'];
$lost = ['lost', 'silence', refusal(503, 'SERVICE_UNAVAILABLE'), refusal(500, 'INTERNAL_ERROR'), 504];
$before = [refusal(429, 'RATE_LIMITED'), 429, refusal(503, 'RATE_UNAVAILABLE')];
$safe = [
    static fn (TestClient $client): mixed => $client->payments->get('pay_1'),
    static fn (TestClient $client): mixed => $client->merchants->update('mer_1', []),
    static fn (TestClient $client): mixed => $client->payments->create($order),
];
$unsafe = [
    static fn (TestClient $client): mixed => $client->paymentLinks->delete('plink_1'),
    static fn (TestClient $client): mixed => $client->public->paymentLinks->startPayment('tea'),
];

return [
    'a call is retried when that is safe' => static function () use ($lost, $before, $safe): void {
        foreach ([...$lost, ...$before, refusal(409, 'IDEMPOTENCY_IN_PROGRESS', ['retry-after' => '1']), 502] as $outcome) {
            foreach ($safe as $call) {
                $attempts = new Attempts([$outcome, 200]);
                same([null, 2], [errorOf(static fn (): mixed => $call($attempts->client)), count($attempts->at)]);
            }
        }
    },

    'what might be done twice is not retried, and what was not done is' => static function () use ($lost, $before, $unsafe): void {
        foreach ($unsafe as $call) {
            foreach ($lost as $outcome) {
                $attempts = new Attempts([$outcome, 200]);
                same([1, 1], [errorOf(static fn (): mixed => $call($attempts->client))?->attempts, count($attempts->at)]);
            }
            foreach ($before as $outcome) {
                $attempts = new Attempts([$outcome, 200]);
                same([null, 2], [errorOf(static fn (): mixed => $call($attempts->client)), count($attempts->at)]);
            }
        }
    },

    'a refusal is final' => static function () use ($order): void {
        foreach ([[400, 'VALIDATION_ERROR'], [403, 'FORBIDDEN'], [409, 'CONFLICT'], [422, 'IDEMPOTENCY_KEY_REUSED']] as $pair) {
            $attempts = new Attempts([refusal(...$pair), 200]);
            same([1, 1], [errorOf(static fn (): mixed => $attempts->client->payments->create($order))?->attempts, count($attempts->at)]);
        }
    },

    'pauses grow from half a second to eight, with jitter' => static function (): void {
        $attempts = new Attempts(['lost']);
        $error = errorOf(static fn (): mixed => $attempts->client->payments->get('pay_1'));
        same(['NETWORK_ERROR', 3, [0.0, 0.375, 1.125]], [$error?->code, $error?->attempts, $attempts->at]);
        same(true, str_contains($error->getMessage(), '3 attempts'));
        $patient = new Attempts(['lost']);
        errorOf(static fn (): mixed => $patient->client->payments->get('pay_1', maxRetries: 7, timeout: 0));
        $pauses = array_map(static fn (float $later, float $earlier): float => $later - $earlier, array_slice($patient->at, 1), array_slice($patient->at, 0, -1));
        same([0.375, 0.75, 1.5, 3.0, 6.0, 6.0, 6.0], $pauses);
        $hasty = new Attempts(['lost'], maxRetries: 1);
        $hasty->clock->chance = 0.0;
        errorOf(static fn (): mixed => $hasty->client->payments->get('pay_1'));
        same([0.0, 0.25], $hasty->at);
        $once = new Attempts(['lost']);
        errorOf(static fn (): mixed => $once->client->payments->get('pay_1', maxRetries: 0));
        same(1, count($once->at));
    },

    'Retry-After is waited for as seconds or a date, if that fits' => static function (): void {
        $seconds = new Attempts([refusal(429, 'RATE_LIMITED', ['retry-after' => '7']), 200]);
        $seconds->client->payments->get('pay_1');
        same([0.0, 7.375], $seconds->at);
        $dated = new Attempts([refusal(503, 'SERVICE_UNAVAILABLE', ['retry-after' => gmdate('D, d M Y H:i:s \G\M\T', time() + 5)]), 200]);
        $dated->client->payments->get('pay_1');
        same(true, $dated->at[1] >= 4.375 && $dated->at[1] <= 5.375);
        foreach (['soon', '-1', '1.5'] as $nonsense) {
            $odd = new Attempts([refusal(429, 'RATE_LIMITED', ['retry-after' => $nonsense]), 200]);
            $odd->client->payments->get('pay_1');
            same([0.0, 0.375], $odd->at);
        }
        foreach ([['12', 10.0], ['61', 0.0]] as [$header, $timeout]) {
            $endless = new Attempts([refusal(429, 'RATE_LIMITED', ['retry-after' => $header]), 200]);
            $error = errorOf(static fn (): mixed => $endless->client->payments->get('pay_1', timeout: $timeout));
            same([(int) $header, [0.0]], [$error?->retryAfterSeconds, $endless->at]);
        }
    },

    'a hanging attempt gets half of the time left, and the last one all of it' => static function (): void {
        $attempts = new Attempts(['silence']);
        $error = errorOf(static fn (): mixed => $attempts->client->payments->get('pay_1', timeout: 20));
        same(['TIMEOUT', 'No answer within 20 seconds.', 3], [$error?->code, $error?->detail, $error?->attempts]);
        same([0.0, 10.375, 15.938], $attempts->at);
        $short = new Attempts(['silence']);
        same(1, errorOf(static fn (): mixed => $short->client->payments->get('pay_1', timeout: 0.9))?->attempts);
    },

    'all attempts share one key and one body, and each signs anew' => static function () use ($order): void {
        $attempts = new Attempts(['lost', 'lost', 200], key: ['pk_1', 'sk_1']);
        $attempts->client->payments->create($order);
        $attempts->client->payments->create($order);
        $attempts->client->payments->create($order, idempotencyKey: 'order-1001');
        $keys = array_map(static fn (object $request): string => $request->headers['idempotency-key'], $attempts->requests);
        same([1, false, 'order-1001'], [count(array_unique(array_slice($keys, 0, 3))), $keys[0] === $keys[3], $keys[4]]);
        same(1, count(array_unique(array_map(static fn (object $request): string => $request->body, $attempts->requests))));
    },
];
