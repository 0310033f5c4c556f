import { type RootOperationNode, sql } from 'kysely';
import pg from 'pg';
import { createClient } from '../../clients/typescript/src/index.ts';
import { createChains } from '../../src/chains/chains.ts';
import { openDatabase } from '../../src/db/database.ts';
import { inTransaction } from '../../src/db/transaction.ts';
import { createEvents } from '../../src/events/record.ts';
import { createSecondFactors } from '../../src/identity/second-factor.ts';
import { KINDS } from '../../src/kinds.ts';
import { externalAccount, MERCHANT_KINDS } from '../../src/ledger/accounts.ts';
import type { Db } from '../../src/lib/db-types.ts';
import { createKeyRing } from '../../src/lib/envelope.ts';
import { newId } from '../../src/lib/ids.ts';
import { inLanes } from '../../src/lib/in-parallel.ts';
import { prepareSandboxNetwork } from '../../src/sandbox/network.ts';
import { defaultSettings } from '../../src/settings/settings.ts';
import { fanOutToEndpoints } from '../../src/webhooks/fan-out.ts';
import { createWithdrawal, type WithdrawalDeps } from '../../src/withdrawals/service.ts';
import { type Figure, median } from './figure.ts';
import { addMerchants } from './merchants.ts';
import type { BenchService, Endings } from './service.ts';

const CONNECTIONS = 20;
/** Many short rounds instead of a few long ones, so that the machine's noise hits both sides. */
const SECONDS = 1;
const ROUNDS = 9;
/** Warm-up withdrawals per side, while code is still being compiled. */
const WARM_UP = 2000;
const MANY = 1000;
const WALLET = '0x52908400098527886E0F7030069857D2E4169EE7';
/** Limits are off: a merchant requests more here in a second than others in a year. */
const GENEROUS = { withdrawalMaxOpen: 1_000_000, withdrawalDailyMax: '1000000.00' };
const MILLION = 1_000_000_000_000n;
/** The account that the merchants' money comes from. */
const SOURCE = externalAccount('bench', 'USDT');

/** Makes one withdrawal of a merchant, in its own transaction. */
type Ask = (merchantId: string) => Promise<unknown>;

/**
 * Measures withdrawals per second, each checked against balance and limits, held in the ledger and announced, against
 * bare connections that send the same statements with other ids: for one merchant, whose withdrawals queue up, and for
 * a thousand. The part `session` measures what a request costs beside that.
 */
export async function benchWithdrawals(service: BenchService, endings: Endings): Promise<Figure[]> {
  const url = service.databaseUrl;
  const db = openDatabase({ url, poolMax: CONNECTIONS, applicationName: 'bench', onError: () => undefined });
  endings.push(() => db.destroy());
  // PostgreSQL plans the statements of both sides alike.
  const pool = new pg.Pool({ connectionString: url, max: CONNECTIONS, options: '-c random_page_cost=1.1' });
  endings.push(() => pool.end());
  const deps = await makeDeps(service, db);
  const ours: Ask = (merchantId) => ask(db, deps, merchantId);
  const theirs = repeating(pool, await recordStatements(db, deps));
  for (const side of [ours, theirs]) await make(side, await openFunded(db, MANY), (done) => done < WARM_UP);
  return [
    await compare(db, 'one merchant', 1, ours, theirs),
    await compare(db, `${MANY} merchants`, MANY, ours, theirs),
  ];
}

async function makeDeps(service: BenchService, db: Db): Promise<WithdrawalDeps> {
  const sandbox = await createClient({ baseUrl: service.url }).sandbox.get();
  const network = await prepareSandboxNetwork({ rpcUrl: sandbox.networks[0]?.rpcUrl ?? '' });
  const settings = { ...defaultSettings(false, [network.name]), ...GENEROUS };
  const keyRing = createKeyRing(Buffer.alloc(32, 1));
  return {
    events: createEvents({ livemode: false, fanOut: fanOutToEndpoints }),
    networks: [network],
    chains: createChains(KINDS, [network]),
    settings: { current: async () => settings, latest: () => settings },
    keyRing,
    requireSecondFactor: createSecondFactors({ sideDb: db, keyRing, livemode: false }).require,
  };
}

const ask = (db: Db, deps: WithdrawalDeps, merchantId: string): Promise<unknown> =>
  inTransaction(db, (trx) => {
    const route = { method: 'crypto', destinationAddress: WALLET, network: undefined, currency: undefined } as const;
    const draft = { merchantId, amountMinor: 10_00n, route, keyId: null, otp: undefined };
    return createWithdrawal(trx, deps, draft, { now: new Date(), real: new Date() });
  });

type Statement = { readonly text: string; readonly values: readonly unknown[] };

