import { createHash } from 'node:crypto';
import { link, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { expect, inject } from 'vitest';
import { test } from '../fixture.ts';
import { makeTestFolder } from '../support/run-folder.ts';
import { createKey } from '../support/signing.ts';
import { blocks, readGuide, section } from './guide.ts';
import { LANGUAGES, runProgram } from './program.ts';

const guide = readGuide('events');
const [typescript] = LANGUAGES;

test('publishes the right hashes of its example events', () => {
  const block = blocks(section(guide, '## Prove that none is missing'), '').at(-1) ?? '';
  const vectors = [...block.matchAll(/^body {2}(.+)\nhash {2}(\w+)$/gm)];
  expect(vectors).toHaveLength(2);
  let previous: Buffer = Buffer.alloc(32);
  for (const [index, [, body = '', hash = '']] of vectors.entries()) {
    const place = Buffer.alloc(8);
    place.writeBigUInt64BE(BigInt(index + 1));
    previous = createHash('sha256').update('event-v1\0').update(place).update(previous).update(body).digest();
    expect(previous.toString('hex')).toBe(hash);
  }
});

test('the example handles every event once, however often it runs', async ({ service, merchant }) => {
  const { apiKey, apiSecret } = await createKey(service, merchant, { permissions: ['webhooks:manage'] });
  const file = join(makeTestFolder(inject('runFolder')), 'feed-position.json');
  const [example = ''] = blocks(guide, 'ts');
  const program = example
    .replace('http://localhost:3000', service.url)
    .replace("'@kasi/client'", `'${resolve('clients/typescript/src/index.ts')}'`)
    .replace("'feed-position.json'", `'${file}'`);
  const run = async (): Promise<string[]> => {
    await service.runJob('events.seal');
    if (!typescript) throw new Error('there is no TypeScript');
    const env = { KASI_API_KEY: apiKey, KASI_API_SECRET: apiSecret };
    return (await runProgram(typescript, program, { env })).map((line) => line.split(' ')[0] ?? '');
  };
  expect(await run()).toEqual(['merchant.status_changed', 'api_key.created']);
  expect(JSON.parse(await readFile(file, 'utf8'))).toMatchObject({ position: 2 });
  expect(await run()).toEqual(['']);
  // A second name of the file shows whether it is written over, which a crash may cut short, or replaced as a whole.
  await link(file, `${file}.before`);
  await merchant.client.paymentLinks.create({ title: 'Workshop', amount: 25 });
  expect(await run()).toEqual(['payment_link.created']);
  expect(JSON.parse(await readFile(file, 'utf8'))).toMatchObject({ position: 3 });
  expect(JSON.parse(await readFile(`${file}.before`, 'utf8'))).toMatchObject({ position: 2 });
});
