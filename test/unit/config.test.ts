import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { operatorOfKey } from '../../src/chains/evm/operator-account.ts';
import { ConfigError, parseConfig } from '../../src/config.ts';

const KEY = '0f1e2d3c4b5a69788796a5b4c3d2e1f000112233445566778899aabbccddeeff';
const ADDRESS = '0x1111111111111111111111111111111111111111';
const OTHER = '0x2222222222222222222222222222222222222222';
const TOKEN = { symbol: 'USDC', contract: ADDRESS.replace('1', 'A'), decimals: 6 };

const networkFile = (change: object = {}, ...others: object[]): string => {
  const path = join(mkdtempSync(join(tmpdir(), 'kasi-config-')), 'networks.json');
  const base = {
    name: 'base',
    chainId: 8453,
    rpcUrl: 'https://base.example',
    confirmations: 10,
    factory: ADDRESS,
    treasury: ADDRESS,
    tokens: [TOKEN],
    ...change,
  };
  const more = others.map((other) => ({ ...base, name: 'bsc', chainId: 56, ...other }));
  writeFileSync(path, JSON.stringify({ networks: [base, ...more], rates: [] }));
  return path;
};

const live = (change: Record<string, string> = {}): Record<string, string> => ({
  KASI_MODE: 'live',
  DEPLOYMENT_ID: 'shop-production',
  DATABASE_URL: 'postgresql://app@db.example/kasi',
  PUBLIC_URL: 'https://pay.example',
  MASTER_KEY: KEY,
  KASI_NETWORKS: networkFile(),
  TRUST_PROXY: '10.0.0.0/8',
  ...change,
});

