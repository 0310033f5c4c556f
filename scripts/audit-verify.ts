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
import { Refusal, runOnDatabase, usage } from './lib/connection.ts';
import { result, say } from './lib/output.ts';
import { sayingSometimes } from './lib/progress.ts';

await runOnDatabase(
  readArguments,
  async ({ db, config }, { key, known }) => {
    const keys = key ? [key] : ownKeys(config);
    const { finding, head, checkpoints } = await verifyAudit(db, {
      ...{ keys, onProgress: sayingSometimes() },
      ...(known && { known }),
    });
    const checked = `${head.sequence} entries and ${checkpoints} checkpoints were checked`;
    result({
      finding,
      head: { sequence: head.sequence, hash: head.hash.toString('hex') },
      checkpoints,
      publicKey: keys[0]?.toString('base64'),
    });
    if (finding) {
      const names = [
        finding.sequence,
        finding.entryId && (finding.sequence === null ? finding.entryId : `(${finding.entryId})`),
      ];
      say(`entry ${names.filter((name) => name !== null).join(' ')} ${finding.message}`);
      say(`not proven beyond that: ${checked}`);
      process.exitCode = 1;
      return;
    }
    say(`nothing is wrong: ${checked}`);
    say(`signed by ${keys[0]?.toString('base64')}`);
    if (head.sequence === 0n) return;
    say(
      `Keep this out of reach of those who can write the database. Given to the next run, it shows an end that was removed.`,
    );
    say(`${head.sequence}:${head.hash.toString('hex')}`);
  },
  'reads',
);

function readArguments(args: readonly string[]): { readonly key?: Buffer; readonly known?: ChainHead } {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      options: { key: { type: 'string' } },
      allowPositionals: true,
    });
    const key = values.key === undefined ? undefined : Buffer.from(values.key, 'base64');
    if (positionals.length > 1 || (key && key.length !== 32)) throw usage('audit verify');
    return { ...(key && { key }), ...(positionals[0] !== undefined && { known: parseHead(positionals[0]) }) };
  } catch {
    throw usage('audit verify');
  }
}

function parseHead(text: string): ChainHead {
  const [, sequence, hash] = /^([1-9]\d{0,17}):([0-9a-f]{64})$/.exec(text) ?? [];
  if (sequence === undefined || hash === undefined) throw usage('audit verify');
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
