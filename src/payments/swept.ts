import { type RawBuilder, sql } from 'kysely';
import type { Db, Trx } from '../lib/db-types.ts';
import { piecesOf } from '../lib/pieces-of.ts';
import type { HeldOutput } from '../ports/chain-kind.ts';

/** What has reached the treasury of one token from a deposit address, the last of it in the block at `height`. */
export type Sweep = {
  readonly address: string;
  readonly contract: string;
  readonly units: bigint;
  readonly height: number;
};

/** What one address got of one token, by the credits of blocks up to a height. */
export type Credited = { readonly address: string; readonly contract: string; readonly units: bigint };

/** A credit that was collected into a treasury, and what its transaction brought there. */
export type CollectedCredits = {
  readonly txHash: string;
  readonly contract: string;
  readonly sender: string;
  readonly treasury: string;
  readonly units: bigint;
};

/** Addresses that one statement judges. Each has a thousand credits at most, or those of a release before. */
const JUDGED_MAX = 50;
/** Credits that one statement writes: half a second. Anyone can send an address dust. */
const WRITTEN_MAX = 5000;

/**
 * Notes which credits of these deposit addresses, of blocks up to `height`, have reached the treasury: the oldest, as
 * far as all that was ever swept covers them. Anyone can cause a transfer of nothing or of a part, so a transfer alone
 * says little. Takes back what was noted without being covered. Repeating it changes nothing.
 */
export async function markSwept(
  trx: Trx,
  network: { readonly name: string; readonly kind: string },
  { addresses, sweeps, height }: { addresses: readonly string[]; sweeps: readonly Sweep[]; height: number },
  now: Date,
): Promise<void> {
  const sweepsBy = Map.groupBy(sweeps, ({ address }) => address);
  for (const some of piecesOf(addresses, JUDGED_MAX)) {
    const theirs = some.flatMap((address) => sweepsBy.get(address) ?? []);
    await setSwept(trx, await listWronglyNoted(trx, network, some, theirs, height), now);
  }
}

type Noted = { readonly id: string; readonly covered: boolean };

/** The credits of these addresses that are noted as swept and are not covered by the sweeps, or the other way round. */
async function listWronglyNoted(
  trx: Trx,
  network: { readonly name: string; readonly kind: string },
  addresses: readonly string[],
  sweeps: readonly Sweep[],
  height: number,
): Promise<Noted[]> {
  const sums = JSON.stringify(sweeps.map((sweep) => ({ ...sweep, units: sweep.units.toString() })));
  const { rows } = await sql<Noted>`
    with credited as (
      select c.id, c.recipient, c.contract, c.block_number, c.swept_at, sum(c.amount_units) over (
               partition by c.recipient, c.contract order by c.block_number, c.tx_hash, c.transfer_index, c.id) as units
        from deposit_addresses d join credits c on c.payment_id = d.payment_id and c.recipient = d.address
       where d.kind = ${network.kind} and d.address = ${anyOf(addresses)}
         and c.network = ${network.name} and c.canonical and c.block_number <= ${height}),
    judged as (
      select d.id, d.swept_at, coalesce(d.units <= s.units and d.block_number <= s.height, false) as covered
        from credited d left join jsonb_to_recordset(${sums}::jsonb)
             as s (address text, contract text, units numeric, height bigint)
          on s.address = d.recipient and s.contract = d.contract)
    select id, covered from judged where covered <> (swept_at is not null)`.execute(trx);
  return rows;
}

/** In pieces: a statement has its time. */
async function setSwept(trx: Trx, credits: readonly Noted[], now: Date): Promise<void> {
  for (const some of piecesOf(credits, WRITTEN_MAX)) {
    await sql`
      update credits c set swept_at = case when n.covered then ${now}::timestamptz end
        from unnest(${some.map(({ id }) => id)}::text[], ${some.map(({ covered }) => covered)}::boolean[])
             as n (id, covered)
       where c.id = n.id`.execute(trx);
  }
}

/** Where there may be money that has not reached a treasury: recipients above `after`, in their order. */
export async function listUnswept(db: Db, network: string, after: string, limit: number): Promise<string[]> {
  // In these words the partial index answers by itself, whatever was ever swept.
  const { rows } = await sql<{ recipient: string }>`
    select distinct recipient from credits
     where network = ${network} and canonical and swept_at is null and recipient > ${after}
     order by recipient limit ${limit}`.execute(db);
  return rows.map(({ recipient }) => recipient);
}

/** A deposit address by its payment, and what was credited there and is not known to have been swept. */
export type Deposit = {
  readonly paymentId: string;
  readonly address: string;
  readonly factory: string;
  readonly units: bigint;
};

/**
 * Whether a payment `p` offers the coin and could still receive it at `at`: it is not over, or its late window has not
 * passed. Its address is not to be swept then: sweeping leaves a contract there, after which a plain transfer with
 * 21,000 gas fails.
 */
const mayGetCoin = (at: Date): RawBuilder<boolean> =>
  sql<boolean>`(p.options @> '[{"token": "ETH"}]' and (p.status not in ('paid', 'failed', 'expired')
    or p.expires_at + p.late_window_ms * interval '1 millisecond' > ${at}))`;

