<?php

declare(strict_types=1);

namespace Kasi\Tests;

use Kasi\Generated\Surface;
use Kasi\HttpRequest;
use Kasi\HttpResponse;
use Kasi\Internal\Clock;
use Kasi\Internal\Options;
use Kasi\Internal\Transport;
use Kasi\KasiError;
use Kasi\NoAnswer;
use Kasi\SessionTokens;

function same(mixed $wanted, mixed $got): void
{
    if ($wanted !== $got) {
        throw new \RuntimeException('wanted ' . json_encode($wanted) . ', got ' . json_encode($got));
    }
}

/** @param callable(): mixed $call */
function throws(string $class, string $pattern, callable $call): \Throwable
{
    try {
        $call();
    } catch (\Throwable $error) {
        if (!$error instanceof $class || preg_match($pattern, $error->getMessage()) !== 1) {
            throw new \RuntimeException("wanted $class $pattern", 0, $error);
        }
        return $error;
    }
    throw new \RuntimeException("wanted $class $pattern, nothing was thrown");
}

/** @param callable(): mixed $call */
function errorOf(callable $call): ?KasiError
{
    try {
        $call();
        return null;
    } catch (KasiError $error) {
        return $error;
    }
}

/** An answer in JSON. */
function reply(mixed $body, int $status = 200, array $headers = []): HttpResponse
{
    return new HttpResponse($status, $headers, is_string($body) ? $body : json_encode($body, JSON_THROW_ON_ERROR));
}

/** An error as the service writes it. */
function refusal(int $status, string $code, array $headers = [], array $more = []): HttpResponse
{
    $detail = ['code' => $code, 'message' => "This is $code.", 'requestId' => 'req-1', ...$more];
    return reply(['error' => $detail], $status, $headers);
}

/** A clock that runs as fast as possible. */
final class FakeClock extends Clock
{
    public float $time = 1000.0;
    /** Pauses are then three quarters of the longest. */
    public float $chance = 0.5;

    public function now(): float
    {
        return $this->time;
    }

    public function sleep(float $seconds): void
    {
        $this->time += $seconds;
    }

    public function random(): float
    {
        return $this->chance;
    }
}

/** The methods of the client, with what tests replace. */
final class TestClient extends Surface
{
    public function tokens(): ?SessionTokens
    {
        return $this->transport->session?->tokens();
    }
}

/**
 * A client whose attempts end with these outcomes in turn, the last one repeated.
 *
 * An outcome is an answer, a function that makes one, a status, "lost" (no connection) or "silence" (no answer until
 * the deadline).
 */
final class Attempts
{
    /** @var list<float> when each attempt was made */
    public array $at = [];
    /** @var list<HttpRequest> */
    public array $requests = [];
    public readonly TestClient $client;
    public readonly FakeClock $clock;

    public function __construct(
        private readonly array $outcomes,
        int $maxRetries = 2,
        ?array $key = null,
        array $session = ['T1', null, null, null],
        ?callable $onTokens = null,
        ?callable $stream = null,
    ) {
        $this->clock = new FakeClock();
        $this->client = new TestClient(new Transport(new Options(
            'https://kasi.example', $key, $key === null ? $session : [null, null, null, null], $onTokens,
            30.0, $maxRetries, $this->send(...), $stream, '/v1/auth', $this->clock,
        )));
    }

    private function send(HttpRequest $request): HttpResponse
    {
        $this->at[] = round($this->clock->time - 1000, 3);
        $this->requests[] = $request;
        $outcome = $this->outcomes[min(count($this->at), count($this->outcomes)) - 1];
        if ($outcome === 'lost') {
            throw new NoAnswer('refused');
        }
        if ($outcome === 'silence') {
            $this->clock->time += $request->timeout;
            throw new NoAnswer('too late', true);
        }
        if (is_int($outcome)) {
            return $outcome === 200 ? reply(['id' => 'pay_1']) : new HttpResponse($outcome, [], '<html>');
        }
        return $outcome instanceof HttpResponse ? $outcome : $outcome($request);
    }
}
