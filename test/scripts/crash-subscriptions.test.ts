import { expect, test } from 'vitest';
import { begunPeriods } from '../../scripts/crash/subscriptions/calendar.ts';
import type { Plan, Seller } from '../../scripts/crash/subscriptions/cast.ts';
import { examineEvents, examineSubscription } from '../../scripts/crash/subscriptions/examine.ts';
import type { ChargeFacts, SubscriptionFacts } from '../../scripts/crash/subscriptions/facts.ts';
import type { Customer } from '../../scripts/crash/subscriptions/life.ts';
import { periodStart } from '../../src/lib/calendar.ts';

const JOINED = new Date('2027-01-31T10:00:00Z');
const NOW = new Date('2027-07-10T00:00:00Z');
const DAY_MS = 86_400_000;

const PLAN: Plan = {
  ...{ id: 'plan_1', interval: 'monthly', currency: 'USD', amount: 25, token: 'USDT', trialDays: 0, share: 1 },
};
const SELLER: Seller = {
  ...{ id: 'mer_1', plans: [PLAN], freezes: [] },
  desk: { baseUrl: '', token: () => '', onSend: () => undefined },
};
const customer = (causes: Customer['causes'] = []): Customer => ({
  ...{ id: 'sub_1', wallet: 0, seller: SELLER, plan: PLAN, joinedAt: JOINED, causes, cancelledAt: null },
});

const paid = (number: number, start: Date, end: Date): ChargeFacts => ({
  ...{ number, start, end, status: 'succeeded', failure: null, reason: null, due: null },
  ...{ units: 25_000_000n, mandate: '0x1', payment: 'paid', received: 25_000_000n, tries: null },
});
const charges = begunPeriods(JOINED, 'monthly', NOW).map(({ number, start, end }) => paid(number, start, end));
const facts = (change: Partial<SubscriptionFacts> = {}): SubscriptionFacts => ({
  ...{
    id: 'sub_1',
    status: 'active',
    anchor: JOINED,
    createdAt: JOINED,
    cancelledAt: null,
    sequence: 7,
  },
  ...{ charges, mandates: ['0x1'], events: ['created', 'activated', ...Array(5).fill('renewed')] },
  ...change,
});
const examine = (found: SubscriptionFacts, causes: Customer['causes'] = []) =>
  examineSubscription(found, { customer: customer(causes), authorizedAt: JOINED }, NOW);
const without = (number: number) => charges.filter((charge) => charge.number !== number);
const changed = (number: number, change: Partial<ChargeFacts>) =>
  charges.map((charge) => (charge.number === number ? { ...charge, ...change } : charge));

test('the examiner accepts a subscription whose every period was charged once', () => {
  expect(charges).toHaveLength(6);
  expect([...examine(facts()), ...examineEvents(facts())]).toEqual([]);
});

test.each([
  ['an uncharged period', { charges: without(3) }, 'period 3 from 2027-03-31T10:00:00.000Z is not charged'],
  ['a period charged twice', { charges: [...charges, charges[2]!] }, 'has two charges 3'],
  ['a charge before its period', { charges: [...charges, paid(7, NOW, NOW)] }, 'has a charge 7'],
  ['a charge for another period', { charges: changed(2, { start: JOINED }) }, 'charge 2 is for 2027-01-31'],
  ['a charge whose payment is not paid', { charges: changed(4, { payment: 'confirming' }) }, 'period 4'],
  ['a charge that collected too little', { charges: changed(4, { received: 1n }) }, 'asked 25000000 and received 1'],
  ['a charge voided as late', { charges: changed(5, { status: 'void', reason: 'late' }) }, 'void (late)'],
  ['a forgotten charge', { charges: changed(6, { status: 'sending' }) }, 'is sending'],
  ['another anchor', { anchor: NOW }, 'is counted from'],
])('the examiner finds %s', (_, change, words) => {
  expect(examine(facts(change)).join()).toContain(words);
});

test('the examiner excuses an unpaid period only when the wallet was empty until its end', () => {
  const from = new Date('2027-03-20T00:00:00Z');
  const empty = (to: string) => [{ why: 'empty' as const, from, to: new Date(to) }];
  expect(examine(facts({ charges: without(3) }), empty('2027-05-02T00:00:00Z'))).toEqual([]);
  expect(examine(facts({ charges: without(3) }), empty('2027-04-10T00:00:00Z'))).toHaveLength(1);
});

test.each([
  ['created activated renewed renewed renewed renewed', 'has 6 paid charges'],
  ['created activated renewed renewed renewed renewed renewed renewed', 'has 6 paid charges'],
  ['created activated renewed renewed past_due renewed renewed renewed', 'past_due came out of nothing'],
  ['created activated renewed renewed renewed renewed renewed cancelled', 'was announced as cancelled'],
  ['created activated renewed renewed renewed renewed renewed expired', 'expired came when it was active'],
])('the examiner rejects the events %s', (events, words) => {
  expect(examineEvents(facts({ events: events.split(' ') })).join()).toContain(words);
});

test("the examiner's own calendar agrees with the service's for years", () => {
  for (let day = 0; day < 800; day += 3) {
    const anchor = new Date(Date.UTC(2027, 0, 1, 23, 59, 59, 999) + day * DAY_MS);
    for (const interval of ['daily', 'weekly', 'monthly', 'yearly'] as const) {
      const until = new Date(anchor.getTime() + 60 * DAY_MS * (interval === 'yearly' ? 60 : 10));
      for (const { number, start, end } of begunPeriods(anchor, interval, until)) {
        if (+start === +periodStart(anchor, interval, number - 1) && +end === +periodStart(anchor, interval, number))
          continue;
        expect.fail(`${interval} period ${number} from ${anchor.toISOString()} is ${start.toISOString()}`);
      }
    }
  }
});
