<?php

declare(strict_types=1);

namespace Kasi\Internal;

use Kasi\KasiError;

/** When another attempt is made, and when. */
final class Retry
{
    /** The first pause; each following one is twice as long. */
    private const PAUSE_SECONDS = 0.5;
    private const PAUSE_MAX_SECONDS = 8.0;

    /** A longer `Retry-After` is not waited for: the error is thrown at once, even if the call has no deadline. */
    private const RETRY_AFTER_MAX_SECONDS = 60;

    /**
     * Makes attempts until one succeeds, one fails for good, or no other fits into the deadline.
     *
     * While another attempt may follow, one gets half of the time left, so that a hanging connection doesn't use up the
     * call. Throws the error of the last attempt, with the number of attempts.
     *
     * @template T
     * @param callable(Deadline): T $attempt
     * @return T
     */
    public static function run(callable $attempt, int $maxRetries, bool $isRepeatable, Deadline $deadline, Clock $clock): mixed
    {
        for ($attempts = 1; ; $attempts += 1) {
            $mayRepeat = $attempts <= $maxRetries;
            try {
                if ($deadline->isOver()) {
                    throw $deadline->error();
                }
                return $attempt($deadline->share(self::shareOf($deadline->left(), $attempts, $mayRepeat && $isRepeatable)));
            } catch (KasiError $error) {
                if ($deadline->isOver()) {
                    throw self::counted($error->status === 0 ? $deadline->error($error) : $error, $attempts);
                }
                $pause = self::pauseAfter($error, $attempts, $clock);
                if (!$mayRepeat || !self::isWorthAnother($error, $isRepeatable) || $pause >= $deadline->left()) {
                    throw self::counted($error, $attempts);
                }
            }
            $clock->sleep($pause);
        }
    }

    /** The pause after this many attempts, before jitter shortens it. */
    public static function longestPause(int $attempts): float
    {
        return min(self::PAUSE_SECONDS * 2 ** min($attempts - 1, 10), self::PAUSE_MAX_SECONDS);
    }

    /** Half of the time left if another attempt then fits; else 0, which means all of it. */
    private static function shareOf(float $left, int $attempts, bool $mayRepeat): float
    {
        return $mayRepeat && is_finite($left) && $left / 2 > self::longestPause($attempts) ? $left / 2 : 0.0;
    }

    /** Whether another attempt can do no harm and may succeed. */
    private static function isWorthAnother(KasiError $error, bool $isRepeatable): bool
    {
        return match (true) {
            // Already retried: it comes from the call that renews the session, which makes its own attempts.
            $error->attempts > 0 => false,
            // The service refused it before it did anything.
            $error->status === 429, $error->code === 'RATE_UNAVAILABLE' => true,
            // In all other cases the service may have carried it out.
            !$isRepeatable => false,
            default => in_array($error->status, [0, 500, 502, 503, 504], true) || $error->code === 'IDEMPOTENCY_IN_PROGRESS',
        };
    }

    /** The time that the service asks for plus a random pause, so that clients that failed together come apart. */
    private static function pauseAfter(KasiError $error, int $attempts, Clock $clock): float
    {
        $seconds = $error->retryAfterSeconds ?? 0;
        if ($seconds > self::RETRY_AFTER_MAX_SECONDS) {
            return INF;
        }
        return $seconds + self::longestPause($attempts) * (0.5 + $clock->random() / 2);
    }

    /** Stores the number of attempts in an error, once. */
    private static function counted(KasiError $error, int $attempts): KasiError
    {
        if ($error->attempts === 0) {
            $error->attempts = $attempts;
        }
        return $error;
    }
}
