// Makes the copy of the package for CommonJS, in dist/cjs: declarations as TypeScript wrote them, and one script for
// each entry. The dependencies are inside: the curves are ES modules, which not every tool can require.
import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { rolldown } from 'rolldown';

const { exports } = JSON.parse(readFileSync('package.json', 'utf8'));
const entries = Object.values(exports).map((each) => each.import.default);
const build = await rolldown({ input: entries, platform: 'neutral' });
await build.write({ dir: 'dist/cjs', format: 'cjs', entryFileNames: '[name].js', chunkFileNames: '[name].js' });
for (const file of readdirSync('dist', { recursive: true })) {
  if (file.endsWith('.d.ts') && !file.startsWith('cjs')) cpSync(join('dist', file), join('dist/cjs', file));
}
writeFileSync('dist/cjs/package.json', '{ "type": "commonjs" }\n');
