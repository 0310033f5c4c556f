<?php

declare(strict_types=1);

namespace Kasi\Internal;

use Kasi\KasiError;
use Kasi\SessionTokens;

/** One login session and its tokens. A refresh token works once, and its second use ends the session. */
final class Session implements Credentials
{
    private ?KasiError $refused = null;

    /**
     * @param ?array{email: string, password: string, deviceToken?: string} $login
     * @param callable(?SessionTokens): mixed $onTokens
     * @param callable(array<string, string>): array<string, mixed> $callLogin
     * @param callable(string): array<string, mixed> $callRefresh
     */
    public function __construct(
        private ?SessionTokens $tokens,
        private ?array $login,
        private readonly mixed $onTokens,
        private readonly mixed $callLogin,
        private readonly mixed $callRefresh,
    ) {
    }

    public function tokens(): ?SessionTokens
    {
        return $this->tokens;
    }

    public function authorize(string $method, string $url, string $body, ?string $idempotencyKey): array
    {
        if ($this->tokens === null && $this->login !== null) {
            $this->renewTokens();
        }
        return $this->tokens === null ? [] : ['authorization' => "Bearer {$this->tokens->token}"];
    }

    public function renew(KasiError $refusal): bool
    {
        return $refusal->reason === 'token_expired' && $this->renewTokens();
    }

    /**
     * Adopts the tokens of an explicit login, or null after a logout. No automatic login follows any more.
     *
     * @param ?array<string, mixed> $tokens
     */
    public function replace(#[\SensitiveParameter] ?array $tokens): void
    {
        $this->login = null;
        $this->adopt($tokens);
    }

    /** Remembers the new password for the next automatic login, if there is one. */
    public function replacePassword(#[\SensitiveParameter] string $password): void
    {
        if ($this->login !== null) {
            $this->login['password'] = $password;
        }
    }

    /**
     * Trades a refresh token, and adopts the answer if the session still has it.
     *
     * @param callable(): array<string, mixed> $call
     * @return array<string, mixed>
     */
    public function trade(#[\SensitiveParameter] string $refreshToken, callable $call): array
    {
        try {
            $tokens = $call();
        } catch (KasiError $error) {
            // A refused refresh token never works again, and sending it again would look like theft.
            if (self::isRefusal($error) && $this->tokens?->refreshToken === $refreshToken) {
                $this->adopt(null);
            }
            throw $error;
        }
        if ($this->tokens?->refreshToken === $refreshToken) {
            $this->adopt($tokens);
        }
        return $tokens;
    }

    /** Whether there are fresh tokens. Throws what is not a refusal: the session may still be alive. */
    private function renewTokens(): bool
    {
        $refreshToken = $this->tokens?->refreshToken;
        if ($refreshToken !== null) {
            try {
                $this->trade($refreshToken, fn (): array => ($this->callRefresh)($refreshToken));
                return true;
            } catch (KasiError $error) {
                if (!self::isRefusal($error)) {
                    throw $error;
                }
            }
        }
        if ($this->login === null) {
            return false;
        }
        $this->adopt($this->logIn($this->login));
        return true;
    }

    /**
     * Tries a wrong password only once: trying it on every call would lock its owner out.
     *
     * @param array{email: string, password: string, deviceToken?: string} $login
     * @return array<string, mixed>
     */
    private function logIn(#[\SensitiveParameter] array $login): array
    {
        if ($this->refused !== null) {
            throw $this->refused;
        }
        try {
            $answer = ($this->callLogin)($login);
        } catch (KasiError $error) {
            if (self::isRefusal($error)) {
                $this->refused = $error;
            }
            throw $error;
        }
        if (is_string($answer['deviceToken'] ?? null)) {
            // The next automatic login is then known, whatever strangers try.
            $this->login = [...$login, 'deviceToken' => $answer['deviceToken']];
        }
        return $answer;
    }

    /** @param ?array<string, mixed> $tokens */
    private function adopt(#[\SensitiveParameter] ?array $tokens): void
    {
        $this->tokens = $tokens === null ? null : new SessionTokens($tokens['token'], $tokens['refreshToken'] ?? null);
        ($this->onTokens)($this->tokens);
    }

    /** Whether the service will never accept this token or password. */
    private static function isRefusal(KasiError $error): bool
    {
        return $error->status === 400 || $error->status === 401;
    }
}
