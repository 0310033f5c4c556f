#!/usr/bin/env node
/** `kasi <command>`. In a checkout `scripts/kasi.mjs` starts it with the project's Node.js. */
import { createRequire } from 'node:module';
import { extname } from 'node:path';

const OLDEST_NODE = 24;

await run(process.argv.slice(2));

async function run(words: readonly string[]): Promise<void> {
  const [major = '0'] = process.versions.node.split('.');
  if (Number(major) < OLDEST_NODE) {
    console.error(`kasi needs Node.js ${OLDEST_NODE} or newer, and this is ${process.version}.`);
    process.exitCode = 2;
    return;
  }
  const { faultOf, findCommand, helpOf, overview } = await import('./commands.ts');
  const output = await import('../lib/output.ts');
  const [first] = words;
  if (first === '--version') return output.say(readVersion());
  if (first === undefined || first === 'help' || first === '--help') {
    const about = findCommand(words.slice(1));
    return output.say(about ? helpOf(about.command) : overview());
  }
  const found = findCommand(words);
  if (!found) {
    console.error(`There is no command ${words.join(' ')}.\n\n${overview()}`);
    process.exitCode = 2;
    return;
  }
  if (found.rest.includes('--help')) return output.say(helpOf(found.command));
  if (found.rest.includes('--json')) output.useJson();
  const fault = faultOf(found.command, found.rest);
  if (fault !== undefined) {
    output.complain(`${fault}\n${helpOf(found.command)}`);
    process.exitCode = 2;
    return;
  }
  process.argv.splice(2, Number.POSITIVE_INFINITY, ...found.rest.filter((word) => word !== '--json'));
  // In the package they are compiled.
  await import(new URL(`../${found.command.file}${extname(import.meta.filename)}`, import.meta.url).href);
}

/** This release. */
function readVersion(): string {
  const { version } = createRequire(import.meta.url)('../../package.json') as { version: string };
  return version;
}
