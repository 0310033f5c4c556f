import pg from 'pg';
import { createClient } from '../../clients/typescript/src/index.ts';
import { newId } from '../../src/lib/ids.ts';
import { inLanes } from '../../src/lib/in-parallel.ts';
import { costInTurn, costOf, findPostmaster, inWords, type Load, totalUs } from './cpu.ts';
import type { Figure } from './figure.ts';
import { load, postAs } from './load.ts';
import { type BenchService, type Endings, registerBenchMerchant, startBenchService, vacuum } from './service.ts';

const CONNECTIONS = 20;
/** Many short rounds instead of a few long ones, so that the machine's noise hits both sides. */
const SECONDS = 2;
const ROUNDS = 9;
/** Each side goes on from where it runs: after the pause of the other's round the first second costs a tenth more. */
const LEAD_IN_SECONDS = 1;
/** Until Node.js has compiled what requests run most: after 12 seconds some rounds still cost a third more. */
const WARM_UP_SECONDS = 25;
const BODY = {
  amount: 49.99,
  currency: 'USD',
  successUrl: 'https://shop.example/ok',
  cancelUrl: 'https://shop.example/no',
  metadata: { orderId: 'A-1001' },
};
/** How the rows of a session are found: by the id of the session, of its payment, or of its event. */
type Key = 'session' | 'payment' | 'event';
/** The tables of a session's rows, in an order that foreign keys allow. */
const TABLES: readonly (readonly [table: string, column: string, key: Key])[] = [
  ['payments', 'id', 'payment'],
  ['deposit_addresses', 'payment_id', 'payment'],
  ['bitcoin_deposits', 'payment_id', 'payment'],
  ['payment_quotes', 'payment_id', 'payment'],
  ['checkout_sessions', 'id', 'session'],
  ['events', 'resource_id', 'payment'],
  ['webhook_deliveries', 'event_id', 'event'],
  ['audit_log', 'resource_id', 'session'],
];

/**
 * Measures opening checkout sessions over HTTP, against bare connections that write the same rows in one statement
 * each, on the same server with `fsync`. The service has no jobs here: they would seal, count and deliver what either
 * side has written, and count as work of ours. The load generator is no part of the service's process, so its CPU time
 * is not counted; it shares the cores, which lowers only our rate. The bare side gets the addresses as values and looks
 * up neither callers nor endpoints; it has as many connections as we have clients.
 */
export async function benchCreateSession(_: BenchService, endings: Endings): Promise<Figure[]> {
  const service = await startBenchService(endings, 'api');
  const merchant = await registerBenchMerchant(service);
  const client = createClient({ baseUrl: service.url, token: merchant.token });
  await client.merchants.update(merchant.id, { webhookUrl: 'http://127.0.0.1:9/' });
  const { sessionId } = await client.checkout.sessions.create(BODY as never);
  const pool = new pg.Pool({ connectionString: service.databaseUrl, max: CONNECTIONS });
  try {
    const rows = await readRows(pool, sessionId);
    const postmaster = await findPostmaster(service.databaseUrl);
    const post = (seconds: number) =>
      load(service.url, postAs(merchant.token, '/v1/checkout/sessions', BODY), { connections: CONNECTIONS, seconds });
    await post(WARM_UP_SECONDS);
    await writeRows(pool, rows, SECONDS);
    // What was planned while the tables were empty reads them whole, on either side, however long they grow.
    await vacuum(service.ownerUrl);
    const { us, them, ratio } = await costInTurn(
      ROUNDS,
      async () => {
        await post(LEAD_IN_SECONDS);
        return costOf(service.pid, postmaster, () => post(SECONDS));
      },
      async () => {
        await writeRows(pool, rows, LEAD_IN_SECONDS);
        return costOf(process.pid, postmaster, () => writeRows(pool, rows, SECONDS));
      },
    );
    const detail = `${inWords(us)} to ${inWords(them)}`;
    return [
      {
        ...{ name: 'POST checkout session, rate against one bare statement', detail },
        ...{ value: ratio(({ perSecond }) => perSecond), limit: { atLeast: 0.58 }, goal: 0.8 },
      },
      {
        ...{ name: 'POST checkout session, CPU of one bare statement to ours', detail },
        ...{ value: 1 / ratio(totalUs), limit: { atLeast: 0.6 }, goal: 0.8 },
      },
    ];
  } finally {
    await pool.end();
  }
}

