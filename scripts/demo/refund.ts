import type { createAdminClient } from '../../clients/typescript/src/admin.ts';
import type { Client } from '../../clients/typescript/src/index.ts';
import type { Shop } from '../lib/shop.ts';
import { fiat, same } from './parts.ts';
import type { Telling } from './telling.ts';

type Cast = {
  readonly tell: Telling;
  readonly merchant: Client;
  readonly merchantId: string;
  readonly payer: Client;
  readonly shop: Shop;
  /** Undefined on a service whose administrators we don't know. */
  readonly admin: ReturnType<typeof createAdminClient> | undefined;
};

/** Too little comes, and goes back. Throws an Error that names what was not as expected. */
export async function payTooLittle(cast: Cast): Promise<void> {
  const { tell, merchant, merchantId, admin } = cast;
  tell.step('Somebody pays too little, and gets it back');
  if (admin === undefined) {
    tell.say('Left out here: only an administrator can verify the tea house, so that it may give money back.');
    tell.say('ADMIN_EMAIL and ADMIN_PASSWORD say who that is.');
    return;
  }
  await admin.merchants.approve(merchantId);
  const { id } = await merchant.payments.create({ amount: 10, currency: 'USD', description: 'Two cups of tea' });
  await merchant.sandbox.payments.pay(id, { amount: '4' });
  await merchant.payments.cancel(id);
  same('the exception is', (await merchant.payments.get(id)).exception, 'underpaid');
  tell.say(
    '4 USDT of USD 10.00, then the tea is sold out. An administrator has verified the tea house meanwhile, so it may ' +
      'give all of it back. It mails the payer a link:',
  );
  const { availableBalance: before, suspense } = await merchant.settlements.balance();
  await giveBack(cast, id, admin);
  const after = await merchant.settlements.balance();
  same('the available balance is', after.availableBalance, before);
  tell.say(
    `${fiat({ amount: suspense })} waited in suspense, ${fiat({ amount: after.suspense })} does now. The balance is as it was.`,
  );
}

async function giveBack(
  { tell, merchant, payer, shop }: Cast,
  paymentId: string,
  admin: ReturnType<typeof createAdminClient>,
): Promise<void> {
  const refund = await merchant.refunds.create(paymentId, { amount: 'all', reason: 'The tea is sold out.' });
  const { id, claimUrl } = refund;
  if (claimUrl === null) throw new Error('Expected a claim link with a refund that names no address.');
  tell.say(claimUrl);
  const { address } = await payer.sandbox.wallets.create();
  await payer.public.refunds.claim(claimUrl.split('/').at(-1) ?? '', { destinationAddress: address });
  await shop.expect('refund.pending', id);
  const sent = await merchant.sandbox.refunds.pay(id);
  same('sent are', [sent.amount, sent.to], ['4.000000', address]);
  tell.say(`The payer names a wallet, and ${sent.amount} ${sent.token} are sent there.`);
  await admin.refunds.complete(id, { txHash: sent.txHash });
  const { data } = await shop.expect('refund.completed', id);
  const payment = await merchant.payments.get(paymentId);
  same('given back are', [data.status, payment.amountRefunded], ['completed', 4]);
  tell.say(`An administrator names the transaction, the chain shows it: ${data.status}.`);
}
