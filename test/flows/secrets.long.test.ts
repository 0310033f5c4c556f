import { Secret } from 'otpauth';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createClient } from '../../clients/typescript/src/index.ts';
import { type KasiProcess, startKasi } from '../support/kasi-process.ts';
import { codeAt, wrongCodeAt } from '../support/totp.ts';

let kasi: KasiProcess;
beforeAll(async () => {
  kasi = await startKasi({ LOG_LEVEL: 'trace' });
});
afterAll(() => kasi.stop());

const WALLET = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
const URLS = { successUrl: 'https://shop.example/ok', cancelUrl: 'https://shop.example/no' };

/** Every row of the database on a line; bytes as hex. */
async function readAllRows(): Promise<string> {
  const client = new pg.Client({ connectionString: kasi.databaseUrl });
  await client.connect();
  try {
    const { rows: tables } = await client.query("select tablename from pg_tables where schemaname = 'public'");
    const found: string[] = [];
    for (const { tablename } of tables) {
      const { rows } = await client.query(`select t::text as row from "${tablename}" t`);
      found.push(...rows.map(({ row }) => `${tablename} ${row}`));
    }
    return found.join('\n');
  } finally {
    await client.end();
  }
}

/** The text itself, and its forms in a column of bytes or another encoding. */
const formsOf = (secret: string): string[] => {
  const bytes = Buffer.from(secret);
  const random = secret.replace(/^sk_sandbox_/, '');
  return [
    secret,
    random,
    bytes.toString('hex'),
    bytes.toString('base64').slice(0, 40),
    Buffer.from(random, 'hex').toString('base64').slice(0, 40),
  ];
};

/** A fetch that records every request and response. */
function recordAnswers() {
  const answers: { readonly what: string; readonly text: string }[] = [];
  const fetch = async (request: Request): Promise<Response> => {
    const what = `${request.method} ${new URL(request.url).pathname}`;
    const response = await globalThis.fetch(request);
    answers.push({ what, text: await response.clone().text() });
    return response;
  };
  return { answers, fetch };
}

test("an API key's secret is in the response that creates it and nowhere else: no other response, no row, no log line", async () => {
  const { answers, fetch } = recordAnswers();
  const person = createClient({ baseUrl: kasi.url, ...kasi.demo, fetch });
  const { id, apiKey, apiSecret } = await person.apiKeys.create({ name: 'Web shop' }, { idempotencyKey: 'one' });
  const replayed = await person.apiKeys.create({ name: 'Web shop' }, { idempotencyKey: 'one' });
  expect(replayed.apiSecret).toBe(apiSecret);

  const server = createClient({ baseUrl: kasi.url, apiKey, apiSecret, fetch });
  await server.checkout.sessions.create({ amount: 25, currency: 'USD', ...URLS });
  await server.payments.list({ limit: 5 });
  const wrong = createClient({ baseUrl: kasi.url, apiKey, apiSecret: `${apiSecret}0`, fetch });
  await expect(wrong.payments.list()).rejects.toMatchObject({ reason: 'signature_invalid' });
  await expect(person.apiKeys.create({ name: '' })).rejects.toMatchObject({ status: 400 });
  const rotated = await person.apiKeys.rotate(id, { overlapHours: 1 });
  await person.apiKeys.list();
  await person.apiKeys.delete(id);

  const rows = await readAllRows();
  expect(rows).toContain(apiKey);
  expect(kasi.printed().length).toBeGreaterThan(0);
  for (const secret of [apiSecret, rotated.apiSecret]) {
    const shown = answers.filter(({ text }) => text.includes(secret)).map(({ what }) => what);
    expect(shown).toEqual(
      secret === apiSecret ? ['POST /v1/api-keys', 'POST /v1/api-keys'] : [`POST /v1/api-keys/${id}/rotate`],
    );
    for (const form of formsOf(secret)) {
      expect(rows.includes(form)).toBe(false);
      expect(kasi.printed().includes(form)).toBe(false);
    }
  }
});

test("a second factor's secret and recovery codes are in the responses that create them and nowhere else", async () => {
  const { answers, fetch } = recordAnswers();
  const { auth, merchants } = createClient({ baseUrl: kasi.url, ...kasi.demo, fetch });
  const { secret, otpauthUri } = await auth.twoFactor.setUp({ password: kasi.demo.password });
  const otp = codeAt(secret, new Date());
  const { recoveryCodes } = await auth.twoFactor.enable({ otp }, { idempotencyKey: 'enable' });
  await auth.twoFactor.enable({ otp }, { idempotencyKey: 'enable' });
  await expect(auth.login({ ...kasi.demo, otp: wrongCodeAt(secret, new Date()) })).rejects.toMatchObject({
    status: 401,
  });
  const [used = '', other = ''] = recoveryCodes;
  const { merchant } = await auth.login({ ...kasi.demo, otp: used });
  await expect(merchants.update(merchant.id, { walletAddress: WALLET, otp: used })).rejects.toMatchObject({
    status: 401,
  });
  const rows = await readAllRows();
  await auth.twoFactor.disable({ password: kasi.demo.password, otp: other });

  const shownBy = (text: string): string[] =>
    answers.filter((answer) => answer.text.includes(text)).map(({ what }) => what);
  expect(shownBy(secret)).toEqual(['POST /v1/auth/two-factor/setup']);
  for (const code of recoveryCodes) {
    expect(shownBy(code)).toEqual(['POST /v1/auth/two-factor/enable', 'POST /v1/auth/two-factor/enable']);
  }
  const bare = recoveryCodes.map((code) => code.replaceAll('-', ''));
  for (const text of [secret, otpauthUri, Secret.fromBase32(secret).hex.toLowerCase(), ...recoveryCodes, ...bare]) {
    for (const form of [text, Buffer.from(text).toString('hex'), Buffer.from(text).toString('base64').slice(0, 16)]) {
      expect(rows.includes(form)).toBe(false);
      expect(kasi.printed().includes(form)).toBe(false);
    }
  }
});
