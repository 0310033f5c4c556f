/**
 * Compares the contract with its last release, and fails if a client of that release would break.
 * Usage: node scripts/check-breaks.ts [--release]     With --release, the current contract becomes the released one.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { findBreaks } from './contract/compare.ts';
import { type Json, outlineOf } from './contract/outline.ts';

const RELEASED = 'openapi/released.json';

const read = (file: string): Json => JSON.parse(readFileSync(file, 'utf8')) as Json;

const breaks = findBreaks(read(RELEASED), outlineOf(read('generated/openapi.json')));
if (breaks.length > 0) {
  console.error('These would break clients of the last release. See openapi/README.md#what-breaks-a-client');
  for (const each of breaks) console.error(`  - ${each}`);
  process.exitCode = 1;
} else if (process.argv.includes('--release')) {
  writeFileSync(RELEASED, `${JSON.stringify(outlineOf(read('generated/openapi.json')), null, 1)}\n`);
  console.log(`${RELEASED} is the contract as it is now.`);
} else {
  console.log('Nothing that a client of the last release relies on has changed.');
}
