import { CHECKPOINT_PURPOSE, type ChainHead } from '../audit/chain.ts';
import { verifyAudit } from '../audit/verify.ts';
import { type Copying, withCopying } from '../db/copying.ts';
import { withDatabase } from '../db/database.ts';
import { migrate, migrationNames } from '../db/migrate.ts';
import { type Claim, findIdentityProblems } from '../deployment/identity.ts';
import { hold } from '../deployment/restored.ts';
import { deriveSecret } from '../lib/derive.ts';
import type { KeyRing } from '../lib/envelope.ts';
import { signingKey } from '../lib/standard-webhooks.ts';
import { reconcile } from '../reconcile/reconcile.ts';
import type { Progress } from './dump.ts';
import type { Manifest, Summary } from './frames.ts';
import { load } from './load.ts';
import { checkBackup, openBackup } from './read-file.ts';
import { BackupRefusal } from './refusal.ts';
import type { Header } from './sealed-file.ts';
import { finishTarget, takeTarget } from './target.ts';

export type RestoreOptions = {
  /** Of the role that owns the tables of the empty database. */
  readonly ownerUrl: string;
  /** The application's role, which gets its rights; undefined where the owner is that, too. */
  readonly appRole: string | undefined;
  readonly file: string;
  /** Of BACKUP_KEY. */
  readonly ring: KeyRing;
  /** What the caller says that the copy is of. */
  readonly claim: Claim;
  readonly onStep?: (step: string) => void;
  readonly onTable?: Progress;
};

export type Restored = {
  readonly header: Header;
  readonly manifest: Manifest;
  readonly summary: Summary;
  /** An earlier restore of the file had come so far already, and nothing was loaded by this one. */
  readonly wasWhole: boolean;
};

/**
 * Brings a backup into an empty database, and leaves it held: nothing starts there until it is released. All of the
 * file is proven before the database is touched. Killed at any moment, it leaves a database on which nothing starts,
 * and which the next restore empties, or finds whole. Throws BackupRefusal.
 */
export async function restoreBackup(options: RestoreOptions): Promise<Restored> {
  const { ownerUrl, appRole, file, ring, claim, onStep = () => undefined } = options;
  const { header, manifest, summary } = await checkBackup(file, ring, {
    onOpen: () => onStep('The file is being read and proven.'),
    ...(options.onTable && { onTable: options.onTable }),
  });
  refuseOther(header, claim);
  refuseNewer(manifest);
  const wasWhole = await withCopying(ownerUrl, 'kasi-restore', async (db) => {
    const isWhole = (await takeTarget(db, header.id)) === 'whole';
    if (isWhole) onStep('The database holds this copy already, whole: nothing is loaded.');
    else await fill(db, { header, manifest }, options);
    onStep('The schema is brought up to this release.');
    await migrate(ownerUrl, appRole);
    await db.query('analyze');
    if (!isWhole) await finishTarget(db);
    return isWhole;
  });
  return { header, manifest, summary, wasWhole };
}

async function fill(
  db: Copying,
  { header, manifest }: Pick<Restored, 'header' | 'manifest'>,
  { ownerUrl, file, ring, onStep = () => undefined, onTable = () => undefined }: RestoreOptions,
): Promise<void> {
  onStep(`The schema is made, up to ${header.head}.`);
  await migrate(ownerUrl, undefined, new Set(manifest.migrations));
  onStep('The rows are loaded and read again.');
  const contents = await openBackup(file, ring);
  if (contents.header.id !== header.id)
    throw new BackupRefusal('The file became another one meanwhile: run this again.');
  const within = () => hold(db, { fileId: header.id, takenAt: new Date(header.takenAt) });
  await load(db, contents, { onTable, within });
}

function refuseOther({ deployment, mode }: Header, claim: Claim): void {
  if (mode !== claim.mode) {
    throw new BackupRefusal(
      `It is of a deployment in ${mode} mode, and KASI_MODE says ${claim.mode}: set KASI_MODE=${mode}.`,
    );
  }
  if (claim.id !== null && claim.id !== deployment) {
    throw new BackupRefusal(
      `It is of the deployment "${deployment}", and DEPLOYMENT_ID is "${claim.id}": set DEPLOYMENT_ID=${deployment}. A copy that ` +
        'shall stand beside the original gets its own name afterwards, by npx kasi deployment adopt.',
    );
  }
}

function refuseNewer({ migrations }: Manifest): void {
  const own = new Set(migrationNames());
  const strange = migrations.filter((name) => !own.has(name));
  if (strange.length === 0) return;
  throw new BackupRefusal(
    `It was taken by a newer release, up to ${strange.at(-1)}: restore it with that release, or a newer one.`,
  );
}

/** What was proven of a restored copy, and what was found to be wrong. */
export type Proof = { readonly lines: readonly string[]; readonly faults: readonly string[] };

export type ProofOptions = {
  readonly claim: Claim;
  readonly masters: readonly Buffer[];
  readonly witness: string | null;
  /** Told again and again how far it is. */
  readonly onProgress?: (done: string) => void;
};

/** Proves the copy as the owner: whose it is, that its books agree, and that its audit log is the one of then. */
export async function proveCopy(
  ownerUrl: string,
  { claim, masters, witness, onProgress = () => undefined }: ProofOptions,
): Promise<Proof> {
  return withDatabase(ownerUrl, 'kasi-restore', async (db) => {
    const identity = await findIdentityProblems(db, claim, 'reads');
    const { payments, credits, withdrawals, refunds, charges, entries, ...books } = await reconcile(db, { onProgress });
    const unlisted = books.wrong - books.findings.length;
    const parts = [
      { fine: claim.ring ? 'MASTER_KEY opens it' : 'MASTER_KEY is not set: not tried', faults: identity },
      {
        fine: `the books agree: ${payments} payments, ${credits} transfers, ${withdrawals} withdrawals, ${refunds} refunds, ${charges} charges, ${entries} ledger entries and all totals`,
        faults: [
          ...books.findings.map(({ rule, subject, message }) => `${rule}: ${subject}: ${message}`),
          ...(unlisted > 0 ? [`and ${unlisted} more things, which npx kasi reconcile names`] : []),
        ],
      },
      await proveAudit(db, { masters, witness, onProgress }),
    ];
    return {
      lines: parts.filter(({ faults }) => faults.length === 0).map(({ fine }) => fine),
      faults: parts.flatMap(({ faults }) => faults),
    };
  });
}

type AuditProof = Required<Omit<ProofOptions, 'claim'>>;

async function proveAudit(db: Parameters<typeof verifyAudit>[0], { masters, witness, onProgress }: AuditProof) {
  if (masters.length === 0) return { fine: 'the audit log was not verified, which needs MASTER_KEY', faults: [] };
  const keys = masters.map((master) => signingKey(deriveSecret(master, CHECKPOINT_PURPOSE)).publicKey);
  const known = witness === null ? undefined : parseWitness(witness);
  const { finding, head, checkpoints } = await verifyAudit(db, {
    ...{ keys, onProgress, unsealedIsFine: true },
    ...(known && { known }),
  });
  return {
    fine: `the audit log is whole: ${head.sequence} entries and ${checkpoints} checkpoints, up to the one that was newest then`,
    faults: finding ? [`audit: entry ${finding.sequence ?? finding.entryId} ${finding.message}`] : [],
  };
}

function parseWitness(text: string): ChainHead {
  const [sequence = '0', hash = ''] = text.split(':');
  return { sequence: BigInt(sequence), hash: Buffer.from(hash, 'hex') };
}
