import { blocks, filesOf, type GuideFile, readGuide, section } from '../../test/docs/guide.ts';

/** What a recipe tells its reader to do, word by word. */
export type Steps = {
  readonly files: readonly GuideFile[];
  /** The commands that install framework and client. */
  readonly install: string;
  /** The folder below, into which they lead with `cd`; empty where they stay. */
  readonly folder: string;
  /** The commands that come before the shop starts: its connection to Kasi, its tables. */
  readonly prepare: string;
  /** The command that runs until it is stopped. */
  readonly serve: string;
  /** The command that gives the money of an order back; null where the shop's own pages do that. */
  readonly refund: string | null;
};

/** The steps of the guide `recipe-<name>`. Throws if it misses one. */
export function readSteps(name: string): Steps {
  const guide = readGuide(`recipe-${name}`);
  const [install] = blocks(section(guide, '## Install'), 'sh');
  const [start, refund = null] = blocks(section(guide, '## Try it'), 'sh');
  if (!install || !start) throw new Error(`The recipe ${name} does not say how to install or to start the shop.`);
  const lines = start.trim().split('\n');
  // WordPress has a server of its own; what a plug-in needs is a preparation.
  if (lines.length === 1) lines.push('');
  return {
    ...{ files: filesOf(guide), install, refund },
    folder: /^cd (\S+)$/m.exec(install)?.[1] ?? '',
    ...{ prepare: lines.slice(0, -1).join('\n'), serve: lines.at(-1) ?? '' },
  };
}

/** How many lines of code a recipe has that are not blank. */
export const linesOf = ({ files }: Steps): number =>
  files.flatMap(({ text }) => text.split('\n')).filter((line) => line.trim() !== '').length;

/** The packages that a recipe installs with an exact version, in their order. */
export const packagesIn = ({ install }: Steps): (readonly [name: string, version: string])[] =>
  [...install.matchAll(/(?<=\s)((?:@[\w-]+\/)?[\w./-]+)(?:@|==|:)(\d[\w.-]*)/g)].map(([, name = '', version = '']) => [
    name,
    version,
  ]);
