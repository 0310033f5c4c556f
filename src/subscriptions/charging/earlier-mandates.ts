import { sql } from 'kysely';
import type { Db } from '../../lib/db-types.ts';
import { piecesOf } from '../../lib/pieces-of.ts';
import type { Collector, MandateState } from '../../ports/collector.ts';
import { onChain } from '../mandates/mandate.ts';
import type { Charge } from '../schedule/charge.ts';
import { COLLECT_PURPOSE } from './claims.ts';
import { type Earlier, listEarlier, noteSettled } from './former-mandates.ts';
import { openUnexplainedIncident } from './incidents.ts';

/** How many revoked mandates are read for the charges of a claim, and how many at once. */
export const REVOKED_MAX = 100;
const AT_ONCE = 10;

/**
 * Which of these charges must wait, because an earlier mandate of their subscription may have paid for the same
 * period, or still may. See decision subscriptions/one-mandate-per-period.
 *
 * The contract accepts a number once per mandate, so nothing else prevents charging a period under two mandates. The
 * rule: a charge is sent under a mandate only when
 * 1. no signed bytes of ours that charge an earlier mandate of the subscription can still be included: each such
 *    transaction is confirmed, or was dropped because another one with its nonce is confirmed;
 * 2. no collection of this number under an earlier mandate stands in a canonical block, applied or not;
 * 3. at the newest block the chain has neither this number nor a later one for an earlier mandate; and
 * 4. we know every transaction that the operator has sent since the last confirmed block. Rules 3 and 4 cover a
 *    database restored from a backup: it has lost bytes, included or still pending, and has not seen their events.
 *
 * What is settled is left out: a mandate whose revocation is confirmed is charged by nothing any more, so what the
 * chain has of it is read once. See decision subscriptions/revoked-mandates-are-read-once.
 *
 * No new bytes for an earlier mandate can appear meanwhile: only the current mandate is charged, under the
 * subscription's lock. The checks run in this order: unknown transactions, then bytes, then observed events, because
 * events are committed before anything counts as confirmed. Calls the node, so no transaction may be open; rejects
 * when it does not answer.
 */
export async function findBlockedCharges(
  db: Db,
  collector: Collector,
  operator: string,
  charges: readonly Charge[],
  now: Date,
): Promise<ReadonlySet<string>> {
  const found = await listEarlier(db, collector.network.name, charges, REVOKED_MAX + 1);
  const { earlier, rest, waiting } = share(found);
  await readStates(db, collector, rest);
  if (earlier.length === 0) return waiting;
  if (!(await isAllKnown(db, collector, operator))) {
    return new Set([...waiting, ...earlier.map(({ charge }) => charge.id)]);
  }
  const pending = await listPending(db, collector, earlier);
  const collected = await listCollected(db, earlier);
  const unclear = earlier.filter(({ charge: { id } }) => !pending.has(id) && !collected.has(id));
  const states = await readStates(db, collector, unclear);
  const onTheChain = await Promise.all(
    unclear.map(async ({ charge, mandate }, i) => {
      if (states[i]!.lastNumber < charge.number) return [];
      await openUnexplainedIncident(db, collector, charge, mandate, now);
      return [charge.id];
    }),
  );
  return new Set([...waiting, ...pending, ...collected, ...onTheChain.flat()]);
}

/**
 * Which of these are read for a decision now. The charges with the fewest revoked mandates come first; those for which
 * too many are left wait, and some of theirs are read all the same, so that they are settled by the next look.
 */
function share(found: readonly Earlier[]): {
  readonly earlier: readonly Earlier[];
  readonly rest: readonly Earlier[];
  readonly waiting: ReadonlySet<string>;
} {
  const groups = [...Map.groupBy(found, ({ charge }) => charge.id)].map(([id, all]) => ({
    ...{ id, all, revoked: all.filter(({ isRevoked }) => isRevoked) },
  }));
  groups.sort((a, b) => a.revoked.length - b.revoked.length);
  let left = REVOKED_MAX;
  const isRead = groups.map(({ revoked }) => {
    left -= revoked.length;
    return left >= 0;
  });
  const read = groups.filter((_, i) => isRead[i]);
  const held = groups.filter((_, i) => !isRead[i]);
  const room = REVOKED_MAX - read.reduce((sum, { revoked }) => sum + revoked.length, 0);
  return {
    earlier: read.flatMap(({ all }) => all),
    rest: held.flatMap(({ revoked }) => revoked.filter(({ deepIn }) => deepIn !== null)).slice(0, room),
    waiting: new Set(held.map(({ id }) => id)),
  };
}

