import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { test } from '../fixture.ts';
import type { TestMerchant, TestService } from '../harness.ts';

const repeat = (text: string, times: number): string => Array.from({ length: times }, () => text).join(',');
const members = (count: number): string => Array.from({ length: count }, (_, i) => `"k${i}":1`).join(',');
const ask = (service: TestService, merchant: TestMerchant, raw: string) =>
  service.send('POST', '/v1/payments', { token: merchant.token, raw });
const payment = (more: string): string => `{"amount":1,"currency":"USD",${more}}`;

test.for([
  ['a list of 20,000 objects', payment(`"acceptedTokens":[${repeat('{}', 20_000)}]`)],
  ['6,000 unknown fields', `{${members(6000)}}`],
  ['6,000 fields of metadata', payment(`"metadata":{${members(6000)}}`)],
  ['30,000 nested lists', payment(`"description":${'['.repeat(30_000)}${']'.repeat(30_000)}`)],
  ['10,000 nested objects', payment(`"description":${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`)],
] as const)('refuses %s briefly and cheaply', async ([_name, raw], { service, merchant }) => {
  await ask(service, merchant, '{}'); // Warms up, so that only the work is measured.
  const cpu = process.cpuUsage();
  const { status, text } = await ask(service, merchant, raw);
  const { user } = process.cpuUsage(cpu);
  expect(status).toBe(400);
  expect(text.length).toBeLessThan(1000);
  expect(user / 1000).toBeLessThan(200);
});

test('names fifty faults of a body and counts the rest', async ({ service, merchant }) => {
  const { status, body } = await ask(service, merchant, payment(members(80)));
  const { error } = body as { error: { message: string; fields: unknown[] } };
  expect([status, error.fields.length]).toEqual([400, 50]);
  expect(error.message).toMatch(/\(and 79 more, see fields\)$/);
});

test('takes the largest metadata', async ({ service, merchant }) => {
  expect((await ask(service, merchant, payment(`"metadata":{${members(50)}}`))).status).toBe(201);
});

test.for([
  ['JSON', '/v1/auth/login', 'application/json'],
  ['a form', '/checkout/customer', 'application/x-www-form-urlencoded'],
])(
  '%s that comes byte by byte and never ends takes no more memory than its bytes',
  async ([_, path, type], { service }) => {
    const { hostname, port } = new URL(service.url);
    const head = `POST ${path} HTTP/1.1\r\nhost: ${hostname}\r\ncontent-type: ${type}\r\ntransfer-encoding: chunked\r\n\r\n`;
    const before = process.memoryUsage.rss();
    const sockets = Array.from({ length: 12 }, () => {
      const socket = connect({ host: hostname, port: Number(port) });
      socket.on('error', () => undefined);
      socket.write(head + '1\r\nx\r\n'.repeat(65_000));
      return socket;
    });
    await sleep(2_500);
    const grown = process.memoryUsage.rss() - before;
    for (const socket of sockets) socket.destroy();
    // As many small buffers took 310 MB.
    expect(Math.round(grown / 1e6)).toBeLessThan(150);
  },
);
