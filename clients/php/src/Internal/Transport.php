<?php

declare(strict_types=1);

namespace Kasi\Internal;

use Kasi\HttpRequest;
use Kasi\HttpResponse;
use Kasi\KasiError;
use Kasi\NoAnswer;

/** Connects operations with credentials, deadlines and retries. */
final class Transport
{
    public readonly ?Session $session;
    private readonly Credentials $credentials;
    private readonly Http $http;

    public function __construct(private readonly Options $options)
    {
        $this->http = new Http();
        $login = fn (#[\SensitiveParameter] array $login): array => $this->tokensOf($options->loginOperation, $login);
        $refresh = fn (#[\SensitiveParameter] string $token): array => $this->tokensOf($options->refreshOperation, ['refreshToken' => $token]);
        $session = new Session($options->tokens, $options->login, $options->onTokens, $login, $refresh);
        $this->session = $options->signer === null ? $session : null;
        $this->credentials = $options->signer ?? $session;
    }

    /**
     * Returns the body of a success. Throws everything else as `KasiError`.
     *
     * @param array<string, string> $path
     * @param ?array<string, mixed> $query
     * @param ?array<string, mixed> $body
     */
    public function call(
        Operation $operation,
        array $path,
        CallOptions $call,
        ?array $query = null,
        #[\SensitiveParameter] ?array $body = null,
        string $accept = 'application/json',
    ): mixed {
        $key = self::keyFor($operation, $call->idempotencyKey);
        $url = $this->options->baseUrl . $this->targetOf($operation, $path, $query ?? []);
        // Serialized once, so that every attempt sends the same bytes.
        $text = $body === null ? '' : Json::body($body);
        $headers = array_filter([
            'accept' => $accept,
            'user-agent' => 'kasi-php',
            'content-type' => $text === '' ? null : 'application/json',
            'idempotency-key' => $key,
        ], is_string(...));
        $attempt = function (Deadline $share) use ($operation, $url, $headers, $text, $key, $accept): mixed {
            $send = fn (#[\SensitiveParameter] array $credentials): HttpResponse =>
                $this->sendOnce($operation, $url, [...$headers, ...$credentials], $text, $share);
            $response = $operation->isOpen ? $send([]) : $this->sendAs($operation, $url, $text, $key, $send);
            return self::read($response, $accept);
        };
        return $this->retried($attempt, $operation, $call);
    }

    /**
     * The body of a streamed answer as it arrives.
     *
     * @param array<string, string> $path
     * @return \Generator<int, string>
     */
    public function stream(Operation $operation, array $path, CallOptions $call, string $accept, float $silence): \Generator
    {
        $url = $this->options->baseUrl . $this->targetOf($operation, $path, []);
        $headers = ['accept' => $accept, 'user-agent' => 'kasi-php'];
        $attempt = function (Deadline $share) use ($operation, $url, $headers, $silence): \Generator {
            $request = new HttpRequest($operation->method, $url, $headers, '', $share->left(), true);
            $pieces = ($this->options->stream ?? $this->http->stream(...))($request, $silence);
            $head = $this->answered(static fn (): mixed => $pieces->current(), $share);
            if ($head instanceof HttpResponse && $head->status === 200) {
                return $pieces;
            }
            throw Errors::fromResponse($head instanceof HttpResponse ? self::whole($head, $pieces) : new HttpResponse(0, [], ''));
        };
        $pieces = $this->retried($attempt, $operation, $call);
        for ($pieces->next(); $pieces->valid(); $pieces->next()) {
            yield $pieces->current();
        }
    }

    public function maxRetries(CallOptions $call): int
    {
        return Options::retries($call->maxRetries ?? $this->options->maxRetries);
    }

    public function clock(): Clock
    {
        return $this->options->clock;
    }

    private function retried(callable $attempt, Operation $operation, CallOptions $call): mixed
    {
        $clock = $this->options->clock;
        $deadline = new Deadline(Options::timeout($call->timeout ?? $this->options->timeout), $clock);
        try {
            return Retry::run($attempt, $this->maxRetries($call), $operation->isRepeatable(), $deadline, $clock);
        } catch (KasiError $error) {
            $error->operation ??= $operation->name();
            $error->describe();
            throw $error;
        }
    }

    /** Sends a request with the caller's credentials; once more if newer credentials may be accepted. */
    private function sendAs(Operation $operation, string $url, #[\SensitiveParameter] string $body, ?string $key, callable $send): HttpResponse
    {
        $response = $send($this->credentials->authorize($operation->method, $url, $body, $key));
        if ($response->status !== 401 || !$this->credentials->renew(Errors::fromResponse($response))) {
            return $response;
        }
        return $send($this->credentials->authorize($operation->method, $url, $body, $key));
    }

    /** @param array<string, string> $headers */
    private function sendOnce(Operation $operation, string $url, #[\SensitiveParameter] array $headers, #[\SensitiveParameter] string $body, Deadline $deadline): HttpResponse
    {
        if ($deadline->isOver()) {
            throw $deadline->error();
        }
        $request = new HttpRequest($operation->method, $url, $headers, $body, $deadline->left(), $operation->isRepeatable());
        return $this->answered(fn (): HttpResponse => ($this->options->send ?? $this->http->send(...))($request), $deadline);
    }

    private function answered(callable $send, Deadline $deadline): mixed
    {
        try {
            return $send();
        } catch (NoAnswer $cause) {
            if ($cause->isLate || $deadline->isOver()) {
                throw $deadline->error($cause);
            }
            $message = "No answer from {$this->options->baseUrl}: {$cause->getMessage()}";
            throw new KasiError('NETWORK_ERROR', $message, previous: $cause);
        }
    }

    private static function read(HttpResponse $response, string $accept): mixed
    {
        if ($response->status < 200 || $response->status > 299) {
            throw Errors::fromResponse($response);
        }
        if ($accept !== 'application/json') {
            return $response->body;
        }
        try {
            $body = Json::parse($response->body);
        } catch (\JsonException) {
            $body = null;
        }
        if (is_array($body)) {
            return $body;
        }
        $message = "$response->status with a body that is not JSON.";
        throw new KasiError('UNEXPECTED_RESPONSE', $message, $response->status, requestId: $response->headers['x-request-id'] ?? null);
    }

    private static function whole(HttpResponse $head, \Generator $pieces): HttpResponse
    {
        $body = '';
        for ($pieces->next(); $pieces->valid(); $pieces->next()) {
            $body .= $pieces->current();
        }
        return new HttpResponse($head->status, $head->headers, $body);
    }

    /**
     * @param array<string, string> $path
     * @param array<string, mixed> $query
     */
    private function targetOf(Operation $operation, array $path, array $query): string
    {
        $target = $this->session === null ? $operation->signedPath ?? $operation->path : $operation->path;
        foreach ($path as $name => $value) {
            // Such an id would change the path, and the request would reach another operation.
            if ($value === '' || $value === '.' || $value === '..') {
                throw new \InvalidArgumentException("{$operation->name()} needs $name as a text that is not empty.");
            }
            $target = str_replace('{' . $name . '}', rawurlencode($value), $target);
        }
        $text = self::encodeQuery($query);
        return $target . ($text === '' ? '' : "?$text");
    }

    /**
     * `['page' => 2, 'metadata' => ['orderId' => 'A-1']]` becomes `page=2&metadata[orderId]=A-1`. Null is left out.
     *
     * @param array<string, mixed> $query
     */
    private static function encodeQuery(array $query): string
    {
        $pairs = [];
        foreach ($query as $name => $value) {
            foreach (is_array($value) ? $value : [null => $value] as $key => $item) {
                $place = is_array($value) ? rawurlencode((string) $name) . '[' . rawurlencode((string) $key) . ']' : rawurlencode((string) $name);
                if ($item !== null) {
                    $pairs[] = $place . '=' . rawurlencode(is_string($item) ? $item : Json::write($item));
                }
            }
        }
        return implode('&', $pairs);
    }

    /** The `Idempotency-Key` of one call, the same for all its attempts: the caller's, or a new one. */
    private static function keyFor(Operation $operation, ?string $given): ?string
    {
        if (!$operation->isIdempotent) {
            return null;
        }
        if ($given !== null && preg_match('/^[\x21-\x7e]{1,255}$/D', $given) !== 1) {
            throw new \InvalidArgumentException('An idempotencyKey is 1 to 255 visible ASCII characters without spaces.');
        }
        return $given ?? bin2hex(random_bytes(16));
    }

    /**
     * @param array<string, mixed> $body
     * @return array<string, mixed>
     */
    private function tokensOf(Operation $operation, #[\SensitiveParameter] array $body): array
    {
        $answer = $this->call($operation, [], new CallOptions(), body: $body);
        if (!is_string($answer['token'] ?? null)) {
            throw Errors::unexpected('The answer has no token.');
        }
        return $answer;
    }
}
