import { describe, expect, test } from 'vitest';
import { ConfigError, parseBackupKey, parseConfig, readDatabaseUrl } from '../../src/config.ts';

const KEY = '0f1e2d3c4b5a69788796a5b4c3d2e1f000112233445566778899aabbccddeeff';

const problems = (env: Record<string, string>): string => {
  try {
    parseConfig(env);
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
  return '';
};

describe('the URL of a database', () => {
  const NAMES = ['DATABASE_URL', 'DATABASE_LISTEN_URL', 'DATABASE_READ_URL', 'DATABASE_OWNER_URL'] as const;

  test.each([
    '127.0.0.1:5432/kasi',
    'kasi',
    'postgres:kasi',
    'mysql://app:secret@db.example/kasi',
    'https://db.example/kasi',
    'postgres://app:secret@db.example:99999/kasi',
    'postgres://app:secret@db.example/kasi,postgres://app:secret@other.example/kasi',
    'postgres://app:secret@db.example,other.example/kasi',
    'postgres://app:secret#1@db.example/kasi',
    'postgres://app:secret/1@db.example/kasi',
    'postgres://app:secret?1@db.example/kasi',
  ])('is refused by the name of its setting when it is %s, and not shown', (url) => {
    for (const name of NAMES) {
      const said = problems({ [name]: url });
      expect(said).toContain(`${name} must be postgres://user:password@host:5432/database, `);
      expect(said).not.toContain('secret');
    }
    expect(() => readDatabaseUrl({ DATABASE_ADMIN_URL: url }, 'DATABASE_ADMIN_URL')).toThrow(
      'DATABASE_ADMIN_URL must be',
    );
  });

  test.each([
    'postgres://app:p%23ss@db.example/kasi',
    'POSTGRES://app:secret@DB.example/kasi',
    'postgresql://app:secret@/kasi?host=/cloudsql/project:region:instance',
    'postgres://app:pa ss%@db.example/kasi?options=-c%20search_path%3Dkasi',
    'postgresql://app:p@ss@[2001:db8::1]:6432/kasi?sslmode=verify-full',
    'postgres://db_1/kasi',
    'postgres://app@/kasi?host=/run/postgresql',
    'postgres:///kasi?host=/run/postgresql',
    'postgres://app@%2Frun%2Fpostgresql/kasi',
    'socket:/run/postgresql?db=kasi',
    '/run/postgresql kasi',
  ])('may be %s', (url) => {
    for (const name of NAMES) expect(problems({ [name]: url })).toBe('');
    expect(readDatabaseUrl({ DATABASE_OWNER_URL: ` ${url} ` }, 'DATABASE_OWNER_URL')).toBe(url);
  });

  test('is null for a command where there is none', () => {
    expect(readDatabaseUrl({ DATABASE_OWNER_URL: ' ' }, 'DATABASE_OWNER_URL')).toBeNull();
  });
});

describe('what is on or off', () => {
  test.each(['true', 'yes', 'on', '2'])('is not %s, which would silently mean off', (text) => {
    const said = problems({ HMAC_GET_REQUIRE_TIMESTAMP: text, KASI_SANDBOX_PUBLIC: text, MIGRATE: text });
    for (const name of ['HMAC_GET_REQUIRE_TIMESTAMP', 'KASI_SANDBOX_PUBLIC', 'MIGRATE']) {
      expect(said).toContain(`${name} must be 1 or 0`);
    }
  });

  test.each([
    ['1 ', true],
    [' 0', false],
    ['', false],
    ['off', false],
    ['no', false],
    ['False', false],
  ])('is as "%s" says', (text, isOn) => {
    const config = parseConfig({ HMAC_GET_REQUIRE_TIMESTAMP: text, KASI_SANDBOX_PUBLIC: text, HOST: '0.0.0.0' });
    expect([config.hmacGetRequireTimestamp, config.sandboxRoutes]).toEqual([isOn, isOn]);
  });
});

describe('addresses', () => {
  test.each([
    'https://pay.example,https://two.example',
    'https://pay.example/?a=1',
    'https://pay.example/#a',
    'https://user:secret@pay.example',
    'https:pay.example',
    'pay.example',
  ])('that payers are sent to are not %s', (url) => {
    expect(problems({ PUBLIC_URL: url })).toMatch(/ {2}- PUBLIC_URL must be an http or https URL/);
    expect(problems({ CHECKOUT_URL: url })).toMatch(/ {2}- CHECKOUT_URL must be an http or https URL/);
    expect(problems({ PUBLIC_URL: url })).not.toContain('CHECKOUT_URL');
  });

  test('that payers are sent to may have a port and a path', () => {
    const config = parseConfig({ PUBLIC_URL: 'https://pay.example:8443/', CHECKOUT_URL: 'https://two.example/pay/' });
    expect(config).toMatchObject({ publicUrl: 'https://pay.example:8443', checkoutUrl: 'https://two.example/pay' });
  });

  test.each(['https://a.example,https://b.example', 'https:a.example', 'a.example'])('of alerts are not %s', (url) => {
    expect(problems({ ALERT_WEBHOOK_URL: url })).toContain('ALERT_WEBHOOK_URL must be an http or https URL');
  });

  test.each(['*', 'null', 'shop.example', 'https://shop.example/path', 'https://a.example https://b.example'])(
    'of pages that may call the API are not %s, which would match none',
    (origin) => {
      expect(problems({ CORS_ORIGINS: `https://a.example,${origin}` })).toContain(
        `CORS_ORIGINS names "${origin}", which is no origin such as https://shop.example`,
      );
    },
  );

  test('of pages that may call the API are read as browsers send them', () => {
    const said = 'https://Shop.example/, http://localhost:5173,https://a.example:443,capacitor://localhost,file://';
    expect(parseConfig({ CORS_ORIGINS: said }).corsOrigins).toEqual([
      ...['https://shop.example', 'http://localhost:5173', 'https://a.example', 'capacitor://localhost', 'file://'],
    ]);
  });
});

test('quotation marks that came with a value are named, with the setting', () => {
  const env = {
    ...{ HOST: '"0.0.0.0"', METRICS_HOST: "'127.0.0.1'", KASI_DATA_DIR: '"/var/lib/kasi"' },
    ...{ DATABASE_URL: '"postgres://app:secret@db.example/kasi"', ADMIN_EMAIL: '"a@b.example"', ADMIN_PASSWORD: '"x"' },
  };
  const said = problems(env);
  for (const name of ['HOST', 'METRICS_HOST', 'KASI_DATA_DIR', 'DATABASE_URL', 'ADMIN_EMAIL'])
    expect(said).toContain(`  - ${name} is in quotation marks, which are part of its value`);
  expect(said).not.toContain('ADMIN_PASSWORD');
  expect(said).not.toContain('secret');
  expect(() => readDatabaseUrl({ DATABASE_OWNER_URL: '"postgres://o@h/k"' }, 'DATABASE_OWNER_URL')).toThrow(
    'DATABASE_OWNER_URL is in quotation marks',
  );
});

test('roles of which a template left nothing are not taken for none at all', () => {
  expect(problems({ KASI_ROLES: ',' })).toContain(
    'KASI_ROLES names no role; it must be some of: api, scheduler, watcher',
  );
});

test.each([43, 44, 63, 65])('%i hexadecimal digits are a key that was cut, and not one in base64', (digits) => {
  const cut = KEY.padEnd(digits, 'a').slice(0, digits);
  const words = `must be 32 bytes in hex or base64: it has ${digits} hexadecimal digits, and not 64`;
  expect(problems({ MASTER_KEY: cut })).toContain(`MASTER_KEY ${words}`);
  expect(problems({ MASTER_KEYS_OLD: cut })).toContain(`MASTER_KEYS_OLD ${words}`);
  expect(() => parseBackupKey({ BACKUP_KEY: cut })).toThrow(`BACKUP_KEY ${words}`);
});

test('43 hexadecimal digits by which an older release has sealed are read as it read them, with a "=" behind', () => {
  const cut = KEY.slice(0, 43);
  expect(problems({ MASTER_KEY: cut })).toContain('If it has sealed something as it is, write "=" behind it');
  expect(problems({ MASTER_KEY: KEY.slice(0, 44) })).not.toContain('behind it');
  expect(parseConfig({ MASTER_KEY: `${cut}=` }).masterKey).toEqual(Buffer.from(cut, 'base64'));
});
