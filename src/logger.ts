import { type Logger, pino } from 'pino';

const SECRET_FIELDS = [
  'authorization',
  'cookie',
  'password',
  'currentPassword',
  'newPassword',
  'token',
  'refreshToken',
  'apiSecret',
  'secret',
  'otp',
  'otpauthUri',
  'recoveryCodes',
  'bankAccountNumber',
  '["x-signature"]',
  '["x-api-key"]',
  '["set-cookie"]',
];

/** What no log line may show, wherever in it it stands; bodies are never logged at all. */
const REDACTED = SECRET_FIELDS.flatMap((field) => {
  const child = field.startsWith('[') ? field : `.${field}`;
  return [field, `*${child}`, `*.*${child}`, `req.headers${child}`];
});

/** JSON lines on standard output. */
export function createLogger(level: string): Logger {
  return pino({ level, redact: { paths: REDACTED, censor: '[hidden]' }, serializers: { err: presentFailure } });
}

/** An error as a log shows it: what it says and where, and not the connections and requests that libraries hang on it. */
function presentFailure(error: unknown): object {
  if (!(error instanceof Error)) return { message: String(error) };
  const { code, constraint } = error as { code?: unknown; constraint?: unknown };
  return {
    type: error.name,
    message: error.message,
    ...(code === undefined ? {} : { code }),
    ...(constraint === undefined ? {} : { constraint }),
    stack: error.stack,
    ...(error.cause === undefined ? {} : { cause: presentFailure(error.cause) }),
  };
}
