import { createHash } from 'node:crypto';
import { type RawBuilder, sql } from 'kysely';
import { CHECKPOINT_PURPOSE } from '../../src/audit/chain.ts';
import { recordAudit } from '../../src/audit/record.ts';
import { sealAudit } from '../../src/audit/seal.ts';
import { openDatabase } from '../../src/db/database.ts';
import { inTransaction } from '../../src/db/transaction.ts';
import { deriveSecret } from '../../src/lib/derive.ts';
import type { JsonObject } from '../../src/lib/json.ts';
import { signingKey } from '../../src/lib/standard-webhooks.ts';
import { connectTestDatabase } from '../support/connection.ts';

export const MASTER_KEY = createHash('sha256').update('of this test').digest();
export const KEY = signingKey(deriveSecret(MASTER_KEY, CHECKPOINT_PURPOSE));
export const NOW = new Date('2026-01-02T03:11:42.117Z');

export type AuditWorld = Awaited<ReturnType<typeof openAuditWorld>>;

/** A database of its own with an audit log to write and seal. */
export async function openAuditWorld() {
  const connection = await connectTestDatabase();
  const { db, database } = connection;
  let written = 0;
  /** Writes entries, each in its own transaction. */
  const write = async (count = 1, metadata: JsonObject = {}): Promise<void> => {
    for (let n = 0; n < count; n += 1) {
      written += 1;
      const resourceId = `plink_${written}`;
      await inTransaction(db, (trx) => recordAudit(trx, { ...DRAFT, resourceId, metadata }, NOW));
    }
  };
  return {
    ...connection,
    write,
    seal: (limit = 500) => sealAudit(db, KEY, limit, NOW),
    /** Writes and seals batches; each ends with a checkpoint. */
    live: async (batches = 3, size = 3): Promise<void> => {
      for (let n = 0; n < batches; n += 1) {
        await write(size, { batch: n });
        await sealAudit(db, KEY, 500, NOW);
      }
    },
    /** Runs statements as the owner of the tables with every guard disabled, as only a tamperer could. */
    tamper: async (...statements: RawBuilder<unknown>[]): Promise<void> => {
      const owner = openDatabase({ url: database.ownerUrl, poolMax: 1, applicationName: 'test', onError: () => {} });
      try {
        for (const table of TABLES) await sql`alter table ${sql.table(table)} disable trigger user`.execute(owner);
        await sql`alter table audit_checkpoints drop constraint if exists audit_checkpoints_sequence_fkey`.execute(
          owner,
        );
        await sql`alter table audit_chain drop constraint if exists audit_chain_entry_id_fkey`.execute(owner);
        for (const statement of statements) await statement.execute(owner);
        for (const table of TABLES) await sql`alter table ${sql.table(table)} enable trigger user`.execute(owner);
      } finally {
        await owner.destroy();
      }
    },
  };
}

const TABLES = ['audit_log', 'audit_chain', 'audit_checkpoints', 'unsealed_audit_entries'];

export const DRAFT = {
  actorType: 'merchant',
  actorId: 'mer_1',
  action: 'payment_link.create',
  merchantId: 'mer_1',
  origin: { ip: '203.0.113.9', userAgent: 'test', requestId: 'req-1' },
} as const;

/** Opens a world for the duration of `work`. */
export async function withAuditWorld(work: (world: AuditWorld) => Promise<void>): Promise<void> {
  const world = await openAuditWorld();
  try {
    await work(world);
  } finally {
    await world.close();
  }
}
