import autocannon from 'autocannon';
import pg from 'pg';
import { createClient } from '../../clients/typescript/src/index.ts';
import { newId } from '../../src/lib/ids.ts';
import { type Cost, costOf, findPostmaster, inWords, type Load, medianCost } from './cpu.ts';
import type { Figure } from './figure.ts';
import { type BenchService, registerBenchMerchant } from './service.ts';

const CONNECTIONS = 20;
const SECONDS = 5;
const ROUNDS = 3;
const BODY = {
  amount: 49.99,
  currency: 'USD',
  successUrl: 'https://shop.example/ok',
  cancelUrl: 'https://shop.example/no',
  metadata: { orderId: 'A-1001' },
};
/** The tables of a session's rows, in an order that foreign keys allow. */
const TABLES = ['payments', 'deposit_addresses', 'checkout_sessions', 'events', 'webhook_deliveries', 'audit_log'];

/**
 * Measures opening checkout sessions over HTTP, against bare connections that write the same rows in one statement
 * each, which is the least that they can cost.
 */
export async function benchCreateSession(service: BenchService): Promise<Figure> {
  const merchant = await registerBenchMerchant(service);
  const client = createClient({ baseUrl: service.url, token: merchant.token });
  await client.merchants.update(merchant.id, { webhookUrl: 'http://127.0.0.1:9/' });
  const { sessionId } = await client.checkout.sessions.create(BODY as never);
  const pool = new pg.Pool({ connectionString: service.databaseUrl, max: CONNECTIONS });
  try {
    const rows = await readRows(pool, sessionId);
    const postmaster = await findPostmaster(service.databaseUrl);
    const ours: Cost[] = [];
    const theirs: Cost[] = [];
    for (let round = 0; round <= ROUNDS; round += 1) {
      const them = await costOf(process.pid, postmaster, () => writeRows(pool, rows));
      const us = await costOf(service.pid, postmaster, () => post(service, merchant.token));
      if (round === 0) continue; // Warm-up: both sides are still being compiled.
      theirs.push(them);
      ours.push(us);
    }
    const [us, them] = [medianCost(ours), medianCost(theirs)];
    return {
      name: 'POST checkout session, against one bare statement',
      value: us.perSecond / them.perSecond,
      limit: { atLeast: 0.18 },
      goal: 0.6,
      detail: `${inWords(us)} to ${inWords(them)}`,
    };
  } finally {
    await pool.end();
  }
}

async function post(service: BenchService, token: string): Promise<Load> {
  const result = await autocannon({
    url: `${service.url}/v1/checkout/sessions`,
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(BODY),
    connections: CONNECTIONS,
    duration: SECONDS,
  });
  if (result.non2xx > 0 || result.errors > 0) throw new Error(`${result.non2xx} refusals, ${result.errors} errors`);
  return { requests: result.requests.total, perSecond: result.requests.average };
}

type Row = { readonly table: string; readonly columns: readonly string[]; readonly values: readonly unknown[] };

/** The stored rows of one session, to be inserted again under other ids. */
async function readRows(pool: pg.Pool, sessionId: string): Promise<Row[]> {
  const { rows: sessions } = await pool.query('select payment_id from checkout_sessions where id = $1', [sessionId]);
  const paymentId = (sessions[0] as { payment_id: string }).payment_id;
  const keys: Record<string, [string, string]> = {
    payments: ['id', paymentId],
    deposit_addresses: ['payment_id', paymentId],
    checkout_sessions: ['id', sessionId],
    events: ['resource_id', paymentId],
    webhook_deliveries: ['event_id', ''],
    audit_log: ['resource_id', sessionId],
  };
  const found: Row[] = [];
  for (const table of TABLES) {
    const [column, value] = keys[table] ?? ['id', ''];
    const eventId = found.find((row) => row.table === 'events')?.values[0];
    const { rows, fields } = await pool.query({
      text: `select * from ${table} where ${column} = $1`,
      values: [value || eventId],
      rowMode: 'array',
    });
    const first = rows[0] as unknown[] | undefined;
    if (!first) throw new Error(`a session left no row in ${table}`);
    found.push({ table, columns: fields.map((field) => field.name), values: first.map(asInput) });
  }
  return found;
}

/** jsonb is read parsed and written as text. */
const asInput = (value: unknown): unknown =>
  typeof value === 'object' && value !== null && !(value instanceof Date) && !Buffer.isBuffer(value)
    ? JSON.stringify(value)
    : value;

async function writeRows(pool: pg.Pool, rows: readonly Row[]): Promise<Load> {
  const text = inOneStatement(rows);
  const until = performance.now() + SECONDS * 1000;
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
  await Promise.all(Array.from({ length: CONNECTIONS }, worker));
  return { requests: done, perSecond: done / SECONDS };
}

/** One statement that writes a row into each table; foreign keys are checked at its end. */
function inOneStatement(rows: readonly Row[]): string {
  let values = 0;
  const inserts = rows.map(({ table, columns }) => {
    const places = columns.map(() => {
      values += 1;
      return `$${values}`;
    });
    return `insert into ${table} (${columns.join(', ')}) values (${places.join(', ')})`;
  });
  const last = inserts.pop();
  return `with ${inserts.map((insert, index) => `row_${index} as (${insert})`).join(', ')} ${last}`;
}

/** The same rows with new ids and a new address. */
function renamed(rows: readonly Row[]): unknown[][] {
  const now = new Date();
  const ids: Record<string, string> = {
    pay: newId('payment', now),
    cs: newId('checkoutSession', now),
    evt: newId('event', now),
    whd: newId('delivery', now),
    log: newId('log', now),
    '0x': `0x${newId('payment', now).slice(4)}`,
  };
  return rows.map(({ table, columns, values }) =>
    values.map((value, index) => {
      if (typeof value !== 'string') return value;
      if (table === 'deposit_addresses' && columns[index] === 'address') return ids['0x'];
      return ids[/^(pay|cs|evt|whd|log)_[0-9a-z]{26}$/.exec(value)?.[1] ?? ''] ?? value;
    }),
  );
}
