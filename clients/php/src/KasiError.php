<?php

declare(strict_types=1);

namespace Kasi;

/**
 * Any failure of a call. Its message says everything that is known.
 *
 * `code` is one of the service's, or one that the client itself produces: `NETWORK_ERROR` (no answer, or an incomplete
 * one), `TIMEOUT` (no answer in time) and `UNEXPECTED_RESPONSE` (an answer that is not from the service, for example a
 * proxy's error page). New codes may appear, so handle unknown ones.
 */
final class KasiError extends \RuntimeException
{
    /** @var string What went wrong; use it in a `match`. */
    public $code;

    /** What was called: `POST /v1/payments/{id}/cancel`. */
    public ?string $operation = null;

    /** How often the request was sent before the client gave up. */
    public int $attempts = 0;

    /**
     * @param string $detail what the service, or the client, says about it
     * @param int $status the HTTP status; 0 when no answer came
     * @param ?string $reason a finer code when one `code` has several causes, for example `token_expired`
     * @param list<array{path: string, message: string}> $fields for `VALIDATION_ERROR`: all that must change
     * @param ?string $requestId quote it when you ask for help
     * @param ?int $retryAfterSeconds with 429 and 503: the seconds to wait
     */
    public function __construct(
        string $code,
        public readonly string $detail,
        public readonly int $status = 0,
        public readonly ?string $reason = null,
        public readonly array $fields = [],
        public readonly ?string $requestId = null,
        public readonly ?int $retryAfterSeconds = null,
        ?\Throwable $previous = null,
    ) {
        parent::__construct($detail, 0, $previous);
        $this->code = $code;
        $this->describe();
    }

    /** @internal Writes what became known since into the message. */
    public function describe(): void
    {
        $facts = array_filter([
            $this->status > 0 ? "status $this->status" : '',
            $this->reason !== null ? "reason $this->reason" : '',
            $this->operation ?? '',
            $this->requestId !== null ? "request $this->requestId" : '',
            $this->attempts > 1 ? "$this->attempts attempts" : '',
        ]);
        $lines = array_map(static fn (array $field): string => "\n  {$field['path']}: {$field['message']}", $this->fields);
        $known = $facts === [] ? '' : ' (' . implode(', ', $facts) . ')';
        $this->message = "$this->code: $this->detail$known" . implode('', $lines);
    }
}
