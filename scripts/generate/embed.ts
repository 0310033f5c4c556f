/**
 * Writes embed.js: the script of `<kasi-checkout>`, minified, because every visitor of a shop loads it. The service
 * fills in its address and its words.
 * Usage: node scripts/generate/embed.ts [folder]
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { rolldown } from 'rolldown';

const target = process.argv[2] ?? 'generated';
const build = await rolldown({ input: 'src/checkout/pages/assets/embed.js' });
const { output } = await build.generate({ format: 'iife', minify: true });
writeFileSync(join(target, 'embed.js'), output[0].code.replaceAll('/* @__PURE__ */ ', ''));
