import { execFileSync, spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The project of this script. */
export const PROJECT = join(import.meta.dirname, '../..');

/** What releases.json says of a release: its name, and the commit that it was made of. */
export type Release = { readonly name: string; readonly commit: string };

/** The release to upgrade from; `none` says why there is none here. */
export type Predecessor =
  | { readonly kind: 'recorded'; readonly release: Release }
  | { readonly kind: 'none'; readonly reason: string };

/** The last release that releases.json records, if its commit is in this checkout. */
export function findPredecessor(file: string, hasCommit: (commit: string) => boolean): Predecessor {
  const { releases } = JSON.parse(file) as { releases: readonly Release[] };
  const release = releases.at(-1);
  if (!release) return { kind: 'none', reason: 'releases.json records no release yet' };
  if (!hasCommit(release.commit)) {
    const reason = `this checkout does not have ${release.commit}, the commit of release ${release.name}: fetch its history`;
    return { kind: 'none', reason };
  }
  return { kind: 'recorded', release };
}

export const readReleases = (): string => readFileSync(join(PROJECT, 'releases.json'), 'utf8');

/** Whether git is there and knows the commit. */
export const hasCommit = (commit: string): boolean =>
  spawnSync('git', ['-C', PROJECT, 'cat-file', '-e', `${commit}^{commit}`], { stdio: 'ignore' }).status === 0;

/**
 * Checks a commit out into a folder of its own, with this checkout's packages if both have the same, else with its own.
 * `remove` deletes it.
 */
export function checkOut(commit: string): { readonly root: string; readonly remove: () => Promise<void> } {
  const root = mkdtempSync(join(tmpdir(), 'kasi-release-'));
  git('worktree', 'add', '--quiet', '--detach', '--force', root, commit);
  const lockfile = 'package-lock.json';
  if (readFileSync(join(root, lockfile), 'utf8') === readFileSync(join(PROJECT, lockfile), 'utf8')) {
    symlinkSync(join(PROJECT, 'node_modules'), join(root, 'node_modules'));
  } else execFileSync('npm', ['ci', '--no-audit', '--no-fund'], { cwd: root, stdio: 'inherit' });
  return {
    root,
    remove: async () => {
      rmSync(root, { recursive: true, force: true });
      git('worktree', 'prune');
    },
  };
}

/** A copy of this checkout as it stands, committed or not. `remove` deletes it. */
export function copyProject(): { readonly root: string; readonly remove: () => Promise<void> } {
  const root = mkdtempSync(join(tmpdir(), 'kasi-next-'));
  for (const name of ['src', 'generated', 'package.json', 'openapi']) {
    if (existsSync(join(PROJECT, name))) cpSync(join(PROJECT, name), join(root, name), { recursive: true });
  }
  symlinkSync(join(PROJECT, 'node_modules'), join(root, 'node_modules'));
  return { root, remove: async () => rmSync(root, { recursive: true, force: true }) };
}

/** The name of the migration that `addMigration` adds: it sorts after every real one. */
export const NEXT_MIGRATION = '9999-next';

const NEXT = `
export const name = '${NEXT_MIGRATION}';

export const up = \`
alter table payments add column upgrade_note text;
alter table merchants add column upgrade_rank integer not null default 0;
create table upgrade_log (id bigint generated always as identity primary key, payment_id text references payments (id));
create index upgrade_by_rank on merchants (upgrade_rank);
\`;
`;

/** Makes a checkout a release later: with one more migration, which only adds, as each has to. */
export function addMigration(root: string): void {
  writeFileSync(join(root, 'src/db/migrations', `${NEXT_MIGRATION}.ts`), NEXT);
  const path = join(root, 'src/db/migrate.ts');
  const text = readFileSync(path, 'utf8');
  const list = /const MIGRATIONS = \[\n[^\]]*/;
  if (!list.test(text)) throw new Error('src/db/migrate.ts has no list of migrations to add one to');
  const changed = text.replace(list, (found) => `${found}  next,\n`);
  writeFileSync(path, `import * as next from './migrations/${NEXT_MIGRATION}.ts';\n${changed}`);
}

/** The migrations of a checkout, by their file names. */
export const migrationsIn = (root: string): string[] =>
  readdirSync(join(root, 'src/db/migrations')).map((file) => file.replace(/\.ts$/, ''));

function git(...args: readonly string[]): void {
  execFileSync('git', ['-C', PROJECT, ...args], { stdio: ['ignore', 'ignore', 'inherit'] });
}
