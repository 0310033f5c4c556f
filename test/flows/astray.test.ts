import { expect } from 'vitest';
import type { Payment } from '../../clients/typescript/src/index.ts';
import { DAY_MS, MINUTE_MS } from '../../src/lib/clock.ts';
import { serviceTest } from '../fixture.ts';
import type { TestMerchant, TestService } from '../harness.ts';
import type { TransferOptions } from '../support/scripted-chain.ts';

const test = serviceTest();

const TEN: TransferOptions = { amount: '10' };

/** Lets the business clock go on, and the chain with it, so that what waits for it expires. */
async function pass({ clock, chain, runPaymentJobs }: TestService, ms: number): Promise<void> {
  clock.advance(ms);
  await chain.mine(1);
  await runPaymentJobs();
}

async function pay(service: TestService, payment: Payment, options: TransferOptions): Promise<void> {
  service.clock.advance(MINUTE_MS);
  await service.chain.transfer(payment, options);
  await service.runPaymentJobs();
}

type Bring = (service: TestService, merchant: TestMerchant, payment: Payment) => Promise<void>;

const closedLongAgo: Bring = async (service, _, payment) => {
  await pass(service, DAY_MS);
  await pass(service, 400 * DAY_MS);
  await pay(service, payment, TEN);
};

/** How ten dollars go astray, what they are then, and what the payment had been credited before. */
const WAYS: readonly (readonly [
  string,
  Bring,
  { astray: string; token?: string; exception: string; text: string },
  number,
])[] = [
  [
    'in a token that was not asked for',
    async (service, merchant, payment) => {
      await pay(service, payment, { ...TEN, token: 'USDC' });
      await merchant.client.payments.cancel(payment.id);
    },
    { astray: 'token', token: 'USDC', exception: 'wrong_token', text: 'this payment takes USDT on devnet. It is not' },
    0,
  ],
  [
    'after it was paid',
    async (service, _, payment) => {
      await pay(service, payment, { amount: '25' });
      await pay(service, payment, TEN);
    },
    { astray: 'again', exception: 'overpaid', text: 'after enough had come' },
    25,
  ],
  [
    'after it was paid, in a token that was not asked for',
    async (service, _, payment) => {
      await pay(service, payment, { amount: '25' });
      await pay(service, payment, { ...TEN, token: 'USDC' });
    },
    { astray: 'token', token: 'USDC', exception: 'wrong_token', text: 'this payment takes USDT on devnet. It is not' },
    25,
  ],
  [
    'after it was cancelled',
    async (service, merchant, payment) => {
      await merchant.client.payments.cancel(payment.id);
      await pay(service, payment, TEN);
    },
    { astray: 'closed', exception: 'late', text: 'for this payment, which is over' },
    0,
  ],
  ['a year after it expired', closedLongAgo, { astray: 'closed', exception: 'underpaid', text: 'which is over' }, 0],
];

const DECISIONS = {
  accept: async ({ client }: TestMerchant, id: string) => {
    await client.payments.resolve(id, { action: 'accept' });
    return { availableBalance: 10, heldBalance: 0 };
  },
  'give back': async ({ client }: TestMerchant, id: string) => {
    await client.payments.resolve(id, { action: 'refund', reason: 'It was not meant for us.' });
    return { availableBalance: 0, heldBalance: 10 };
  },
};

const CASES = WAYS.flatMap(([name, ...way]) =>
  Object.entries(DECISIONS).map(([decision, decide]) => [name, decision, decide, ...way] as const),
);

test.for(CASES)(
  'money that came %s is told of, waits, and goes where the merchant decides: %s',
  async ([, , decide, bring, { astray, token = 'USDT', exception, text }, credited], { service }) => {
    const merchant = await service.activeMerchant();
    const { payments, settlements, refunds } = merchant.client;
    const payment = await payments.create({ amount: 25, currency: 'USD', acceptedTokens: ['USDT'] });
    await bring(service, merchant, payment);
    const waiting = await payments.get(payment.id);
    expect(waiting).toMatchObject({ exception });
    expect(waiting.transactions[0]).toMatchObject({ astray, token, network: 'devnet', value: 10 });
    expect(waiting.transactions.slice(1).map((each) => each.astray)).toEqual(credited > 0 ? [null] : []);
    const { data: story } = await payments.timeline(payment.id);
    expect(story.map((each) => each.text)).toContainEqual(expect.stringContaining(text));
    expect(await settlements.balance()).toMatchObject({ availableBalance: credited, heldBalance: 0, suspense: 10 });

    const { availableBalance, heldBalance } = await decide(merchant, payment.id);
    expect(await settlements.balance()).toMatchObject({
      ...{ availableBalance: credited + availableBalance, heldBalance, suspense: 0 },
    });
    expect(await payments.get(payment.id)).toMatchObject({ status: waiting.status, exception: null });
    const { refunds: made } = await refunds.list({ paymentId: payment.id });
    expect(made.map((each) => `${each.tokenAmount} ${each.token} ${each.network}`)).toEqual(
      heldBalance > 0 ? [expect.stringMatching(new RegExp(`^10(\\.0+)? ${token} devnet$`))] : [],
    );
  },
);
