/**
 * Refuses citations of decisions that do not exist. A decision is a heading `### <folder>/<name>` in the README of the
 * folder that owns it; code cites it as "decision <folder>/<name>".
 */
import { posix } from 'node:path';
import { type Fault, isStarted, readSourceFiles, report, type SourceFile } from './source-files.ts';

const HEADING = /^### ([a-z0-9-]+(?:\/[a-z0-9-]+)+)$/;
const NAME = /[a-z][a-z0-9-]*(?:\/[a-z0-9-]*[a-z0-9])+/g;
/** "decision a/b", "decisions a/b, a/c and d/e"; a comment may break the line anywhere in between. */
const GAP = String.raw`(?:\s|//|\*|--)+`;
const CITATION = new RegExp(
  String.raw`\bdecisions?${GAP}(${NAME.source}(?:,?${GAP}(?:and${GAP})?${NAME.source})*)`,
  'g',
);
/** Files with examples, which are no citations. */
const EXAMPLES = /^(scripts\/checks\/decisions\.ts|test\/unit\/check-decisions\.test\.ts)$/;

type Place = { readonly path: string; readonly line: number; readonly name: string };

/** Citations of decisions that no README has, decisions in a README that does not own them, and names given twice. */
export function findDecisionFaults(files: readonly SourceFile[]): Fault[] {
  const decisions = files.filter(({ path }) => posix.basename(path) === 'README.md').flatMap(listDecisions);
  const names = Map.groupBy(decisions, ({ name }) => name);
  const folders = new Set(files.map(({ path }) => folderOf(path).split('/')[0]));
  const citations = files
    .filter(({ path }) => !EXAMPLES.test(path))
    .flatMap(listCitations)
    .filter(({ name }) => folders.has(name.split('/')[0])); // "decision and/or …" is no citation.
  return [
    ...decisions.flatMap(({ path, line, name }) =>
      folderOf(path) === posix.dirname(name)
        ? []
        : [{ path, line, message: `the decision ${name} belongs into the README of the folder it is named after.` }],
    ),
    ...[...names.values()].flatMap(([, ...again]) =>
      again.map(({ path, line, name }) => ({ path, line, message: `the decision ${name} stands twice.` })),
    ),
    ...citations.flatMap(({ path, line, name }) =>
      names.has(name)
        ? []
        : [{ path, line, message: `there is no decision ${name}. Its README has to have a heading "### ${name}".` }],
    ),
  ];
}

/** The folder of a file as decisions name it, without the leading src/. */
const folderOf = (path: string): string => posix.dirname(path).replace(/^src\//, '');

const listDecisions = ({ path, text }: SourceFile): Place[] =>
  text.split('\n').flatMap((line, index) => {
    const name = HEADING.exec(line)?.[1];
    return name === undefined ? [] : [{ path, line: index + 1, name }];
  });

const listCitations = ({ path, text }: SourceFile): Place[] =>
  [...text.matchAll(CITATION)].flatMap(({ index, 1: names = '' }) => {
    const line = text.slice(0, index).split('\n').length;
    return [...names.matchAll(NAME)].map(([name]) => ({ path, line, name }));
  });

if (isStarted(import.meta)) {
  const files = readSourceFiles();
  const count = files.filter(({ path }) => posix.basename(path) === 'README.md').flatMap(listDecisions).length;
  report(findDecisionFaults(files), `Every citation names one of ${count} decisions.`);
}
