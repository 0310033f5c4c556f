import { inTransaction } from '../db/transaction.ts';
import { monotonicMs } from '../lib/clock.ts';
import type { Db, Trx } from '../lib/db-types.ts';
import { StartError } from '../lib/errors.ts';
import type { BlockRef, Confirmations, Matcher, Network, Unlisted } from '../ports/chain.ts';
import type { ChainReader } from '../ports/chain-kind.ts';
import { type Cursor, claimNetwork, findCursor, insertCursor, listKnown } from './cursors.ts';
import type { Known } from './scan.ts';

export type WatcherDeps = {
  readonly db: Db;
  readonly network: Network;
  readonly reader: ChainReader;
  readonly matchers: readonly Matcher[];
  /** How deep a block of the network must lie at present to be confirmed. */
  readonly confirmationsOn: (network: Network) => Promise<Confirmations>;
  /** Business time. */
  readonly now: () => Date;
  /** This process's name among those that watch on the same database. */
  readonly worker: string;
  readonly log: (error: unknown, message: string) => void;
  /** Whether nothing waits on the network at present; absent: something always does. */
  readonly isIdle?: (() => Promise<boolean>) | undefined;
  /** Is told the head of each look at an idle network. */
  readonly sawHead?: ((head: BlockRef) => void) | undefined;
  /** How long the chain's own finality may stand still before an incident opens; 9 minutes by default. */
  readonly finalityLateAfterMs?: number;
  /** What payers may use on the network although its list lacks it; absent: there is nothing. */
  readonly listUnlisted?: ((db: Db | Trx, network: Network) => Promise<Unlisted>) | undefined;
};

/** What a worker knows while it has the lease of a network. */
export type Lease = {
  cursor: Cursor;
  /** Newest first; the first is the cursor. */
  known: readonly Known[];
  renewedAtMs: number;
};

/** The node serves another chain than the one that was scanned. Only another configuration helps. */
export class ForeignChainError extends StartError {
  constructor(message: string) {
    super(message);
    this.name = 'ForeignChainError';
  }
}

/** A new installation starts a little below the head, for payments made while it started. */
const STARTS_BELOW_HEAD = 32;
/** Well within the lease in the database. */
const RENEW_AFTER_MS = 2_000;

/**
 * Claims the lease or renews it; undefined while another worker has it. A worker that did not have it first makes sure
 * that the node serves the chain that was scanned, then reads where the scan stands.
 */
export async function keepLease(deps: WatcherDeps, lease: Lease | undefined): Promise<Lease | undefined> {
  if (lease !== undefined && monotonicMs() - lease.renewedAtMs < RENEW_AFTER_MS) return lease;
  const { db, network, worker } = deps;
  let claimed = await claimNetwork(db, network, worker);
  if (claimed && lease !== undefined) return { ...lease, renewedAtMs: monotonicMs() };
  if (!claimed && (await findCursor(db, network.name)) === undefined) {
    await begin(deps);
    claimed = await claimNetwork(db, network, worker);
  }
  if (!claimed) return undefined;
  await checkChain(db, network, deps.reader);
  const cursor = await findCursor(db, network.name);
  if (cursor === undefined) throw new Error(`${network.name}: the cursor is gone`);
  return { cursor, known: await listKnown(db, network.name), renewedAtMs: monotonicMs() };
}

/**
 * Throws ForeignChainError, whose message names the cure, unless the node serves the configured chain and, if one was
 * scanned before, the same one. Returns the hash of block 0.
 */
export async function checkChain(db: Db, network: Network, reader: Pick<ChainReader, 'identify'>): Promise<string> {
  const { chainId, genesisHash } = await reader.identify();
  if (chainId !== network.chainId) {
    throw new ForeignChainError(
      `The node of network ${network.name} serves chain ${chainId}, not ${network.chainId}: correct its RPC URL.`,
    );
  }
  const cursor = await findCursor(db, network.name);
  if (cursor !== undefined && cursor.genesisHash !== genesisHash) {
    throw new ForeignChainError(
      `The node of network ${network.name} serves another chain than the one that filled this database (block 0 ` +
        'differs): in the sandbox delete the data folder (.kasi), elsewhere correct the RPC URL or the database.',
    );
  }
  return genesisHash;
}

async function begin(deps: WatcherDeps): Promise<void> {
  const { db, network, reader } = deps;
  const genesisHash = await checkChain(db, network, reader);
  const head = await reader.getHead();
  const [block] = await reader.findBlocks([Math.max(0, head.height - STARTS_BELOW_HEAD)]);
  if (block === undefined) throw new Error(`${network.name}: the chain became shorter while it was looked at`);
  await inTransaction(db, (trx) => insertCursor(trx, genesisHash, block));
}
