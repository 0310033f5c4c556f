import { pino } from 'pino';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { startTcpProxy, type TcpProxy } from '../../scripts/lib/tcp-proxy.ts';
import { createEcho } from '../../src/db/echo.ts';
import { startListener } from '../../src/db/listen.ts';
import { startService, type TestService } from '../harness.ts';
import { connectTestDatabase } from '../support/connection.ts';
import { createTestDatabase } from '../support/database.ts';
import { shownOf } from '../support/metrics.ts';

const server = () => {
  const { hostname: host, port } = new URL(inject('postgres').url);
  return { host, port: Number(port) };
};

let proxy: TcpProxy;
let service: TestService;
beforeAll(async () => {
  proxy = await startTcpProxy(server());
  service = await startService({ listenPort: proxy.port, logger: pino({ level: 'silent' }) });
});
afterAll(async () => {
  await service.close();
  await proxy.close();
});

const readiness = async () => {
  const { status, body } = await service.send('GET', '/readyz');
  const { checks, ...rest } = body as { status: string; checks: { name: string; ok: boolean; required?: boolean }[] };
  return { code: status, status: rest.status, heard: checks.find(({ name }) => name === 'notifications') };
};

test('readiness says that notifications come back, that they do not, and that they do again', async () => {
  expect(await readiness()).toMatchObject({ code: 200, status: 'ready', heard: { ok: true } });
  proxy.mute();
  // A process that hears nothing is slow, and not away: a proxy in front must not take it out.
  const deaf = { code: 200, status: 'degraded', heard: { ok: false, required: false } };
  await expect.poll(readiness).toMatchObject(deaf);
  proxy.restore();
  await expect.poll(readiness).toMatchObject({ code: 200, status: 'ready', heard: { ok: true } });
});

test('the metrics say whether notifications come back, and how often the process began to listen anew', async () => {
  const shown = async () => {
    const text = await service.metrics();
    return [shownOf(text, 'kasi_db_notifications_heard'), shownOf(text, 'kasi_db_listen_gaps_total')] as const;
  };
  const [heard, before] = await shown();
  expect(heard).toBe(1);
  proxy.mute();
  await expect.poll(async () => (await shown())[0]).toBe(0);
  // The scrape waited for the echo and has all the rest nevertheless.
  expect(shownOf(await service.metrics(), 'kasi_metrics_source_up{source="counts"}')).toBe(1);
  proxy.restore();
  await expect.poll(shown).toEqual([1, expect.toSatisfy((gaps: number) => gaps > before)]);
});

test('a connection that was silently lost is made anew, because the echo is missed', async () => {
  const connection = await connectTestDatabase(2);
  const own = await startTcpProxy(server());
  const through = new URL(connection.database.url);
  through.port = String(own.port);
  const listener = await startListener(through.href, () => undefined);
  const heard: string[] = [];
  let gaps = 0;
  listener.on('kasi_payment', (id) => void heard.push(id));
  listener.onGap(() => {
    gaps += 1;
  });
  const echo = createEcho(connection.db, listener, 100);
  expect(await echo()).toBe(true);
  own.mute();
  // Neither side is told: only new connections are passed on, and only the echo makes the listener ask for one.
  await expect.poll(echo).toBe(false);
  own.restore();
  await expect.poll(echo, { timeout: 60_000, interval: 200 }).toBe(true);
  connection.db.ring([{ channel: 'kasi_payment', payload: 'pay_1' }]);
  await expect.poll(() => heard).toEqual(['pay_1']);
  expect(gaps).toBeGreaterThan(0);
  await listener.stop();
  await own.close();
  await connection.close();
});

test('a listener of another database hears nothing, and questions at the same time are asked once', async () => {
  const [here, elsewhere] = [await connectTestDatabase(2), await createTestDatabase()];
  const listener = await startListener(elsewhere.url, () => undefined);
  let renewals = 0;
  const watched = {
    ...listener,
    renew: () => {
      renewals += 1;
    },
  };
  const echo = createEcho(here.db, watched, 50);
  expect(await Promise.all([echo(), echo(), echo()])).toEqual([false, false, false]);
  expect(renewals).toBe(1);
  await listener.stop();
  await here.close();
  await elsewhere.drop();
});
