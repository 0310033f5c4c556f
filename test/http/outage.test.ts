import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startService, type TestService } from '../harness.ts';

describe('the edge', () => {
  let world: TestService;
  beforeAll(async () => {
    world = await startService();
  });
  afterAll(() => world.close());

  /** Sends raw bytes and returns everything until the server hangs up. */
  const raw = (text: string): Promise<string> =>
    new Promise((resolve, reject) => {
      const { hostname, port } = new URL(world.url);
      let answer = '';
      const socket = connect(Number(port), hostname, () => socket.write(text));
      socket.on('data', (chunk) => {
        answer += chunk.toString();
      });
      socket.on('close', () => resolve(answer));
      socket.on('error', reject);
    });

  test('answers malformed HTTP in the error envelope, and closes the connection', async () => {
    const answer = await raw('THIS IS NOT HTTP\r\n\r\n');
    expect(answer).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
    expect(JSON.parse(answer.slice(answer.indexOf('{')))).toMatchObject({ error: { code: 'VALIDATION_ERROR' } });
  });
  test('refuses headers that are too large', async () => {
    expect(await raw(`GET /healthz HTTP/1.1\r\nhost: x\r\nx: ${'a'.repeat(20_000)}\r\n\r\n`)).toMatch(
      /^HTTP\/1\.1 431 /,
    );
  });
  test('answers 404 or 400 to a path that cannot be decoded, never 500', async () => {
    expect(await raw('GET /v1/payments/%zz HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n')).toMatch(
      /^HTTP\/1\.1 40[04] /,
    );
  });
  test('gives every answer a request id of its own and security headers', async () => {
    const [one, two] = [await world.send('GET', '/v1/nowhere'), await world.send('GET', '/healthz')];
    expect(one.headers.get('x-request-id')).not.toBe(two.headers.get('x-request-id'));
    for (const name of [
      'content-security-policy',
      'x-content-type-options',
      'strict-transport-security',
      'referrer-policy',
    ]) {
      expect(one.headers.get(name), name).toBeTruthy();
    }
    expect((await world.send('GET', '/v1/sandbox/clock')).headers.get('cache-control')).toBe('no-store');
  });
  test('serves docs, contract, health and readiness, and metrics on their own port alone', async () => {
    expect((await world.send('GET', '/docs')).text).toContain('/docs/guides/getting-started');
    expect((await world.send('GET', '/v1/openapi.json')).body).toMatchObject({ openapi: '3.1.0' });
    expect((await world.send('GET', '/healthz')).body).toEqual({ status: 'ok' });
    expect((await world.send('GET', '/readyz')).body).toMatchObject({ status: 'ready' });
    expect((await world.send('GET', '/metrics')).status).toBe(404);
    expect(await world.metrics()).toMatch(
      /kasi_http_request_duration_seconds_count\{operation="other",status="404"\} \d/,
    );
  });
});

test('answers requests or returns 503 while every database connection is cut, and recovers by itself', async () => {
  const world = await startService();
  const merchant = await world.activeMerchant();
  const owner = new pg.Client({ connectionString: world.service.platform.config.databaseUrl ?? '' });
  await owner.connect();
  const cut = () =>
    owner.query(`
      select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and pid <> pg_backend_pid() and usename = current_user`);
  const statuses = new Set<number>();
  const until = performance.now() + 1500;
  const shopper = async (): Promise<void> => {
    while (performance.now() < until) {
      const answer = await fetch(`${world.url}/v1/payments`, {
        method: 'POST',
        headers: { authorization: `Bearer ${merchant.token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ amount: 1, currency: 'USD' }),
      });
      await answer.arrayBuffer();
      statuses.add(answer.status);
    }
  };
  const shoppers = Array.from({ length: 8 }, shopper);
  for (let i = 0; i < 10; i += 1) {
    await sleep(120);
    await cut();
  }
  await Promise.all(shoppers);
  expect([...statuses].filter((status) => status !== 201 && status !== 503)).toEqual([]);
  await expect.poll(async () => (await world.send('GET', '/readyz')).status).toBe(200);
  expect((await merchant.client.payments.create({ amount: 2, currency: 'USD' })).status).toBe('initiated');
  await owner.end();
  await world.close().catch((error: Error) => expect(error.message).toMatch(/The service logged errors/));
});
