import { pino } from 'pino';
import { expect, test, vi } from 'vitest';
import { startService, type TestService } from '../harness.ts';

type Line = Readonly<Record<string, unknown>>;

/** A service that logs at a level, and the lines that it wrote. */
async function startLogging(level: string): Promise<{ readonly world: TestService; readonly lines: Line[] }> {
  const lines: Line[] = [];
  const write = (text: string): void => void lines.push(JSON.parse(text) as Line);
  return { world: await startService({ logger: pino({ level }, { write }) }), lines };
}

test('a request is one line: what was asked, what came of it, how long it took, and who asked', async () => {
  const { world, lines } = await startLogging('info');
  const merchant = await world.registerMerchant();
  const { id } = await merchant.client.payments.create({ amount: 25, currency: 'USD' });
  lines.length = 0;
  const answer = await world.send('GET', `/v1/payments/${id}`, { token: merchant.token });
  await world.send('GET', `/v1/payments/${id}`);
  await world.send('GET', '/no/such/path');
  await vi.waitFor(() => expect(lines).toHaveLength(3), 60_000);
  expect(lines[0]).toMatchObject({
    level: 30,
    msg: 'request',
    ...{ method: 'GET', path: '/v1/payments/:id', operation: 'getPayment', status: 200, principal: merchant.id },
    requestId: answer.headers.get('x-request-id'),
  });
  expect(lines[0]?.['ms']).toBeGreaterThan(0);
  expect(lines[1]).toMatchObject({ operation: 'getPayment', status: 401 });
  expect(lines[1]).not.toHaveProperty('principal');
  expect(lines[2]).toMatchObject({ method: 'GET', path: null, status: 404 });
  // No path as it was called: it may hold a secret, such as a customer's link.
  expect(JSON.stringify(lines)).not.toMatch(new RegExp(`${id}|no/such|Bearer`));
  await world.close();
});

test('what asks whether we live is not logged, and nothing is at other levels', async () => {
  const { world, lines } = await startLogging('info');
  lines.length = 0;
  for (const path of ['/healthz', '/readyz']) await world.send('GET', path);
  await world.send('GET', '/docs');
  await vi.waitFor(() => expect(lines).toHaveLength(1), 60_000);
  expect(lines[0]).toMatchObject({ path: '/docs', status: 200 });
  await world.close();
  const quiet = await startLogging('warn');
  await quiet.world.send('GET', '/docs');
  expect(quiet.lines).toEqual([]);
  await quiet.world.close();
});
