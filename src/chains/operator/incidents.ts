import { followIncident, resolveIncidents } from '../../incidents/incidents.ts';
import type { Db } from '../../lib/db-types.ts';
import type { AccountRef } from './queries.ts';
import type { Open } from './transitions.ts';

const COIN_DECIMALS = 18;

/** Opens an incident: an account of ours cannot pay for its transactions, or soon will not be able to. */
export async function openFundsIncident(db: Db, account: AccountRef, balance: bigint, now: Date): Promise<void> {
  const { network, address } = account;
  const message =
    `The operator ${address} has ${inCoins(balance)} of the coin of ${network} left, which is too little for what it has to send: ` +
    'send it some. What waits is sent then.';
  await followIncident(db, { kind: 'operator.funds', subject: subjectOf(account), network, message }, now);
}

/** Resolves the incident: the account can pay again. */
export async function resolveFundsIncident(db: Db, account: AccountRef, now: Date): Promise<void> {
  await resolveIncidents(db, 'operator.funds', [subjectOf(account)], now);
}

/** Opens an incident: the node refuses a transaction, and nothing else of the account is sent before it. */
export async function openRefusalIncident(
  db: Db,
  network: string,
  { id }: Open,
  said: string,
  now: Date,
): Promise<void> {
  const message = `Transaction ${id} of the operator on ${network} is not taken. ${said}`;
  await followIncident(db, { kind: 'operator.refused', subject: id, network, message }, now);
}

/** Resolves the incidents of transactions that a node has taken. */
export async function resolveRefusals(db: Db, taken: readonly Open[], now: Date): Promise<void> {
  await resolveIncidents(
    db,
    'operator.refused',
    taken.map(({ id }) => id),
    now,
  );
}

const subjectOf = ({ network, address }: AccountRef): string => `${network} ${address}`;

function inCoins(wei: bigint): string {
  const digits = wei.toString().padStart(COIN_DECIMALS + 1, '0');
  return `${digits.slice(0, -COIN_DECIMALS)}.${digits.slice(-COIN_DECIMALS, -COIN_DECIMALS + 6)}`;
}
