import { readFileSync } from 'node:fs';
import { expect } from 'vitest';
import { serviceTest } from '../fixture.ts';

const PUBLIC_URL = 'https://api.pay.example:8443';
const test = serviceTest({ env: { PUBLIC_URL } });

type Document = {
  readonly info: { readonly version: string };
  readonly servers: readonly { readonly url: string }[];
  readonly externalDocs: { readonly url: string };
};

test.for(['/v1/openapi.json', '/v1/openapi.client.json'])(
  '%s names where the service is reached, and its release',
  async (path, { service }) => {
    const { status, headers, body, text } = await service.send('GET', path);
    const { servers, info } = body as Document;
    expect([status, headers.get('content-type')]).toEqual([200, 'application/json; charset=utf-8']);
    expect(servers).toMatchObject([{ url: PUBLIC_URL }]);
    expect(text).not.toContain('localhost:3000');
    const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
    expect(info.version).toBe(version);
  },
);

test('the document for generators is the generated one, and points to the guides here', async ({ service }) => {
  const { text } = await service.send('GET', '/v1/openapi.client.json');
  const generated = readFileSync('generated/openapi.client.json', 'utf8');
  expect(text).toBe(generated.replaceAll('http://localhost:3000', PUBLIC_URL));
  expect((JSON.parse(text) as Document).externalDocs.url).toBe(`${PUBLIC_URL}/docs`);
});
