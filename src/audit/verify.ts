import { setTimeout as sleep } from 'node:timers/promises';
import type { Db } from '../lib/db-types.ts';
import { type ChainHead, GENESIS } from './chain.ts';
import { type AuditFinding, examineEntry, type Trusted, type Walk } from './examine.ts';
import { countUnsealed, type Ends, findUnchained, readEnds, readPage } from './verify-queries.ts';

export type AuditVerification = {
  readonly finding: AuditFinding | null;
  /** The last entry of the verified part of the chain. */
  readonly head: ChainHead;
  readonly checkpoints: number;
};

export type VerifyOptions = Trusted & {
  /** How long to wait for the sealer, which runs every second. */
  readonly patienceMs?: number;
  /** For a copy that nothing runs on: entries that nobody has sealed yet are no fault there. */
  readonly unsealedIsFine?: boolean;
  readonly pageSize?: number;
  /** Told before each page how far it is. */
  readonly onProgress?: (done: string) => void;
};

const PAGE_SIZE = 1000;
const PATIENCE_MS = 5000;
const POLL_MS = 200;

/**
 * Reads the chain from its beginning, page by page, and stops at the first fault: an entry that is missing from the
 * chain or the log, whose position, hash or content differs from what was sealed, or that no signed checkpoint covers.
 * Then looks for entries that are not in the chain at all. Safe to run while the service writes and seals. What it
 * can't prove: decision audit/a-cut-end-needs-a-witness.
 */
export async function verifyAudit(db: Db, options: VerifyOptions): Promise<AuditVerification> {
  const ends = await readEnds(db);
  const walk: Walk = { head: GENESIS, checkpoints: 0, signed: 0n };
  const finding =
    (await walkChain(db, walk, ends, options)) ??
    examineEnds(walk, ends, options.known) ??
    (await examineRest(db, options));
  return { finding, head: walk.head, checkpoints: walk.checkpoints };
}

async function walkChain(db: Db, walk: Walk, ends: Ends, options: VerifyOptions): Promise<AuditFinding | null> {
  for (;;) {
    options.onProgress?.(`${walk.head.sequence} entries of the audit log were verified`);
    const rows = await readPage(db, walk.head.sequence, ends.chain, options.pageSize ?? PAGE_SIZE);
    if (rows.length === 0) return null;
    for (const row of rows) {
      const finding = examineEntry(walk, row, options);
      if (finding) return finding;
    }
  }
}

/** A batch and its checkpoint are one commit, so chain and checkpoints must end at the same entry. */
function examineEnds(walk: Walk, ends: Ends, known: ChainHead | undefined): AuditFinding | null {
  const next = walk.head.sequence + 1n;
  if (ends.signed > walk.head.sequence) {
    return { sequence: next, entryId: null, message: `is gone: a checkpoint was signed at entry ${ends.signed}` };
  }
  if (known && known.sequence > walk.head.sequence) {
    return { sequence: next, entryId: null, message: `is gone: you know of entry ${known.sequence}` };
  }
  if (walk.signed < walk.head.sequence) {
    const from = walk.signed + 1n;
    return { sequence: from, entryId: null, message: 'is under no checkpoint, nor is what comes after it' };
  }
  return null;
}

async function examineRest(
  db: Db,
  { patienceMs = PATIENCE_MS, unsealedIsFine = false, onProgress }: VerifyOptions,
): Promise<AuditFinding | null> {
  const unchained = await findUnchained(db, (count) => onProgress?.(`${count} entries were looked for in the chain`));
  if (unchained) return { sequence: null, entryId: unchained, message: 'stands in the log, but not in the chain' };
  for (let waitedMs = 0; ; waitedMs += POLL_MS) {
    const { entryId, isWritten, count } = await countUnsealed(db);
    if (entryId === null) return null;
    if (!isWritten) return { sequence: null, entryId, message: 'is gone: it was written, and not yet sealed' };
    if (unsealedIsFine) return null;
    if (waitedMs >= patienceMs) {
      const others = count > 1n ? `, and ${count - 1n} after it` : '';
      return {
        sequence: null,
        entryId,
        message: `waits to be sealed${others}; does a process with the scheduler run?`,
      };
    }
    await sleep(POLL_MS);
  }
}
