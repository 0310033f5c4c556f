import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { COMMANDS } from '../../scripts/kasi/commands.ts';
import { parseConfig } from '../../src/config.ts';
import { findMisspelt, KNOWN_SETTINGS } from '../../src/known-settings.ts';

test('every setting that is read is known', () => {
  const read = [...readFileSync('src/config.ts', 'utf8').matchAll(/'([A-Z]+(?:_[A-Z]+)+|HOST|PORT|MIGRATE)'/g)];
  const taken = COMMANDS.flatMap(({ takes }) => takes.flatMap(([names]) => names.match(/\b[A-Z]+_[A-Z_]+\b/g) ?? []));
  const names = new Set([...read.map(([, name = '']) => name), ...taken]);
  expect([...names].sort()).toEqual([...KNOWN_SETTINGS].sort());
});

test.for([
  ['MASTER_KEY_OLD', 'MASTER_KEYS_OLD'],
  ['SMTP_UR', 'SMTP_URL'],
  ['SMPT_URL', 'SMTP_URL'],
  ['SMTP_URL_FILE', 'SMTP_URL'],
  ['RATE_LIMIT', 'RATE_LIMITS'],
  ['smtp_url', 'SMTP_URL'],
  ['DATABASE_URI', 'DATABASE_URL'],
  ['KASI_ROLE', 'KASI_ROLES'],
] as const)('%s is told as %s', ([name, meant]) => {
  const told = [`${name} is no setting of Kasi and is ignored: did you mean ${meant}?`];
  expect(parseConfig({ [name]: 'x' }).misspelt).toEqual(told);
  expect(() => parseConfig({ [name]: 'x', PORT: 'x' })).toThrow(`\n  - ${told[0]}`);
});

test('ordinary names, and those that shops and other programs read, are not told', () => {
  const ordinary =
    'HOME HOSTNAME HOSTS PWD OLDPWD PATH SHELL SHLVL TERM USER LOGNAME LANG MAIL MAILTO MAILFROM TZ NODE_ENV NODE_OPTIONS ' +
    'HTTP_PROXY HTTPS_PROXY NO_PROXY http_proxy ETH_RPC_URL SSL_CERT_FILE INVOCATION_ID JOURNAL_STREAM LISTEN_FDS ' +
    'LISTEN_PID CREDENTIALS_DIRECTORY STATE_DIRECTORY PGHOST PGPORT PGUSER PGPASSWORD PGDATABASE POSTGRES_PASSWORD ' +
    'KASI_URL KASI_EMAIL KASI_PASSWORD KASI_API_KEY KASI_API_SECRET KASI_TOKEN KASI_ADMIN_TOKEN KASI_ADMIN_PASSWORD ' +
    'KASI_MERCHANT_ID KASI_HOST KASI_VERSION KASI_PORT KASI_SERVICE_HOST KASI_SERVICE_PORT KASI_PORT_3000_TCP ' +
    'OTEL_TRACES_EXPORTER OTEL_SERVICE_NAME OTEL_EXPORTER_OTLP_ENDPOINT CI DEBUG EDITOR REDIS_URL SENTRY_DSN';
  const env = Object.fromEntries(ordinary.split(' ').map((name) => [name, 'x']));
  expect(findMisspelt(env)).toEqual([]);
  expect(findMisspelt({ RATE_LIMIT: '' })).toEqual([]);
});
