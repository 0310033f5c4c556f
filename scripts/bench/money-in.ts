import { sql } from 'kysely';
import { createClient } from '../../clients/typescript/src/index.ts';
import { createChains } from '../../src/chains/chains.ts';
import type { EvmNetwork } from '../../src/chains/evm/network.ts';
import { openDatabase } from '../../src/db/database.ts';
import { inTransaction } from '../../src/db/transaction.ts';
import { createEvents } from '../../src/events/record.ts';
import { KINDS } from '../../src/kinds.ts';
import { openAccounts } from '../../src/ledger/accounts.ts';
import type { Db } from '../../src/lib/db-types.ts';
import { newId } from '../../src/lib/ids.ts';
import { paymentJobs } from '../../src/payments/jobs.ts';
import { applyInput, createPayment, type PaymentDeps } from '../../src/payments/service.ts';
import { prepareSandboxNetwork } from '../../src/sandbox/network.ts';
import { defaultSettings } from '../../src/settings/settings.ts';
import { fanOutToEndpoints } from '../../src/webhooks/fan-out.ts';
import { takeInBare } from './bare-money-in.ts';
import { type Figure, median } from './figure.ts';
import { addMerchants } from './merchants.ts';
import { type BenchService, createBenchDatabase, type Endings } from './service.ts';

const PAYMENTS = 1000;
const MERCHANTS = 1000;
/** One by one is slow, so it gets fewer. */
const ALONE = 150;
const ROUNDS = 5;

type Stage = { readonly db: Db; readonly deps: PaymentDeps; readonly network: EvmNetwork };
/** Takes in what waits for these payments, which is all that waits. */
type Side = { readonly payments: number; readonly take: (ids: readonly string[]) => Promise<void> };

/**
 * Measures money that comes in, from waiting transfers to paid payments, through the job of the service: against the
 * payments one by one, and against bare statements that write the same rows. For one merchant, whose accounts every
 * payment changes, and for a thousand.
 */
export async function benchMoneyIn(service: BenchService, endings: Endings): Promise<Figure[]> {
  const url = await createBenchDatabase(service, 'kasi_money_in');
  const db = openDatabase({ url, poolMax: 5, applicationName: 'bench', onError: () => {} });
  endings.push(() => db.destroy());
  const sandbox = await createClient({ baseUrl: service.url }).sandbox.get();
  const network = await prepareSandboxNetwork({ rpcUrl: sandbox.networks[0]?.rpcUrl ?? '' });
  await sql`
    insert into chain_cursors (network, genesis_hash, height, hash, block_time, confirmed_height, head_height,
      scanned_at)
    values (${network.name}, 'none', 100, 'none', now(), 90, 100, now())`.execute(db);
  const stage = { db, network, deps: makeDeps(network) };
  const groups: Groups = { one: await openMerchants(stage, 1), many: await openMerchants(stage, MERCHANTS) };
  return figuresOf(await measure(stage, groups));
}

function makeDeps(network: EvmNetwork): PaymentDeps {
  const settings = { ...defaultSettings(false, [network.name]), paymentFeeBps: 100 };
  const rate = { pair: 'USD/USD', valueE8: '100000000', source: 'bench', quotedAt: new Date().toISOString() };
  return {
    clock: { now: () => new Date() },
    events: createEvents({ livemode: false, fanOut: fanOutToEndpoints }),
    settings: { current: async () => settings, latest: () => settings },
    rates: {
      fiatRate: async () => null,
      coinRate: async () => null,
      lastCoinRate: async () => null,
      toMicro: async (minor) => ({ rate, amountMicro: minor * 10_000n }),
    },
    networks: [network],
    chains: createChains(KINDS, [network]),
    reach: { isClosed: () => false },
    listeners: [],
    checkoutUrl: 'http://127.0.0.1/checkout',
    publicUrl: 'http://127.0.0.1',
  };
}

type Of = 'one' | 'many';
type Groups = Readonly<Record<Of, readonly string[]>>;
type How = 'together' | 'alone' | 'bare';
/** Transfers a second. */
type Rates = Readonly<Record<Of, Readonly<Record<How, number>>>>;

/** All sides in turn, round by round, so that what else the machine does hits all of them. */
async function measure(stage: Stage, groups: Groups): Promise<Rates[]> {
  const sides = sidesOf(stage);
  const rounds: Rates[] = [];
  for (let round = 0; round <= ROUNDS; round += 1) {
    const rates = { one: { together: 0, alone: 0, bare: 0 }, many: { together: 0, alone: 0, bare: 0 } };
    for (const how of ['together', 'bare', 'alone'] as const)
      for (const group of ['one', 'many'] as const) rates[group][how] = await rateOf(stage, sides[how], groups[group]);
    if (round > 0) rounds.push(rates); // The first round warms up.
  }
  return rounds;
}

