import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { sql } from 'kysely';
import pg from 'pg';
import { expect } from 'vitest';
import { writeBackup } from '../../src/backup/backup.ts';
import type { Reached } from '../../src/backup/dump.ts';
import { ADDRESSES_SKIPPED } from '../../src/backup/load.ts';
import { describeLosses, readLosses } from '../../src/backup/losses.ts';
import { checkBackup } from '../../src/backup/read-file.ts';
import { proveCopy, restoreBackup } from '../../src/backup/restore.ts';
import { withCopying } from '../../src/db/copying.ts';
import { withDatabase } from '../../src/db/database.ts';
import { proveIdentity, requireIdentity } from '../../src/deployment/identity.ts';
import { release } from '../../src/deployment/restored.ts';
import { createKeyRing } from '../../src/lib/envelope.ts';
import { roleOf } from '../../src/start-database.ts';
import { payoutsTest } from '../support/payouts.ts';
import {
  claim,
  dropEmptied,
  emptyDatabase,
  hashAll,
  MASTER,
  newFile,
  ownerUrlOf,
  ring,
  tellStories,
} from './backup-fixture.ts';

const test = payoutsTest().extend(
  'copied',
  { scope: 'file' },
  async ({ service, merchant, payouts }, { onCleanup }) => {
    onCleanup(dropEmptied);
    await tellStories(service, merchant, payouts);
    const [ownerUrl, file] = [await ownerUrlOf(service), newFile()];
    await withCopying(ownerUrl, 'kasi-test', (db) => db.query(`select setval('bitcoin_deposit_index', 41)`));
    return { ownerUrl, file, ...(await writeBackup({ ownerUrl, file, ring })) };
  },
);

const restoring = (file: string, target: { readonly url: string; readonly ownerUrl: string }) => ({
  ...{ file, ring, claim, ownerUrl: target.ownerUrl, appRole: roleOf(target.url) },
});

test('a database full of stories is the same after a restore, table by table, and proves itself', async ({
  copied,
}) => {
  const target = await emptyDatabase();
  const reached: Reached[] = [];
  await restoreBackup({ ...restoring(copied.file, target), onTable: (each) => void reached.push(each) });
  const byDeed = Map.groupBy(reached, ({ did }) => did);
  expect([...byDeed.keys()]).toEqual(['proven', 'loaded', 'checked', 'compared']);
  const bytes = copied.summary.tables.reduce((sum, table) => sum + table.bytes, 0);
  for (const [did, tells] of byDeed) expect([did, tells.at(-1)?.bytes]).toEqual([did, bytes]);
  for (const did of ['loaded', 'checked', 'compared'] as const)
    expect(byDeed.get(did)?.at(-1)).toMatchObject({ number: byDeed.get(did)?.at(-1)?.of });
  // A table may be most of a database, so progress is reported within each, too.
  for (const did of ['loaded', 'compared'] as const) {
    const tells = byDeed.get(did) ?? [];
    const isWithin = ({ number, bytes }: Reached, at: number) =>
      number === tells[at - 1]?.number && bytes > (tells[at - 1]?.bytes ?? 0);
    expect([did, tells.some(isWithin)]).toEqual([did, true]);
  }
  const [before, after] = [await hashAll(copied.ownerUrl), await hashAll(target.ownerUrl)];
  expect({ ...after, restores: '' }).toEqual({ ...before, restores: '' });
  const filled = copied.summary.tables.filter(({ rows }) => rows > 0).map(({ name }) => name);
  const told = ['audit_chain', 'events', 'idempotency_keys', 'merchants', 'payments', 'refunds', 'subscriptions'];
  expect(filled).toEqual(expect.arrayContaining([...told, 'tallies', 'webhook_endpoints', 'withdrawals']));

  const { witness } = copied.summary;
  expect(witness).toMatch(/^\d+:[0-9a-f]{64}$/);
  const proof = await proveCopy(target.ownerUrl, { claim, masters: [MASTER], witness });
  expect(proof.faults).toEqual([]);
  expect(proof.lines.join('\n')).toMatch(/MASTER_KEY opens it\n.*books agree: 5 payments.*\n.*audit log is whole/);
  const other = `${witness?.split(':')[0]}:${'0'.repeat(64)}`;
  expect((await proveCopy(target.ownerUrl, { claim, masters: [MASTER], witness: other })).faults).toHaveLength(1);
});

