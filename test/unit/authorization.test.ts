import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { endpointsOf } from '../../src/chains/endpoints.ts';

let isOpen = true;

/** Answers with the Authorization header that it was sent; while it is not open, only to who is authorized. */
const node = createServer((request, response) => {
  request.resume();
  if (!isOpen && request.headers.authorization === undefined) {
    response.writeHead(401).end();
    return;
  }
  response.end(JSON.stringify({ id: 0, error: null, result: request.headers.authorization ?? 'none' }));
});
beforeAll(() => new Promise<void>((resolve) => void node.listen(0, '127.0.0.1', resolve)));
afterAll(() => void node.close());

const ask = (credentials: string, cookieFile?: string): Promise<string> => {
  const rpcUrl = `http://${credentials}127.0.0.1:${(node.address() as AddressInfo).port}/`;
  const network = { name: 'one', batchMax: 1, rpcUrl, ...(cookieFile !== undefined && { cookieFile }) };
  return endpointsOf(network).all[0]!.open()<string>('anything', []);
};
const basic = (text: string): string => `Basic ${Buffer.from(text).toString('base64')}`;

test('user and password of a URL go into the header, decoded', async () => {
  expect(await ask('')).toBe('none');
  expect(await ask('kasi:p%40ss%3Aword@')).toBe(basic('kasi:p@ss:word'));
});

test('a cookie file is read for each request, because a node writes another one at each start', async () => {
  const cookie = join(mkdtempSync(join(inject('runFolder'), 'cookie-')), '.cookie');
  writeFileSync(cookie, '__cookie__:first\n');
  expect(await ask('', cookie)).toBe(basic('__cookie__:first'));
  writeFileSync(cookie, '__cookie__:second');
  expect(await ask('', cookie)).toBe(basic('__cookie__:second'));
  expect(await ask('own:one@', cookie)).toBe(basic('own:one'));
  rmSync(cookie);
  expect(await ask('', cookie)).toBe('none');
});

test('a refusal says why nothing was sent that authorizes: the cookie file can not be read', async () => {
  const missing = join(inject('runFolder'), 'no-such-folder', '.cookie');
  isOpen = false;
  await expect(ask('', missing)).rejects.toThrow(
    /answers HTTP 401 Unauthorized \(cookieFile can not be read: ENOENT.*no-such-folder/,
  );
  await expect(ask('')).rejects.toThrow(/answers HTTP 401 Unauthorized$/);
  isOpen = true;
});
