#!/usr/bin/env node
import { fileURLToPath } from 'node:url';
import { ensureInstalled } from './lib/ensure-installed.mjs';
import { runNode } from './lib/run-node.mjs';
import { compileCache } from './lib/service-command.mjs';

/** `npx kasi <command>` in a checkout: installs missing packages, and runs the command with the project's Node.js. */

const words = process.argv.slice(2);
if (words[0] === 'start') await import('./start.mjs');
else {
  ensureInstalled({ dev: false });
  const file = fileURLToPath(new URL('kasi/run.ts', import.meta.url));
  process.exitCode = await runNode([file, ...words], { NODE_COMPILE_CACHE: compileCache });
}