test('schema, sequences and rights are those of a database that was migrated here', async ({ copied }) => {
  const target = await emptyDatabase();
  await restoreBackup(restoring(copied.file, target));
  const look = (url: string) =>
    withCopying(url, 'kasi-test', (db) =>
      db.query<{ line: string }>(`
        select conrelid::regclass || ' ' || conname || ' ' || pg_get_constraintdef(oid) as line from pg_constraint
         where connamespace = 'public'::regnamespace and contype <> 'n'
        union all select tgrelid::regclass || ' ' || tgname || ' ' || tgenabled::text from pg_trigger where not tgisinternal
        union all select indexdef from pg_indexes where schemaname = 'public'
        union all select c.relname || ' ' || coalesce((
          select string_agg(a::text, ',' order by a::text) from unnest(c.relacl) a), '') from pg_class c
         where relnamespace = 'public'::regnamespace and relkind in ('r', 'v')
        order by 1`),
    );
  expect(await look(target.ownerUrl)).toEqual(await look(copied.ownerUrl));
  const sequences = (url: string) =>
    withCopying(url, 'kasi-test', (db) =>
      db.query<{ name: string; last: string | null }>(
        `select sequencename as name, last_value::text as last from pg_sequences where schemaname = 'public' order by 1`,
      ),
    );
  const before = await sequences(copied.ownerUrl);
  const wanted = before.map(({ name, last }) => {
    if (name === 'restores_id_seq') return { name, last: '1' };
    return { name, last: name === 'bitcoin_deposit_index' && last ? String(Number(last) + ADDRESSES_SKIPPED) : last };
  });
  expect(await sequences(target.ownerUrl)).toEqual(wanted);
});

test('nothing starts on the copy until it is released, also no release from before; reading is let', async ({
  copied,
}) => {
  const target = await emptyDatabase();
  await restoreBackup(restoring(copied.file, target));
  const held = /restored on .* from a copy of .*npx kasi restore --release/;
  await withDatabase(target.url, 'kasi-test', async (db) => {
    await expect(requireIdentity(db, claim)).rejects.toThrow(held);
    await expect(proveIdentity(db, claim)).rejects.toThrow(held);
    await requireIdentity(db, claim, 'reads');
    const { runs_since } = await db.selectFrom('schema_compatibility').select('runs_since').executeTakeFirstOrThrow();
    expect(runs_since).toContain('restored copy');
    await expect(sql`update restores set released_at = now()`.execute(db)).rejects.toThrow(/permission denied/);
  });
  await withCopying(target.ownerUrl, 'kasi-test', release);
  await withDatabase(target.url, 'kasi-test', async (db) => {
    await proveIdentity(db, claim);
    const { runs_since } = await db.selectFrom('schema_compatibility').select('runs_since').executeTakeFirstOrThrow();
    expect(runs_since).toMatch(/^\d{4}-/);
  });
});

test('it is said which payouts to look for before anybody pays one', async ({ copied }) => {
  const target = await emptyDatabase();
  await restoreBackup(restoring(copied.file, target));
  const losses = await withDatabase(target.ownerUrl, 'kasi-test', readLosses);
  expect(losses.payouts.map(({ kind, status }) => `${kind} ${status}`).sort()).toEqual([
    ...['refund pending', 'withdrawal approved', 'withdrawal pending', 'withdrawal pending'],
  ]);
  const text = describeLosses(new Date(copied.manifest.takenAt), losses).join('\n');
  for (const { id } of losses.payouts) expect(text).toContain(id);
  expect(text).toContain('devnet from block');
});

