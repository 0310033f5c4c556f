import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** An answer that was seen in the tests: of which operation (null: of a path or method that the contract does not have). */
export type Observation = { readonly operationId: string | null; readonly status: number | 'default' };

/** What the last run that came to its end has seen. `npm test` names a file of its own, for runs that go on beside it. */
const KEPT =
  process.env['KASI_OBSERVED'] ??
  fileURLToPath(new URL('../../node_modules/.cache/kasi/observed.jsonl', import.meta.url));
const FOLDER = 'observed';

const noted = new Set<string>();

/** Notes an answer in the folder of this run, once for each process that sees it. */
export function noteObserved(runFolder: string, observation: Observation): void {
  const line = `${JSON.stringify(observation)}\n`;
  if (noted.has(line)) return;
  noted.add(line);
  const folder = join(runFolder, FOLDER);
  mkdirSync(folder, { recursive: true });
  appendFileSync(join(folder, `${process.pid}.jsonl`), line);
}

/** Forgets the last run, so that one that breaks off is not taken for it. */
export function discardObserved(): void {
  rmSync(KEPT, { force: true });
}

/** Keeps what a run has seen beyond its folder. */
export function keepObserved(runFolder: string): void {
  const folder = join(runFolder, FOLDER);
  const files = existsSync(folder) ? readdirSync(folder) : [];
  const lines = new Set(files.flatMap((file) => readFileSync(join(folder, file), 'utf8').trimEnd().split('\n')));
  mkdirSync(dirname(KEPT), { recursive: true });
  writeFileSync(
    KEPT,
    [...lines]
      .sort()
      .map((line) => `${line}\n`)
      .join(''),
  );
}

/** What the last run has seen; undefined when none came to its end. */
export function readObserved(): Observation[] | undefined {
  if (!existsSync(KEPT)) return undefined;
  const lines = readFileSync(KEPT, 'utf8').split('\n').filter(Boolean);
  return lines.map((line) => JSON.parse(line) as Observation);
}
