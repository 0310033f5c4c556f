/**
 * Refuses a kind of incident that no code opens, that no test raises, or that has no section in the documentation. The
 * catalogue is src/incidents/kinds.ts.
 */
import { readFileSync } from 'node:fs';
import { INCIDENT_KINDS } from '../../src/incidents/kinds.ts';
import { type Fault, isStarted, readSourceFiles, report, type SourceFile } from './source-files.ts';

const CATALOGUE = 'src/incidents/kinds.ts';

/** `documentation` is the text above the operations, as the service serves it. */
export function findIncidentFaults(
  kinds: readonly string[],
  files: readonly SourceFile[],
  documentation: string,
): Fault[] {
  const catalogue = files.find(({ path }) => path === CATALOGUE);
  const names = (folder: string, kind: string): boolean =>
    files.some(({ path, text }) => path.startsWith(folder) && path !== CATALOGUE && text.includes(`'${kind}'`));
  return kinds.flatMap((kind) => {
    const fault = (message: string): Fault => ({ path: CATALOGUE, line: lineIn(catalogue, kind), message });
    return [
      ...(names('src/', kind) ? [] : [fault(`no code opens ${kind}: open it, or take it out of the catalogue.`)]),
      ...(names('test/', kind) ? [] : [fault(`no test raises ${kind}.`)]),
      ...(documentation.includes(`\n### ${kind}\n`)
        ? []
        : [fault(`the documentation has no section ${kind}: run npm run generate.`)]),
    ];
  });
}

const lineIn = (file: SourceFile | undefined, kind: string): number =>
  (file?.text.split('\n').findIndex((line) => line.includes(`'${kind}':`)) ?? -1) + 1;

if (isStarted(import.meta)) {
  const { info } = JSON.parse(readFileSync('generated/openapi.json', 'utf8')) as { info: { description: string } };
  const kinds = Object.keys(INCIDENT_KINDS);
  report(
    findIncidentFaults(kinds, readSourceFiles(), info.description),
    `${kinds.length} kinds of incidents are opened, tested and documented.`,
  );
}