/** Those of the payments whose addresses may still be sent the coin at `at`. */
export async function listMayGetCoin(db: Db, paymentIds: readonly string[], at: Date): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select p.id from payments p where p.id = any (${[...paymentIds]}::text[]) and ${mayGetCoin(at)}`.execute(db);
  return rows.map(({ id }) => id);
}

/** What lies on deposit addresses in one token. */
export type Unswept = {
  /** Those with at least the minimum that may be swept, the most money first. */
  readonly sweepable: readonly Deposit[];
  /** Those that hold less than the minimum altogether. */
  readonly small: { readonly addresses: number; readonly units: bigint };
};

/** Addresses that one statement adds up. Each has a thousand credits at most, or those of a release before. */
const SUMMED_MAX = 200;

/**
 * Adds up, address by address, what was credited in a token and not swept. Sweepable is confirmed money that was seen
 * by `before`, without addresses that match `except` (a condition on `c.recipient`). An address to which the coin may
 * still be sent is left out; tokens leave it as soon as the payment is paid.
 */
export async function listUnsweptDeposits(
  db: Db,
  place: { readonly network: string; readonly contract: string },
  { minimum, before }: { readonly minimum: bigint; readonly before: Date },
  except: RawBuilder<boolean>,
): Promise<Unswept> {
  const sweepable: Deposit[] = [];
  const small = { addresses: 0, units: 0n };
  for (let last = ''; ; ) {
    const recipients = await listUnswept(db, place.network, last, SUMMED_MAX);
    for (const { total, ...deposit } of await sumUnswept(db, place, recipients, before, except)) {
      if (deposit.units > 0n && deposit.units >= minimum) sweepable.push(deposit);
      if (total >= minimum) continue;
      small.addresses += 1;
      small.units += total;
    }
    last = recipients.at(-1) ?? last;
    if (recipients.length < SUMMED_MAX) return { sweepable: sweepable.sort(mostFirst), small };
  }
}

const mostFirst = (a: Deposit, b: Deposit): number =>
  a.units === b.units ? (a.paymentId < b.paymentId ? -1 : 1) : a.units > b.units ? -1 : 1;

/** What lies on these addresses: `total`, and `units` of it that may be swept. */
async function sumUnswept(
  db: Db,
  { network, contract }: { readonly network: string; readonly contract: string },
  recipients: readonly string[],
  before: Date,
  except: RawBuilder<boolean>,
): Promise<(Deposit & { readonly total: bigint })[]> {
  // What leaves an address out is asked once an address, not once a credit.
  const { rows } = await sql<Deposit & { readonly total: bigint }>`
    select payment_id as "paymentId", recipient as address, factory_address as factory, units, total from (
      select c.payment_id, c.recipient, p.factory_address, sum(c.amount_units)::numeric(78, 0) as total,
             coalesce(sum(c.amount_units) filter (
               where c.confirmed_at is not null and c.seen_at <= ${before}
                 and (not ${mayGetCoin(before)} or (p.status = 'paid' and c.token <> 'ETH'))), 0)::numeric(78, 0)
               as units
        from credits c join payments p on p.id = c.payment_id
       where c.network = ${network} and c.contract = ${contract} and c.canonical and c.swept_at is null
         and c.recipient = ${anyOf(recipients)}
       group by c.payment_id, c.recipient, p.factory_address) as c
     where not ${except}`.execute(db);
  return rows;
}

/** The deposit addresses of a kind that belong to payments with ids above `after`, in the order of the payments. */
export async function listDepositAddresses(
  db: Db,
  kind: string,
  after: string,
  limit: number,
): Promise<{ readonly address: string; readonly paymentId: string }[]> {
  return await db
    .selectFrom('deposit_addresses')
    .select(['address', 'payment_id as paymentId'])
    .where('kind', '=', kind)
    .where('payment_id', '>', after)
    .orderBy('payment_id')
    .limit(limit)
    .execute();
}

/** Those of the addresses that are deposit addresses. */
export async function findDepositAddresses(
  db: Db | Trx,
  kind: string,
  addresses: readonly string[],
): Promise<string[]> {
  const rows = await db
    .selectFrom('deposit_addresses')
    .select('address')
    .where('kind', '=', kind)
    .where('address', '=', anyOf(addresses))
    .execute();
  return rows.map(({ address }) => address);
}

/** What the credits of blocks up to `height` come to, by address and token. Other addresses are left out. */
export async function sumCredited(
  trx: Trx,
  network: { readonly name: string; readonly kind: string },
  addresses: readonly string[],
  height: number,
): Promise<Credited[]> {
  const { rows } = await sql<Credited>`
    select c.recipient as address, c.contract, sum(c.amount_units)::numeric(78, 0) as units
      from deposit_addresses d join credits c on c.payment_id = d.payment_id and c.recipient = d.address
     where d.kind = ${network.kind} and d.address = ${anyOf(addresses)}
       and c.network = ${network.name} and c.canonical and c.block_number <= ${height}
     group by c.recipient, c.contract`.execute(trx);
  return rows;
}

/**
 * What was collected straight into these treasuries by transactions above `after`, in their order, as far as it is not
 * known yet that it arrived there. Confirmed credits only.
 */
export async function listCollected(
  db: Db,
  network: string,
  treasuries: readonly string[],
  after: string,
  limit: number,
): Promise<CollectedCredits[]> {
  const { rows } = await sql<CollectedCredits>`
    with found as (
      select distinct tx_hash from credits
       where network = ${network} and canonical and swept_at is null and confirmed_at is not null
         and recipient = ${anyOf(treasuries)} and tx_hash > ${after}
       order by tx_hash limit ${limit})
    select c.tx_hash as "txHash", c.contract, c.sender, c.recipient as treasury,
           sum(c.amount_units)::numeric(78, 0) as units
      from credits c join found f on f.tx_hash = c.tx_hash
     where c.network = ${network} and c.canonical and c.recipient = ${anyOf(treasuries)}
     group by c.tx_hash, c.contract, c.sender, c.recipient order by c.tx_hash`.execute(db);
  return rows;
}

/** What was collected straight into these treasuries in the blocks above `after` up to `to`, by token. */
export async function sumCollected(
  db: Db,
  network: string,
  treasuries: readonly string[],
  blocks: { readonly after: number; readonly to: number },
): Promise<{ readonly contract: string; readonly units: bigint }[]> {
  const { rows } = await sql<{ contract: string; units: bigint }>`
    select contract, sum(amount_units)::numeric(78, 0) as units from credits
     where network = ${network} and canonical and block_number > ${blocks.after} and block_number <= ${blocks.to}
       and recipient = ${anyOf(treasuries)} group by contract`.execute(db);
  return rows;
}

/** Notes that what these transactions collected has reached the treasuries. */
export async function markCollected(
  trx: Trx,
  network: string,
  treasuries: readonly string[],
  txHashes: readonly string[],
  now: Date,
): Promise<void> {
  const { rows } = await sql<Noted>`
    select id, true as covered from credits
     where network = ${network} and tx_hash = ${anyOf(txHashes)} and recipient = ${anyOf(treasuries)}
       and canonical and swept_at is null`.execute(trx);
  await setSwept(trx, rows, now);
}

/** Notes that the platform's wallet has spent the outputs of these credits. */
export async function markSpent(db: Db, credits: readonly string[], now: Date): Promise<void> {
  if (credits.length === 0) return;
  await db
    .updateTable('credits')
    .set({ swept_at: now })
    .where('id', '=', anyOf(credits))
    .where('swept_at', 'is', null)
    .execute();
}

/** Notes that the outputs of these credits lie there after all: a reorg took what had spent them, or it was a lie. */
export async function markUnspent(db: Db, credits: readonly string[]): Promise<void> {
  if (credits.length === 0) return;
  await db.updateTable('credits').set({ swept_at: null }).where('id', '=', anyOf(credits)).execute();
}

/** What was credited on networks other than these and is not known to have reached a treasury. */
export async function sumElsewhere(
  db: Db,
  networks: readonly string[],
): Promise<{ readonly network: string; readonly token: string; readonly credits: bigint; readonly micro: bigint }[]> {
  const { rows } = await sql<{ network: string; token: string; credits: bigint; micro: bigint }>`
    select network, token, count(*) as credits, coalesce(sum(booked_micro), 0)::bigint as micro from credits
     where canonical and swept_at is null and network <> all (${[...networks]}::text[])
     group by network, token order by network, token`.execute(db);
  return rows;
}

/** The lowest block that ever held a credit of a network; undefined when there is none. */
export async function findFirstCredit(db: Db, network: string): Promise<number | undefined> {
  const row = await db
    .selectFrom('credits')
    .select('block_number')
    .where('network', '=', network)
    .where('canonical', '=', true)
    .orderBy('block_number')
    .limit(1)
    .executeTakeFirst();
  return row && Number(row.block_number);
}

const anyOf = (texts: readonly string[]): RawBuilder<string> => sql<string>`any (${[...texts]}::text[])`;

/** The largest confirmed outputs of a network that are not known to be spent. */
export async function listHeldOutputs(db: Db, network: string, limit: number): Promise<HeldOutput[]> {
  const { rows } = await sql<HeldOutput>`
    select payment_id as "paymentId", tx_hash as "txHash", transfer_index as index, amount_units as units
      from credits
     where network = ${network} and canonical and swept_at is null and confirmed_at is not null
     order by amount_units desc, tx_hash, transfer_index limit ${limit}`.execute(db);
  return rows;
}

/** What lies on outputs of blocks up to `height` that are not known to be spent, by coin. */
export async function sumUnspent(
  db: Db,
  network: string,
  height: number,
): Promise<{ readonly token: string; readonly decimals: number; readonly units: bigint }[]> {
  const { rows } = await sql<{ token: string; decimals: number; units: bigint }>`
    select token, decimals, sum(amount_units)::numeric(78, 0) as units from credits
     where network = ${network} and canonical and swept_at is null and block_number <= ${height}
     group by token, decimals order by token`.execute(db);
  return rows;
}