const problems = (env: Record<string, string>): string => {
  try {
    parseConfig(env);
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
  return '';
};

describe('the sandbox', () => {
  test('listens where it is told to, past a pooler, and reads from standbys', () => {
    expect(parseConfig({})).toMatchObject({ databaseListenUrl: null, databaseReadUrl: null });
    const past = 'postgresql://app@db.example/kasi';
    const config = parseConfig({ DATABASE_LISTEN_URL: past, DATABASE_READ_URL: `${past}2` });
    expect(config).toMatchObject({ databaseListenUrl: past, databaseReadUrl: `${past}2` });
  });
  test('needs no settings', () => {
    const config = parseConfig({});
    expect(config).toMatchObject({
      mode: 'sandbox',
      port: 3000,
      host: '127.0.0.1',
      publicUrl: 'http://localhost:3000',
      checkoutUrl: 'http://localhost:3000/checkout',
      roles: ['api', 'scheduler', 'watcher'],
      sandboxRoutes: true,
    });
    expect(Object.isFrozen(config)).toBe(true);
  });
  test('has metrics on a port of their own, or none', () => {
    expect(parseConfig({}).metrics).toBeNull();
    expect(parseConfig({ METRICS_PORT: '9464' }).metrics).toEqual({ host: '127.0.0.1', port: 9464 });
    expect(parseConfig({ METRICS_PORT: '9464', METRICS_HOST: '10.0.0.5' }).metrics?.host).toBe('10.0.0.5');
    expect(() => parseConfig({ PORT: '4000', METRICS_PORT: '4000' })).toThrow('METRICS_PORT is that of PORT');
    expect(() => parseConfig({ METRICS_PORT: 'x' })).toThrow('METRICS_PORT must be a whole number');
  });
  test('exposes its routes beyond this host only on request', () => {
    expect(parseConfig({ HOST: '0.0.0.0' }).sandboxRoutes).toBe(false);
    expect(parseConfig({ HOST: '0.0.0.0', KASI_SANDBOX_PUBLIC: '1' }).sandboxRoutes).toBe(true);
  });
});

describe('the proxies that name the caller', () => {
  test('must be said in live mode, and may be none', () => {
    expect(problems(live({ TRUST_PROXY: '' }))).toContain('TRUST_PROXY is missing: the addresses or networks of your');
    expect(parseConfig(live({ TRUST_PROXY: 'none' })).trustProxy).toEqual([]);
    expect(parseConfig({}).trustProxy).toEqual([]);
    const named = '127.0.0.1, 10.1.0.0/16,loopback, fd00::/8, 2001:db8::1';
    expect(parseConfig(live({ TRUST_PROXY: named })).trustProxy).toHaveLength(5);
  });
  test.each([
    ['x', 'TRUST_PROXY names "x", which is neither an address nor a network such as 10.0.0.0/8, nor none'],
    ['10.0.0.0/8,true', 'TRUST_PROXY names "true"'],
    ['1', 'TRUST_PROXY names "1"'],
    ['10.0.0.0/33', 'TRUST_PROXY names "10.0.0.0/33"'],
    ['192.168/16', 'TRUST_PROXY names "192.168/16"'],
    ['010.0.0.0/8', 'TRUST_PROXY names "010.0.0.0/8"'],
    ['0.0.0.0/0', 'TRUST_PROXY names 0.0.0.0/0, which is so wide that it trusts strangers'],
    ['::/0', 'TRUST_PROXY names ::/0, which is so wide'],
    ['none,10.0.0.1', 'TRUST_PROXY says none and names proxies, too'],
  ])('can not be %s', (text, words) => {
    expect(problems({ TRUST_PROXY: text })).toContain(words);
  });
});

describe('private networks that webhooks may reach', () => {
  test('are ranges, each written in full', () => {
    expect(parseConfig({}).webhookAllowedPrivateCidrs).toEqual([]);
    const named = '10.1.0.0/16, fd00:1::/32';
    expect(parseConfig({ WEBHOOK_ALLOWED_PRIVATE_CIDRS: named }).webhookAllowedPrivateCidrs).toHaveLength(2);
  });
  test.each(['10/8', '010.0.0.0/8', '10.0.0.0', '10.0.0.0/33', 'x'])('can not be %s', (text) => {
    const words = `WEBHOOK_ALLOWED_PRIVATE_CIDRS names "${text}", which is no network such as 10.0.0.0/8`;
    expect(problems({ WEBHOOK_ALLOWED_PRIVATE_CIDRS: text })).toContain(words);
  });
});

describe('rate limits', () => {
  const limits = (text: string) => parseConfig({ RATE_LIMITS: text }).rateLimits;
  test("default to the contract's and can be overridden", () => {
    expect(parseConfig({}).rateLimits).toEqual({ off: false, max: {} });
    expect(limits('requests=500, login = 30')).toEqual({ off: false, max: { requests: 500, login: 30 } });
    expect(limits('off')).toEqual({ off: true, max: {} });
    expect(limits('off,payment_read=1')).toEqual({ off: true, max: { payment_read: 1 } });
    expect(limits('requests=1000000000').max.requests).toBe(1_000_000_000);
  });
  test.each([
    ['an unknown name', 'request=5', 'RATE_LIMITS knows no limit "request"; there are: requests, '],
    ['a name that every object has', 'toString=5', 'RATE_LIMITS knows no limit "toString"'],
    ['a limit of zero', 'login=0', 'RATE_LIMITS must say login=<a whole number from 1 to 1000000000>, not "login=0"'],
    ['a limit above the maximum', 'login=1000000001', 'RATE_LIMITS must say login='],
    ['an exponent', 'login=1e3', 'RATE_LIMITS must say login='],
    ['a name without a value', 'login', 'RATE_LIMITS must say login='],
    ['a name twice', 'login=1,login=2', 'RATE_LIMITS says twice what login is'],
  ])('refuse %s', (_name, text, words) => {
    expect(problems({ RATE_LIMITS: text })).toContain(words);
  });
});

describe('live mode', () => {
  test('accepts several networks', () => {
    expect(parseConfig(live({ KASI_NETWORKS: networkFile({}, {}) })).networks).toHaveLength(2);
  });
  test('takes allowances of tokens that Permit2 moves, and of no others', () => {
    const permit = { name: 'USD Coin', version: '2' };
    const file = (change: object) =>
      networkFile({ tokens: [{ ...{ symbol: 'USDC', contract: OTHER, decimals: 6, permit }, ...change }] });
    const { networks } = parseConfig(live({ KASI_NETWORKS: file({ permit2: true }) }));
    expect(networks[0]?.tokens[0]).toMatchObject({ permit2: true, permit });
    expect(problems(live({ KASI_NETWORKS: file({}) }))).toContain('permit2');
    expect(problems(live({ KASI_NETWORKS: file({ permit2: false }) }))).toContain('permit2');
  });
  test('charges subscriptions on networks with a collector, using the operator key', () => {
    const collector = `0x${'aB'.repeat(20)}`;
    const operatorKey = `0x${KEY}`;
    const config = parseConfig(live({ OPERATOR_KEY: operatorKey, KASI_NETWORKS: networkFile({ collector }, {}) }));
    expect(config.operatorKey).toBe(operatorKey);
    expect(config.networks.map((network) => network.collector)).toEqual([
      collector.toLowerCase(),
      collector.toLowerCase(),
    ]);
    expect(parseConfig(live()).networks[0]?.collector).toBeNull();
    expect(parseConfig(live()).operatorKey).toBeNull();
  });
  test.each(['api', 'watcher', 'api,watcher'])('keeps the operator key out of a process that is only %s', (roles) => {
    const env = live({ KASI_ROLES: roles, KASI_NETWORKS: networkFile({ collector: OTHER }) });
    expect(parseConfig(env).operatorKey).toBeNull();
    const given = problems({ ...env, OPERATOR_KEY: `0x${KEY}` });
    expect(given).toContain('OPERATOR_KEY is given to a process that signs nothing');
    expect(given).not.toContain(KEY);
    expect(problems({ ...env, KASI_ROLES: `${roles},scheduler` })).toContain('OPERATOR_KEY is missing');
  });
  test.each([
    ['http://rpc.example/key', false],
    ['http://8.8.8.8', false],
    ['http://10.0.0.5.example', false],
    ['http://[2001:db8::1]:8545', false],
    ['https://rpc.example/key', true],
    ['http://127.0.0.1:8545', true],
    ['http://localhost:8545', true],
    ['http://[::1]:8545', true],
    ['http://10.1.2.3:8545', true],
    ['http://192.168.7.7', true],
    ['http://[fd00::7]:8545', true],
    ['http://geth:8545', true],
  ])('an RPC at %s: %s', (rpcUrl, isAllowed) => {
    const said = problems(live({ KASI_NETWORKS: networkFile({ rpcUrl }) }));
    if (isAllowed) expect(said).toBe('');
    else expect(said).toContain(`is reached by plain http at ${new URL(rpcUrl).host}`);
  });
  test.each([
    [8453, 1],
    [1, 60],
    [137, 1000],
    [424_242, 100],
  ])('on chain %s gas may cost %s gwei unless the file says otherwise', (chainId, gwei) => {
    const file = (change: object) =>
      parseConfig(live({ KASI_NETWORKS: networkFile({ chainId, ...change }) })).networks[0];
    expect(file({})).toMatchObject({ gasPriceMaxGwei: gwei });
    expect(file({ gasPriceMaxGwei: 7 })).toMatchObject({ gasPriceMaxGwei: 7 });
    expect(file({})?.coin).toBe({ 1: 'ETH', 137: 'POL', 8453: 'ETH' }[chainId]);
    expect(file({ coin: 'BNB', maxGasShare: 0.2 })).toMatchObject({ coin: 'BNB', maxGasShare: 0.2 });
  });
  test.each([
    ['too short', '0xabc', 'must be 0x and 64 hexadecimal digits'],
    ['hardly random', `0x${'ab'.repeat(32)}`, 'is too weak'],
    ['beyond the curve', `0x${'f'.repeat(48)}${KEY.slice(0, 16)}`, 'is no private key'],
    [
      'publicly known',
      '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80',
      'is the key of a development account',
    ],
  ])('refuses an operator key that is %s, without printing it', (_, key, words) => {
    expect(problems(live({ OPERATOR_KEY: key }))).toContain(`OPERATOR_KEY ${words}`);
    expect(problems(live({ OPERATOR_KEY: key }))).not.toContain(key);
  });
  test("refuses the treasury's key as the operator key", () => {
    const treasury = operatorOfKey(`0x${KEY}`).address;
    const env = live({ OPERATOR_KEY: `0x${KEY}`, KASI_NETWORKS: networkFile({ treasury }) });
    expect(problems(env)).toContain('is the key of the treasury');
  });
  test('starts with the required settings, without sandbox routes', () => {
    const config = parseConfig(live());
    expect(config.sandboxRoutes).toBe(false);
    expect(config.networks[0]).toMatchObject({
      name: 'base',
      pollMs: 3000,
      gasPriceMaxGwei: 1,
      tokens: [{ contract: ADDRESS.replace('1', 'a') }],
    });
  });
  test('lists every problem at once', () => {
    const message = problems({ KASI_MODE: 'live', PORT: '99999', KASI_ROLES: 'api,cook', ADMIN_EMAIL: 'a@b.example' });
    for (const name of [
      'DATABASE_URL',
      'PUBLIC_URL',
      'MASTER_KEY',
      'KASI_NETWORKS',
      'PORT',
      'KASI_ROLES',
      'ADMIN_EMAIL',
      'TRUST_PROXY',
    ]) {
      expect(message).toContain(name);
    }
  });
  test.each([
    ['a key that is too short', { MASTER_KEY: 'abcd' }, 'MASTER_KEY must be 32 bytes'],
    ['a key that is not random', { MASTER_KEY: '00'.repeat(32) }, 'too weak'],
    ['an address that is not https', { PUBLIC_URL: 'http://pay.example' }, 'PUBLIC_URL must be https'],
    ['an empty list of tokens', { KASI_NETWORKS: networkFile({ tokens: [] }) }, '/networks/0/tokens'],
    ['a second treasury', { KASI_NETWORKS: networkFile({}, { treasury: OTHER }) }, 'the treasury must be the same'],
    ['a second factory', { KASI_NETWORKS: networkFile({}, { factory: OTHER }) }, 'the factory must be the same'],
    [
      'a collector without an operator key',
      { KASI_NETWORKS: networkFile({ collector: OTHER }) },
      'OPERATOR_KEY is missing: the private key that charges subscriptions on base',
    ],
    ['a malformed operator key', { OPERATOR_KEY: '0x12' }, 'OPERATOR_KEY must be 0x and 64 hexadecimal digits'],
    ['a malformed collector address', { KASI_NETWORKS: networkFile({ collector: '0x12' }) }, '/networks/0/collector'],
    ['a name twice', { KASI_NETWORKS: networkFile({}, { name: 'base' }) }, 'two networks have one name'],
    ['a chain twice', { KASI_NETWORKS: networkFile({}, { chainId: 8453 }) }, 'a chain is listed twice'],
    ['no endpoint', { KASI_NETWORKS: networkFile({ rpcUrl: undefined }) }, 'base names no endpoint'],
    [
      'a provider twice',
      { KASI_NETWORKS: networkFile({ rpcUrls: ['https://base.example/key-2', 'https://other.example'] }) },
      'rpcUrls of base has base.example twice',
    ],
    [
      'a token twice',
      { KASI_NETWORKS: networkFile({ tokens: [TOKEN, { ...TOKEN, contract: OTHER }] }) },
      'a token twice',
    ],
    [
      'a contract twice',
      { KASI_NETWORKS: networkFile({ tokens: [TOKEN, { ...TOKEN, symbol: 'USDT' }] }) },
      'base lists a contract twice',
    ],
    [
      'a missing file',
      { KASI_NETWORKS: '/nowhere/networks.json' },
      'KASI_NETWORKS could not be read from /nowhere/networks.json: ',
    ],
    [
      'a missing file with a relative name',
      { KASI_NETWORKS: 'nowhere.json' },
      `KASI_NETWORKS could not be read from ${resolve('nowhere.json')} (a relative name is taken from the folder in which`,
    ],
  ])('refuses %s', (_name, change, words) => {
    expect(problems(live(change))).toContain(words);
  });
});

describe('mails', () => {
  const MAIL_FROM = 'Kasi <receipts@kasi.example>';
  const SMTP_URL = 'smtps://kasi:p%40ss%3Aword@smtp.example';

  test('go nowhere without settings', () => {
    expect([parseConfig({}).mail, parseConfig(live()).mail]).toEqual([null, null]);
  });

  test.each([
    [SMTP_URL, { host: 'smtp.example', port: 465, secure: true, requireTls: true }],
    ['smtp://kasi:p%40ss%3Aword@smtp.example', { port: 587, secure: false, requireTls: true }],
    ['smtp://kasi:p%40ss%3Aword@[2001:db8::1]:2525', { host: '2001:db8::1', port: 2525 }],
  ])('go to %s', (url, server) => {
    expect(parseConfig(live({ SMTP_URL: url, MAIL_FROM })).mail).toMatchObject({
      ...{ ...server, login: { user: 'kasi', password: 'p@ss:word' } },
      from: { name: 'Kasi', address: 'receipts@kasi.example' },
    });
    expect(parseConfig({ SMTP_URL: url, MAIL_FROM }).mail).toMatchObject({ requireTls: false });
  });

  test('may need no login, and come from an address alone', () => {
    expect(parseConfig({ SMTP_URL: 'smtp://localhost', MAIL_FROM: 'a@kasi.example' }).mail).toMatchObject({
      ...{ login: null, from: { name: '', address: 'a@kasi.example' } },
    });
  });

  test('are refused with half of the settings, in a sentence', () => {
    const missing = (name: string, given: string) =>
      `${name} is missing: it goes together with ${given}; without both no receipt is mailed`;
    expect(problems(live({ SMTP_URL }))).toContain(missing('MAIL_FROM', 'SMTP_URL'));
    expect(problems(live({ MAIL_FROM }))).toContain(missing('SMTP_URL', 'MAIL_FROM'));
  });

  test.each([
    ...['smtp.example', 'https://smtp.example', 'smtp://', 'smtp://kasi@smtp.example', 'smtp://kasi:%zz@smtp.example'],
  ])('are refused with the server %s, whose password is not shown', (url) => {
    const said = problems(live({ SMTP_URL: url, MAIL_FROM }));
    expect(said).toContain('SMTP_URL must be smtps://user:password@host:465');
    expect(said).not.toContain('zz');
  });

  test.each(['Kasi', 'a@b.example, c@d.example', 'Kasi <a@b.example>, d@e.example', 'a@b', '"<x>" a@b.example'])(
    'are refused from %s',
    (from) => {
      expect(problems(live({ SMTP_URL, MAIL_FROM: from }))).toContain('MAIL_FROM must be an address such as');
    },
  );
});