type Row = { readonly table: string; readonly columns: readonly string[]; readonly values: readonly unknown[] };

/** The stored rows of one session, to be inserted again under other ids. */
async function readRows(pool: pg.Pool, sessionId: string): Promise<Row[]> {
  const { rows: ids } = await pool.query<Record<Key, string>>(
    `select s.id as session, s.payment_id as payment, e.id as event
       from checkout_sessions s join events e on e.resource_id = s.payment_id where s.id = $1`,
    [sessionId],
  );
  const found: Row[] = [];
  for (const [table, column, key] of TABLES) {
    const text = `select * from ${table} where ${column} = $1`;
    const { rows, fields } = await pool.query({ text, values: [ids[0]?.[key]], rowMode: 'array' });
    if (rows.length === 0) throw new Error(`a session left no row in ${table}`);
    const columns = fields.map((field) => field.name);
    for (const values of rows) found.push({ table, columns, values: (values as unknown[]).map(asInput) });
  }
  return found;
}

/** jsonb is read parsed and written as text. */
const asInput = (value: unknown): unknown =>
  typeof value === 'object' && value !== null && !(value instanceof Date) && !Buffer.isBuffer(value)
    ? JSON.stringify(value)
    : value;

async function writeRows(pool: pg.Pool, rows: readonly Row[], seconds: number): Promise<Load> {
  const text = inOneStatement(rows);
  const until = performance.now() + seconds * 1000;
  let done = 0;
  const worker = async (): Promise<void> => {
    const connection = await pool.connect();
    try {
      while (performance.now() < until) {
        await connection.query({ name: 'session', text, values: renamed(rows).flat() });
        done += 1;
      }
    } finally {
      connection.release();
    }
  };
  await inLanes(CONNECTIONS, worker);
  return { requests: done, perSecond: done / seconds };
}

/** One statement that writes the rows of each table; foreign keys are checked at its end. */
function inOneStatement(rows: readonly Row[]): string {
  let values = 0;
  const inserts = TABLES.map(([table]) => {
    const ofTable = rows.filter((row) => row.table === table);
    const places = ofTable.map(({ columns }) => {
      values += columns.length;
      return `(${columns.map((_, at) => `$${values - columns.length + at + 1}`).join(', ')})`;
    });
    return `insert into ${table} (${ofTable[0]?.columns.join(', ')}) values ${places.join(', ')}`;
  });
  const last = inserts.pop();
  return `with ${inserts.map((insert, index) => `row_${index} as (${insert})`).join(', ')} ${last}`;
}

/** Numbers of addresses that the service gives to no payment meanwhile. */
let index = 1_000_000_000;

/** The same rows with new ids and new addresses. */
function renamed(rows: readonly Row[]): unknown[][] {
  const now = new Date();
  const ids: Record<string, string> = {
    pay: newId('payment', now),
    cs: newId('checkoutSession', now),
    evt: newId('event', now),
    whd: newId('delivery', now),
    log: newId('log', now),
  };
  index += 1;
  return rows.map(({ table, columns, values }) =>
    values.map((value, at) => {
      const column = `${table}.${columns[at]}`;
      if (column === 'bitcoin_deposits.index') return index;
      if (typeof value !== 'string') return value;
      if (column === 'deposit_addresses.address') return value.slice(0, -26) + ids['pay']?.slice(-26);
      return ids[/^(pay|cs|evt|whd|log)_[0-9a-z]{26}$/.exec(value)?.[1] ?? ''] ?? value;
    }),
  );
}
