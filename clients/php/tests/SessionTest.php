<?php

declare(strict_types=1);

namespace Kasi\Tests;

use Kasi\HttpRequest;
use Kasi\HttpResponse;
use Kasi\SessionTokens;

/** Logs in, refreshes each token once, and knows the newest token only. */
final class SessionService
{
    public int $count = 0;
    public string $valid = '';
    /** @var list<string> */
    public array $refreshable = [];
    public string $password = 'Str0ng-enough';

    public function __invoke(HttpRequest $request): HttpResponse
    {
        $body = json_decode($request->body, true);
        if (str_ends_with($request->url, '/auth/login')) {
            return $body['password'] === $this->password ? $this->issue() : refusal(401, 'UNAUTHORIZED');
        }
        if (str_ends_with($request->url, '/auth/refresh')) {
            if (!in_array($body['refreshToken'], $this->refreshable, true)) {
                return refusal(401, 'UNAUTHORIZED');
            }
            $this->refreshable = array_values(array_diff($this->refreshable, [$body['refreshToken']]));
            return $this->issue();
        }
        if (($request->headers['authorization'] ?? '') !== "Bearer $this->valid") {
            return refusal(401, 'UNAUTHORIZED', more: ['reason' => 'token_expired']);
        }
        return reply(['id' => 'pay_1']);
    }

    private function issue(): HttpResponse
    {
        $this->count += 1;
        $this->valid = "T$this->count";
        $this->refreshable[] = "R$this->count";
        return reply(['token' => $this->valid, 'refreshToken' => "R$this->count", 'deviceToken' => 'D1']);
    }
}

$owner = [null, null, 'owner@teahouse.example', 'Str0ng-enough'];
$paths = static fn (Attempts $attempts): array => array_map(static fn (HttpRequest $request): string => basename($request->url), $attempts->requests);

return [
    'the client logs in on the first call that needs it, and renews an expired token' => static function () use ($owner, $paths): void {
        $service = new SessionService();
        $told = [];
        $attempts = new Attempts([$service], session: $owner, onTokens: static function (?SessionTokens $tokens) use (&$told): void {
            $told[] = $tokens?->token;
        });
        $attempts->client->payments->get('pay_1');
        $service->valid = 'expired';
        $attempts->client->payments->get('pay_1');
        same(['login', 'pay_1', 'pay_1', 'refresh', 'pay_1'], $paths($attempts));
        same([['T1', 'T2'], 'R2'], [$told, $attempts->client->tokens()?->refreshToken]);
    },

    'a refused refresh token is not sent again, and a known password begins anew' => static function () use ($paths): void {
        $attempts = new Attempts([new SessionService()], session: ['T0', 'R0', null, null]);
        for ($times = 0; $times < 2; $times += 1) {
            same('token_expired', errorOf(static fn (): mixed => $attempts->client->payments->get('pay_1'))?->reason);
        }
        same(['pay_1', 'refresh', 'pay_1'], $paths($attempts));
        $both = new Attempts([new SessionService()], session: ['T0', 'R0', 'owner@teahouse.example', 'Str0ng-enough']);
        $both->client->payments->get('pay_1');
        same('T1', $both->client->tokens()?->token);
    },

    'a wrong password is tried once' => static function () use ($paths): void {
        $attempts = new Attempts([new SessionService()], session: [null, null, 'owner@teahouse.example', 'wrong']);
        for ($times = 0; $times < 3; $times += 1) {
            same('POST /v1/auth/login', errorOf(static fn (): mixed => $attempts->client->payments->get('pay_1'))?->operation);
        }
        same(['login'], $paths($attempts));
    },

    'a login, a refresh, a logout and a new password change the session' => static function () use ($owner): void {
        $service = new SessionService();
        $attempts = new Attempts([$service], session: [null, null, null, null]);
        $attempts->client->auth->login(['email' => 'owner@teahouse.example', 'password' => 'Str0ng-enough']);
        $attempts->client->auth->refresh(['refreshToken' => 'R1']);
        same('T2', $attempts->client->tokens()?->token);
        $attempts->client->auth->logout();
        same(null, $attempts->client->tokens());
        $again = new Attempts([$service], session: $owner);
        $again->client->payments->get('pay_1');
        $service->password = 'N3w-and-longer';
        $again->client->auth->changePassword(['currentPassword' => 'Str0ng-enough', 'newPassword' => 'N3w-and-longer']);
        $service->valid = 'expired';
        $service->refreshable = [];
        $again->client->payments->get('pay_1');
        same(true, str_contains($again->requests[count($again->requests) - 2]->body, '"deviceToken":"D1"'));
    },

    'no trace of an error holds a password, a token or a secret' => static function (): void {
        $secrets = ['Wr0ng-secret', 'T0-secret', 'R0-secret', 'wk-secret'];
        $client = static fn (array $session): object => (new Attempts([new SessionService()], session: $session))->client;
        $errors = [
            static fn (): mixed => $client([null, null, 'owner@teahouse.example', $secrets[0]])->payments->get('pay_1'),
            static fn (): mixed => $client([null, null, null, null])->auth->login(['email' => 'a@b.example', 'password' => $secrets[0]]),
            static fn (): mixed => $client([$secrets[1], $secrets[2], null, null])->payments->get('pay_1'),
            static fn (): mixed => $client([$secrets[1], null, null, null])->auth->changePassword(['currentPassword' => $secrets[0], 'newPassword' => $secrets[0]]),
            static fn (): mixed => new \Kasi\Kasi('no address', apiKey: 'key', apiSecret: $secrets[3]),
            static fn (): mixed => new \Kasi\Kasi('no address', token: $secrets[1], refreshToken: $secrets[2]),
        ];
        foreach ($errors as $number => $make) {
            try {
                $make();
                same('an error', "none from $number");
            } catch (\Kasi\KasiError | \InvalidArgumentException $error) {
                // As trackers of errors read it: arguments with all that is in their lists.
                $frames = array_filter($error->getTrace(), static fn (array $frame): bool => str_starts_with($frame['class'] ?? '', 'Kasi\\') && !str_starts_with($frame['class'], 'Kasi\\Tests'));
                $arguments = array_column($frames, 'args');
                array_walk_recursive($arguments, static function (mixed $value) use ($secrets, $number): void {
                    foreach (is_string($value) ? $secrets : [] as $secret) {
                        same([$number, false], [$number, str_contains($value, $secret)]);
                    }
                });
            }
        }
    },
];
