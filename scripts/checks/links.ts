/** Refuses links of Markdown files, and paths that READMEs name in backticks, that lead nowhere. */
import { existsSync } from 'node:fs';
import { posix } from 'node:path';
import { type Fault, isStarted, readSourceFiles, report, type SourceFile } from './source-files.ts';

const LINK = /\]\((?!https?:|mailto:|#|\/|\{)([^)\s#]+)(?:#[^)]*)?\)/g;
/** `payments/payment.ts`, `src/db/batches.ts`: a path with a folder and one of our extensions. */
const NAMED = /`((?:[\w.-]+\/)+[\w.-]+\.(?:ts|mjs|sol|eta|md))`/g;
/** The roots of a named path, besides the README's own folder. */
const ROOTS = ['', 'src/', 'test/', 'scripts/'];

/** Links to missing files, and named files that do not exist under any root. */
export function findLinkFaults(files: readonly SourceFile[], exists: (path: string) => boolean): Fault[] {
  return files
    .filter(({ path }) => path.endsWith('.md'))
    .flatMap(({ path, text }) =>
      text.split('\n').flatMap((line, index) => {
        const near = posix.dirname(path);
        const fault = (message: string): Fault => ({ path, line: index + 1, message });
        const links = [...line.matchAll(LINK)].map(([, to = '']) => to);
        const named = path.endsWith('README.md') ? [...line.matchAll(NAMED)].map(([, to = '']) => to) : [];
        return [
          ...links.filter((to) => !exists(posix.join(near, to))).map((to) => fault(`the link ${to} leads nowhere.`)),
          ...named
            .filter((to) => ![`${near}/`, ...ROOTS].some((root) => exists(posix.join(root, to))))
            .map((to) => fault(`there is no file ${to}.`)),
        ];
      }),
    );
}

if (isStarted(import.meta)) {
  report(findLinkFaults(readSourceFiles(), existsSync), 'Every link between documents leads somewhere.');
}
