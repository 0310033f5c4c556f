import { EventEmitter, once } from 'node:events';
import { createClient } from '../../../clients/typescript/src/index.ts';
import type { Desk } from '../ask.ts';
import type { Victim } from '../killer.ts';
import { type Endings, openStage, type StageOptions, stayLoggedIn } from '../stage.ts';
import { type Order, placeOrder } from './caller.ts';
import { judge } from './verdict.ts';

export type KeyCrashOptions = StageOptions & {
  readonly kills: number;
  /** The number of customers who order concurrently. */
  readonly callers: number;
  readonly progress: (text: string) => void;
};

export type KeyCrashFigures = {
  readonly kills: number;
  /** Kills during a start. */
  readonly early: number;
  readonly orders: number;
  /** Requests that were executed while their answer was lost: the first answer that arrived was a replay. */
  readonly lost: number;
  readonly seconds: number;
  /** The faults, in words; empty if all is well. */
  readonly faults: readonly string[];
};

const ACCOUNT = { email: 'crash@example.com', password: 'Str0ng-enough' };

/**
 * Kills the service with SIGKILL at random moments while customers repeat requests under fixed keys until they are
 * answered, and restarts it each time. Resolves with the figures once all requests are answered.
 */
export async function runKeyCrash(options: KeyCrashOptions, endings: Endings): Promise<KeyCrashFigures> {
  const { victim, db, baseUrl } = await openStage(options, endings);
  const startedAt = performance.now();
  const account = await openAccount(baseUrl, endings);
  const orders = await orderAmongKills(options, victim, account);
  return {
    kills: options.kills,
    early: victim.early(),
    orders: orders.length,
    lost: orders.flatMap(({ created, cancelled }) => [created[0], cancelled[0]]).filter((answer) => answer?.replayed)
      .length,
    seconds: (performance.now() - startedAt) / 1000,
    faults: await judge(db, account.merchantId, orders),
  };
}

type Account = { readonly baseUrl: string; readonly merchantId: string; readonly token: () => string };

/** A merchant with an access token that is renewed in time. */
async function openAccount(baseUrl: string, endings: Endings): Promise<Account> {
  const { auth } = createClient({ baseUrl });
  const about = { businessName: 'Phoenix Tea', phone: '+94771234567', businessType: 'company' } as const;
  const { merchant } = await auth.register({ ...ACCOUNT, ...about });
  const token = await stayLoggedIn(() => auth.login(ACCOUNT), endings);
  return { baseUrl, merchantId: merchant.id, token };
}

/** Customers order, one after another in each queue, until the service was killed often enough and is up. */
async function orderAmongKills(options: KeyCrashOptions, victim: Victim, account: Account): Promise<Order[]> {
  const bell = new EventEmitter();
  const desk: Desk = { ...account, onSend: () => void bell.emit('sent') };
  const orders: Order[] = [];
  let [peace, number] = [false, 0];
  const queue = async (): Promise<void> => {
    while (!peace) {
      number += 1;
      orders.push(await placeOrder(desk, `order-${number}`));
    }
  };
  const queues = Promise.all(Array.from({ length: options.callers }, queue));
  const killing = async (): Promise<void> => {
    for (let kill = 1; kill <= options.kills; kill += 1) {
      await victim.killSoon(() => once(bell, 'sent'));
      options.progress(`killed ${kill} of ${options.kills} times, ${orders.length} orders`);
    }
    await victim.ready();
    peace = true;
  };
  await Promise.all([queues, killing()]);
  return orders;
}
