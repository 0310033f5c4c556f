/**
 * Refuses a kind of incident that no code opens, that no test has real code open, or that has no section in the
 * documentation. The catalogue is src/incidents/kinds.ts, the table of tests incident-tests.ts.
 */
import { readFileSync } from 'node:fs';
import { RAISED_IN } from './incident-tests.ts';
import { type Fault, isStarted, readSourceFiles, report, type SourceFile } from './source-files.ts';

const CATALOGUE = 'src/incidents/kinds.ts';
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
  const catalogue = files.find(({ path }) => path === CATALOGUE);
  const opens = (kind: string): boolean =>
    files.some(({ path, text }) => path.startsWith('src/') && path !== CATALOGUE && text.includes(`'${kind}'`));
  const raises = (kind: string): boolean =>
    files.some(
      ({ path, text }) =>
        path === raisedIn[kind] && path.endsWith('.test.ts') && text.replace(OPENED_BY_HAND, '').includes(`'${kind}'`),
    );
  return kinds.flatMap((kind) => {
    const fault = (message: string): Fault => ({ path: CATALOGUE, line: lineIn(catalogue, kind), message });
    return [
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
