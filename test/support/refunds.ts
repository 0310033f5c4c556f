import { deriveAccounts, MNEMONIC } from '../../src/chains/evm/dev-accounts.ts';
import type { TestMerchant, TestService } from '../harness.ts';

/** A wallet of a payer. */
export const DESTINATION = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';

/** The key of a wallet that pays, on a chain of its own. */
export const PAYER = deriveAccounts(MNEMONIC)(7);

/** A payment of 25 dollars to which this much came, confirmed. */
export async function arrived(
  service: TestService,
  { client }: TestMerchant,
  amount = '25',
  token: 'USDT' | 'USDC' = 'USDT',
) {
  const payment = await client.payments.create({ amount: 25, currency: 'USD', acceptedTokens: ['USDT'] });
  await service.chain.transfer(payment, { amount, token, from: PAYER.address });
  await service.runPaymentJobs();
  return payment;
}

/** A refund of a part of a paid payment, which waits to be claimed. */
export async function refund(service: TestService, merchant: TestMerchant, amount: number | 'surplus' | 'all' = 5) {
  const { id } = await arrived(service, merchant);
  return merchant.client.refunds.create(id, { amount, reason: 'Sold out.' });
}

/** The secret at the end of a claim link. */
export const secretOf = ({ claimUrl }: { readonly claimUrl: string | null }): string =>
  claimUrl?.split('/').at(-1) ?? '';

/** A refund of five dollars whose payer has named an address. */
export async function claimed(service: TestService, merchant: TestMerchant) {
  const made = await refund(service, merchant);
  await service.client().public.refunds.claim(secretOf(made), { destinationAddress: DESTINATION });
  return made;
}

/** A payment with two dollars too much, which its page offers back. Returns its id. */
export async function offered(service: TestService, merchant: TestMerchant): Promise<string> {
  await merchant.client.merchants.update(merchant.id, { refundOffers: ['overpaid'] });
  return (await arrived(service, merchant, '27')).id;
}

/**
 * A payment of 25 dollars to which forty came twice, where fifty ask for six confirmations; the last of them has two.
 * Resets that with `ordinary`.
 */
export async function arrivedInParts(
  service: TestService,
  { client }: TestMerchant,
  from: readonly [string, string] = [DESTINATION, DESTINATION],
) {
  const setDepths = (depths: string | null) => service.db.updateTable('chain_cursors').set({ depths }).execute();
  await setDepths(JSON.stringify([{ from: 50_000_000, confirmations: 6 }]));
  const { id, ...payment } = await client.payments.create({ amount: 25, currency: 'USD', acceptedTokens: ['USDT'] });
  for (const [place, confirmed] of [false, true].entries()) {
    await service.chain.transfer(payment, { amount: '40', confirmed, from: from[place] ?? DESTINATION });
  }
  await service.runPaymentJobs();
  const ordinary = () => setDepths(null);
  return { id, ordinary };
}
