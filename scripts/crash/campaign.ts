import { untilInterrupted } from '../lib/service-process.ts';
import type { Endings } from './stage.ts';

/**
 * The positive integers of a command line, with defaults for missing ones. Anything else ends the process with `usage`.
 */
export function readCounts<const D extends readonly number[]>(defaults: D, usage: string): { [I in keyof D]: number } {
  const given = process.argv.slice(2).map(Number);
  const counts = defaults.map((count, index) => given[index] ?? count);
  if (!counts.every((count) => Number.isInteger(count) && count > 0)) {
    console.error(`Usage: ${usage}`);
    process.exit(1);
  }
  return counts as { [I in keyof D]: number };
}

const LINE_EVERY_MS = 20_000;

/** Progress: one line that is overwritten on a terminal, and an occasional line elsewhere. */
function createProgress(): (text: string) => void {
  let saidAt = performance.now();
  return (text) => {
    if (process.stderr.isTTY) process.stderr.write(`\r${text} `);
    else if (performance.now() - saidAt > LINE_EVERY_MS) {
      saidAt = performance.now();
      console.error(text);
    }
  };
}

/**
 * Runs a campaign from the command line: shows progress, prints figures and faults, and ends what it has started, also
 * when interrupted. Exits with 0 only if there is no fault.
 */
export async function runCampaign<F extends { readonly seconds: number; readonly faults: readonly string[] }>(
  run: (progress: (text: string) => void, endings: Endings) => Promise<F>,
  words: { readonly figures: (figures: F) => string; readonly wellDone: string },
  endings: Endings = [],
): Promise<never> {
  const progress = createProgress();
  try {
    const figures = await untilInterrupted(run(progress, endings));
    console.log(`\n${words.figures(figures)}\nTime        ${figures.seconds.toFixed(0)} s\n`);
    for (const fault of figures.faults) console.error(`WRONG: ${fault}`);
    if (figures.faults.length === 0) console.log(words.wellDone);
    process.exitCode = figures.faults.length === 0 ? 0 : 1;
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
  for (const end of endings.reverse()) await end();
  process.exit(); // Without this, a part would continue after an interruption.
}
