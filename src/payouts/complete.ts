import type { Clock } from '../lib/clock.ts';
import type { Db, Trx } from '../lib/db-types.ts';
import { lockMerchantShared } from '../merchants/queries.ts';
import type { AuditTrail } from '../ports/operation.ts';
import type { AdminPrincipal, AsAdmin } from '../ports/security.ts';
import type { Settings, SettingsReader } from '../settings/settings.ts';
import { hashTaken, isTwin, lostToOthers, type PayoutFacts, verifyPayout } from './check.ts';
import { noteHolders } from './lost-to-others.ts';
import { requireMayBePaid } from './may-be-paid.ts';
import { findMoved, keepMoved, type MoveDeps, type Moved } from './misplaced.ts';
import { type Asked, findNarrowed, keepNarrowed, type Narrowed } from './narrow.ts';
import type { CompleteInput } from './payout.ts';
import { requireTransfers, takeTransfers } from './transfers.ts';

export type CompletionDeps = MoveDeps & {
  readonly clock: Clock;
  readonly settings: Pick<SettingsReader, 'current'>;
  readonly asAdmin: AsAdmin;
  /** Whether two administrators may be one person, who made or took over the account of the other before `asOf`. */
  readonly areLinked: (db: Db | Trx, first: string, second: string, asOf: Date) => Promise<boolean>;
};

/** An administrator's statement that a transaction paid a withdrawal or refund. */
export type Completion = {
  readonly id: string;
  /** As the administrator wrote it. */
  readonly txHash: string;
  readonly notes: string | null;
  readonly principal: AdminPrincipal;
  readonly audit: AuditTrail;
};

/** Keeps what was completed, in the same transaction. */
export type Keep<P> = (trx: Trx, completed: P) => Promise<void>;

/** What is completed, as it was read before, and with which settings. */
export type Completable = {
  readonly merchantId: string;
  readonly network: string;
  /** The hash in the form in which it is compared. */
  readonly txHash: string;
  /** It is in no token. */
  readonly isCoin: boolean;
  /** A bank pays it, and no chain can show it. */
  readonly isByBank: boolean;
  /** What the chain has to show; null: it is not asked. */
  readonly facts: PayoutFacts | null;
  readonly settings: Settings;
};

/**
 * Asks the chain about a payout while no database transaction is open, and has `complete` record it in one that checks
 * again what may have changed: the administrator, the merchant, and which transfers are free. `complete` checks the
 * rest, by the settings of then. Throws CONFLICT for the merchant (`merchant_not_active`), for a transaction that
 * completed another payout (`tx_hash_used`) and for what the chain does not show (`payout_…`), SERVICE_UNAVAILABLE when
 * the chain does not answer, and what `complete` throws.
 */
export async function completePayout<T>(
  deps: CompletionDeps,
  { id, notes, principal, audit }: Completion,
  { merchantId, network, txHash, isCoin, isByBank, facts, settings }: Completable,
  complete: (trx: Trx, input: CompleteInput, settings: Settings) => Promise<T>,
): Promise<T> {
  const place = {
    payoutId: id,
    network,
    txHash,
    destination: facts?.destination ?? null,
    // Whether its network and coin are listed or not: chains with accounts write their hashes so.
    isSentUnseen: isCoin && txHash.startsWith('0x'),
    isByBank,
  };
  const shown = facts && (await verifyPayout(deps, facts, txHash, settings));
  const narrowed = facts && shown && (await findNarrowed(deps, { place, facts, shown, settings }));
  const moved = await requireTransfers(deps.db, place, shown, narrowed ? [narrowed] : []).then(
    () => [],
    (error: unknown) => freeTransfers(deps, facts && shown && { place, facts, shown, settings }, narrowed, error),
  );
  const record = async (trx: Trx): Promise<T> => {
    requireMayBePaid(await lockMerchantShared(trx, merchantId));
    const present = await deps.settings.current();
    // Before any row is locked that two completions could share, or they would wait for each other.
    const transfers = await takeTransfers(trx, place, shown, async () => {
      if (narrowed) await keepNarrowed(trx, deps, narrowed, { txHash, audit });
      await keepMoved(trx, deps, moved, { txHash, audit });
    });
    const seen = { block: shown?.block ?? null, paidIn: shown?.asset ?? null };
    return complete(trx, { kind: 'complete', by: principal.adminId, notes, txHash, transfers, ...seen }, present);
  };
  return deps.asAdmin(principal, record).catch((error: unknown) => {
    throw isTwin(error) ? hashTaken(network) : error;
  });
}

/**
 * Which payouts have to be moved for this one, to which nothing was free; where none can be, throws that, or what is
 * known of it.
 */
async function freeTransfers(
  deps: CompletionDeps,
  asked: Asked | null,
  narrowed: Narrowed | null,
  error: unknown,
): Promise<readonly Moved[]> {
  if (asked === null) throw error;
  const moved = await findMoved(deps, asked, narrowed);
  if (moved.length > 0) return moved;
  throw (await noteHolders(deps, asked)) ? lostToOthers(asked.place.network) : error;
}
