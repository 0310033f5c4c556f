import { sql } from 'kysely';
import type { Db } from '../../../src/lib/db-types.ts';
import { reconcile } from '../../../src/reconcile/reconcile.ts';
import { examineChain } from '../chain.ts';
import { type Bank, FUNDS_CENTS } from './bank.ts';
import type { Deed, Verb } from './clients.ts';

/** The ledger's current faults, in words. */
export async function examineLedger(db: Db): Promise<string[]> {
  const { findings } = await reconcile(db);
  return findings.map(({ rule, subject, message }) => `${rule}: ${subject}: ${message}`);
}

/** The faults after the last crash, in words. */
export async function judge(
  db: Db,
  { customers, network }: Pick<Bank, 'customers' | 'network'>,
  deeds: readonly Deed[],
): Promise<string[]> {
  const incidents = await db.selectFrom('incidents').select('message').where('resolved_at', 'is', null).execute();
  return [
    ...(await examineLedger(db)),
    ...(await examineChain(db, network)),
    ...(await judgeFunds(db, customers)),
    ...(await judgeStories(db, deeds)),
    ...(await judgeHashes(db)),
    ...incidents.map(({ message }) => `incident: ${message}`),
  ];
}

/** Checks that a merchant's waiting, available, held and paid money add up to its starting balance. */
async function judgeFunds(db: Db, customers: Bank['customers']): Promise<string[]> {
  const ids = customers.map(({ id }) => id);
  const { rows } = await sql<{ merchant: string; cents: bigint }>`
    select m.id as merchant, (
             (select sum(balance) from ledger_balances where owner_id = m.id) / 10000
             + (select coalesce(sum(amount_minor), 0) from withdrawals w where w.merchant_id = m.id
               and status = 'completed')
             + (select coalesce(sum(from_suspense + from_available), 0) / 10000 from refunds r
                 where r.merchant_id = m.id and status = 'completed')
           )::bigint as cents
      from unnest(${ids}::text[]) as m (id)`.execute(db);
  return rows
    .filter(({ cents }) => cents !== FUNDS_CENTS)
    .map(({ merchant, cents }) => `the money of ${merchant} comes to ${cents} cents instead of ${FUNDS_CENTS}`);
}

/** Checks that no transaction paid two payouts: nobody looked at its transfers. */
async function judgeHashes(db: Db): Promise<string[]> {
  const { rows } = await sql<{ hash: string; payouts: bigint }>`
    select tx_hash as hash, count(*) as payouts
      from (select tx_hash from withdrawals where status = 'completed' and tx_hash is not null
            union all select tx_hash from refunds where status = 'completed') paid
     group by tx_hash having count(*) > 1`.execute(db);
  return rows.map(({ hash, payouts }) => `${hash} completed ${payouts} payouts`);
}

type Story = {
  id: string;
  status: string;
  cancelled: boolean;
  sequence: number;
  events: string | null;
  audit: string | null;
};

/** The events that lead a refund to each state, besides its claims: there may be none or many. */
const STORIES_OF_REFUNDS: Readonly<Record<string, readonly string[]>> = {
  awaiting_claim: ['created'],
  pending: ['created'],
  processing: ['created processing'],
  completed: ['created completed', 'created processing completed'],
  cancelled: ['created cancelled'],
  failed: ['created failed', 'created processing failed'],
};

/** The events that lead a withdrawal to each state. */
const STORIES: Readonly<Record<string, readonly string[]>> = {
  pending: ['created'],
  approved: ['created approved'],
  processing: ['created approved processing'],
  completed: ['created approved completed', 'created approved processing completed'],
  rejected: ['created rejected'],
  failed: ['created approved failed', 'created approved processing failed'],
};

const VERBS: Readonly<Record<string, Verb>> = {
  created: 'create',
  approved: 'approve',
  processing: 'process',
  completed: 'complete',
  failed: 'fail',
  rejected: 'reject',
  cancelled: 'cancel',
};

/**
 * Checks that every withdrawal and refund was announced and audited step by step, once each, and that all answers to
 * clients are among those steps.
 */
async function judgeStories(db: Db, deeds: readonly Deed[]): Promise<string[]> {
  const answered = Map.groupBy(deeds, ({ id }) => id);
  const stories = await readStories(db);
  const faults = stories.flatMap((story) => judgeStory(story, answered.get(story.id) ?? []));
  const known = new Set(stories.map(({ id }) => id));
  return [
    ...faults,
    ...[...answered.keys()]
      .filter((id) => !known.has(id))
      .map((id) => `a client got an answer about ${id}, which does not exist`),
  ];
}

function judgeStory({ id, status, cancelled, sequence, events, audit }: Story, deeds: readonly Deed[]): string[] {
  const happened = (events ?? '').split(' ');
  const isRefund = id.startsWith('rfd_');
  const told = happened.filter((event) => event !== 'pending');
  const done = told.map((event) => (event === 'rejected' && cancelled ? 'cancel' : VERBS[event])).sort();
  const faults: string[] = [];
  const stories = isRefund ? STORIES_OF_REFUNDS : STORIES;
  const isStory = stories[status]?.includes(told.join(' ')) && sequence === happened.length;
  if (!isStory) faults.push(`${id} is ${status} after ${sequence} events: ${events}`);
  if ((audit ?? '') !== done.join(' ')) faults.push(`${id} went through ${done.join(' ')} and is audited as ${audit}`);
  const verbs = deeds.map(({ verb }) => verb);
  if (!verbs.includes('create')) faults.push(`no client got an answer about ${id}`);
  const untrue = verbs.filter((verb, index) => !done.includes(verb) || verbs.indexOf(verb) !== index);
  return [
    ...faults,
    ...untrue.map((verb) => `${id}: a client was answered ${verb}, which never happened or was answered before`),
  ];
}

async function readStories(db: Db): Promise<Story[]> {
  const { rows } = await sql<Story>`
    select w.*,
           (select string_agg(regexp_replace(e.type, '.*[.]', ''), ' ' order by e.sequence) from events e
             where e.resource_id = w.id) as events,
           (select string_agg(regexp_replace(a.action, '.*[.]', ''), ' ' order by regexp_replace(a.action, '.*[.]', ''))
              from audit_log a where a.resource_id = w.id and a.action = any (${AUDITED}::text[])) as audit
      from (select id, status, cancelled, event_sequence as sequence from withdrawals
            union all select id, status, false, event_sequence from refunds) w`.execute(db);
  return rows;
}

const AUDITED = ['withdrawal', 'refund'].flatMap((kind) => [...Object.values(VERBS)].map((verb) => `${kind}.${verb}`));
