/**
 * Verifies the audit log: every entry unchanged, in its place and under a signed checkpoint. Exits with 0 if so, and
 * with 1 after naming the first entry that is not.
 */
import { parseArgs } from 'node:util';
import { CHECKPOINT_PURPOSE, type ChainHead } from '../src/audit/chain.ts';
import { verifyAudit } from '../src/audit/verify.ts';
import type { Config } from '../src/config.ts';
import { deriveSecret } from '../src/lib/derive.ts';
import { signingKey } from '../src/lib/standard-webhooks.ts';
import { findMasterKey } from '../src/sandbox/secrets.ts';
import { Refusal, runOnDatabase } from './lib/connection.ts';

const USAGE = `Usage: npm run audit:verify [-- [--key <public key>] [<sequence>:<hash>]]
  --key  the public key that signs, as an earlier run told it, for whoever has no master key
  an entry that you remember, as an earlier run told it: everything up to it must still be there`;

await runOnDatabase(async ({ db, config }) => {
  const { key, known } = readArguments();
  const keys = key ? [key] : ownKeys(config);
  const { finding, head, checkpoints } = await verifyAudit(db, { keys, ...(known && { known }) });
  const checked = `${head.sequence} entries and ${checkpoints} checkpoints were checked`;
  if (finding) {
    const names = [
      finding.sequence,
      finding.entryId && (finding.sequence === null ? finding.entryId : `(${finding.entryId})`),
    ];
    console.log(`entry ${names.filter((name) => name !== null).join(' ')} ${finding.message}`);
    console.log(`not proven beyond that: ${checked}`);
    process.exitCode = 1;
    return;
  }
  console.log(`nothing is wrong: ${checked}`);
  console.log(`signed by ${keys[0]?.toString('base64')}`);
  if (head.sequence === 0n) return;
  console.log(
    `Keep this where nobody who can write the database can: whoever gives it to the next run will see a removed end.`,
  );
  console.log(`${head.sequence}:${head.hash.toString('hex')}`);
});

function readArguments(): { readonly key?: Buffer; readonly known?: ChainHead } {
  try {
    const { values, positionals } = parseArgs({ options: { key: { type: 'string' } }, allowPositionals: true });
    const key = values.key === undefined ? undefined : Buffer.from(values.key, 'base64');
    if (positionals.length > 1 || (key && key.length !== 32)) throw new Refusal(USAGE);
    return { ...(key && { key }), ...(positionals[0] !== undefined && { known: parseHead(positionals[0]) }) };
  } catch {
    throw new Refusal(USAGE);
  }
}

function parseHead(text: string): ChainHead {
  const [, sequence, hash] = /^([1-9]\d{0,17}):([0-9a-f]{64})$/.exec(text) ?? [];
  if (sequence === undefined || hash === undefined) throw new Refusal(USAGE);
  return { sequence: BigInt(sequence), hash: Buffer.from(hash, 'hex') };
}

/** The public keys of the current master key and of earlier ones. */
function ownKeys(config: Config): Buffer[] {
  const present = config.masterKey ?? findMasterKey(config.dataDir);
  if (!present)
    throw new Refusal(
      `There is no master key in ${config.dataDir}. Set MASTER_KEY, or give the public key with --key.`,
    );
  return [present, ...config.masterKeysOld].map(
    (master) => signingKey(deriveSecret(master, CHECKPOINT_PURPOSE)).publicKey,
  );
}
