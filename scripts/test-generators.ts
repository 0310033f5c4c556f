/**
 * `npm run test:generators [name …]`: generates clients from the document for generators, compiles them, and lets
 * those of the guide take payments on a sandbox and read answers that have grown. What needs a program that this
 * machine lacks is skipped and says so. Exits with 0 if nothing failed. Names choose by a part of theirs: `go`, `java`.
 */
import { join } from 'node:path';
import { COMPILED, LANGUAGES } from './generators/languages.ts';
import { fetchGenerator, tryCompiled, tryLanguage } from './generators/run.ts';
import { missingOf } from './generators/shell.ts';
import { isWanted, openTrials } from './lib/trials.ts';

type Outcome = 'passed' | 'failed' | 'skipped';
type Try = {
  readonly name: string;
  readonly needs: readonly string[];
  readonly run: (folder: string) => Promise<string>;
};

const { service, work, end } = await openTrials({ RATE_LIMITS: 'off' });
await end(tryAll());

async function tryAll(): Promise<void> {
  await service.ready();
  const outcomes: Outcome[] = [];
  for (const each of triesOn(service.url).filter(isWanted)) outcomes.push(await tryOne(each));
  const count = (outcome: Outcome): number => outcomes.filter((each) => each === outcome).length;
  console.log(`\n${count('passed')} passed, ${count('failed')} failed, ${count('skipped')} skipped`);
  if (count('failed') > 0) process.exitCode = 1;
}

function triesOn(url: string): Try[] {
  let jar: Promise<string> | undefined;
  return [
    ...LANGUAGES.map((language) => ({
      ...language,
      run: (folder: string) => tryLanguage(language, url, folder),
    })),
    ...COMPILED.map((compiled) => ({
      ...compiled,
      run: async (folder: string) => {
        jar ??= fetchGenerator(join(work, 'generator'));
        return tryCompiled(compiled, await jar, folder);
      },
    })),
  ];
}

async function tryOne({ name, needs, run }: Try): Promise<Outcome> {
  const missing = missingOf(needs);
  if (missing.length > 0) return tell('skipped', name, `not on this machine: ${missing.join(', ')}`);
  const start = performance.now();
  try {
    const shown = await run(join(work, name.replaceAll(/\W+/g, '-')));
    return tell('passed', name, `${shown} (${((performance.now() - start) / 1000).toFixed(0)} s)`);
  } catch (error) {
    return tell('failed', name, error instanceof Error ? error.message : String(error));
  }
}

function tell(outcome: Outcome, name: string, text: string): Outcome {
  console.log(`${outcome.padEnd(7)}  ${name.padEnd(26)}  ${text}`);
  return outcome;
}
