<?php

declare(strict_types=1);

namespace Kasi;

/** The request is not a genuine webhook: answer 400 and do nothing. */
final class WebhookVerificationError extends \RuntimeException
{
    /** @param 'missing_header'|'malformed'|'timestamp_out_of_tolerance'|'no_matching_signature' $reason */
    public function __construct(public readonly string $reason, string $message)
    {
        parent::__construct($message);
    }
}
