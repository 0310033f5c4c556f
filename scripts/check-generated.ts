/**
 * Fails if anything in generated/, or a copy of it in a client, differs from what `npm run generate` writes now.
 * Generates into a temporary folder and compares, so it changes nothing and needs no git.
 */
import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { promisify } from 'node:util';
import { isStarted } from './checks/source-files.ts';
import { CLIENT_COPIES, SHARED_SOURCES, TWIN_COPIES } from './generate/copies.ts';

const run = promisify(execFile);

/** The differences between the files in `kept`, and the copies of them, and the fresh ones in `made`. */
export async function findDifferences(
  kept: string,
  made: string,
  copies: Readonly<Record<string, string>>,
): Promise<string[]> {
  const [keptNames, madeNames] = await Promise.all([filesIn(kept), filesIn(made)]);
  const differences = await Promise.all([
    ...madeNames.map((name) => compare(join(kept, name), join(made, name))),
    ...Object.entries(copies).map(([copy, name]) => compare(copy, join(made, name))),
  ]);
  const orphans = keptNames.filter((name) => !madeNames.includes(name));
  return [
    ...differences.filter((difference) => difference !== undefined),
    ...orphans.map((name) => `${join(kept, name)}: nothing generates this file any more`),
  ];
}

/** The paths of all files below a folder. */
async function filesIn(folder: string): Promise<string[]> {
  const found = await readdir(folder, { recursive: true, withFileTypes: true });
  return found.filter((each) => each.isFile()).map(({ parentPath, name }) => relative(folder, join(parentPath, name)));
}

async function compare(kept: string, made: string): Promise<string | undefined> {
  const [before, after] = await Promise.all([readFile(kept, 'utf8').catch(() => undefined), readFile(made, 'utf8')]);
  if (before === after) return undefined;
  if (before === undefined) return `${kept}: is missing`;
  const old = before.split('\n');
  const now = after.split('\n');
  const line = now.findIndex((text, index) => text !== old[index]);
  const at = line === -1 ? now.length : line;
  return `${kept}:${at + 1}: differs\n  committed: ${excerpt(old[at])}\n  generated: ${excerpt(now[at])}`;
}

function excerpt(line: string | undefined): string {
  if (line === undefined) return '(the file ends)';
  return line.length > 160 ? `${line.slice(0, 160)}…` : line;
}

async function main(): Promise<void> {
  const fresh = await mkdtemp(join(tmpdir(), 'kasi-check-'));
  try {
    await run(process.execPath, ['scripts/generate.ts', fresh]);
    const shared = Object.entries(SHARED_SOURCES).map(([copy, source]) => compare(copy, source));
    const problems = [
      ...(await findDifferences('generated', fresh, { ...CLIENT_COPIES, ...TWIN_COPIES })),
      ...(await Promise.all(shared)).filter((difference) => difference !== undefined),
    ];
    for (const problem of problems) console.error(problem);
    if (problems.length === 0) {
      console.log('The generated files are up to date.');
      return;
    }
    console.error('Run `npm run generate` and commit what it writes. Files in generated/ are never edited by hand.');
    process.exitCode = 1;
  } finally {
    await rm(fresh, { recursive: true, force: true });
  }
}

if (isStarted(import.meta)) await main();
