import { blocks } from './guide.ts';
import { type ClientLabel, RUNNERS, type SampleFile } from './sample-runner.ts';

/** The languages that a guide's example with a client is shown in. */
export const CLIENTS = Object.keys(RUNNERS) as ClientLabel[];

const FENCES: Readonly<Record<ClientLabel, string>> = { TypeScript: 'ts', Python: 'python', PHP: 'php' };

/** What has to be another here: the text as it is shown, and what takes its place. */
type Instead = Readonly<Record<string, string>>;

/** Runs the examples of guides with the client in one language. */
export type Examples = {
  /** Runs the example at `place` among those of a text in this language; returns its output lines. */
  readonly run: (text: string, place: number, options?: RunOptions) => Promise<string[]>;
  /** Writes the example at `place`, for a process of its own. */
  readonly write: (text: string, place: number, instead: Instead) => Promise<SampleFile>;
  readonly stop: () => void;
};

export type RunOptions = { readonly env?: Readonly<Record<string, string>>; readonly instead?: Instead };

export type Opened = Examples | { readonly missing: string };

/**
 * The examples in each language against the service at `url`, or why this machine runs none. Before the service starts,
 * because to build the clients takes all that a small machine has.
 */
export async function openAllExamples(url: () => string): Promise<ReadonlyMap<ClientLabel, Opened>> {
  const opened = new Map<ClientLabel, Opened>();
  for (const label of CLIENTS) opened.set(label, await openExamples(label, url));
  return opened;
}

export function closeExamples(opened: ReadonlyMap<ClientLabel, Opened> | undefined): void {
  for (const each of opened?.values() ?? []) if ('stop' in each) each.stop();
}

export async function openExamples(label: ClientLabel, url: () => string): Promise<Opened> {
  const runner = await RUNNERS[label]();
  if ('missing' in runner) return runner;
  let made = 0;
  const exampleOf = (text: string, place: number, instead: Instead): readonly [name: string, source: string] => {
    const example = blocks(text, FENCES[label])[place];
    if (example === undefined) throw new Error(`There is no example ${place} in ${label}.`);
    const filled = Object.entries({ 'http://localhost:3000': url(), ...instead }).reduce(
      (source, [shown, real]) => source.replaceAll(shown, real),
      example,
    );
    made += 1;
    return [`example${made}`, filled];
  };
  return {
    run: async (text, place, { env = {}, instead = {} } = {}) => {
      const printed = await runner.run(...exampleOf(text, place, instead), env);
      return printed.trimEnd().split('\n');
    },
    write: (text, place, instead) => runner.write(...exampleOf(text, place, instead)),
    stop: runner.stop,
  };
}
