import { begunPeriods } from './calendar.ts';
import type { ChargeFacts, SubscriptionFacts } from './facts.ts';
import type { Customer, Why } from './life.ts';

/** What the campaign knows about a customer, with what the chain says. */
export type Witness = { readonly customer: Customer; readonly authorizedAt: Date | null };

const DAY_MS = 86_400_000;
/** Time moves in steps of days, and an outage lasts three: what was due, or was mended, may be that much later. */
const SLACK_MS = 4 * DAY_MS;

/**
 * Recomputes every period that had begun by `now` from the subscription's anchor, and demands that each was charged
 * exactly once, unless the campaign knows why not. Returns the faults, in words.
 */
export function examineSubscription(facts: SubscriptionFacts, witness: Witness, now: Date): string[] {
  const { customer } = witness;
  const { plan } = customer;
  const faults: string[] = [];
  const fault = (text: string): void => void faults.push(`${facts.id} (${plan.interval}, ${facts.status}): ${text}`);
  const { anchor } = facts;
  const first = new Date(facts.createdAt.getTime() + plan.trialDays * DAY_MS);
  // See decision subscriptions/first-period-begins-anew: it waits for an agreement, or for the end of a freeze.
  if (+anchor !== +first && (+anchor < +first || excuses(witness, anchor).length === 0)) {
    fault(`is counted from ${anchor.toISOString()}`);
  }
  const periods = begunPeriods(anchor, plan.interval, now);
  const charges = Map.groupBy(facts.charges, ({ number }) => number);
  for (const number of charges.keys()) {
    if (number < 1 || number > periods.length)
      fault(`has a charge ${number}, and ${periods.length} periods have begun`);
  }
  for (const period of periods) {
    const [charge, second] = charges.get(period.number) ?? [];
    if (second) fault(`has two charges ${period.number}`);
    if (charge && (+charge.start !== +period.start || +charge.end !== +period.end)) {
      fault(`charge ${period.number} is for ${charge.start.toISOString()} to ${charge.end.toISOString()}`);
    }
    const wrong = judge(charge, period, facts, witness, now);
    if (wrong) fault(`period ${period.number} from ${period.start.toISOString()} ${wrong}`);
  }
  return faults;
}

type Period = { readonly number: number; readonly start: Date; readonly end: Date };

/** The fault of a period, if any. */
function judge(
  charge: ChargeFacts | undefined,
  period: Period,
  facts: SubscriptionFacts,
  witness: Witness,
  now: Date,
): string | null {
  if (charge?.status === 'succeeded') {
    if (charge.payment !== 'paid') return `is charged by a payment that is ${charge.payment}`;
    return charge.received === charge.units ? null : `asked ${charge.units} and received ${charge.received}`;
  }
  const is = charge
    ? `is ${charge.status} (${charge.reason ?? charge.failure ?? charge.due?.toISOString()})`
    : 'is not charged';
  if (charge?.status === 'due' && charge.due && charge.due > now) return null; // It waits for its mandate's windows.
  if (charge && charge.status !== 'failed' && charge.status !== 'void') return is;
  if (charge?.reason === 'late')
    return `${is}, and no outage was so long: ${tales(facts, period)}; ${story(facts, witness)}`;
  const ended = facts.cancelledAt;
  if (ended && +ended <= +period.start + SLACK_MS) return null;
  const last = new Date(Math.min(+period.end, +(ended ?? now), +now));
  return excuses(witness, last).length > 0 ? null : `${is}, for no known reason: ${story(facts, witness)}`;
}

/** Why nothing could be charged at a time, or shortly before. */
function excuses({ customer, authorizedAt }: Witness, at: Date): Why[] {
  const causes = [
    ...customer.causes,
    ...customer.seller.freezes.map((freeze) => ({ why: 'frozen' as const, ...freeze })),
    { why: 'unsigned' as const, from: customer.joinedAt, to: authorizedAt },
  ];
  return causes.filter(({ from, to }) => from <= at && (to === null || +to >= +at - SLACK_MS)).map(({ why }) => why);
}

/** What happened to the charges around a period. */
const tales = ({ charges }: SubscriptionFacts, { number }: Period): string =>
  charges
    .filter((charge) => Math.abs(charge.number - number) < 2)
    .map((charge) => `${charge.number} ${charge.status} (${charge.tries})`)
    .join(', ');

const story = ({ cancelledAt, events }: SubscriptionFacts, { customer }: Witness): string =>
  JSON.stringify({ cancelledAt, events: events.slice(-6), causes: customer.causes, freezes: customer.seller.freezes });

/** The states in which each event may come, and the state it leads to. */
const STORY: Readonly<Record<string, { readonly from: readonly string[]; readonly to: string | null }>> = {
  created: { from: ['new'], to: 'begun' },
  trial_will_end: { from: ['begun'], to: null },
  activated: { from: ['begun', 'past_due'], to: 'active' },
  renewed: { from: ['active', 'past_due'], to: 'active' },
  charge_failed: { from: ['begun', 'active', 'past_due'], to: null },
  past_due: { from: ['begun', 'active'], to: 'past_due' },
  cancelled: { from: ['begun', 'active', 'past_due'], to: 'cancelled' },
  expired: { from: ['cancelled'], to: 'expired' },
};

/** Checks that every change was announced once, in a possible order, and that the announcements match the result. */
export function examineEvents({ id, status, sequence, events, charges }: SubscriptionFacts): string[] {
  const faults: string[] = [];
  let state = 'new';
  for (const [index, event] of events.entries()) {
    const rule = STORY[event];
    if (!rule?.from.includes(state)) faults.push(`${id}: ${event} came when it was ${state}: ${events.join(' ')}`);
    if (event === 'past_due' && events[index - 1] !== 'charge_failed')
      faults.push(`${id}: past_due came out of nothing`);
    state = rule?.to ?? state;
  }
  const shown = state === 'begun' ? ['active', 'trialing'] : [state];
  if (!shown.includes(status)) faults.push(`${id} is ${status} and was announced as ${state}`);
  const paid = charges.filter((charge) => charge.status === 'succeeded').length;
  const count = (name: string): number => events.filter((event) => event === name).length;
  const announced = { activated: count('activated'), renewed: count('renewed') };
  if (announced.activated !== Math.min(1, paid) || announced.renewed !== Math.max(0, paid - 1)) {
    faults.push(`${id} has ${paid} paid charges and was announced as ${JSON.stringify(announced)}`);
  }
  if (sequence !== events.length) faults.push(`${id} has come to event ${sequence} with ${events.length} events`);
  return faults;
}
