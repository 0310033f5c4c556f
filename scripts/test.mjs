import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ensureInstalled, root } from './ensure-installed.mjs';
import { runNode } from './run-node.mjs';

/**
 * `npm test [-- <files or options of vitest>]`: installs what is missing, runs the tests, and after a whole run asks whether
 * every answer that the contract documents was seen in it.
 */

const args = process.argv.slice(2);
const OBSERVED = 'scripts/check-observed.ts';

ensureInstalled({ dev: true });
let code = await runNode(['node_modules/vitest/vitest.mjs', 'run', ...args]);
const isWholeRun = args.every((arg) => arg.startsWith('--reporter'));
if (code === 0 && isWholeRun && existsSync(join(root, OBSERVED))) code = await runNode([OBSERVED]);
process.exitCode = code;
