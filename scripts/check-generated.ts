/**
 * Fails when anything in generated/, or the client's copy of the types, is not what `npm run generate` makes of the sources now.
 * It generates into a temporary folder and compares, so it changes nothing and needs no git.
 */
import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

const CLIENT_TYPES = 'clients/typescript/src/generated/api.ts';
const fresh = await mkdtemp(join(tmpdir(), 'kasi-check-'));
try {
  await run(process.execPath, ['scripts/generate.ts', fresh]);
  const made = await readdir(fresh);
  const kept = await readdir('generated');
  const problems = (
    await Promise.all([
      ...made.map((name) => compare(join('generated', name), join(fresh, name))),
      compare(CLIENT_TYPES, join(fresh, 'api.ts')),
      ...kept
        .filter((name) => !made.includes(name))
        .map((name) => `generated/${name}: nothing generates this file any more`),
    ])
  ).filter((problem) => problem !== undefined);
  for (const problem of problems) console.error(problem);
  if (problems.length > 0) {
    console.error('Run `npm run generate` and commit what it writes. Files in generated/ are never edited by hand.');
    process.exitCode = 1;
  } else {
    console.log(`${made.length} generated files are up to date.`);
  }
} finally {
  await rm(fresh, { recursive: true, force: true });
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
