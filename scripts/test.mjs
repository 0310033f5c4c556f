import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { ensureInstalled, root } from './lib/ensure-installed.mjs';
import { runNode } from './lib/run-node.mjs';

/**
 * `npm test [-- <files or options of vitest>]`: installs missing packages and runs the tests. A whole run also checks
 * that every answer that the contract documents was seen.
 */

const args = process.argv.slice(2);
ensureInstalled({ dev: true });
// Where the tests record the answers that they saw. One file per run, because several runs may go on side by side.
process.env.KASI_OBSERVED = join(root, `node_modules/.cache/kasi/observed-${process.pid}.jsonl`);
let code = await runNode(['node_modules/vitest/vitest.mjs', 'run', ...args]);
const isWholeRun = args.every((arg) => /^--(reporter|outputFile)\b/.test(arg));
if (code === 0 && isWholeRun) code = await runNode(['scripts/checks/observed.ts']);
rmSync(process.env.KASI_OBSERVED, { force: true });
process.exitCode = code;
