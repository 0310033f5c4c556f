import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Client, createClient, KasiError, type Payment } from '../../clients/typescript/src/index.ts';
import type { Faucet } from '../../src/chains/evm/faucet.ts';
import type { Network, Token } from '../../src/ports/chain.ts';

/** A shop's manner to ask: how often the published client tries again by itself. */
export type Manner = { readonly name: string; readonly maxRetries: number; readonly timeoutMs: number };

const MANNERS: readonly Manner[] = [
  { name: 'no retries', maxRetries: 0, timeoutMs: 30_000 },
  { name: "the client's defaults (2 retries, 30 s)", maxRetries: 2, timeoutMs: 30_000 },
  { name: '10 retries, 90 s', maxRetries: 10, timeoutMs: 90_000 },
];

/** What one manner came to. */
export type Tally = {
  readonly manner: string;
  calls: number;
  /** Calls that ended with an error, by its code. */
  readonly errors: Map<string, number>;
};

/** A payment that was asked for under a key. */
export type Asked = { readonly key: string; readonly reference: string; readonly cents: number };
/** One that was answered: what the shop was told. */
export type Acknowledged = Asked & { readonly payment: Payment };

export type Load = {
  readonly tallies: readonly Tally[];
  readonly acknowledged: readonly Acknowledged[];
  /** What ended with an error: it may have been done or not. */
  readonly unanswered: readonly Asked[];
  /** The ids of payments that were paid on the chain. */
  readonly paid: readonly string[];
  /** What was looked for at once, in a list that a standby may answer, and was not there. */
  readonly unread: readonly string[];
};

export type RunningLoad = {
  /** Milliseconds until a payment that was asked for after this moment is acknowledged. */
  readonly untilAcknowledged: () => Promise<number>;
  readonly end: () => Promise<Load>;
};

export type LoadOptions = {
  readonly baseUrl: string;
  readonly login: { readonly email: string; readonly password: string };
  readonly network: Network;
  /** Pays on the chain itself, without the service. */
  readonly faucet: Faucet;
  readonly shoppersOfEach: number;
};

const THINK_MS = 60;
/** Every so many payments of a shopper, one is paid. */
const PAID_EACH = 5;

/** Lets shoppers of each manner make payments, read them back at once and pay some, until `end`. */
export function startLoad(options: LoadOptions): RunningLoad {
  const load = { acknowledged: [], unanswered: [], paid: [], unread: [] } as {
    acknowledged: Acknowledged[];
    unanswered: Asked[];
    paid: string[];
    unread: string[];
  };
  const tallies = MANNERS.map(({ name }): Tally => ({ manner: name, calls: 0, errors: new Map() }));
  const waiting = new Set<{ readonly sinceMs: number; readonly done: (ms: number) => void }>();
  let ended = false;
  const acknowledge = (askedMs: number, made: Acknowledged): void => {
    load.acknowledged.push(made);
    for (const each of waiting) {
      if (askedMs < each.sinceMs) continue;
      waiting.delete(each);
      each.done(performance.now() - each.sinceMs);
    }
  };
  const shop = async (manner: Manner, tally: Tally): Promise<void> => {
    const client = createClient({ baseUrl: options.baseUrl, ...options.login, ...manner });
    for (let turn = 1; !ended; turn += 1) {
      await sleep(THINK_MS);
      const asked = { key: randomUUID(), reference: randomUUID(), cents: 100 + (turn % 900) };
      const askedMs = performance.now();
      tally.calls += 1;
      const payment = await ask(client, asked).catch((error: unknown) => note(tally, error));
      if (payment === undefined) {
        load.unanswered.push(asked);
        continue;
      }
      acknowledge(askedMs, { ...asked, payment });
      tally.calls += 1;
      const { reference } = asked;
      const list = await client.payments
        .list({ metadata: { reference } })
        .catch((error: unknown) => note(tally, error));
      if (list && list.payments[0]?.id !== payment.id) load.unread.push(payment.id);
      if (turn % PAID_EACH === 0) load.paid.push(await pay(options, payment));
    }
  };
  const all = Promise.all(
    MANNERS.flatMap((manner, index) =>
      Array.from({ length: options.shoppersOfEach }, () => shop(manner, tallies[index] as Tally)),
    ),
  );
  all.catch(() => undefined); // It is thrown by `end`.
  return {
    untilAcknowledged: () => new Promise((done) => void waiting.add({ sinceMs: performance.now(), done })),
    end: async () => {
      ended = true;
      await all;
      return { ...load, tallies };
    },
  };
}

/** Asks for a payment, for the first time or again. */
export const ask = (client: Client, { key, reference, cents }: Asked): Promise<Payment> =>
  client.payments.create(
    { amount: cents / 100, currency: 'USD', acceptedTokens: ['USDT'], metadata: { reference } },
    { idempotencyKey: key },
  );

function note(tally: Tally, error: unknown): undefined {
  if (!(error instanceof KasiError)) throw error;
  tally.errors.set(error.code, (tally.errors.get(error.code) ?? 0) + 1);
}

async function pay({ network, faucet }: LoadOptions, payment: Payment): Promise<string> {
  const [option] = payment.options;
  const token = network.tokens.find(({ symbol }) => symbol === 'USDT') as Token;
  const units = BigInt(Math.round(payment.amount * 100)) * 10n ** BigInt(token.decimals - 2);
  await faucet.transfer({ token, to: option?.address ?? '', units });
  return payment.id;
}
