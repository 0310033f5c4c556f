import { createHash } from 'node:crypto';
import { type Changes, findChanges } from './changes.ts';
import { type Json, outlineOf } from './outline.ts';

/** The chapter that tells merchants what changed: openapi/guides/changes.md. */
export type Changelog = string;

const TITLES: Readonly<Record<keyof Changes, string>> = {
  operations: 'New operations',
  adminOperations: 'New operations for administrators',
  events: 'New events',
  requests: 'New in requests',
  answers: 'New in answers',
  values: 'New values',
  access: 'Who may call what besides',
  limits: 'New or changed limits',
  deprecated: 'Deprecated',
};

/** What an outline of the contract is known by: 12 hexadecimal digits. */
const fingerprintOf = (outline: Json): string =>
  createHash('sha256').update(JSON.stringify(outline)).digest('hex').slice(0, 12);

/** An entry for somebody to edit: what `contract` has and the outline `before` had not. */
export function composeEntry(before: Json, contract: Json, version: string, now: Date): string {
  const changes = findChanges(before, contract);
  const parts = (Object.keys(TITLES) as (keyof Changes)[])
    .filter((kind) => changes[kind].length > 0)
    .map((kind) => `**${TITLES[kind]}**\n\n${changes[kind].map((line) => wrapped(`- ${line}`)).join('\n')}`);
  const date = now.toLocaleDateString('en-GB', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' });
  const said = `Version ${version}, contract \`${fingerprintOf(outlineOf(contract))}\`.`;
  return [`## ${date}`, said, ...(parts.length > 0 ? parts : ['Nothing that a program sees.'])].join('\n\n');
}

/** The chapter with an entry above all others. */
export function withEntry(changelog: Changelog, entry: string): Changelog {
  const first = changelog.search(/^## /m);
  return first === -1
    ? `${changelog.trimEnd()}\n\n${entry}\n`
    : `${changelog.slice(0, first)}${entry}\n\n${changelog.slice(first)}`;
}

/**
 * Whether the chapter belongs to what was released: its newest entry names the outline that `released.json` holds, and
 * the version of this service has an entry. Returns what is wrong and how to mend it; null when all is well.
 */
export function problemOf(changelog: Changelog, released: Json, version: string): string | null {
  const [, newest = '', contract = ''] = /^Version (\S+), contract `([0-9a-f]{12})`\.$/m.exec(changelog) ?? [];
  const wanted = fingerprintOf(released);
  if (contract !== wanted) {
    return `The newest entry of openapi/guides/changes.md is of the contract ${contract || '(none)'}, and openapi/released.json holds ${wanted}. Release with: node scripts/check-breaks.ts --release`;
  }
  if (newest !== version) {
    return `package.json says version ${version}, and the newest entry of openapi/guides/changes.md version ${newest}. What the new version brings needs an entry: node scripts/check-breaks.ts --release`;
  }
  return null;
}

const WIDTH = 120;

/** A point of a list, wrapped as the guides are. */
function wrapped(line: string): string {
  const lines: string[] = [];
  for (const word of line.split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && `${last} ${word}`.length <= WIDTH) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(last === undefined ? word : `  ${word}`);
  }
  return lines.join('\n');
}