/** Records every statement of a withdrawal between begin and commit. */
async function recordStatements(db: Db, deps: WithdrawalDeps): Promise<Statement[]> {
  const [merchantId = ''] = await openFunded(db, 1);
  const statements: Statement[] = [];
  const note = (node: RootOperationNode, queryId: { readonly queryId: string }): RootOperationNode => {
    const { sql: text, parameters: values } = db.getExecutor().compileQuery(node, queryId);
    statements.push({ text, values });
    return node;
  };
  const recording = db.withPlugin({
    transformQuery: ({ node, queryId }) => note(node, queryId),
    transformResult: async ({ result }) => result,
  });
  const { lookUp, takeAhead, giveBack } = db;
  await ask(Object.assign(recording, { ring: () => undefined, lookUp, takeAhead, giveBack }), deps, merchantId);
  return statements;
}

/** Sends the same statements for other merchants, prepared as ours are. */
function repeating(pool: pg.Pool, statements: readonly Statement[]): Ask {
  return async (merchantId) => {
    const rename = renaming(merchantId);
    const connection = await pool.connect();
    try {
      await connection.query('begin');
      for (const [index, { text, values }] of statements.entries())
        await connection.query({ name: `s${index}`, text, values: values.map(rename) });
      await connection.query('commit');
    } finally {
      connection.release();
    }
  };
}

/** Replaces the recorded ids by new ones. */
function renaming(merchantId: string): (value: unknown) => unknown {
  const now = new Date();
  const ids: Readonly<Record<string, string>> = {
    mer: merchantId,
    wd: newId('withdrawal', now),
    je: newId('journal', now),
    evt: newId('event', now),
    whd: newId('delivery', now),
  };
  const rename = (value: unknown): unknown => {
    if (typeof value === 'string')
      return value.replace(/^(mer|wd|je|evt|whd)_[0-9a-z]{26}/, (_, kind) => ids[kind] ?? '');
    return Array.isArray(value) ? value.map(rename) : value;
  };
  return rename;
}

async function compare(db: Db, who: string, merchants: number, ours: Ask, theirs: Ask): Promise<Figure> {
  const rounds: { readonly us: number; readonly them: number }[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const rates = new Map<Ask, number>();
    for (const side of round % 2 === 0 ? [ours, theirs] : [theirs, ours])
      rates.set(side, await rateOf(side, await openFunded(db, merchants)));
    rounds.push({ us: rates.get(ours) ?? 0, them: rates.get(theirs) ?? 0 });
  }
  return {
    name: `Withdrawals of ${who}, against the same statements bare`,
    value: median(rounds.map(({ us, them }) => us / them)),
    limit: { atLeast: 0.6 },
    detail: `${Math.round(median(rounds.map(({ us }) => us)))} to ${Math.round(median(rounds.map(({ them }) => them)))} a second`,
  };
}

/** The withdrawals per second. */
async function rateOf(side: Ask, merchants: readonly string[]): Promise<number> {
  const start = performance.now();
  const done = await make(side, merchants, () => performance.now() - start < SECONDS * 1000);
  return (done / (performance.now() - start)) * 1000;
}

/**
 * Makes withdrawals of the merchants in turn, one per connection at a time, while `goesOn` returns true; returns their
 * number.
 */
async function make(side: Ask, merchants: readonly string[], goesOn: (done: number) => boolean): Promise<number> {
  let asked = 0;
  let done = 0;
  const worker = async (): Promise<void> => {
    while (goesOn(done)) {
      await side(merchants[asked++ % merchants.length] ?? '');
      done += 1;
    }
  };
  await inLanes(CONNECTIONS, worker);
  return done;
}

/** Active merchants, each with a million dollars. */
function openFunded(db: Db, count: number): Promise<string[]> {
  const now = new Date();
  return inTransaction(db, async (trx) => {
    const ids = await addMerchants(trx, count, now);
    const journals = ids.map(() => newId('journal', now));
    const funded = sql`unnest(${journals}::text[], ${ids}::text[]) as funded (journal, merchant)`;
    await sql`
      insert into ledger_accounts (id, owner_id, kind, track, allow_negative)
      select merchant || ':' || kind, merchant, kind, true, kind = 'debt'
        from unnest(${ids}::text[]) merchant, unnest(${[...MERCHANT_KINDS]}::text[]) kind
      union all select ${SOURCE}, null, 'external', false, true
          on conflict do nothing`.execute(trx);
    await sql`
      insert into journals (id, kind, ref, merchant_id, created_at)
      select journal, 'bench', merchant, merchant, ${now} from ${funded}`.execute(trx);
    await sql`
      insert into entries (journal_id, account_id, amount, created_at)
      select journal, account, amount, ${now} from ${funded},
        lateral (values (merchant || ':available', ${MILLION}::bigint), (${SOURCE},
          -${MILLION}::bigint)) as side (account, amount)`.execute(trx);
    return ids;
  });
}
