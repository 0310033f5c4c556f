import { describe, expect, test } from 'vitest';
import { AppError, conflict } from '../../src/lib/errors.ts';
import { coinPayment } from '../support/coin-payment.ts';
import { PAYMENT, visit } from '../support/page-visit.ts';
import { publicPayment, signedInstructions } from '../support/public-payment.ts';

const SIGNED = signedInstructions(PAYMENT);
const check = async (typed: string, signed = SIGNED): Promise<string> => {
  const readInstructions = async () => signed;
  const form = typed === '' ? {} : { typed };
  const { status, body } = await visit('POST /verify/:id', PAYMENT.id, { readInstructions }, { form });
  expect(status).toBe(200);
  return String(body);
};
const finding = (html: string): string | undefined => /class="finding (\w+)"/.exec(html)?.[1];

describe('the check of an address', () => {
  test('shows the address in groups, the code, the merchant and the key, and finds nothing unasked', async () => {
    const html = await check('');
    const groups = /id="address"[^>]*>(.*?)<\/code>/.exec(html)?.[1] ?? '';
    expect(groups).toMatch(/^<span>0xD122<\/span><span>0A0c<\/span>/);
    expect(groups.replace(/<[^>]*>/g, '')).toBe(PAYMENT.cryptoAddress);
    for (const text of [SIGNED.code, SIGNED.keyId, 'Ceylon Tea House', '15.00 USDT']) expect(html).toContain(text);
    expect(finding(html)).toBeUndefined();
  });

  test.each([
    SIGNED.code,
    SIGNED.code.toLowerCase().replaceAll('-', ' '),
    SIGNED.code.replaceAll('0', 'o').replaceAll('1', 'l'),
    PAYMENT.cryptoAddress,
    ` ${PAYMENT.cryptoAddress.toLowerCase()}\n`,
    PAYMENT.cryptoAddress.replace(/.{4}/g, '$& '),
  ])('takes %j for the present one', async (typed) => {
    expect(finding(await check(typed))).toBe('right');
  });

  test.each([
    ['H3R8-JEXQ-AE5E-7C82', 'not the current code'],
    [`${SIGNED.code.slice(0, -1)}${SIGNED.code.endsWith('A') ? 'B' : 'A'}`, 'not the current code'],
    [`0x${'d'.repeat(40)}`, 'not the address'],
    [PAYMENT.cryptoAddress.slice(0, -1), 'not the address'],
    [SIGNED.code.slice(0, 9), 'neither a code'],
    ['"><script>alert(1)</script>', 'neither a code'],
  ])('does not take %j, and says why', async (typed, why) => {
    const html = await check(typed);
    expect(finding(html)).toBe('wrong');
    expect(html).toContain(why);
    expect(html).not.toContain('<script>alert');
  });

  test('takes no code from before the amount, the token or the network changed', async () => {
    const changes = [
      { tokenAmountDue: '5.000000' },
      { token: 'USDC' },
      { cryptoAddress: `0x${'1'.repeat(40)}` },
    ] as const;
    for (const change of changes) {
      const now = signedInstructions(publicPayment(change));
      expect(finding(await check(SIGNED.code, now)), JSON.stringify(change)).toBe('wrong');
      expect(finding(await check(now.code, now))).toBe('right');
    }
  });

  test('compares nothing that a link or a form of another website has typed', async () => {
    const typed = { typed: PAYMENT.cryptoAddress };
    const linked = await visit('GET /verify/:id', PAYMENT.id, {}, { query: typed });
    expect([linked.status, finding(String(linked.body))]).toEqual([200, undefined]);
    expect(linked.body).toContain('maxlength="128" required value=""');
    const sent = await visit('POST /verify/:id', PAYMENT.id, {}, { form: typed, sender: 'other' });
    expect([sent.status, finding(String(sent.body))]).toEqual([403, undefined]);
    expect(sent.body).toContain(`href="/checkout/verify/${PAYMENT.id}"`);
  });

  test('says that no code counts where nothing is to be paid, whatever was typed', async () => {
    const readInstructions = async () => {
      throw conflict('over');
    };
    const form = { typed: SIGNED.code };
    const { status, body } = await visit('POST /verify/:id', PAYMENT.id, { readInstructions }, { form });
    expect(status).toBe(404);
    expect(String(body)).toContain('Nothing is to be paid now');
    expect(finding(String(body))).toBeUndefined();
  });
});

describe('the page of a payment', () => {
  const show = async (readInstructions: () => Promise<typeof SIGNED>, payment = PAYMENT): Promise<string> => {
    const change = { readInstructions, readPayment: async () => payment };
    return String((await visit('GET /payment/:id', payment.id, change)).body);
  };

  test('shows the code beside the address, and leads to the check', async () => {
    const html = await show(async () => SIGNED);
    expect(html).toContain(SIGNED.code);
    expect(html).toContain(`href="/checkout/verify/${PAYMENT.id}"`);
  });

  test('goes on without a code where nothing can be signed', async () => {
    for (const code of ['SERVICE_UNAVAILABLE', 'RATE_LIMITED', 'CONFLICT'] as const) {
      const html = await show(async () => {
        throw new AppError(code, 'no');
      });
      expect(html).toContain('id="send-address"');
      expect(html).not.toContain('id="verify-code"');
    }
  });

  test('shows no code of another address or amount than its own', async () => {
    expect(await show(async () => SIGNED, coinPayment())).not.toContain('id="verify-code"');
    expect(await show(async () => SIGNED, publicPayment({ tokenAmountDue: '5.000000' }))).not.toContain('verify-code');
  });
});
