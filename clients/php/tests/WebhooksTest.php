<?php

declare(strict_types=1);

namespace Kasi\Tests;

use Kasi\HttpRequest;
use Kasi\HttpResponse;
use Kasi\KasiError;
use Kasi\WebhookVerificationError;
use Kasi\Webhooks;

// The vector published by Svix, and one of Kasi: the seed 00..1f, and a body whose bytes differ from its characters.
$svix = [
    'secret' => 'whsk_6Xb/dCcHpPea21PS1N9VY/NZW723CEc77N4rJCubMbfVKIDij2HKpMKkioLlX0dRqSKJp4AJ6p9lMicMFs6Kvg==',
    'key' => 'whpk_1SiA4o9hyqTCpIqC5V9HUakiiaeACeqfZTInDBbOir4=',
    'now' => 1614265330,
    'body' => '{"test": 2432232314}',
    'headers' => [
        'webhook-id' => 'msg_p5jXN8AQM9LWM0D4loKWxJek',
        'webhook-timestamp' => '1614265330',
        'webhook-signature' => 'v1a,hnO3f9T8Ytu9HwrXslvumlUpqtNVqkhqw/enGzPCXe5BdqzCInXqYXFymVJaA7AZdpXwVLPo3mNl8EM+m7TBAg==',
    ],
];
$kasi = [
    'secret' => 'whsk_' . base64_encode(implode('', array_map('chr', range(0, 31)))),
    'key' => 'whpk_A6EHv/POEL4dcN0Y50vAmWfk1jCbpQ1fHdyGZBJVMbg=',
    'now' => 1767323045,
    'body' => '{"name":"සිංහල ☕"}',
    'headers' => [
        'webhook-id' => 'evt_01J0000000000000000000000',
        'webhook-timestamp' => '1767323045',
        'webhook-signature' => 'v1a,rATIjvii7z/MW40ctNBFLl9hzQ/vhYerXAzCikEU1luhPJGdHG8udYmT6T+KnbI92BOiSZA3YJwMmzvAAj8lBw==',
    ],
];
$own = $kasi['headers'];
$verify = static fn (mixed ...$changed): array => Webhooks::verify(...[
    'body' => $kasi['body'], 'headers' => $own, 'keys' => $kasi['key'], 'now' => $kasi['now'], ...$changed,
]);
$reason = static fn (mixed ...$changed): string =>
    throws(WebhookVerificationError::class, '/./', static fn (): array => $verify(...$changed))->reason;