test('a file of another key, deployment or mode, a damaged one and one that is there already are refused', async ({
  copied,
}) => {
  const { file, ownerUrl } = copied;
  const target = await emptyDatabase();
  const attempt = (change: Partial<Parameters<typeof restoreBackup>[0]>) =>
    restoreBackup({ ...restoring(file, target), ...change });
  await expect(attempt({ ring: createKeyRing(MASTER) })).rejects.toThrow(/BACKUP_KEY is/);
  await expect(attempt({ claim: { ...claim, id: 'shop-b' } })).rejects.toThrow(/set DEPLOYMENT_ID=test-shop/);
  await expect(attempt({ claim: { ...claim, mode: 'live' } })).rejects.toThrow(/set KASI_MODE=sandbox/);
  const damaged = newFile();
  const bytes = readFileSync(file);
  bytes[bytes.length - 3] = (bytes.at(-3) as number) ^ 1;
  writeFileSync(damaged, bytes);
  await expect(attempt({ file: damaged })).rejects.toThrow(/damaged/);
  await expect(checkBackup(damaged, ring)).rejects.toThrow(/damaged/);
  expect(await hashAll(target.ownerUrl).catch((error: Error) => error.message)).toEqual({});

  await expect(writeBackup({ ownerUrl, file, ring })).rejects.toThrow(/another name/);
  await expect(writeBackup({ ownerUrl, file: newFile(), ring: createKeyRing(MASTER) })).rejects.toThrow(
    /is the MASTER_KEY/,
  );
});

test('a database that is not empty is refused and left as it is', async ({ copied }) => {
  const target = await emptyDatabase();
  const owner = new pg.Client({ connectionString: target.ownerUrl });
  await owner.connect();
  await owner.query('create table of_somebody_else (id int)');
  await expect(restoreBackup(restoring(copied.file, target))).rejects.toThrow(
    /not empty .*of_somebody_else.*database roles/,
  );
  const { rows } = await owner.query(`select relname from pg_class where relnamespace = 'public'::regnamespace`);
  expect(rows).toEqual([{ relname: 'of_somebody_else' }]);
  await owner.end();
  const own = { url: copied.ownerUrl, ownerUrl: copied.ownerUrl };
  await expect(restoreBackup(restoring(copied.file, own))).rejects.toThrow(/not empty/);
});

test('a backup that fails or is stopped leaves no file, and one that is whole is only its owner’s', async ({
  copied,
}) => {
  const file = newFile();
  const stopping = new AbortController();
  const told: number[] = [];
  const stopped = writeBackup({
    ...{ ownerUrl: copied.ownerUrl, file, ring, signal: stopping.signal },
    onTable: ({ number, bytes }) => {
      told.push(bytes);
      // Before the first table, too.
      expect(readdirSync(dirname(file))).toHaveLength(1);
      if (number === 3) stopping.abort();
    },
  });
  await expect(stopped).rejects.toThrow(/abort/i);
  // Within tables as well.
  expect(told.length).toBeGreaterThan(3);
  expect(told).toEqual(told.toSorted((a, b) => a - b));
  expect(existsSync(file)).toBe(false);
  expect(readdirSync(dirname(file))).toEqual([]);
  expect(statSync(copied.file).mode & 0o777).toBe(0o600);
  expect(readdirSync(dirname(copied.file))).toHaveLength(1);
});

test('a backup leaves alone what others have written, and says what to do about it', async ({
  copied: { ownerUrl },
}) => {
  const file = newFile();
  const part = `${file}.part-${process.pid}`;
  writeFileSync(part, 'of another');
  await expect(writeBackup({ ownerUrl, file, ring })).rejects.toThrow(/part-.*remove it if none runs/);
  expect(readFileSync(part, 'utf8')).toBe('of another');
  const nowhere = writeBackup({ ownerUrl, file: join(dirname(file), 'nowhere', 'backup'), ring });
  await expect(nowhere).rejects.toThrow(/no such file.*a folder that is there/);

  const taken = newFile();
  const onTable = () => writeFileSync(taken, 'whole');
  await expect(writeBackup({ ownerUrl, file: taken, ring, onTable })).rejects.toThrow(/another name/);
  expect(readFileSync(taken, 'utf8')).toBe('whole');
  expect(readdirSync(dirname(taken))).toHaveLength(1);
});
