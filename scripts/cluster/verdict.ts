import { sql } from 'kysely';
import { createClient, type Payment } from '../../clients/typescript/src/index.ts';
import { CHECKPOINT_PURPOSE } from '../../src/audit/chain.ts';
import { verifyAudit } from '../../src/audit/verify.ts';
import type { Db } from '../../src/lib/db-types.ts';
import { deriveSecret } from '../../src/lib/derive.ts';
import { inLanes } from '../../src/lib/in-parallel.ts';
import { signingKey } from '../../src/lib/standard-webhooks.ts';
import { reconcile } from '../../src/reconcile/reconcile.ts';
import { examineChain } from '../crash/chain.ts';
import type { Shop } from '../lib/shop.ts';
import { until } from '../lib/wait.ts';
import { type Acknowledged, type Asked, ask, type Load } from './load.ts';
import type { Services } from './services.ts';

export type Verdict = {
  /** Of the calls that ended with an error: how many had been carried out nevertheless. */
  readonly doneUnseen: number;
  readonly faults: readonly string[];
};

const SETTLED_WITHIN_MS = 120_000;
const READS_AT_ONCE = 8;
/** What never changes of a payment, whatever becomes of it. */
const KEPT = ['id', 'amount', 'currency', 'createdAt', 'expiresAt', 'metadata'] as const;

/** Repeats what had no answer, waits until all that was paid is booked, and says what is not as it was told. */
export async function judge(
  load: Load,
  { baseUrl, network, masterKey }: Services,
  { db, shop, login }: { db: Db; shop: Shop; login: { readonly email: string; readonly password: string } },
): Promise<Verdict> {
  const client = createClient({ baseUrl, ...login, maxRetries: 5, timeoutMs: 60_000 });
  const doneUnseen = Number(await countOf(db, load.unanswered));
  for (const asked of load.unanswered) await ask(client, asked);
  await until('all that was paid is booked and told of', SETTLED_WITHIN_MS, async () => {
    const heard = completed(shop);
    return load.paid.every((id) => heard.has(id)) && (await countOpen(db)) === 0n;
  });
  const publicKey = signingKey(deriveSecret(masterKey, CHECKPOINT_PURPOSE)).publicKey;
  const [{ findings }, audit] = [await reconcile(db), await verifyAudit(db, { keys: [publicKey] })];
  return {
    doneUnseen,
    faults: [
      ...(await inTurns(load.acknowledged, (each) => compare(each, (id) => client.payments.get(id)))),
      ...load.unread.map((id) => `${id} was not there for the one who had just made it`),
      ...(await judgeOnce(db, [...load.acknowledged, ...load.unanswered])),
      ...(await judgeMoney(db, load)),
      ...shop.refusals.map((reason) => `a webhook was refused: ${reason}`),
      ...findings.map(({ rule, subject, message }) => `${rule}: ${subject}: ${message}`),
      ...(await examineChain(db, network)),
      ...(audit.finding ? [`audit: ${audit.finding.message}`] : []),
    ],
  };
}

async function compare({ payment }: Acknowledged, read: (id: string) => Promise<Payment>): Promise<string[]> {
  const found = await read(payment.id).catch((error: unknown) => String(error));
  if (typeof found === 'string') return [`${payment.id} was acknowledged and is gone: ${found}`];
  const address = (of: Payment) => of.options.map(({ token, address: to, amount }) => [token, to, amount]);
  const kept = (of: Payment): string => JSON.stringify([...KEPT.map((name) => of[name]), address(of)]);
  return kept(found) === kept(payment) ? [] : [`${payment.id} is ${kept(found)}, and was told as ${kept(payment)}`];
}

/** Every key has had exactly one effect. */
async function judgeOnce(db: Db, asked: readonly Asked[]): Promise<string[]> {
  const { rows } = await sql<{ reference: string; count: bigint }>`
    select metadata ->> 'reference' as reference, count(*) as count from payments group by 1`.execute(db);
  const counts = new Map(rows.map(({ reference, count }) => [reference, count]));
  const wrong = asked.filter(({ reference }) => counts.get(reference) !== 1n);
  const unknown = rows.length - asked.length;
  return [
    ...wrong.map(({ key, reference }) => `the key ${key} has made ${counts.get(reference) ?? 0} payments`),
    ...(unknown > 0 ? [`there are ${unknown} payments that no client asked for`] : []),
  ];
}

/** What was paid is credited once and in full, and the shop was told that it was. */
async function judgeMoney(db: Db, { paid, acknowledged }: Load): Promise<string[]> {
  const cents = new Map(acknowledged.map(({ payment, cents: amount }) => [payment.id, amount]));
  const { rows } = await sql<{ id: string; status: string; credits: bigint; booked: bigint }>`
    select p.id, p.status, count(c.*) as credits, coalesce(sum(c.booked_micro), 0)::bigint as booked
      from payments p left join credits c on c.payment_id = p.id and c.canonical
     where p.id = any (${[...paid]}::text[]) group by p.id, p.status`.execute(db);
  return rows
    .filter(
      ({ id, status, credits, booked }) =>
        status !== 'paid' || credits !== 1n || booked !== BigInt(cents.get(id) ?? 0) * 10_000n,
    )
    .map(({ id, status, credits, booked }) => `${id} is ${status}, by ${credits} credits of ${booked}`);
}

const countOf = async (db: Db, asked: readonly Asked[]): Promise<bigint> => {
  const { rows } = await sql<{ count: bigint }>`
    select count(*) as count from payments
     where metadata ->> 'reference' = any (${asked.map(({ reference }) => reference)}::text[])`.execute(db);
  return rows[0]?.count ?? 0n;
};

const countOpen = async (db: Db): Promise<bigint> => {
  const { rows } = await sql<{ count: bigint }>`
    select (select count(*) from unsealed_events) + (select count(*) from unsealed_audit_entries) as count`.execute(db);
  return rows[0]?.count ?? 0n;
};

const completed = (shop: Shop): ReadonlySet<string> =>
  new Set(shop.events.flatMap(({ type, data }) => (type === 'payment.completed' ? [data.id] : [])));

async function inTurns<T>(items: readonly T[], look: (item: T) => Promise<string[]>): Promise<string[]> {
  const found: string[] = [];
  const rest = [...items];
  const walk = async (): Promise<void> => {
    for (let item = rest.pop(); item !== undefined; item = rest.pop()) found.push(...(await look(item)));
  };
  await inLanes(READS_AT_ONCE, walk);
  return found;
}
