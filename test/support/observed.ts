import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** A response observed in the tests, with its operation (null: a path or method that the contract does not have). */
export type Observation = { readonly operationId: string | null; readonly status: number | 'default' };

/** The observations of the last complete run. `npm test` names a file of its own, because runs may be concurrent. */
const KEPT =
  process.env['KASI_OBSERVED'] ??
  fileURLToPath(new URL('../../node_modules/.cache/kasi/observed.jsonl', import.meta.url));
const FOLDER = 'observed';

const noted = new Set<string>();

/** Records a response in this run's folder, once per process. */
export function noteObserved(runFolder: string, observation: Observation): void {
  const line = `${JSON.stringify(observation)}\n`;
  if (noted.has(line)) return;
  noted.add(line);
  const folder = join(runFolder, FOLDER);
  mkdirSync(folder, { recursive: true });
  appendFileSync(join(folder, `${process.pid}.jsonl`), line);
}

/** Discards the last run, so that an incomplete run is not mistaken for it. */
export function discardObserved(): void {
  rmSync(KEPT, { force: true });
}

/** Keeps a run's observations beyond its folder. */
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

/** The observations of the last run; undefined when none was complete. */
export function readObserved(): Observation[] | undefined {
  if (!existsSync(KEPT)) return undefined;
  const lines = readFileSync(KEPT, 'utf8').split('\n').filter(Boolean);
  return lines.map((line) => JSON.parse(line) as Observation);
}
