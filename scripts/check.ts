/**
 * `npm run check`: everything that can be checked without running the service. Prints a table of results and times;
 * failures are shown in full. The table names the command that runs each check alone.
 */
import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { inLanes } from '../src/lib/in-parallel.ts';
import { isStarted } from './checks/source-files.ts';

/** One check: a program in node_modules/.bin, or a script for node. */
export type Check = { readonly name: string; readonly command: readonly [program: string, ...args: string[]] };

export type Result = { readonly check: Check; readonly ok: boolean; readonly output: string; readonly ms: number };

/** The slowest first, so that no long check is left for the end. */
const CHECKS: readonly Check[] = [
  { name: 'generated', command: ['node', 'scripts/check-generated.ts'] },
  { name: 'types', command: ['tsc', '--noEmit', '-p', '.'] },
  { name: 'contract', command: ['node', 'scripts/contract/lint.ts'] },
  { name: 'breaks', command: ['node', 'scripts/check-breaks.ts'] },
  { name: 'unused', command: ['knip'] },
  { name: 'lint', command: ['biome', 'check', '--error-on-warnings', '.'] },
  { name: 'style', command: ['node', 'scripts/checks/style.ts'] },
  { name: 'imports', command: ['node', 'scripts/checks/imports.ts'] },
  { name: 'tables', command: ['node', 'scripts/checks/tables.ts'] },
  { name: 'decisions', command: ['node', 'scripts/checks/decisions.ts'] },
  { name: 'incidents', command: ['node', 'scripts/checks/incidents.ts'] },
  { name: 'messages', command: ['node', 'scripts/checks/messages.ts'] },
  { name: 'links', command: ['node', 'scripts/checks/links.ts'] },
];

/** Runs all checks, a few at a time, even if some fail. Results keep the order of the checks. */
export async function runChecks(checks: readonly Check[], atOnce: number): Promise<Result[]> {
  const results: Result[] = [];
  const waiting = [...checks.entries()];
  const work = async (): Promise<void> => {
    for (let next = waiting.shift(); next; next = waiting.shift()) results[next[0]] = await run(next[1]);
  };
  await inLanes(atOnce, work);
  return results;
}

function run(check: Check): Promise<Result> {
  const start = performance.now();
  const [program, ...args] = check.command;
  return new Promise((resolve) => {
    const output: Buffer[] = [];
    const end = (ok: boolean, note = ''): void => {
      const text = Buffer.concat(output).toString('utf8') + note;
      resolve({ check, ok, output: text, ms: performance.now() - start });
    };
    const path = `node_modules/.bin:${process.env['PATH'] ?? ''}`;
    const child = spawn(program === 'node' ? process.execPath : program, args, {
      env: { ...process.env, PATH: path },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    child.stdout.on('data', (chunk: Buffer) => output.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => output.push(chunk));
    child.once('error', (error) => end(false, error.message));
    child.once('close', (code) => end(code === 0));
  });
}

/** One line per check. */
export function presentTable(results: readonly Result[]): string {
  return results
    .map(({ check, ok, ms }) => {
      const seconds = `${(ms / 1000).toFixed(1)} s`;
      return `${ok ? 'ok    ' : 'FAILED'}  ${check.name.padEnd(10)} ${seconds.padStart(7)}  ${check.command.join(' ')}`;
    })
    .join('\n');
}

if (isStarted(import.meta)) {
  const start = performance.now();
  const results = await runChecks(CHECKS, Math.min(2, availableParallelism()));
  const failed = results.filter(({ ok }) => !ok);
  for (const { check, output } of failed) console.error(`\n── ${check.name} ──\n${output.trim()}`);
  console.log(`${failed.length > 0 ? '\n' : ''}${presentTable(results)}`);
  console.log(
    `${results.length - failed.length} of ${results.length} checks passed in ${((performance.now() - start) / 1000).toFixed(1)} s.`,
  );
  process.exitCode = failed.length > 0 ? 1 : 0;
}
