/** Brings a backup into an empty database, proves it, and says what to look at before anything runs on it. */
import { parseArgs } from 'node:util';
import { describeLosses, readLosses } from '../src/backup/losses.ts';
import { checkBackup } from '../src/backup/read-file.ts';
import { proveCopy, restoreBackup } from '../src/backup/restore.ts';
import { parseIdentity, readDatabaseUrl } from '../src/config.ts';
import { withCopying } from '../src/db/copying.ts';
import { withDatabase } from '../src/db/database.ts';
import { requireIdentity } from '../src/deployment/identity.ts';
import { findHeld, release } from '../src/deployment/restored.ts';
import { roleOf } from '../src/start-database.ts';
import { readBackupKey } from './lib/backup-key.ts';
import { runCommand } from './lib/command.ts';
import { Refusal, readClaim, usage } from './lib/connection.ts';
import { namedFile } from './lib/named-file.ts';
import { progress, result, say } from './lib/output.ts';
import { megabytes, sayingSometimes, seconds, showProgress } from './lib/progress.ts';

await runCommand(async () => {
  const { values, positionals } = readArguments();
  const [file] = positionals;
  const isRelease = values.release === true;
  // Words that contradict each other are refused: what was meant by them is not guessed.
  if (values.as === '' || isRelease === (file !== undefined) || (isRelease && values.check) || positionals.length > 1)
    throw usage('restore');
  if (file === undefined) return letRun(values.as);
  if (values.as !== undefined) throw usage('restore');
  return values.check === true ? check(namedFile(file)) : restore(namedFile(file));
});

function readArguments() {
  try {
    const options = { check: { type: 'boolean' }, release: { type: 'boolean' }, as: { type: 'string' } } as const;
    return parseArgs({ options, allowPositionals: true });
  } catch {
    throw usage('restore');
  }
}

async function check(file: string): Promise<void> {
  const { header, summary } = await checkBackup(file, readBackupKey([]), { onTable: showProgress() });
  const rows = summary.tables.reduce((sum, table) => sum + table.rows, 0);
  say(
    `${file} is whole: ${rows} rows of ${summary.tables.length} tables of "${header.deployment}" (${header.mode}), of ${header.takenAt}, up to ${header.head}`,
  );
}

function ownerUrlOf(): string {
  const url = readDatabaseUrl(process.env, 'DATABASE_OWNER_URL');
  if (!url) throw usage('restore', 'DATABASE_OWNER_URL is missing.');
  return url;
}

async function restore(file: string): Promise<void> {
  const ownerUrl = ownerUrlOf();
  const url = readDatabaseUrl(process.env, 'DATABASE_URL');
  if (!url) throw usage('restore', 'DATABASE_URL is missing.');
  const { masterKey, masterKeysOld } = parseIdentity(process.env);
  const masters = masterKey ? [masterKey, ...masterKeysOld] : [];
  const claim = readClaim();
  const began = performance.now();
  const { header, summary, wasWhole } = await restoreBackup({
    ...{ ownerUrl, file, claim, ring: readBackupKey(masters), onTable: showProgress() },
    appRole: roleOf(url) === roleOf(ownerUrl) ? undefined : roleOf(url),
    onStep: (step) => progress(step),
  });
  const rows = summary.tables.reduce((sum, table) => sum + table.rows, 0);
  const bytes = summary.tables.reduce((sum, table) => sum + table.bytes, 0);
  const size = `${rows} rows of ${summary.tables.length} tables, ${megabytes(bytes)} MB,`;
  if (wasWhole) say(`${size} were compared when they were loaded, by an earlier run of this command`);
  else say(`${size} are as they were: ${seconds(performance.now() - began)} s`);
  const { lines, faults } = await proveCopy(ownerUrl, {
    ...{ claim, masters, witness: summary.witness, onProgress: sayingSometimes() },
  });
  result({ deployment: header.deployment, takenAt: header.takenAt, rows, bytes, faults });
  for (const line of lines) say(line);
  for (const fault of faults) say(`WRONG: ${fault}`);
  if (faults.length > 0) process.exitCode = 1;
  await tell(ownerUrl, new Date(header.takenAt));
  say(`\nNothing runs on it until you have read this and say: npx kasi restore --release --as ${header.deployment}`);
}

async function tell(ownerUrl: string, takenAt: Date): Promise<void> {
  const losses = await withDatabase(ownerUrl, 'kasi-restore', readLosses);
  say(`\n${describeLosses(takenAt, losses).join('\n')}`);
}

async function letRun(name: string | undefined): Promise<void> {
  const ownerUrl = ownerUrlOf();
  const claim = readClaim();
  const held = await withDatabase(ownerUrl, 'kasi-restore', async (db) => {
    await requireIdentity(db, claim, 'reads');
    return findHeld(db);
  });
  if (!held) throw new Refusal('Nothing holds this database: it was not restored, or it was released already.');
  if (name === undefined) {
    await tell(ownerUrl, held.takenAt);
    say('\nOnce that is done: npx kasi restore --release --as <its DEPLOYMENT_ID>');
    return;
  }
  await withDatabase(ownerUrl, 'kasi-restore', (db) => requireIdentity(db, { ...claim, id: name }, 'reads'));
  await withCopying(ownerUrl, 'kasi-restore', release);
  say(`Processes of "${name}" start on it from now on.`);
}
