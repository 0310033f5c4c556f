<?php

declare(strict_types=1);

namespace Kasi\Tests;

use Kasi\HttpRequest;
use Kasi\Internal\Json;
use Kasi\Kasi;
use Kasi\KasiAdmin;
use Kasi\KasiError;
use Kasi\Signature;

const ORDER = ['amount' => 5, 'currency' => 'USD'];

$targetOf = static fn (HttpRequest $request): string => $request->method . ' ' . substr($request->url, strlen('https://kasi.example'));

return [
    'methods send what the contract says' => static function () use ($targetOf): void {
        $attempts = new Attempts([200]);
        $client = $attempts->client;
        $client->payments->create(['amount' => 49.9, 'currency' => 'USD', 'metadata' => ['note' => 'සිංහල ☕']]);
        $client->payments->list(['status' => 'paid', 'page' => 2, 'waiting' => true, 'metadata' => ['order no' => 'A 1&2'], 'search' => null]);
        $client->payments->get('pay/1 ☕');
        $client->payments->cancel('pay_1');
        $client->paymentLinks->delete('plink_1');
        $client->public->payments->get('pay_1');
        $client->merchants->update('mer_1', []);
        same([
            'POST /v1/payments',
            'GET /v1/payments?status=paid&page=2&waiting=true&metadata[order%20no]=A%201%262',
            'GET /v1/payments/pay%2F1%20%E2%98%95',
            'POST /v1/payments/pay_1/cancel',
            'DELETE /v1/payment-links/plink_1',
            'GET /v1/public/payments/pay_1',
            'PUT /v1/merchants/mer_1',
        ], array_map($targetOf, $attempts->requests));
        [$create, $list, , $cancel, , $public, $update] = $attempts->requests;
        same('{"amount":49.9,"currency":"USD","metadata":{"note":"සිංහල ☕"}}', $create->body);
        same(['application/json', 'Bearer T1'], [$create->headers['content-type'], $create->headers['authorization']]);
        same(1, preg_match('/^[0-9a-f]{32}$/', $create->headers['idempotency-key']));
        same(false, $create->headers['idempotency-key'] === $cancel->headers['idempotency-key']);
        same([false, false], [isset($list->headers['idempotency-key']), isset($public->headers['authorization'])]);
        same(['', '{}'], [$cancel->body, $update->body]);
    },

    'a signature covers what is sent, and checkout has an address of its own for keys' => static function () use ($targetOf): void {
        $attempts = new Attempts([200], key: ['pk_1', 'sk_1']);
        $attempts->client->payments->list(['metadata' => ['ශ්‍රී' => 'a+b'], 'fromDate' => '2026-01-01T00:00:00+05:30']);
        $attempts->client->checkout->sessions->create(['amount' => 5, 'currency' => 'USD'], idempotencyKey: 'order-1');
        same('POST /v1/sdk/checkout/sessions', $targetOf($attempts->requests[1]));
        foreach ($attempts->requests as $request) {
            $now = (int) $request->headers['x-timestamp'];
            $key = $request->headers['idempotency-key'] ?? null;
            $wanted = Signature::sign('pk_1', 'sk_1', $request->method, $request->url, $request->body, $key, $now);
            same($wanted, array_intersect_key($request->headers, $wanted));
            same(true, abs(time() - $now) < 5 && !isset($request->headers['authorization']));
        }
        $session = new Attempts([200]);
        $session->client->checkout->sessions->create(['amount' => 5, 'currency' => 'USD']);
        same('POST /v1/checkout/sessions', $targetOf($session->requests[0]));
    },

    'amounts come through unchanged, whatever the precision of the settings' => static function (): void {
        $text = '{"amount":131072.01,"amountReceived":99999999.99,"amountDue":25,"tokenAmount":"25.000000"}';
        ini_set('serialize_precision', '17');
        $payment = (new Attempts([reply($text)]))->client->payments->get('pay_1');
        same($text, Json::write($payment));
        same('17', ini_get('serialize_precision'));
        same(['131072.01', '99999999.99'], [(string) $payment['amount'], (string) $payment['amountReceived']]);
        ini_set('serialize_precision', '-1');
        throws(\InvalidArgumentException::class, '/JSON/', static fn (): mixed =>
            (new Attempts([200]))->client->payments->create(['amount' => INF, 'currency' => 'USD']));
    },

    'one amount is one body, however it was computed' => static function (): void {
        $attempts = new Attempts([200, 200]);
        foreach ([25, 25.0] as $amount) {
            $attempts->client->payments->create(['amount' => $amount, 'currency' => 'USD', 'metadata' => ['kg' => $amount]]);
        }
        $wanted = '{"amount":25,"currency":"USD","metadata":{"kg":25}}';
        same([$wanted, $wanted], array_column($attempts->requests, 'body'));
    },

    'an empty array is an object where the contract has one, as an answer that is sent back gives it' => static function (): void {
        $attempts = new Attempts([reply('{"id":"pay_1","metadata":{}}'), 200, 200]);
        ['metadata' => $nothing] = $attempts->client->payments->get('pay_1');
        $attempts->client->payments->create([...ORDER, 'metadata' => $nothing]);
        $attempts->client->paymentLinks->create(['title' => '[]', 'metadata' => ['tags' => '[]'], 'customFields' => []]);
        same([
            '{"amount":5,"currency":"USD","metadata":{}}',
            '{"title":"[]","metadata":{"tags":"[]"},"customFields":[]}',
        ], array_column(array_slice($attempts->requests, 1), 'body'));
    },

    'an error says what, when and where' => static function (): void {
        $fields = [['path' => 'amount', 'message' => 'must be greater than 0']];
        $attempts = new Attempts([refusal(400, 'VALIDATION_ERROR', more: ['fields' => $fields, 'reason' => 'new_reason'])]);
        $error = errorOf(static fn (): mixed => $attempts->client->payments->create(ORDER));
        same(
            'VALIDATION_ERROR: This is VALIDATION_ERROR. (status 400, reason new_reason, POST /v1/payments, request req-1)'
                . "\n  amount: must be greater than 0",
            $error?->getMessage(),
        );
        same(['VALIDATION_ERROR', 400, 1, $fields], [$error->code, $error->status, $error->attempts, $error->fields]);
    },

    'an answer that is not of the service is said to be none' => static function (): void {
        foreach (['<html>' => 502, '[]' => 404, '{"error":{"code":7}}' => 400, 'null' => 200, '<b>' => 200] as $body => $status) {
            $attempts = new Attempts([reply($body, $status, ['X-Request-Id' => 'req-2'])], maxRetries: 0);
            $error = errorOf(static fn (): mixed => $attempts->client->payments->get('pay_1'));
            same(['UNEXPECTED_RESPONSE', $status, 'req-2'], [$error?->code, $error?->status, $error?->requestId]);
        }
    },

    'files come as text, unknown fields and values break nothing' => static function (): void {
        same("\x89PNG\0", (new Attempts([reply("\x89PNG\0")]))->client->public->payments->qrPng('pay_1'));
        same('id', (new Attempts([reply('id')]))->client->settlements->statements->csv('2026-01'));
        $answer = ['id' => 'pay_1', 'status' => 'teleported', 'moon' => ['a' => 1]];
        same($answer, (new Attempts([reply($answer)]))->client->payments->get('pay_1'));
    },

    'an address is one however its scheme is written' => static function (): void {
        foreach (['HTTPS://KASI.example:8443', 'Http://localhost:3000/kasi//'] as $fine) {
            $sent = [];
            $send = static function (HttpRequest $request) use (&$sent): mixed {
                $sent[] = $request;
                return reply(['id' => 'pay_1']);
            };
            (new Kasi($fine, apiKey: 'pk_1', apiSecret: 'sk_1', send: $send))->payments->get('pay_1');
            same(rtrim($fine, '/') . '/v1/payments/pay_1', $sent[0]->url);
            $path = (str_contains($fine, '/kasi') ? '/kasi' : '') . '/v1/payments/pay_1';
            $wanted = Signature::sign('pk_1', 'sk_1', 'GET', $path, now: (int) $sent[0]->headers['x-timestamp']);
            same($wanted, array_intersect_key($sent[0]->headers, $wanted));
        }
    },

    'what is missing in the options is said at once' => static function (): void {
        $refused = static function (string $pattern, mixed ...$options): void {
            throws(\InvalidArgumentException::class, $pattern, static fn (): Kasi => new Kasi(...['baseUrl' => 'https://kasi.example', ...$options]));
        };
        foreach ([null, false, '', 'pay.example.com', 'localhost:3000', 'ftp://kasi.example', 'https://', 'http://a:99999', "https://a\n"] as $wrong) {
            $refused('/baseUrl/', baseUrl: $wrong);
        }
        $refused('~Did you mean https://pay.example.com\?~', baseUrl: 'pay.example.com');
        foreach (['shop:hidden@pay.example.com', 'ftp://shop:hidden@pay.example.com', 'https://shop:hidden@pay.example.com'] as $wrong) {
            $refused('/^(?!.*hidden)/', baseUrl: $wrong);
        }
        $refused('~before /v1~', baseUrl: 'https://kasi.example/v1/');
        $refused('/apiSecret \(sk_...\), which is missing/', apiKey: 'pk_1');
        $refused('/apiSecret \(sk_...\), which is missing/', apiKey: 'pk_1', apiSecret: false);
        $refused('/apiKey \(pk_...\), which is missing/', apiKey: getenv('KASI_NO_SUCH_KEY'), apiSecret: 'sk_1');
        $refused('/both missing or empty. Set what they are read from, such as KASI_API_KEY/', apiKey: getenv('KASI_NO_SUCH_KEY'), apiSecret: null);
        $refused('/interchanged/', apiKey: 'sk_1', apiSecret: 'pk_1');
        $refused('/line feed/', apiKey: 'pk_1', apiSecret: "sk_1\n");
        $refused('/either/', apiKey: 'pk_1', apiSecret: 'sk_1', token: 'T1');
        $refused('/email needs password/', email: 'owner@teahouse.example');
        $refused('/refreshToken needs token/', refreshToken: 'R1');
        $refused('/token is missing/', token: getenv('KASI_NO_SUCH_TOKEN'));
        throws(\InvalidArgumentException::class, '/token is missing/', static fn (): KasiAdmin => new KasiAdmin('https://kasi.example', token: false));
        $refused('/maxRetries/', maxRetries: -1);
        $refused('/timeout/', timeout: -1.0);
        same(null, (new KasiAdmin(baseUrl: 'https://kasi.example'))->tokens());
    },

    'arguments that would reach another operation are refused' => static function (): void {
        $attempts = new Attempts([200]);
        foreach (['', '.', '..'] as $wrong) {
            throws(\InvalidArgumentException::class, '/needs id/', static fn (): mixed => $attempts->client->payments->get($wrong));
        }
        foreach (['', 'a b', 'ключ', str_repeat('x', 256), "a\n"] as $wrong) {
            throws(\InvalidArgumentException::class, '/visible ASCII/', static fn (): mixed =>
                $attempts->client->payments->create(ORDER, idempotencyKey: $wrong));
        }
        $client = new Kasi('https://kasi.example', token: 'T1', send: static fn (): mixed => reply(['new' => true]));
        foreach (['v1/payments', '/v1/payments?page=2', '/v1/payments/{id}'] as $wrong) {
            throws(\InvalidArgumentException::class, '/path/', static fn (): mixed => $client->request('GET', $wrong));
        }
        same(['new' => true], $client->request('get', '/v1/new', ['a' => 1]));
        same([], $attempts->requests);
    },
];
