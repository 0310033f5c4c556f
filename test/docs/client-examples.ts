import { blocks } from './guide.ts';
import { type ClientLabel, RUNNERS } from './sample-runner.ts';

/** The languages that a guide's example with a client is shown in. */
export const CLIENTS = Object.keys(RUNNERS) as ClientLabel[];

const FENCES: Readonly<Record<ClientLabel, string>> = { TypeScript: 'ts', Python: 'python', PHP: 'php' };

/** Runs the examples of guides with the client in one language. */
export type Examples = {
  /**
   * Runs the example at `place` among those of a text in this language, followed by `more`; returns its output lines.
   */
  readonly run: (text: string, place: number, options?: RunOptions) => Promise<string[]>;
  readonly stop: () => void;
};

export type RunOptions = {
  readonly env?: Readonly<Record<string, string>>;
  /** What has to be another here: the text as it is shown, and what takes its place. */
  readonly instead?: Readonly<Record<string, string>>;
  /** Code after the example, by language. */
  readonly more?: Readonly<Record<ClientLabel, string>>;
};

/** The examples against the service at `url`, or why this machine runs none of that language. */
export async function openExamples(label: ClientLabel, url: string): Promise<Examples | { readonly missing: string }> {
  const runner = await RUNNERS[label]();
  if ('missing' in runner) return runner;
  let made = 0;
  return {
    run: async (text, place, { env = {}, instead = {}, more } = {}) => {
      const example = blocks(text, FENCES[label])[place];
      if (example === undefined) throw new Error(`There is no example ${place} in ${label}.`);
      const filled = Object.entries({ 'http://localhost:3000': url, ...instead }).reduce(
        (source, [shown, real]) => source.replaceAll(shown, real),
        example,
      );
      made += 1;
      const printed = await runner.run(`example${made}`, `${filled}\n${more?.[label] ?? ''}`, env);
      return printed.trimEnd().split('\n');
    },
    stop: runner.stop,
  };
}
