import { sql } from 'kysely';
import { updateIncident } from '../incidents/incidents.ts';
import type { Trx } from '../lib/db-types.ts';
import { E12, formatMicro, MICRO_PER_CENT, min } from '../lib/money.ts';
import { piecesOf } from '../lib/pieces-of.ts';
import type { CreditRow } from './credits.ts';
import type { Credited } from './swept.ts';

const CENT_E18 = MICRO_PER_CENT * E12;
/** What a transfer to a payment that has so many credits must be worth at least, in dollars at scale 18. */
const CROWDED = { credits: 1_000, floorE18: CENT_E18 };
const OVERRUN = { credits: 10_000, floorE18: 100n * CENT_E18 };

/** How many credits a payment has, and what they and the amount are worth, at scale 18; less what may be missing. */
type Crowd = { credits: number; arrivedE18: bigint; readonly neededE18: bigint };

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
      if (!crowd) continue;
      crowd.credits += 1;
      crowd.arrivedE18 += row.value_e18;
    }
  }
  await storeDust(trx, dust, now);
  return kept;
}

/** What pays all that is lacking is never dust. */
function floorOf({ credits, arrivedE18, neededE18 }: Crowd): bigint {
  const floor = [OVERRUN, CROWDED].find((each) => credits >= each.credits)?.floorE18 ?? 0n;
  const lacking = neededE18 - arrivedE18;
  return min(floor, lacking > 0n ? lacking : neededE18);
}

/** Payments of one statement: each may have thousands of credits, and a statement has its time. */
const COUNTED_MAX = 50;

/** Of credits that a reorg took none: where their transfers come again, they are what takes their places. */
async function readCrowds(trx: Trx, paymentIds: readonly string[]): Promise<ReadonlyMap<string, Crowd>> {
  const crowds = new Map<string, Crowd>();
  for (const some of piecesOf(paymentIds, COUNTED_MAX)) {
    // A payment that was pruned comes back with its first credit.
    const { rows } = await sql<{ id: string; credits: number; arrived: bigint; needed: bigint }>`
      select i.id, known.credits, known.arrived,
             (coalesce(p.amount_micro - p.tolerance_micro, ${OVERRUN.floorE18 / E12}::bigint)
               * ${E12}::numeric)::numeric(96, 0) as needed
        from unnest(${some}::text[]) as i (id)
        left join payments p on p.id = i.id cross join lateral (
          select count(*)::integer as credits,
                 coalesce(sum(c.value_e18) filter (where c.counted is not false), 0)::numeric(96, 0) as arrived
            from credits c where c.payment_id = i.id and c.canonical) known`.execute(trx);
    for (const { id, credits, arrived, needed } of rows)
      crowds.set(id, { credits, arrivedE18: arrived, neededE18: needed });
  }
  return crowds;
}

/** An incident names so many payments. */
const NAMED_MAX = 50;

async function storeDust(trx: Trx, dust: readonly CreditRow[], now: Date): Promise<void> {
  const [first] = dust;
  if (first === undefined) return;
  const brought = Map.groupBy(dust, ({ tx_hash, recipient, contract }) => `${tx_hash} ${recipient} ${contract}`);
  const rows = [...brought.values()].map((transfers) => {
    const { network, tx_hash, recipient, contract, block_number } = transfers[0] as CreditRow;
    return {
      ...{ network, tx_hash, recipient, contract, block_number: block_number.toString(), seen_at: now },
      ...{ transfers: transfers.length, units: sumOf(transfers, 'amount_units').toString() },
      value_e18: sumOf(transfers, 'value_e18').toString(),
    };
  });
  await sql`
    insert into dust
    select * from jsonb_populate_recordset(null::dust, ${JSON.stringify(rows)}::jsonb)
    on conflict (network, tx_hash, recipient, contract) do update
       set block_number = excluded.block_number, transfers = excluded.transfers, units = excluded.units,
           value_e18 = excluded.value_e18`.execute(trx);
  const worth = (transfers: readonly CreditRow[]) => formatMicro(sumOf(transfers, 'value_e18') / E12);
  const payments = [...Map.groupBy(dust, ({ payment_id }) => payment_id)];
  const message = `${dust.length} transfers to ${payments.length} payments, worth ${worth(dust)} USD together, were too small to be credited; the last of them in block ${first.block_number}.`;
  const detail = payments
    .slice(0, NAMED_MAX)
    .map(([payment, transfers]) => ({ payment, transfers: transfers.length, worth: worth(transfers) }));
  await updateIncident(trx, { kind: 'payment.dust', subject: first.network, message, detail }, now);
}

const sumOf = (transfers: readonly CreditRow[], what: 'amount_units' | 'value_e18'): bigint =>
  transfers.reduce((sum, transfer) => sum + transfer[what], 0n);

/**
 * Forgets what is kept aside of these tokens of these transactions in these blocks: they are read again. Another list
 * of tokens may have more of them.
 */
export async function forgetDust(trx: Trx, rows: readonly CreditRow[]): Promise<void> {
  const [first] = rows;
  if (first === undefined) return;
  const read = [...new Map(rows.map((row) => [`${row.tx_hash} ${row.contract} ${row.block_number}`, row])).values()];
  await sql`
    delete from dust d using unnest(
        ${read.map(({ tx_hash }) => tx_hash)}::text[], ${read.map(({ contract }) => contract)}::text[],
        ${read.map(({ block_number }) => block_number.toString())}::bigint[]) as r (tx_hash, contract, block_number)
     where d.network = ${first.network} and d.tx_hash = r.tx_hash and d.contract = r.contract
       and d.block_number = r.block_number`.execute(trx);
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
