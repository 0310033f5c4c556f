import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { docFiles } from '../../src/http/doc-files.ts';

const DOCS = 'generated/docs';
const pages = readdirSync(DOCS, { recursive: true, withFileTypes: true })
  .filter((each) => each.isFile())
  .map(({ parentPath, name }) => `${parentPath}/${name}`.slice('generated/'.length));
const ALL = ['openapi.json', 'openapi.client.json', 'docs/assets/redoc.js', ...pages];

test('whoever asks for everything in turn has nothing compressed a second time', async () => {
  const read = docFiles('https://api.pay.example');
  const readAll = (encoding: 'br' | 'gzip') => Promise.all(ALL.map((path) => read(path, encoding)));
  const first = [...(await readAll('gzip')), ...(await readAll('br'))];
  expect(first.length).toBeGreaterThan(500);
  const again = [...(await readAll('gzip')), ...(await readAll('br'))];
  expect(again.filter((file, at) => file?.body !== first[at]?.body)).toEqual([]);
});

test('who takes no encoding gets the same text, and its validator is of the same content', async () => {
  const read = docFiles('https://api.pay.example');
  const [whole, packed] = await Promise.all([read('openapi.json', undefined), read('openapi.json', 'gzip')]);
  expect(whole?.hash).toBe(packed?.hash);
  expect(JSON.parse(String(whole?.body)).servers[0].url).toBe('https://api.pay.example');
});
