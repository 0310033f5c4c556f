<?php

declare(strict_types=1);

namespace Kasi\Internal;

use Kasi\SessionTokens;

/** The options of a client, checked at once: a forgotten setting must not show on the first payment. */
final class Options
{
    public readonly string $baseUrl;
    public readonly ?Signer $signer;
    public readonly ?SessionTokens $tokens;
    /** @var ?array{email: string, password: string} */
    public readonly ?array $login;
    public readonly mixed $onTokens;
    public readonly Operation $loginOperation;
    public readonly Operation $refreshOperation;

    /**
     * @param ?array{?string, ?string} $key the API key and its secret; null when the client has none
     * @param array{?string, ?string, ?string, ?string} $session token, refresh token, e-mail, password
     */
    public function __construct(
        ?string $baseUrl,
        #[\SensitiveParameter] ?array $key,
        #[\SensitiveParameter] array $session,
        ?callable $onTokens,
        public readonly float $timeout,
        public readonly int $maxRetries,
        public readonly mixed $send,
        public readonly mixed $stream,
        string $authPath,
        public readonly Clock $clock,
    ) {
        [$token, $refreshToken, $email, $password] = array_map(static fn (?string $given): string => $given ?? '', $session);
        $this->baseUrl = self::baseUrl($baseUrl);
        $this->signer = $key === null ? null : self::signer($key[0] ?? '', $key[1] ?? '', implode('', [$token, $refreshToken, $email, $password]) !== '');
        if (($email === '') !== ($password === '')) {
            $said = $email === '' ? 'password needs email' : 'email needs password';
            throw new \InvalidArgumentException("$said, which is missing or empty.");
        }
        if ($refreshToken !== '' && $token === '') {
            throw new \InvalidArgumentException('refreshToken needs token, the access token that came with it.');
        }
        $this->tokens = $token === '' ? null : new SessionTokens($token, $refreshToken === '' ? null : $refreshToken);
        $this->login = $email === '' ? null : ['email' => $email, 'password' => $password];
        $this->onTokens = $onTokens ?? static fn (): mixed => null;
        $this->loginOperation = new Operation('POST', "$authPath/login", isOpen: true);
        $this->refreshOperation = new Operation('POST', "$authPath/refresh", isOpen: true);
        self::timeout($timeout);
        self::retries($maxRetries);
    }

    public static function baseUrl(?string $baseUrl): string
    {
        if ($baseUrl === null || $baseUrl === '') {
            throw new \InvalidArgumentException('baseUrl is missing: the URL of the service, for example https://pay.example.com.');
        }
        $parts = parse_url($baseUrl);
        if (!is_array($parts) || !in_array(strtolower($parts['scheme'] ?? ''), ['http', 'https'], true) || ($parts['host'] ?? '') === '') {
            // A password in it is not repeated, because messages end in logs.
            $said = preg_replace('/^.*@/s', '', $baseUrl);
            $hint = str_contains($baseUrl, '://') ? '' : " Did you mean https://$said?";
            throw new \InvalidArgumentException("baseUrl is not a web address that begins with https://: $said.$hint");
        }
        if (isset($parts['query']) || isset($parts['fragment']) || isset($parts['user']) || preg_match('/[^\x21-\x7e]/', $baseUrl) === 1) {
            throw new \InvalidArgumentException('baseUrl is an address without query, fragment, user and white space.');
        }
        $bare = rtrim($baseUrl, '/');
        if (str_ends_with($bare, '/v1')) {
            throw new \InvalidArgumentException('baseUrl ends before /v1, which the client adds by itself.');
        }
        return $bare;
    }

    public static function timeout(float $timeout): float
    {
        return $timeout >= 0 ? $timeout : throw new \InvalidArgumentException('timeout is a number of seconds, 0 for no limit.');
    }

    public static function retries(int $maxRetries): int
    {
        return $maxRetries >= 0 ? $maxRetries : throw new \InvalidArgumentException('maxRetries is a whole number, 0 for none.');
    }

    private static function signer(string $apiKey, #[\SensitiveParameter] string $apiSecret, bool $hasSession): Signer
    {
        $said = match (true) {
            $apiKey === '' && $apiSecret === '' => 'apiKey (pk_...) and apiSecret (sk_...) are both missing or empty. '
                . 'Set what they are read from, such as KASI_API_KEY and KASI_API_SECRET in the environment, '
                . 'or leave both options out to call without a key.',
            $apiKey === '' => 'apiSecret needs apiKey (pk_...), which is missing or empty.',
            $apiSecret === '' => 'apiKey needs apiSecret (sk_...), which is missing or empty.',
            str_starts_with($apiKey, 'sk_') || str_starts_with($apiSecret, 'pk_') =>
                'apiKey and apiSecret are interchanged: the key begins with pk_, the secret with sk_.',
            preg_match('/[^\x21-\x7e]/', $apiKey . $apiSecret) === 1 =>
                'apiKey or apiSecret has white space or other characters around it. A line feed of a file?',
            $hasSession => 'A client has either an API key or a session. '
                . 'Make one client with apiKey and apiSecret and another with token or email.',
            default => null,
        };
        return $said === null ? new Signer($apiKey, $apiSecret) : throw new \InvalidArgumentException($said);
    }
}
