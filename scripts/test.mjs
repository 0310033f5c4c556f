import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { ensureInstalled, root } from './lib/ensure-installed.mjs';
import { runNode } from './lib/run-node.mjs';

/**
 * `npm test [-- [--all] <files or options of vitest>]`: installs missing packages and runs the tests. Without files it
 * leaves out the long ones (`*.long.test.ts`); with `--all` it runs these in place of the short parts that they tell in
 * full (`*.short.test.ts`). Either also checks that every answer that the contract documents was seen.
 */

const given = process.argv.slice(2);
const args = given.filter((arg) => arg !== '--all');
const isAll = args.length < given.length;
// The value of an option may stand by itself, too: `-t <title>` searches all files.
const namesFiles = args.some((arg) => !arg.startsWith('-'));
const isWholeRun = args.every((arg) => /^--(reporter|outputFile)\b/.test(arg));
ensureInstalled({ dev: true });
// Where the tests record the answers that they saw. One file per run, because several runs may go on side by side.
process.env.KASI_OBSERVED = join(root, `node_modules/.cache/kasi/observed-${process.pid}.jsonl`);
const which = namesFiles ? [] : ['--exclude', `**/*.${isAll ? 'short' : 'long'}.test.ts`];
let code = await runNode(['node_modules/vitest/vitest.mjs', 'run', ...which, ...args]);
if (code === 0 && isWholeRun) code = await runNode(['scripts/checks/observed.ts']);
rmSync(process.env.KASI_OBSERVED, { force: true });
process.exitCode = code;
