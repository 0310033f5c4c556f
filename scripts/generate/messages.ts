/**
 * Writes messages.ts: the keys of the pages' messages and the arguments of each, from the English ones.
 * Usage: node scripts/generate/messages.ts [folder]
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { argumentsOf } from '../lib/messages.ts';

const target = process.argv[2] ?? 'generated';
const english = JSON.parse(readFileSync('src/checkout/pages/messages/en.json', 'utf8')) as Record<string, string>;

const lines = Object.entries(english).map(([key, text]) => {
  const fields = [...argumentsOf(text)].map(([name, type]) => `readonly ${name}: ${type}`);
  return `  readonly '${key}': ${fields.length === 0 ? 'null' : `{ ${fields.join('; ')} }`};`;
});

writeFileSync(
  join(target, 'messages.ts'),
  `// Written by \`npm run generate\` from src/checkout/pages/messages/en.json; never edited.

/** What the pages say, and what goes into it; null where nothing does. */
export type Messages = {
${lines.join('\n')}
};
`,
);
