import { sql } from 'kysely';
import type { Reader } from '../../chains/evm/client.ts';
import { mandateWords } from '../../chains/evm/collector.ts';
import { readMandateState } from '../../chains/evm/collector-reader.ts';
import type { EvmNetwork } from '../../chains/evm/network.ts';
import { createOperatorNode } from '../../chains/evm/operator-node.ts';
import type { Db } from '../../lib/db-types.ts';
import type { Network } from '../../ports/chain.ts';
import { onChain } from '../mandates/mandate.ts';
import { findOtherMandates } from '../mandates/queries.ts';
import { COLLECT_PURPOSE } from '../purposes.ts';
import type { Charge, StoredMandate } from '../records.ts';
import { tellUnexplained } from './incidents.ts';

type Hex = `0x${string}`;

/** Where charges are collected, and by which account of ours. */
type BindingPlace = { readonly network: Network; readonly reader: Reader; readonly operator: string };

/** A charge, and a mandate of its subscription that counted before the present one did. */
type Earlier = { readonly charge: Charge; readonly mandate: StoredMandate };

/**
 * Which of these charges must wait, because an earlier mandate of their subscription may have paid for the same period, or still may.
 *
 * The contract takes a number once for each mandate, so nothing but this keeps a period from being taken under two. The rule: a charge is
 * sent under a mandate only when
 * 1. no bytes of ours that charge an earlier mandate of the subscription can be included any more: each such transaction is confirmed as deep
 *    as we count on, or was dropped because another one with its nonce lies that deep;
 * 2. no collection of this number under an earlier mandate stands in a canonical block, whether it was applied or not; and
 * 3. at the newest block the chain has no such number, or a later one, for an earlier mandate; and
 * 4. what the operator has sent since the last block that is counted on is all known. With 3 this is for a database that came back older:
 *    it has forgotten bytes, whether they are in a block by now or are still waiting for one, and has not seen their events.
 *
 * No new bytes for an earlier mandate can come while this is looked at: what is sent is of the mandate that counts, under the lock of the
 * subscription. What is unknown is looked at first, then the bytes, then what the watcher saw, which is committed before anything counts as
 * confirmed. Asks the network, so no transaction may be open; rejects when the node does not answer.
 */
export async function listBound(
  db: Db,
  { network, reader, operator }: BindingPlace,
  charges: readonly Charge[],
  now: Date,
): Promise<ReadonlySet<string>> {
  const earlier = await listEarlier(db, charges);
  if (earlier.length === 0) return new Set();
  if (!(await isAllKnown(db, network, operator))) return new Set(earlier.map(({ charge }) => charge.id));
  const mayCome = await listStillComing(db, earlier);
  const came = await listCollected(db, earlier);
  const unclear = earlier.filter(({ charge: { id } }) => !mayCome.has(id) && !came.has(id));
  const onTheChain = await Promise.all(
    unclear.map(async ({ charge, mandate }) => {
      const { collector, payer, id } = mandate;
      const { lastNumber } = await readMandateState(reader, collector as Hex, payer as Hex, id as Hex);
      if (lastNumber < charge.number) return [];
      await tellUnexplained(db, reader, charge, mandate, now);
      return [charge.id];
    }),
  );
  return new Set([...mayCome, ...came, ...onTheChain.flat()]);
}

/** Whether each nonce that the account has used since the last block that is counted on belongs to a transaction that we have. */
async function isAllKnown(db: Db, network: Network, address: string): Promise<boolean> {
  const cursor = await db
    .selectFrom('chain_cursors')
    .select('confirmed_height as confirmed')
    .where('network', '=', network.name)
    .executeTakeFirst();
  const confirmed = Number(cursor?.confirmed ?? -1);
  if (confirmed < 0) return false;
  const node = createOperatorNode(network as EvmNetwork);
  const [deep, { pending }] = await Promise.all([node.countMinedAt(address, confirmed), node.readCounts(address)]);
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

async function listEarlier(db: Db, charges: readonly Charge[]): Promise<Earlier[]> {
  const others = await findOtherMandates(
    db,
    charges.map(({ subscriptionId }) => subscriptionId),
  );
  return charges.flatMap((charge) =>
    others
      .filter(({ subscriptionId }) => subscriptionId === charge.subscriptionId)
      .map((mandate) => ({ charge, mandate })),
  );
}

/** Those that a transaction of ours that is not final charges by the earlier mandate: its bytes contain the terms, word for word. */
async function listStillComing(db: Db, earlier: readonly Earlier[]): Promise<ReadonlySet<string>> {
  const sent = earlier.filter(({ charge }) => charge.transactionId !== null);
  if (sent.length === 0) return new Set();
  const rows = sent.map(({ charge: { id, network }, mandate }) => ({
    id,
    network,
    words: mandateWords(onChain(mandate)).slice(2),
  }));
  const found = await sql<{ id: string }>`
    with live as materialized (
      select network, id from operator_transactions where status in ('signed', 'sent') and purpose = ${COLLECT_PURPOSE}
      union all
      select network, id from operator_transactions where status = 'mined' and purpose = ${COLLECT_PURPOSE}
    )
    select distinct asked.id
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as asked (id text, network text, words text)
      join live on live.network = asked.network
      join operator_signatures s on s.transaction_id = live.id and s.attempt = 1
     where position(decode(asked.words, 'hex') in s.raw) > 0`.execute(db);
  return new Set(found.rows.map(({ id }) => id));
}

/** Those whose number was collected under the earlier mandate, as far as the watcher has seen. */
async function listCollected(db: Db, earlier: readonly Earlier[]): Promise<ReadonlySet<string>> {
  const rows = earlier.map(({ charge: { id, number }, mandate }) => ({ id, number, mandate: mandate.id }));
  const found = await sql<{ id: string }>`
    select distinct asked.id
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as asked (id text, number bigint, mandate text)
      join collector_events e on e.mandate_id = asked.mandate and e.number = asked.number
     where e.kind = 'collected' and e.canonical`.execute(db);
  return new Set(found.rows.map(({ id }) => id));
}