function sidesOf({ db, deps, network }: Stage): Readonly<Record<How, Side>> {
  const [apply] = paymentJobs({ ...deps, db, log: fail });
  const signal = new AbortController().signal;
  return {
    together: {
      payments: PAYMENTS,
      take: async () => apply?.run({ now: new Date(), real: new Date(), signal }),
    },
    alone: {
      payments: ALONE,
      take: async (ids) => {
        for (const id of ids) await inTransaction(db, (trx) => applyInput(trx, deps, { id }, null, new Date()));
      },
    },
    bare: { payments: PAYMENTS, take: async (ids) => takeInBare(db, network.name, ids, await anyBody(db)) },
  };
}

function figuresOf(rounds: readonly Rates[]): Figure[] {
  const compared = (name: string, of: (rates: Rates) => readonly [ours: number, against: number]) => {
    const [ours, against] = [0, 1].map((place) => Math.round(median(rounds.map((each) => of(each)[place as 0 | 1]))));
    const value = median(rounds.map((each) => of(each)[0] / of(each)[1]));
    return { name: `Money in for ${name}`, value, detail: `${ours} to ${against} a second` };
  };
  const ofGroup = (name: string, of: Of): Figure[] => [
    {
      ...compared(`${name}, against one payment at a time`, (each) => [each[of].together, each[of].alone]),
      limit: { atLeast: 10 },
    },
    {
      ...compared(`${name}, against bare statements`, (each) => [each[of].together, each[of].bare]),
      limit: { atLeast: 0.45 },
      goal: 0.5,
    },
  ];
  return [
    ...ofGroup('one merchant', 'one'),
    ...ofGroup(`${MERCHANTS} merchants`, 'many'),
    {
      ...compared(`one merchant, against ${MERCHANTS} merchants`, ({ one, many }) => [one.together, many.together]),
      limit: { atLeast: 0.8 },
    },
  ];
}

function fail(error: unknown): never {
  throw error;
}

/** Transfers that a side takes in a second. */
async function rateOf({ db, network }: Stage, side: Side, templates: readonly string[]): Promise<number> {
  const ids = await letWait(db, network, side.payments, templates);
  const began = performance.now();
  await side.take(ids);
  const seconds = (performance.now() - began) / 1000;
  const { rows } = await sql<{ paid: number }>`
    select count(*)::integer as paid from payments where status = 'paid' and id = any (${ids}::text[])`.execute(db);
  if (rows[0]?.paid !== ids.length) throw new Error(`${rows[0]?.paid} of ${ids.length} payments became paid`);
  return ids.length / seconds;
}

/** Merchants with a payment each, of which the others are copies. */
async function openMerchants({ db, deps }: Stage, count: number): Promise<string[]> {
  const now = new Date();
  const templates: string[] = [];
  for (let i = 0; i < count; i += 1) {
    templates.push(
      await inTransaction(db, async (trx) => {
        const [merchantId = ''] = await addMerchants(trx, 1, now);
        await openAccounts(trx, merchantId);
        return (await createPayment(trx, deps, { ...DRAFT, merchantId }, now)).id;
      }),
    );
  }
  return templates;
}

const DRAFT = {
  merchantToleranceBps: null,
  source: { kind: 'direct' },
  amountMinor: 25_00n,
  currency: 'USD',
  acceptedTokens: null,
  description: null,
  items: null,
  customerEmail: null,
  locale: null,
  metadata: { orderId: 'A-1' },
  expiresAt: null,
} as const;

/** New payments, each with a transfer of what it asks in a block that is deep enough. */
async function letWait(db: Db, network: EvmNetwork, count: number, templates: readonly string[]): Promise<string[]> {
  const now = new Date();
  const ids = Array.from({ length: count }, () => newId('payment', now));
  const like = ids.map((_, i) => templates[i % templates.length]);
  await sql`
    insert into payments
    select (jsonb_populate_record(p, jsonb_build_object('id', new.id))).*
      from unnest(${ids}::text[], ${like}::text[]) as new (id, template)
      join payments p on p.id = new.template`.execute(db);
  await sql`
    insert into credits (id, payment_id, network, tx_hash, transfer_index, block_hash, block_number, block_time, token,
      contract, sender, recipient, amount_units, decimals, value_e18, seen_at)
    select 'crd_' || id, id, ${network.name}, '0x' || id, 0, '0xb50', 50, ${now}, 'USDT', '0x', '0x', '0x', 25000000, 6,
           25000000::numeric * 1000000000000, ${now}
      from unnest(${ids}::text[]) as new (id)`.execute(db);
  await sql`analyze payments, credits`.execute(db);
  return ids;
}

/** The body of an event, so that the bare side writes as much. */
async function anyBody(db: Db): Promise<string> {
  const { rows } = await sql<{ body: string }>`
    select convert_from(body, 'UTF8') as body from events where type = 'payment.completed' limit 1`.execute(db);
  return rows[0]?.body ?? '';
}