/** What the chain has of former mandates, a few at a time. Notes what can't change any more. */
async function readStates(db: Db, collector: Collector, earlier: readonly Earlier[]): Promise<MandateState[]> {
  const states: MandateState[] = [];
  for (const some of piecesOf(earlier, AT_ONCE)) {
    states.push(...(await Promise.all(some.map(({ mandate }) => collector.readMandateState(mandate)))));
  }
  const settled = earlier.flatMap(({ mandate: { id }, deepIn }, i) => {
    const { status, lastNumber } = states[i]!;
    return deepIn !== null && status === 'revoked' ? [{ id, lastNumber, deepIn }] : [];
  });
  await noteSettled(db, settled);
  return states;
}

/**
 * Whether every nonce that the account has used since the last confirmed block belongs to a transaction that we have.
 */
async function isAllKnown(db: Db, { network, operatorNode }: Collector, address: string): Promise<boolean> {
  const cursor = await db
    .selectFrom('chain_cursors')
    .select('confirmed_height as confirmed')
    .where('network', '=', network.name)
    .executeTakeFirst();
  const confirmed = Number(cursor?.confirmed ?? -1);
  if (confirmed < 0) return false;
  const [deep, { pending }] = await Promise.all([
    operatorNode.countMinedAt(address, confirmed),
    operatorNode.readCounts(address),
  ]);
  if (deep === undefined) return false;
  const { known } = await db
    .selectFrom('operator_transactions')
    .select((eb) => eb.fn.countAll<bigint>().as('known'))
    .where('network', '=', network.name)
    .where('address', '=', address)
    .where('nonce', '>=', BigInt(deep))
    .where('nonce', '<', BigInt(pending))
    .where(sql<boolean>`status <> 'dropped'`)
    .executeTakeFirstOrThrow();
  return Number(known) >= pending - deep;
}

/**
 * Those that an unconfirmed transaction of ours charges under the earlier mandate: its bytes contain the terms
 * verbatim.
 */
async function listPending(
  db: Db,
  { mandateBytes }: Collector,
  earlier: readonly Earlier[],
): Promise<ReadonlySet<string>> {
  const sent = earlier.filter(({ charge }) => charge.transactionId !== null);
  if (sent.length === 0) return new Set();
  const rows = sent.map(({ charge: { id, network }, mandate }) => ({
    id,
    network,
    terms: mandateBytes(onChain(mandate)),
  }));
  const found = await sql<{ id: string }>`
    with live as materialized (
      select network, id from operator_transactions where status in ('signed', 'sent') and purpose = ${COLLECT_PURPOSE}
      union all
      select network, id from operator_transactions where status = 'mined' and purpose = ${COLLECT_PURPOSE}
    )
    select distinct asked.id
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as asked (id text, network text, terms text)
      join live on live.network = asked.network
      join operator_signatures s on s.transaction_id = live.id and s.attempt = 1
     where position(decode(asked.terms, 'hex') in s.raw) > 0`.execute(db);
  return new Set(found.rows.map(({ id }) => id));
}

/** Those whose number the watcher has seen collected under the earlier mandate. */
async function listCollected(db: Db, earlier: readonly Earlier[]): Promise<ReadonlySet<string>> {
  const rows = earlier.map(({ charge: { id, number }, mandate }) => ({ id, number, mandate: mandate.id }));
  const found = await sql<{ id: string }>`
    select distinct asked.id
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as asked (id text, number bigint, mandate text)
      join collector_events e on e.mandate_id = asked.mandate and e.number = asked.number
     where e.kind = 'collected' and e.canonical`.execute(db);
  return new Set(found.rows.map(({ id }) => id));
}
