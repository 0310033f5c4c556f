/**
 * Holds the contract to openapi/README.md: redocly's rules and our own.
 * Usage: node scripts/contract/lint.ts [--format=stylish | any other format of redocly]
 */
import { redocly } from './redocly.ts';

const options = process.argv.slice(2);
process.exitCode = await redocly(
  ['lint', 'openapi/openapi.yaml', ...(options.length > 0 ? options : ['--format=stylish'])],
  'inherit',
);