return [
    'the vectors verify, and are signed to the same bytes' => static function () use ($svix, $kasi): void {
        foreach ([$svix, $kasi] as ['body' => $body, 'headers' => $headers, 'key' => $key, 'now' => $now, 'secret' => $secret]) {
            same(json_decode($body, true), Webhooks::verify($body, $headers, keys: ['whpk_' . base64_encode(str_repeat('a', 32)), $key], now: $now));
            $signed = Webhooks::signTest($body, $secret, $headers['webhook-id'], $now);
            same(['body' => $body, 'headers' => $headers, 'publicKey' => $key], $signed);
        }
        $made = Webhooks::signTest(['id' => 'evt_1', 'type' => 'payment.completed']);
        same('evt_1', Webhooks::verify($made['body'], $made['headers'], keys: $made['publicKey'])['id']);
        throws(\InvalidArgumentException::class, '/Not a webhook secret/', static fn (): mixed => Webhooks::signTest('{}', 'whsk_AAAA'));
    },

    'headers are accepted as PHP and its frameworks give them' => static function () use ($own, $verify): void {
        $server = ['REQUEST_METHOD' => 'POST', 'argc' => 1];
        foreach ($own as $name => $value) {
            $server['HTTP_' . strtoupper(str_replace('-', '_', $name))] = $value;
        }
        $verify(headers: $server);
        $verify(headers: array_map(static fn (string $value): array => [$value], array_change_key_case($own, CASE_UPPER)));
        $verify(headers: ['webhook-signature' => "v1,AAAA v1a,AAAA {$own['webhook-signature']}"] + $own);
    },

    'anything else matches no signature' => static function () use ($svix, $kasi, $own, $verify, $reason): void {
        $signature = $own['webhook-signature'];
        $weak = base64_encode("\1" . str_repeat("\0", 31));
        foreach ([
            ['body' => str_replace('name', 'nane', $kasi['body'])],
            ['body' => $kasi['body'] . "\n"],
            ['keys' => $svix['key']],
            ['keys' => []],
            ['headers' => ['webhook-id' => 'evt_2'] + $own],
            ['headers' => ['webhook-timestamp' => '1767323046'] + $own],
            ['headers' => ['webhook-signature' => str_replace('rATI', 'rATJ', $signature)] + $own],
            ['headers' => ['webhook-signature' => str_replace('v1a,', 'v1,', $signature)] + $own],
            ['headers' => ['webhook-signature' => 'v1a,'] + $own],
            // A key under which this signature would fit any text.
            ['keys' => "whpk_$weak", 'headers' => ['webhook-signature' => 'v1a,' . base64_encode("\1" . str_repeat("\0", 63))] + $own],
        ] as $changed) {
            same('no_matching_signature', $reason(...$changed));
        }
        throws(\InvalidArgumentException::class, '/Not a webhook key/', static fn (): mixed => $verify(keys: 'whpk_AAAA'));
        foreach (['whsec_c2VjcmV0', $svix['secret'], 'sk_sandbox_1'] as $secret) {
            $error = throws(\InvalidArgumentException::class, '/pass whpk_\.\.\. as webhooks->keys->list\(\) shows it/',
                static fn (): mixed => $verify(keys: $secret));
            same(false, str_contains($error->getMessage(), $secret));
        }
    },

    'time counts either way, and headers once' => static function () use ($kasi, $own, $verify, $reason): void {
        foreach ([-300, 0, 300] as $seconds) {
            $verify(now: $kasi['now'] + $seconds);
        }
        same('timestamp_out_of_tolerance', $reason(now: $kasi['now'] - 301));
        same('timestamp_out_of_tolerance', $reason(now: $kasi['now'] + 6, toleranceSeconds: 5));
        foreach (['soon', '1767323045.5', '-1', "1767323045\n", '9999999999999'] as $wrong) {
            same('malformed', $reason(headers: ['webhook-timestamp' => $wrong] + $own));
        }
        foreach (array_keys($own) as $name) {
            same('missing_header', $reason(headers: array_diff_key($own, [$name => 1])));
            same('missing_header', $reason(headers: [$name => ''] + $own));
            same('malformed', $reason(headers: [$name => ['a', 'b']] + $own));
        }
        $html = Webhooks::signTest('<html>', now: $kasi['now']);
        same('malformed', $reason(body: $html['body'], headers: $html['headers'], keys: $html['publicKey']));
    },

    'a wrong merchant is a wrong setting, and a redirect is not followed' => static function (): void {
        $signed = Webhooks::signTest(['id' => 'evt_1']);
        $answer = refusal(404, 'NOT_FOUND');
        $check = static function () use (&$answer, $signed): array {
            $send = static fn (): HttpResponse => $answer;
            return Webhooks::verify($signed['body'], $signed['headers'], baseUrl: 'https://kasi.example', merchantId: 'mer_2', send: $send);
        };
        throws(\InvalidArgumentException::class, '~There is no merchant "mer_2" at https://kasi.example. Set merchantId to~', $check);
        $answer = reply('', 302, ['location' => 'https://kasi.example/elsewhere']);
        $error = errorOf($check);
        same(302, $error?->status);
        same(
            '302 leads to https://kasi.example/elsewhere, and no redirect is followed. Let baseUrl be the address of the service itself.',
            $error->detail,
        );
    },

    'keys are fetched and kept, and fetched again when none fits' => static function (): void {
        [$first, $second, $foreign] = array_map(static fn (int $seed): array =>
            Webhooks::signTest(['id' => 'evt_1'], 'whsk_' . base64_encode(str_repeat(chr($seed), 32))), [1, 2, 3]);
        $cache = new class {
            public array $kept = [];

            public function get(string $name): mixed
            {
                return $this->kept[$name] ?? null;
            }

            public function set(string $name, mixed $value, int $seconds): void
            {
                $this->kept[$name] = $value;
            }

            public function age(int $seconds): void
            {
                $this->kept = array_map(static fn (array $kept): array => ['at' => $kept['at'] - $seconds] + $kept, $this->kept);
            }
        };
        $keys = [$first['publicKey']];
        $status = 200;
        $sent = [];
        $send = static function (HttpRequest $request) use (&$keys, &$sent, &$status): HttpResponse {
            $sent[] = $request->url;
            $jwks = array_map(static fn (string $key): array => ['crv' => 'Ed25519', 'x' => rtrim(strtr(substr($key, 5), '+/', '-_'), '=')], $keys);
            return reply(['keys' => [['crv' => 'P-256', 'x' => '?'], ...$jwks]], $status);
        };
        $check = static fn (array $signed): array => Webhooks::verify($signed['body'], $signed['headers'], baseUrl: 'https://kasi.example/', merchantId: 'mer_1', cache: $cache, send: $send);
        $check($first);
        $check($first);
        same(['https://kasi.example/v1/public/merchants/mer_1/webhook-keys'], $sent);
        throws(WebhookVerificationError::class, '/No signature/', static fn (): mixed => $check($foreign));
        same(1, count($sent));
        $cache->age(11);
        $keys = [$second['publicKey'], $first['publicKey']];
        $check($second);
        same(2, count($sent));
        $cache->age(20);
        $status = 503;
        throws(KasiError::class, '/503/', static fn (): mixed => $check($foreign));
        $check($first);
        $cache->age(300);
        $status = 200;
        $check($first);
        same(4, count($sent));
        throws(\InvalidArgumentException::class, '/merchantId/', static fn (): mixed => Webhooks::verify($first['body'], $first['headers']));
    },
];
