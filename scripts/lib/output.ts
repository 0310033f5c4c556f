import { writeSync } from 'node:fs';
import { inspect } from 'node:util';
import { forTerminal } from '../../src/lib/shown-text.ts';

/**
 * What a command has to tell: lines for people, or with `--json` one document for programs, at its end. A line may
 * repeat what a node or a merchant says, and a terminal would obey its control characters.
 */

type Told = { result: object; readonly said: string[]; readonly errors: string[] };

let told: Told | undefined;
/** What to do where this run's output was lost, because nothing shows it again. */
let cure: string | undefined;

process.stdout.on('error', tellUnwritten);

/** A reader that has seen enough, such as `head`, is no fault, unless a password that it did not take is lost. */
function tellUnwritten(error: NodeJS.ErrnoException): void {
  if (error.code === 'EPIPE' && cure === undefined) return;
  const more = cure === undefined ? '' : ` ${cure}`;
  console.error(`What this command had to tell could not be written: ${error.message}.${more}`);
  process.exitCode = 1;
}

/** From now on what this command tells is shown only once; `what` says how to get another one. */
export function showOnce(what: string): void {
  cure = what;
}

/** From now on nothing is printed before the process ends; then one JSON document is. */
export function useJson(): void {
  told = { result: {}, said: [], errors: [] };
  process.on('exit', (code) => {
    const { result, said, errors } = told as Told;
    const document = { ok: code === 0, ...result, said, ...(errors.length > 0 && { errors }) };
    let rest = Buffer.from(`${JSON.stringify(document, toJson, 2)}\n`);
    try {
      while (rest.length > 0) rest = rest.subarray(writeSome(rest));
    } catch (error) {
      tellUnwritten(error as NodeJS.ErrnoException);
    }
  });
}

/** Whether this run prints one document at its end, and keeps all that it says until then. */
export const isDocument = (): boolean => told !== undefined;

/** A line for people. */
export function say(line: string): void {
  if (told) told.said.push(line);
  else console.log(forTerminal(line));
}

/** What went wrong, or why nothing was done. */
export function complain(problem: unknown): void {
  if (!told) console.error(forTerminal(typeof problem === 'string' ? problem : inspect(problem)));
  else told.errors.push(problem instanceof Error ? (problem.stack ?? problem.message) : String(problem));
}

/** The progress of long work, on stderr; JSON documents leave it out. */
export function progress(line: string): void {
  console.error(forTerminal(line));
}

/** What the command found, for programs: a property for each part. Amounts keep their digits, as text. */
export function result(parts: object): void {
  if (told) told.result = { ...told.result, ...parts };
}

/** At the end nothing else can be waited for; a full pipe is tried again. */
function writeSome(bytes: Buffer): number {
  try {
    return writeSync(1, bytes);
  } catch (error) {
    if ((error as { code?: string }).code === 'EAGAIN') return 0;
    throw error;
  }
}

const toJson = (_name: string, value: unknown): unknown => (typeof value === 'bigint' ? value.toString() : value);
