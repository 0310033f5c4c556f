import { sql } from 'kysely';
import type { Db } from '../../lib/db-types.ts';
import type { Open } from './moves.ts';
import type { AccountRef } from './queries.ts';

const FUNDS = 'operator.funds';
const REFUSED = 'operator.refused';
const COIN_DECIMALS = 18;

/** Tells people that an account of ours can not pay for its transactions, or soon will not; the same one only once. */
export async function openFundsIncident(db: Db, account: AccountRef, balance: bigint, now: Date): Promise<void> {
  const { network, address } = account;
  const message =
    `The operator ${address} has ${inCoins(balance)} of the coin of ${network} left, which is too little for what it has to send: ` +
    'send it some. What waits is sent then.';
  await openIncident(db, FUNDS, subjectOf(account), message, now);
}

/** The account can pay again. */
export async function resolveFundsIncident(db: Db, account: AccountRef, now: Date): Promise<void> {
  await resolve(db, FUNDS, [subjectOf(account)], now);
}

/** Tells people of a transaction that the node does not take: nothing of the account is sent before it is. */
export async function openRefusalIncident(
  db: Db,
  network: string,
  { id }: Open,
  said: string,
  now: Date,
): Promise<void> {
  await openIncident(db, REFUSED, id, `Transaction ${id} of the operator on ${network} is not taken. ${said}`, now);
}

/** These were taken after all. */
export async function resolveRefusals(db: Db, taken: readonly Open[], now: Date): Promise<void> {
  await resolve(
    db,
    REFUSED,
    taken.map(({ id }) => id),
    now,
  );
}

const subjectOf = ({ network, address }: AccountRef): string => `${network} ${address}`;

function inCoins(wei: bigint): string {
  const digits = wei.toString().padStart(COIN_DECIMALS + 1, '0');
  return `${digits.slice(0, -COIN_DECIMALS)}.${digits.slice(-COIN_DECIMALS, -COIN_DECIMALS + 6)}`;
}

async function openIncident(db: Db, kind: string, subject: string, message: string, now: Date): Promise<void> {
  await sql`
    insert into incidents (kind, subject, message, opened_at) values (${kind}, ${subject}, ${message}, ${now})
    on conflict (kind, subject) where resolved_at is null do nothing`.execute(db);
}

async function resolve(db: Db, kind: string, subjects: readonly string[], now: Date): Promise<void> {
  await sql`
    update incidents set resolved_at = ${now}
     where kind = ${kind} and subject = any(${subjects}::text[]) and resolved_at is null`.execute(db);
}
