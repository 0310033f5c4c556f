import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { inTransaction } from '../../src/db/transaction.ts';
import { formatUnits } from '../../src/lib/money.ts';
import { paymentMatcher } from '../../src/payments/observe.ts';
import { getPayment } from '../../src/payments/queries.ts';
import { createPayment } from '../../src/payments/service.ts';
import type { Payment } from '../../src/payments/types.ts';
import type { Network } from '../../src/ports/chain.ts';
import { reconcile } from '../../src/reconcile/reconcile.ts';
import { cancelRefund } from '../../src/refunds/cancel.ts';
import { offerReader, takeOffer } from '../../src/refunds/offer.ts';
import type { Ask } from '../../src/refunds/plan.ts';
import type { Refund } from '../../src/refunds/refund.ts';
import { givingBack } from '../../src/refunds/resolve.ts';
import { createRefund, type RefundRequestDeps } from '../../src/refunds/service.ts';
import { sandboxBitcoinNetwork } from '../../src/sandbox/network.ts';
import { createPaymentWorld, draftOf, ETH, type PaymentWorld, START, TEST_NETWORK } from '../support/payments.ts';
import { insertMerchant } from '../support/withdrawals.ts';

const minutes = (n: number): Date => new Date(START.getTime() + n * 60_000);
const MONTH = minutes(29 * 24 * 60);

const BITCOIN = sandboxBitcoinNetwork('http://127.0.0.1:1');
const KINDS = {
  ETH: { network: { ...TEST_NETWORK, native: ETH, dust: 1n }, asset: ETH },
  BTC: { network: BITCOIN, asset: BITCOIN.native },
};

