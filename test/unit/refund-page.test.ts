import { expect, test } from 'vitest';
import { invalidField } from '../../src/lib/errors.ts';
import { visit } from '../support/page-visit.ts';
import { CLAIM, publicRefund } from '../support/public-refund.ts';

const ADDRESS = '0xd1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb';
const REFUND = publicRefund({ network: 'ethereum', wallet: { address: ADDRESS, message: 'Send it here.' } });

/** What the page answers in a language to an address that is refused like this. */
async function refused(language: string, error: Error, form: Record<string, string> = {}): Promise<string> {
  const { status, body } = await visit(
    'POST /refund/:token',
    CLAIM,
    { readRefund: async () => REFUND, claimRefund: async () => Promise.reject(error) },
    { form: { address: ADDRESS, again: ADDRESS, ...form }, query: { lang: language } },
  );
  expect(status).toBe(400);
  return String(body);
}

const UNFIT = invalidField('destinationAddress', 'must be an address of ethereum; check it for typing mistakes');
const NOT_YOURS = invalidField('destinationAddress', 'belongs to the platform or to nobody', 'address_not_yours');
const UNSIGNED = invalidField('signature', 'must be a signature of 0x1 over wallet.message as it is now');

test('what is wrong with an address is said in the language of the page', async () => {
  expect(await refused('en', UNFIT)).toContain('This is no address of Ethereum.');
  expect(await refused('en', NOT_YOURS)).toContain('This address belongs to the platform or to nobody.');
  expect(await refused('en', UNSIGNED, { signature: '0x00' })).toContain('This is not the signature of that wallet.');
  expect(await refused('en', UNFIT, { address: 'no address' })).toContain('This is no address of Ethereum.');
  for (const language of ['es', 'fr', 'si', 'ta']) {
    const pages = [
      await refused(language, UNFIT),
      await refused(language, NOT_YOURS),
      await refused(language, UNSIGNED, { signature: '0x00' }),
      await refused(language, UNFIT, { address: 'no address' }),
    ];
    for (const page of pages) {
      expect(page, 'what developers read').not.toMatch(/must be|belongs to|wallet\.message|This is no address/);
    }
    const said = pages.map((page) => [...page.matchAll(/<p class="(?:error|notice)" id="[a-z-]+"[^>]*>(.+)<\/p>/g)]);
    expect(said.map((texts) => texts.some(([, text = '']) => text.length > 20))).toEqual([true, true, true, true]);
  }
});

test('the transaction that paid a refund can be read and copied whole', async () => {
  const txHash = `0x${'7f1c2a9b'.repeat(8)}`;
  const readRefund = async () =>
    publicRefund({ status: 'completed', destinationAddress: ADDRESS, isChangeable: false, txHash });
  const { body } = await visit('GET /refund/:token', CLAIM, { readRefund });
  expect(body).toMatch(new RegExp(`<dd>${txHash} ?<button class="copy" [^>]*data-copy="${txHash}"`));
});
