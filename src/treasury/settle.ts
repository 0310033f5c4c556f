import { listTransactions, type OperatorTransaction } from '../chains/operator/queries.ts';
import { unlessReorganised } from '../chains/unknown-block.ts';
import { inTransaction } from '../db/transaction.ts';
import { resolveIncidents, updateIncident } from '../incidents/incidents.ts';
import type { Trx } from '../lib/db-types.ts';
import { messageOf } from '../lib/errors.ts';
import { assetsOf } from '../ports/assets.ts';
import type { Network } from '../ports/chain.ts';
import { followTreasury, type TreasuryDeps } from './follow.ts';
import { findTreasuryCursor } from './queries.ts';
import { countRefused, finishSweep, giveSweepUp, listOpenSweeps, type OpenSweep } from './sweep-queries.ts';

const SHOWN_MAX = 50;

export type SettleDeps = TreasuryDeps & { readonly log: (error: unknown, message: string) => void };

/**
 * Ends the sweeps whose transactions are confirmed, reverted or dropped: notes what reached the treasury, and opens an
 * incident about deposits that their token would not move. May be repeated and run by several processes.
 */
export async function settleSweeps(deps: SettleDeps, networks: readonly Network[], now: Date): Promise<void> {
  const { db } = deps;
  const open = await listOpenSweeps(db);
  if (open.length === 0) return;
  const transactions = new Map(
    (
      await listTransactions(
        db,
        open.map(({ id }) => id),
      )
    ).map((each) => [each.id as string, each]),
  );
  for (const [name, sweeps] of Map.groupBy(open, (sweep) => sweep.network)) {
    const network = networks.find((each) => each.name === name);
    if (network === undefined) continue;
    const ended = sweeps.filter((sweep) => canEnd(network, sweep, transactions.get(sweep.id)));
    if (ended.length === 0) continue;
    // A node that is away holds up no other network; the next run tries it again.
    try {
      await unlessReorganised(() => settleNetwork(deps, network, ended, transactions, now));
    } catch (error) {
      deps.log(error, `${name}: sweeps could not be settled: ${messageOf(error)}`);
    }
  }
}

async function settleNetwork(
  deps: TreasuryDeps,
  network: Network,
  ended: readonly OpenSweep[],
  transactions: ReadonlyMap<string, OperatorTransaction>,
  now: Date,
): Promise<void> {
  const { db } = deps;
  const { name } = network;
  const watched = (await followTreasury(deps, network, now))?.reader.watched;
  for (const sweep of ended) {
    const transaction = transactions.get(sweep.id);
    if (transaction) await inTransaction(db, (trx) => settle(trx, network, sweep, { transaction, watched, now }));
  }
  if ((await countRefused(db, name)) === 0) await resolveIncidents(db, 'sweep.refused', [name], now);
}

/** What has moved is told by transfers, which this process reads of the assets in its list alone. */
function canEnd(listed: Network, { contract }: OpenSweep, transaction: OperatorTransaction | undefined): boolean {
  if (transaction?.status === 'dropped') return true;
  if (transaction?.status !== 'confirmed') return false;
  return transaction.succeeded !== true || assetsOf(listed).some((asset) => asset.contract === contract);
}

type Settling = {
  readonly transaction: OperatorTransaction;
  /** What this process reads the treasury for; undefined: it doesn't. */
  readonly watched: string | undefined;
  readonly now: Date;
};

async function settle(trx: Trx, listed: Network, sweep: OpenSweep, { transaction, watched, now }: Settling) {
  const { network, contract } = sweep;
  const what = assetsOf(listed).find((asset) => asset.contract === contract)?.symbol ?? `the token ${contract}`;
  const { hash, status, succeeded, block } = transaction;
  if (status === 'dropped') {
    await giveSweepUp(trx, sweep, 'dropped', now);
    return;
  }
  if (succeeded !== true) {
    if (!(await giveSweepUp(trx, sweep, 'reverted', now))) return;
    const message = `Sweep ${hash} of ${what} on ${network} was reverted as a whole; nothing moved.`;
    await updateIncident(trx, { kind: 'sweep.refused', subject: network, message, detail: { hash, contract } }, now);
    return;
  }
  // Its transfers are not read yet, or a process with another list of assets has replaced them: the next run ends it.
  const cursor = await findTreasuryCursor(trx, network, true);
  if (block === null || cursor === undefined || cursor.watched !== watched || block.height > cursor.height) return;
  const refused = await finishSweep(trx, sweep, now);
  if (refused.length === 0) return;
  const message =
    `${refused.length} deposits of ${what} on ${network} stayed where they are although sweep ${hash} went through: ` +
    'it refuses to be moved, or the treasury may not receive it.';
  const detail = { hash, contract, addresses: refused.slice(0, SHOWN_MAX) };
  await updateIncident(trx, { kind: 'sweep.refused', subject: network, message, detail }, now);
}
