import type { Hex } from 'viem';
import type { components } from '../../../generated/api.ts';
import type { Mandate } from '../../../src/chains/evm/collector.ts';
import type { EvmNetwork } from '../../../src/chains/evm/network.ts';
import type { Token } from '../../../src/ports/chain.ts';
import { askUntilAnswered, type Desk, type Request } from '../ask.ts';
import type { Cast, Plan, Seller } from './cast.ts';
import type { Dice } from './dice.ts';
import type { Time } from './time.ts';
import { UNLIMITED, type Wallets } from './wallets.ts';

/** A reason why a period may not have been charged. */
export type Why = 'unsigned' | 'empty' | 'refused' | 'revoked' | 'frozen';

/** A customer, and what they did that keeps them from being charged. */
export type Customer = {
  readonly id: string;
  readonly wallet: number;
  readonly seller: Seller;
  readonly plan: Plan;
  readonly joinedAt: Date;
  readonly causes: { readonly why: Why; readonly from: Date; to: Date | null }[];
  /** When the merchant learned that it is cancelled. */
  cancelledAt: Date | null;
};

export type Counts = Record<Why | 'cancelled' | 'retried' | 'signedAgain' | 'refilled', number>;

export type World = {
  readonly cast: Cast;
  readonly wallets: Wallets;
  readonly network: EvmNetwork;
  readonly time: Time;
  readonly dice: Dice;
  readonly customers: Customer[];
  /** A planned action. */
  readonly agenda: { readonly at: Date; readonly act: () => Promise<void> }[];
  readonly counts: Counts;
};

type Public = components['schemas']['PublicSubscription'];

const DAY_MS = 86_400_000;
const later = ({ dice, time }: World, days: number): Date =>
  new Date(time.now().getTime() + DAY_MS / 2 + dice.below(days * DAY_MS));

export const newCounts = (): Counts => ({
  ...{ unsigned: 0, empty: 0, refused: 0, revoked: 0, frozen: 0 },
  ...{ cancelled: 0, retried: 0, signedAgain: 0, refilled: 0 },
});

/** Sends a request to the service. An unexpected answer ends the campaign. */
async function ask(
  desk: Desk,
  request: Request,
  expected: readonly number[],
): Promise<{ status: number; text: string }> {
  const answer = await askUntilAnswered(desk, request);
  if (!expected.includes(answer.status))
    throw new Error(`${request.path} was answered with ${answer.status}: ${answer.text}`);
  return answer;
}

const tokenOf = ({ network }: World, { plan }: Customer): Token => {
  const token = network.tokens.find(({ symbol }) => symbol === plan.token);
  if (!token) throw new Error(`there is no ${plan.token}`);
  return token;
};

const readPage = async ({ id, seller }: Customer): Promise<Public> =>
  JSON.parse((await ask(seller.desk, { method: 'GET', path: `/v1/public/subscriptions/${id}` }, [200])).text) as Public;

/**
 * Subscribes a new customer. Call the returned function once their money is in a block: they agree at once, later or
 * never, on the page or by their own transaction.
 */
export async function join(world: World, seller: Seller, wallet: number): Promise<() => Promise<void>> {
  const { dice, time, wallets } = world;
  const plan = pickPlan(dice, seller.plans);
  const [ways, pageWay] = [dice.below(100), dice.chance(0.6)];
  const slowUntil = later(world, 12);
  const body = {
    customerEmail: `customer${wallet}@example.org`,
    customerName: 'Nimal Perera',
    walletAddress: wallets.account(wallet).address,
  };
  const id = await subscribe(seller, plan, body);
  const customer: Customer = { id, wallet, seller, plan, joinedAt: time.now(), causes: [], cancelledAt: null };
  world.customers.push(customer);
  await wallets.fill(wallet, tokenOf(world, customer));
  await wallets.allow(wallet, tokenOf(world, customer), UNLIMITED);
  if (ways < 92) return () => sign(world, customer, pageWay);
  world.counts.unsigned += 1;
  const cause: Customer['causes'][number] = { why: 'unsigned', from: time.now(), to: null };
  customer.causes.push(cause);
  const late = async (): Promise<void> => {
    await sign(world, customer, pageWay);
    cause.to = time.now();
  };
  if (ways < 97) world.agenda.push({ at: slowUntil, act: late });
  return () => Promise.resolve();
}

/** If the answer was lost, the service refuses the wallet as subscribed already; the list says under which id. */
async function subscribe({ desk }: Seller, plan: Plan, body: { readonly customerEmail: string }): Promise<string> {
  const path = `/v1/subscription-plans/${plan.id}/subscribe`;
  const { status, text } = await ask(desk, { method: 'POST', path, body }, [200, 409]);
  if (status === 200) return (JSON.parse(text) as { id: string }).id;
  const list = await ask(desk, { method: 'GET', path: `/v1/subscriptions?planId=${plan.id}&limit=100` }, [200]);
  const { subscriptions } = JSON.parse(list.text) as {
    subscriptions: readonly { id: string; customerEmail: string }[];
  };
  const found = subscriptions.find(({ customerEmail }) => customerEmail === body.customerEmail);
  if (!found) throw new Error(`nobody knows the subscription of ${body.customerEmail}: ${text}`);
  return found.id;
}

function pickPlan(dice: Dice, plans: readonly Plan[]): Plan {
  let drawn = dice.below(plans.reduce((sum, { share }) => sum + share, 0));
  for (const plan of plans) {
    drawn -= plan.share;
    if (drawn < 0) return plan;
  }
  throw new Error('there are no plans');
}

