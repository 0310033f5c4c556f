import { sql } from 'kysely';
import { openIncidents } from '../incidents/incidents.ts';
import type { Trx } from '../lib/db-types.ts';
import { E12, formatUnits, MICRO_DECIMALS, MICRO_PER_CENT, min } from '../lib/money.ts';
import type { CreditRow } from './credits.ts';
import type { Credited } from './swept.ts';

const CENT_E18 = MICRO_PER_CENT * E12;
/** What a transfer to a payment that has so many credits must be worth at least, in dollars at scale 18. */
const CROWDED = { credits: 1_000, floorE18: CENT_E18 };
const OVERRUN = { credits: 10_000, floorE18: 100n * CENT_E18 };

/** How many credits a payment has, counted up to `OVERRUN`, and its amount in dollars at scale 18. */
type Crowd = { credits: number; readonly amountE18: bigint };

/**
 * Those of these transfers that are to be credited; the others are dust and are kept aside, with an incident. `rows`
 * are of one network, not stored yet, and have all such transfers of their transactions. Storing the same dust again
 * changes nothing. See decision payments/dust-is-kept-aside.
 */
export async function withoutDust(trx: Trx, rows: readonly CreditRow[], now: Date): Promise<readonly CreditRow[]> {
  const small = rows.filter(({ value_e18 }) => value_e18 < OVERRUN.floorE18);
  if (small.length === 0) return rows;
  const crowds = await readCrowds(trx, [...new Set(small.map(({ payment_id }) => payment_id))]);
  const [kept, dust]: [CreditRow[], CreditRow[]] = [[], []];
  for (const row of rows) {
    const crowd = crowds.get(row.payment_id);
    if (crowd && row.value_e18 < floorOf(crowd)) dust.push(row);
    else {
      kept.push(row);
      if (crowd) crowd.credits += 1;
    }
  }
  await storeDust(trx, dust, now);
  return kept;
}

/** What pays all that was asked for is never dust. */
function floorOf({ credits, amountE18 }: Crowd): bigint {
  const floor = [OVERRUN, CROWDED].find((each) => credits >= each.credits)?.floorE18 ?? 0n;
  return min(floor, amountE18);
}

async function readCrowds(trx: Trx, paymentIds: readonly string[]): Promise<ReadonlyMap<string, Crowd>> {
  // A payment that was pruned comes back with its first credit.
  const { rows } = await sql<{ id: string; credits: number; amount: bigint }>`
    select i.id, coalesce(p.amount_micro, ${OVERRUN.floorE18 / E12}::bigint) as amount,
           (select count(*)::integer
              from (select from credits c where c.payment_id = i.id limit ${OVERRUN.credits}) known) as credits
      from unnest(${[...paymentIds]}::text[]) as i (id) left join payments p on p.id = i.id`.execute(trx);
  return new Map(rows.map(({ id, credits, amount }) => [id, { credits, amountE18: amount * E12 }]));
}

async function storeDust(trx: Trx, dust: readonly CreditRow[], now: Date): Promise<void> {
  if (dust.length === 0) return;
  const brought = Map.groupBy(dust, ({ tx_hash, recipient, contract }) => `${tx_hash} ${recipient} ${contract}`);
  const rows = [...brought.values()].map((transfers) => {
    const { network, tx_hash, recipient, contract, block_number } = transfers[0] as CreditRow;
    const units = transfers.reduce((sum, { amount_units }) => sum + amount_units, 0n).toString();
    const block = block_number.toString();
    return {
      network,
      tx_hash,
      recipient,
      contract,
      block_number: block,
      transfers: transfers.length,
      units,
      seen_at: now,
    };
  });
  await sql`
    insert into dust
    select * from jsonb_populate_recordset(null::dust, ${JSON.stringify(rows)}::jsonb)
    on conflict (network, tx_hash, recipient, contract) do update
       set block_number = excluded.block_number, transfers = excluded.transfers, units = excluded.units`.execute(trx);
  const payments = [...Map.groupBy(dust, ({ payment_id }) => payment_id)];
  await openIncidents(trx, 'payment.dust', payments.map(describe), now);
}

function describe([paymentId, transfers]: [string, CreditRow[]]) {
  const { network, recipient } = transfers[0] as CreditRow;
  const worth = transfers.reduce((sum, { value_e18 }) => sum + value_e18, 0n) / E12;
  const message = `It has a thousand transfers or more. ${transfers.length} others to ${recipient} on ${network}, worth ${formatUnits(worth, MICRO_DECIMALS)} USD together, were too small to be credited.`;
  return { subject: paymentId, network, message };
}

/** What is kept aside of these deposit addresses, of blocks up to `height`, by address and token. */
export async function sumDust(
  trx: Trx,
  network: string,
  addresses: readonly string[],
  height: number,
): Promise<Credited[]> {
  const { rows } = await sql<Credited>`
    select recipient as address, contract, sum(units)::numeric(78, 0) as units from dust
     where network = ${network} and recipient = any (${[...addresses]}::text[]) and block_number <= ${height}
     group by recipient, contract`.execute(trx);
  return rows;
}

/** A reorg took the blocks above `height`: forgets what was in them. */
export async function dropDust(trx: Trx, network: string, height: number): Promise<void> {
  await trx.deleteFrom('dust').where('network', '=', network).where('block_number', '>', BigInt(height)).execute();
}
