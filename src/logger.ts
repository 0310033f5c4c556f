import { type Logger, pino } from 'pino';
import { prettyFactory } from 'pino-pretty';
import { openLogOutput } from './log-output.ts';

const STDOUT = 1;

const SECRET_FIELDS = [
  'authorization',
  'cookie',
  'password',
  'currentPassword',
  'newPassword',
  'token',
  'refreshToken',
  'deviceToken',
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

/** Paths that no log line may show, at the depths at which we log objects. Bodies are never logged. */
const REDACTED = SECRET_FIELDS.flatMap((field) => {
  const child = field.startsWith('[') ? field : `.${field}`;
  return [field, `*${child}`, `*.*${child}`, `req.headers${child}`];
});

/** How lines look: for programs, one JSON object each, or for people at a terminal. */
export type LogFormat = 'json' | 'pretty';

/** Lines on standard output. `more`: what each says besides. */
export function createLogger(level: string, format: LogFormat = 'json', more?: () => object): Logger {
  const options = {
    level,
    ...(more && { mixin: more }),
    redact: { paths: REDACTED, censor: '[hidden]' },
    serializers: { err: presentFailure },
  };
  if (format === 'json') return pino(options, openLogOutput(STDOUT));
  // The library's own stream is closed for good by the first line that a full disk refuses.
  const present = prettyFactory({ translateTime: 'SYS:HH:MM:ss', ignore: 'pid,hostname', singleLine: true });
  const output = openLogOutput(STDOUT, present);
  return pino(options, { ...output, write: (line) => output.write(present(line)) });
}

/**
 * An error as logs show it: message and stack, without the connections and requests that libraries attach to errors.
 */
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