/** Agrees to what the page asks for; returns true if it asks for something. */
async function sign(world: World, customer: Customer, onPage: boolean): Promise<void> {
  const page = await readPage(customer);
  if (!page.typedData) return;
  if (!onPage) return world.wallets.authorize(customer.wallet, toMandate(page));
  const signature = await world.wallets.account(customer.wallet).signTypedData(page.typedData as never);
  const path = `/v1/public/subscriptions/${customer.id}/mandate`;
  await ask(customer.seller.desk, { method: 'POST', path, body: { signature } }, [200, 202, 409]);
}

const toMandate = ({ mandate }: Public): Mandate =>
  ({ ...mandate, maxPerPeriod: BigInt(mandate.maxPerPeriod) }) as unknown as Mandate;

/** How often things happen per year, to a subscription and to a merchant. */
const RATES = { empty: 0.3, refused: 0.2, revoked: 0.08, cancelled: 0.12, retried: 5 } as const;
const FREEZES = 1.5;
const YEAR_DAYS = 365;

/**
 * Plays `days` of all customers and merchants, including planned actions that are due. Their transactions are in no
 * block yet.
 */
export async function live(world: World, days: number): Promise<void> {
  const { dice, time, agenda, cast, counts } = world;
  for (const { act } of agenda.filter(({ at }) => at <= time.now())) await act();
  for (const done of agenda.filter(({ at }) => at <= time.now())) agenda.splice(agenda.indexOf(done), 1);
  const living = world.customers.filter(({ cancelledAt }) => cancelledAt === null);
  for (const [name, rate] of Object.entries(RATES) as [keyof typeof RATES, number][]) {
    const who = living.filter((customer) => name === 'cancelled' || isHealthy(customer) === (name !== 'retried'));
    for (let left = dice.times((who.length * rate * days) / YEAR_DAYS); left > 0; left -= 1) {
      const customer = dice.pick(who);
      if (customer.cancelledAt === null) await ACTS[name](world, customer);
    }
  }
  for (let left = dice.times((cast.sellers.length * FREEZES * days) / YEAR_DAYS); left > 0; left -= 1) {
    await freeze(world, dice.pick(cast.sellers));
    counts.frozen += 1;
  }
}

/** Whether they know of nothing that keeps them from being charged. */
export const isHealthy = ({ causes, cancelledAt }: Customer): boolean =>
  cancelledAt === null && causes.every(({ to }) => to !== null);

type Act = (world: World, customer: Customer) => Promise<void>;

const ACTS: Readonly<Record<keyof typeof RATES, Act>> = {
  empty: (world, customer) =>
    trouble(world, customer, 'empty', {
      begin: () => world.wallets.empty(customer.wallet, tokenOf(world, customer)),
      end: () => world.wallets.fill(customer.wallet, tokenOf(world, customer)),
    }),
  refused: (world, customer) =>
    trouble(world, customer, 'refused', {
      begin: () => world.wallets.allow(customer.wallet, tokenOf(world, customer), 0n),
      end: () => world.wallets.allow(customer.wallet, tokenOf(world, customer), UNLIMITED),
    }),
  revoked: async (world, customer) => {
    const { mandate } = await readPage(customer);
    await trouble(world, customer, 'revoked', {
      begin: () => world.wallets.revoke(customer.wallet, mandate.id as Hex),
      end: async () => {
        const page = await readPage(customer);
        if (!page.typedData) return false;
        await sign(world, customer, true);
        world.counts.signedAgain += 1;
        return true;
      },
    });
  },
  cancelled: async ({ time, counts }, customer) => {
    const path = `/v1/subscriptions/${customer.id}/cancel`;
    const { status } = await ask(customer.seller.desk, { method: 'POST', path }, [200, 409]);
    customer.cancelledAt = time.now();
    if (status === 200) counts.cancelled += 1;
  },
  retried: async ({ counts }, customer) => {
    const path = `/v1/subscriptions/${customer.id}/retry`;
    const { status } = await ask(customer.seller.desk, { method: 'POST', path }, [200, 409]);
    if (status === 200) counts.retried += 1;
  },
};

/** Something that keeps a customer from being charged until they mend it; one of seven never does. */
async function trouble(
  world: World,
  customer: Customer,
  why: Why,
  { begin, end }: { readonly begin: () => Promise<void>; readonly end: () => Promise<unknown> },
): Promise<void> {
  const { dice, time, agenda, counts } = world;
  const [mends, mendsAt] = [dice.chance(6 / 7), later(world, 24)];
  await begin();
  counts[why] += 1;
  const cause: Customer['causes'][number] = { why, from: time.now(), to: null };
  customer.causes.push(cause);
  if (!mends) return;
  const act = async (): Promise<void> => {
    if ((await end()) === false) return; // The service no longer offers anything to agree to.
    counts.refilled += 1;
    cause.to = time.now();
  };
  agenda.push({ at: mendsAt, act });
}

async function freeze(world: World, seller: Seller): Promise<void> {
  const { cast, agenda, time } = world;
  if (seller.freezes.some(({ to }) => to === null)) return;
  const until = later(world, 20);
  const decide = (verb: 'freeze' | 'unfreeze') => {
    const path = `/v1/admin/merchants/${seller.id}/${verb}`;
    return ask(cast.admin, { method: 'POST', path, body: { reason: 'A look.' } }, [200, 409]);
  };
  await decide('freeze');
  const frozen: Seller['freezes'][number] = { from: time.now(), to: null };
  seller.freezes.push(frozen);
  const act = async (): Promise<void> => {
    await decide('unfreeze');
    frozen.to = time.now();
  };
  agenda.push({ at: until, act });
}
