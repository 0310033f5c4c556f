/**
 * Refuses a kind of incident that no code opens, that no test has real code open, or that has no section in the
 * documentation, or that is described in none or several places. The catalogue is src/incidents/kinds/, the table of
 * tests incident-tests.ts.
 */
import { readFileSync } from 'node:fs';
import { RAISED_IN } from './incident-tests.ts';
import { type Fault, isStarted, readSourceFiles, report, type SourceFile } from './source-files.ts';

const CATALOGUE = 'src/incidents/kinds.ts';
/** Its parts, each of some domains. */
const PARTS = 'src/incidents/kinds/';
const TABLE = 'scripts/checks/incident-tests.ts';
/** A test that opens an incident by itself. */
const OPENED_BY_HAND = /\bopen(?:Test)?Incident\([^;]*;/g;

/** `documentation` is the chapter of incidents, as the service serves it. */
export function findIncidentFaults(
  raisedIn: Readonly<Record<string, string>>,
  files: readonly SourceFile[],
  documentation: string,
): Fault[] {
  const kinds = Object.keys(raisedIn);
  const parts = files.filter(({ path }) => path.startsWith(PARTS));
  const code = files.filter(({ path }) => path.startsWith('src/') && path !== CATALOGUE && !path.startsWith(PARTS));
  const opens = (kind: string): boolean => code.some(({ text }) => text.includes(`'${kind}'`));
  const raises = (kind: string): boolean =>
    files.some(
      ({ path, text }) =>
        path === raisedIn[kind] && path.endsWith('.test.ts') && text.replace(OPENED_BY_HAND, '').includes(`'${kind}'`),
    );
  return kinds.flatMap((kind) => {
    const [part, ...others] = parts.filter(({ text }) => text.includes(`'${kind}':`));
    const fault = (message: string): Fault => ({ path: part?.path ?? CATALOGUE, line: lineIn(part, kind), message });
    return [
      // One of two would say nothing: the catalogue is put together of its parts.
      ...(part !== undefined && others.length === 0
        ? []
        : [fault(`${kind} is not described once, in a file of ${PARTS}: describe it there.`)]),
      ...(opens(kind) ? [] : [fault(`no code opens ${kind}: open it, or take it out of the catalogue.`)]),
      ...(raises(kind)
        ? []
        : [
            fault(
              `${raisedIn[kind]} does not see the service open ${kind}: mend it, or name another test in ${TABLE}.`,
            ),
          ]),
      ...(documentation.includes(`\n### ${kind}\n`)
        ? []
        : [fault(`the documentation has no section ${kind}: run npm run generate.`)]),
    ];
  });
}

const lineIn = (file: SourceFile | undefined, kind: string): number =>
  (file?.text.split('\n').findIndex((line) => line.includes(`'${kind}':`)) ?? -1) + 1;

if (isStarted(import.meta)) {
  report(
    findIncidentFaults(RAISED_IN, readSourceFiles(), readFileSync('generated/docs/guides/incidents.md', 'utf8')),
    `${Object.keys(RAISED_IN).length} kinds of incidents are opened, tested and documented.`,
  );
}
