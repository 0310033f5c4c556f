/** Writes a copy of the database, of one moment, to a sealed file. Runs beside the service. */
import { listLeft, writeBackup } from '../src/backup/backup.ts';
import { parseIdentity, readDatabaseUrl } from '../src/config.ts';
import { withDatabase } from '../src/db/database.ts';
import { requireIdentity } from '../src/deployment/identity.ts';
import { readBackupKey } from './lib/backup-key.ts';
import { runCommand } from './lib/command.ts';
import { readClaim, usage } from './lib/connection.ts';
import { namedFile } from './lib/named-file.ts';
import { result, say } from './lib/output.ts';
import { megabytes, seconds, showProgress } from './lib/progress.ts';

await runCommand(async () => {
  const [name, ...others] = process.argv.slice(2);
  const ownerUrl = readDatabaseUrl(process.env, 'DATABASE_OWNER_URL');
  if (!name || name.startsWith('-') || others.length > 0) throw usage('backup');
  if (!ownerUrl) throw usage('backup', 'DATABASE_OWNER_URL is missing.');
  const file = namedFile(name);
  const { masterKey, masterKeysOld } = parseIdentity(process.env);
  const ring = readBackupKey([...(masterKey ? [masterKey] : []), ...masterKeysOld]);
  await withDatabase(ownerUrl, 'kasi-backup', (db) => requireIdentity(db, readClaim(), 'reads'));
  const stopping = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopping.abort());
  const began = performance.now();
  const { manifest, summary, bytes } = await writeBackup({
    ...{ ownerUrl, file, ring, onTable: showProgress(), signal: stopping.signal },
  });
  const rows = summary.tables.reduce((sum, table) => sum + table.rows, 0);
  const read = summary.tables.reduce((sum, table) => sum + table.bytes, 0);
  const took = performance.now() - began;
  result({ file, rows, bytes, takenAt: manifest.takenAt, wal: manifest.wal, witness: summary.witness });
  say(
    `${file}: ${rows} rows of ${summary.tables.length} tables, ${megabytes(read)} MB in ${megabytes(bytes)} MB, ${seconds(took)} s`,
  );
  say(
    `The copy is of ${manifest.takenAt}, at ${manifest.wal} of the write-ahead log, up to ${manifest.migrations.at(-1)}.`,
  );
  // The copy is whole, whatever a folder that is not read may hold.
  for (const part of await listLeft(file).catch(() => []))
    say(`${part} is no backup: one that was killed has left it. Remove it.`);
  say(`Newest audit entry, for npx kasi audit verify: ${summary.witness ?? 'there is none'}`);
});
