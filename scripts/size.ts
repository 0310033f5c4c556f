/**
 * `npm run size`: what the client adds to a bundle, minified and gzipped. Tree shaking starts from the imported names,
 * so the parts are also measured alone.
 */
import { gzipSync } from 'node:zlib';
import { rolldown } from 'rolldown';
import { isStarted } from './checks/source-files.ts';

export type Size = { readonly what: string; readonly minified: number; readonly gzipped: number };

const ENTRY = new URL('../clients/typescript/src/index.ts', import.meta.url).pathname;

/** The imports to measure, by their name in the table. */
const IMPORTS = {
  'the whole client': '*',
  createClient: '{ createClient }',
  verifyWebhook: '{ verifyWebhook }',
  signRequest: '{ signRequest }',
};

/** The sizes in bytes of each import from the client. */
export function measureSizes(): Promise<Size[]> {
  return Promise.all(Object.entries(IMPORTS).map(([what, names]) => measure(what, names)));
}

/**
 * Bundles the client into one script. For a runtime without modules (`iife`), `names` become properties of the global
 * `kasi`.
 */
export async function bundleClient(names: string, format: 'esm' | 'iife', minify: boolean): Promise<string> {
  const build = await rolldown({
    input: 'entry',
    plugins: [
      {
        name: 'entry',
        resolveId: (id) => (id === 'entry' ? id : null),
        load: (id) => (id === 'entry' ? `export ${names} from ${JSON.stringify(ENTRY)};` : null),
      },
    ],
  });
  const { output } = await build.generate({ format, minify, name: 'kasi' });
  return output[0].code;
}

async function measure(what: string, names: string): Promise<Size> {
  const code = await bundleClient(names, 'esm', true);
  return { what, minified: Buffer.byteLength(code), gzipped: gzipSync(code, { level: 9 }).byteLength };
}

if (isStarted(import.meta)) {
  const kilobytes = (bytes: number): string => `${(bytes / 1000).toFixed(1)} kB`.padStart(9);
  for (const { what, minified, gzipped } of await measureSizes()) {
    console.log(`${what.padEnd(18)}${kilobytes(minified)} minified ${kilobytes(gzipped)} gzipped`);
  }
}
