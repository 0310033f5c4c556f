import type { Client } from '../../clients/typescript/src/index.ts';
import type { Shop } from '../lib/shop.ts';
import { fiat, same } from './parts.ts';
import type { Telling } from './telling.ts';

type Cast = {
  readonly tell: Telling;
  readonly merchant: Client;
  readonly payer: Client;
  readonly shop: Shop;
};

const TOKENS = ['USDT', 'USDC', 'ETH', 'BTC'] as const;
const PRICE = 15;

/**
 * The same tea paid once in each token. A token whose network could not start is reported and skipped. Throws
 * an Error that names what was not as expected.
 */
export async function payInEveryToken(cast: Cast): Promise<void> {
  const { tell, merchant } = cast;
  tell.step('The same tea, in each of the four tokens');
  for (const token of TOKENS) {
    const payment = await merchant.payments.create({ amount: PRICE, currency: 'USD', description: 'A tin of tea' });
    const option = payment.options.find((each) => each.token === token);
    if (option === undefined) {
      const { missing } = await merchant.sandbox.get();
      tell.say(`${token} is not on offer: ${missing.map(({ message }) => message).join(' ') || 'it is switched off.'}`);
      continue;
    }
    await (token === 'BTC' ? payInBitcoins(cast, payment.id) : payAtOnce(cast, payment.id, token));
  }
}

async function payAtOnce({ tell, merchant, shop }: Cast, id: string, token: (typeof TOKENS)[number]): Promise<void> {
  const sent = await merchant.sandbox.payments.pay(id, { token });
  const { data } = await shop.expect('payment.completed', id);
  same('the payment is', [data.status, data.amountReceived], ['paid', PRICE]);
  tell.say(`${sent.amount} ${token} on ${sent.network}: ${fiat({ amount: data.amountReceived })}, paid.`);
}

/** Bitcoin has no block for a while: the payment shows at once what is on its way. */
async function payInBitcoins({ tell, merchant, payer, shop }: Cast, id: string): Promise<void> {
  const sent = await merchant.sandbox.payments.pay(id, { token: 'BTC', confirm: false });
  const waiting = (await payer.public.payments.get(id)).status;
  if (waiting !== 'paid') await merchant.sandbox.chain.mine({ blocks: 1, network: sent.network });
  const { data } = await shop.expect('payment.completed', id);
  same('the payment is', [data.status, data.amountReceived], ['paid', PRICE]);
  const worth = fiat({ amount: data.amountReceived });
  tell.say(`${sent.amount} BTC on ${sent.network}: ${waiting} without a block, then mined: ${worth}, paid.`);
}