describe.each(['ETH', 'BTC'] as const)('in %s, at 3,000 dollars when it was paid', (symbol) => {
  const network: Network = KINDS[symbol].network;
  const { asset } = KINDS[symbol];
  const unit = 10n ** BigInt(asset.decimals);
  const prices: Record<string, string | undefined> = {};
  let world: PaymentWorld;
  let deps: RefundRequestDeps;
  let now = START;
  beforeAll(async () => {
    world = await createPaymentWorld({ paymentFeeBps: 0 }, network, { native: asset, prices });
    deps = {
      ...world.deps,
      clock: { now: () => now },
      chains: world.deps.chains as RefundRequestDeps['chains'],
      requireSecondFactor: async () => ({}),
    };
    await sql`
      insert into chain_cursors
        (network, genesis_hash, height, hash, block_time, confirmed_height, head_height, scanned_at)
      values (${network.name}, '0xg', 9, '0xb9', ${START}, 8, 9, ${START})`.execute(world.db);
  });
  afterAll(async () => {
    const { findings } = await reconcile(world.db);
    await world.close();
    expect(findings).toEqual([]);
  });
  beforeEach(() => {
    prices[symbol] = '3000';
    now = START;
  });

  let height = 100;
  /** Coins come to a payment, deep enough, at a moment. */
  const arrive = async (payment: Payment, units: bigint, time = START, tx = `0x${height}`): Promise<Payment> => {
    height += 1;
    const block = { network: network.name, height, hash: `0x${height}`, parentHash: `0x${height - 1}`, time };
    const { address } = await world.db
      .selectFrom('deposit_addresses')
      .select('address')
      .where('payment_id', '=', payment.id)
      .executeTakeFirstOrThrow();
    const from = '0x00000000000000000000000000000000000000c1';
    const transfer = { network: network.name, block, txHash: tx, index: 0, token: asset, from, to: address, units };
    const inOutputs = network === BITCOIN ? { spends: new Map([[tx, () => [`${tx}:0`]]]) } : {};
    await inTransaction(world.db, (trx) =>
      paymentMatcher.observe(trx, network, { transfers: [transfer], collector: [], approvals: [], ...inOutputs }, time),
    );
    height += 100;
    await world.head(height);
    return world.apply(payment, null, time);
  };
  /** A payment of 3,000 dollars, to which so many thousandths of a coin came. */
  const paid = async (thousandths = 1000n): Promise<Payment> => {
    const merchantId = await insertMerchant(world.db, 0n);
    const payment = await world.create({ merchantId, amountMinor: 300_000n, acceptedTokens: [symbol] });
    return arrive(payment, (unit * thousandths) / 1000n);
  };
  /** What a refund debits in dollars, and the coins that it sends. */
  const give = async (
    { id: paymentId, merchantId }: Payment,
    at: Date,
    amount: Ask['amount'] = 'all',
    by: RefundRequestDeps = deps,
  ) => {
    const ask = { amount, token: null, network: null };
    const asker = { byKey: true, otp: undefined };
    const draft = { merchantId, paymentId, ask, reason: 'Sold out.', destinationAddress: null, ...asker };
    const { refund } = await inTransaction(world.db, (trx) => createRefund(trx, by, draft, { now: at, real: at }));
    return refund;
  };
  const figuresOf = ({ amountMinor, units }: { readonly amountMinor: bigint; readonly units: bigint }) => [
    Number(amountMinor) / 100,
    formatUnits(units, asset.decimals),
  ];
  /** What lies on the accounts of its merchant, in micro-dollars. */
  const heldOf = async ({ merchantId }: Payment) => {
    const { rows } = await sql<{ kind: string; balance: bigint }>`
      select kind, balance from ledger_balances where owner_id = ${merchantId} and balance <> 0`.execute(world.db);
    return Object.fromEntries(rows.map(({ kind, balance }) => [kind, balance]));
  };
  const giveFigures = async (...args: Parameters<typeof give>) => figuresOf(await give(...args));

  const cancel = ({ id, merchantId }: Pick<Refund, 'id' | 'merchantId'>, at: Date) =>
    inTransaction(world.db, (trx) => cancelRefund(trx, deps, { id, merchantId }, at));

  /** The most of a coin that this many dollars buy, as the refund sends it. */
  const bought = (dollars: bigint, price: bigint): string => formatUnits((dollars * unit) / price, asset.decimals);

  test('a coin that has risen goes back for what the debit is worth, a month later', async () => {
    const payment = await paid();
    prices[symbol] = '6000';
    expect(await giveFigures(payment, MONTH)).toEqual([3000, '0.5']);
  });

  test('for an hour after it came all goes back that came, whatever it is worth', async () => {
    const [first, second] = [await paid(), await paid()];
    prices[symbol] = '6000';
    expect(await giveFigures(first, minutes(60))).toEqual([3000, '1']);
    expect(await giveFigures(second, new Date(minutes(60).getTime() + 1))).toEqual([3000, '0.5']);
  });

  test('one that has fallen goes back as it came, and no more of it', async () => {
    const payment = await paid();
    prices[symbol] = '1500';
    expect(await giveFigures(payment, MONTH)).toEqual([3000, '1']);
  });

  test('at the price of the payment all goes back, also with a spread', async () => {
    const merchantId = await insertMerchant(world.db, 0n);
    const spread = {
      ...deps,
      settings: { ...deps.settings, current: async () => ({ ...(await deps.settings.current()), rateSpreadBps: 50 }) },
    };
    const payment = await inTransaction(world.db, (trx) =>
      createPayment(trx, spread, { ...draftOf(merchantId), amountMinor: 298_500n, acceptedTokens: [symbol] }, START),
    );
    expect(payment.options[0]?.units).toBe(unit.toString());
    await arrive(payment, unit);
    expect(figuresOf(await give(payment, MONTH, 'all', spread))).toEqual([2985, '1']);
  });

  test('a part goes by the same rule, and the rest with it', async () => {
    const payment = await paid();
    prices[symbol] = '7000';
    expect(await giveFigures(payment, MONTH, 100_000n)).toEqual([1000, bought(1000n, 7000n)]);
    prices[symbol] = '4000';
    expect(await giveFigures(payment, MONTH)).toEqual([2000, '0.5']);
    await expect(give(payment, MONTH)).rejects.toMatchObject({ reason: 'refund_exceeds' });
  });

  test('all parts together are never more than came', async () => {
    const payment = await paid();
    prices[symbol] = '6000';
    expect(await giveFigures(payment, MONTH, 150_000n)).toEqual([1500, '0.25']);
    // What was not sent then may be now, as far as the debit is worth it.
    prices[symbol] = '1000';
    expect(await giveFigures(payment, MONTH)).toEqual([1500, '0.75']);
  });

  test('a little that comes later makes nothing of it new again', async () => {
    const payment = await paid();
    await arrive(payment, unit / 1000n, minutes(29 * 24 * 60 - 5));
    prices[symbol] = '6000';
    expect(await giveFigures(payment, MONTH, 300_000n)).toEqual([3000, '0.5']);
  });

  test('without a price it is refused, and says what to do; within the hour it needs none', async () => {
    const payment = await paid();
    prices[symbol] = undefined;
    await expect(give(payment, MONTH)).rejects.toMatchObject({
      code: 'RATE_UNAVAILABLE',
      message: `There is no reliable rate of ${symbol} at the moment. Try again in a minute, or give back another token.`,
      retryAfterSeconds: expect.any(Number),
    });
    expect(await giveFigures(payment, minutes(59))).toEqual([3000, '1']);
  });

  test('what it comes to at the price of today may be less than the network carries', async () => {
    const payment = await paid();
    prices[symbol] = '300000000';
    const few = give(payment, MONTH, 1_00n);
    // A dollar is 0.00000000333 of a coin: half a satoshi.
    if (symbol === 'ETH') expect(figuresOf(await few)).toEqual([1, bought(1n, 300_000_000n)]);
    else await expect(few).rejects.toMatchObject({ reason: 'refund_exceeds' });
    const more = give(payment, MONTH, 1000_00n);
    if (symbol === 'ETH') expect(figuresOf(await more)).toEqual([1000, bought(1000n, 300_000_000n)]);
    else await expect(more).rejects.toMatchObject({ reason: 'payout_dust' });
  });

  test('a refund that is taken back brings the dollars back, and the next is by the price of then', async () => {
    const payment = await paid();
    prices[symbol] = '6000';
    const first = await give(payment, MONTH);
    expect(await heldOf(payment)).toEqual({ hold: 3_000_000_000n });
    await cancel(first, MONTH);
    expect(await heldOf(payment)).toEqual({ available: 3_000_000_000n });
    prices[symbol] = '4000';
    expect(await giveFigures(payment, MONTH)).toEqual([3000, '0.75']);
  });

  test('one that was made is not kept open until its coin has fallen, and then taken back for the dollars', async () => {
    const payment = await paid();
    const made = await give(payment, minutes(20));
    prices[symbol] = '2999';
    await expect(cancel(made, MONTH)).rejects.toMatchObject({
      ...{ code: 'CONFLICT', reason: 'coin_fell' },
      message: `This refund sends 1.00000000 ${symbol}, which is worth less by now than the 3000.00 USD that would come back. Ask support to stop it.`,
    });
    expect(await heldOf(payment)).toEqual({ hold: 3_000_000_000n });
    prices[symbol] = undefined;
    await expect(cancel(made, MONTH)).rejects.toMatchObject({ code: 'RATE_UNAVAILABLE' });
    prices[symbol] = '3000';
    expect(await cancel(made, MONTH)).toMatchObject({ status: 'cancelled' });
    expect(await heldOf(payment)).toEqual({ available: 3_000_000_000n });
  });

  test('a mistake is taken back within a quarter of an hour, whatever the price', async () => {
    const [first, second] = [await give(await paid(), MONTH), await give(await paid(), MONTH)];
    prices[symbol] = undefined;
    const later = (ms: number): Date => new Date(MONTH.getTime() + ms);
    expect(await cancel(first, later(15 * 60_000))).toMatchObject({ status: 'cancelled' });
    await expect(cancel(second, later(15 * 60_000 + 1))).rejects.toMatchObject({ code: 'RATE_UNAVAILABLE' });
  });

  test('what waits goes back so, too: asked by its merchant, and offered to its payer', async () => {
    const [asked, offered] = [await paid(1500n), await paid(1500n)];
    const giveBack = (at: Date) => {
      const { id: paymentId, merchantId } = asked;
      const resolution = { merchantId, paymentId, reason: 'Too much.', byKey: true, otp: undefined, now: at, real: at };
      return inTransaction(world.db, (trx) => givingBack(deps)(trx, resolution));
    };
    prices[symbol] = undefined;
    await expect(giveBack(MONTH)).rejects.toMatchObject({ code: 'RATE_UNAVAILABLE' });
    prices[symbol] = '6000';
    expect((await giveBack(MONTH)).made).toMatchObject([
      { amount: 1500, tokenAmount: expect.stringMatching(/^0\.25/) },
    ]);

    await sql`update merchants set refund_offers = '{overpaid}' where id = ${offered.merchantId}`.execute(world.db);
    const offer = () => inTransaction(world.db, async (trx) => offerReader(deps)(trx, await getPayment(trx, offered)));
    const shown = (tokenAmount: string, isEstimate: boolean) => ({
      ...{ amount: 1500, currency: 'USD', token: symbol, network: network.name, tokenAmount, isEstimate },
    });
    expect(await offer()).toEqual(shown('0.50000000', true));
    now = MONTH;
    expect(await offer()).toEqual(shown('0.25000000', true));
    const take = () => inTransaction(world.db, (trx) => takeOffer(trx, deps, offered.id, now));
    prices[symbol] = undefined;
    expect(await offer()).toBeNull();
    await expect(take()).rejects.toMatchObject({ code: 'RATE_UNAVAILABLE' });
    prices[symbol] = '7500';
    expect(figuresOf((await take()).refund)).toEqual([1500, '0.2']);
    // It is fixed now.
    prices[symbol] = '3000';
    expect(await offer()).toEqual(shown('0.20000000', false));
  });
});
