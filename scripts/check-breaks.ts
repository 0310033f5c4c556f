/**
 * Compares the contract with its last release, and fails if a client of that release would break, or if the chapter of
 * changes does not tell of that release.
 * Usage: node scripts/check-breaks.ts [--release]     With --release, the current contract becomes the released one,
 * and an entry with the differences is put at the top of the chapter, for somebody to edit.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { composeEntry, problemOf, withEntry } from './contract/changelog.ts';
import { findBreaks } from './contract/compare.ts';
import { type Json, outlineOf } from './contract/outline.ts';

const RELEASED = 'openapi/released.json';
const CHANGES = 'openapi/guides/changes.md';

const read = (file: string): Json => JSON.parse(readFileSync(file, 'utf8')) as Json;

const [released, contract] = [read(RELEASED), read('generated/openapi.json')];
const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { readonly version: string };
const changelog = readFileSync(CHANGES, 'utf8');
const breaks = findBreaks(released, outlineOf(contract));
const problem = problemOf(changelog, released, version);
if (breaks.length > 0) {
  console.error('These would break clients of the last release. See openapi/README.md#what-breaks-a-client');
  for (const each of breaks) console.error(`  - ${each}`);
  process.exitCode = 1;
} else if (process.argv.includes('--release')) {
  writeFileSync(CHANGES, withEntry(changelog, composeEntry(released, contract, version, new Date())));
  writeFileSync(RELEASED, `${JSON.stringify(outlineOf(contract), null, 1)}\n`);
  console.log(
    `${RELEASED} is the contract as it is now. Now say in the words of a merchant what is new, in ${CHANGES}.`,
  );
} else if (problem !== null) {
  console.error(problem);
  process.exitCode = 1;
} else {
  console.log('Nothing that a client of the last release relies on has changed, and the changes are told.');
}
