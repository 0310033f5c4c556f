import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createCredentialCache } from '../../src/identity/credential-cache.ts';

type Session = { readonly holderId: string; readonly version: number };

function makeCache() {
  const rows = new Map<string, Session>([
    ['ses_1', { holderId: 'mer_1', version: 1 }],
    ['ses_2', { holderId: 'mer_2', version: 1 }],
  ]);
  let announce = (_id: string): void => {};
  let loseConnection = (): void => {};
  let loads = 0;
  let gate: Promise<void> = Promise.resolve();
  const cache = createCredentialCache<Session>({
    prefix: 'ses_',
    load: async (sessionId) => {
      loads += 1;
      const row = rows.get(sessionId);
      await gate;
      return row;
    },
    subscribe: (_channel, handle) => {
      announce = handle;
      return () => {};
    },
    onGap: (handle) => {
      loseConnection = handle;
    },
  });
  return {
    cache,
    rows,
    announce: (id: string) => announce(id),
    loseConnection: () => loseConnection(),
    loads: () => loads,
    blockLoads: () => {
      let release = (): void => {};
      gate = new Promise((resolve) => {
        release = resolve;
      });
      return release;
    },
  };
}

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
afterEach(() => void vi.useRealTimers());

test('a session is loaded once a second at most, however often it is looked up', async () => {
  const { cache, loads, rows } = makeCache();
  for (let call = 0; call < 5; call += 1) expect(await cache.find('ses_1')).toEqual({ holderId: 'mer_1', version: 1 });
  expect(loads()).toBe(1);
  rows.set('ses_1', { holderId: 'mer_1', version: 2 });
  vi.advanceTimersByTime(999);
  expect((await cache.find('ses_1'))?.version).toBe(1);
  vi.advanceTimersByTime(2);
  expect((await cache.find('ses_1'))?.version).toBe(2);
});

test('an announced session is evicted at once, and only that one', async () => {
  const { cache, loads, announce } = makeCache();
  await Promise.all([cache.find('ses_1'), cache.find('ses_2')]);
  announce('ses_1');
  await Promise.all([cache.find('ses_1'), cache.find('ses_2')]);
  expect(loads()).toBe(3);
});

test('announcements for other kinds of credentials are ignored', async () => {
  const { cache, loads, announce } = makeCache();
  await cache.find('ses_1');
  announce('pk_sandbox_1');
  await cache.find('ses_1');
  expect(loads()).toBe(1);
});

test.each(['a principal is announced', 'announcements were lost'])(
  'the whole cache is dropped when %s',
  async (when) => {
    const { cache, loads, announce, loseConnection } = makeCache();
    await Promise.all([cache.find('ses_1'), cache.find('ses_2')]);
    if (when === 'a principal is announced') announce('mer_1');
    else loseConnection();
    await Promise.all([cache.find('ses_1'), cache.find('ses_2')]);
    expect(loads()).toBe(4);
  },
);

test('a load that was running when the change was announced is not cached', async () => {
  const { cache, rows, announce, blockLoads } = makeCache();
  const release = blockLoads();
  const early = cache.find('ses_1');
  rows.set('ses_1', { holderId: 'mer_1', version: 2 });
  announce('mer_1');
  release();
  expect((await early)?.version).toBe(1);
  expect((await cache.find('ses_1'))?.version).toBe(2);
});

test.each(['ses_1', 'mer_1'])('after forget(%s), nothing of it is cached until its commit is announced', async (id) => {
  const { cache, rows } = makeCache();
  await cache.find('ses_1');
  cache.forget(id);
  // A look-up between the change and its commit must not bring the old state back.
  expect((await cache.find('ses_1'))?.version).toBe(1);
  rows.set('ses_1', { holderId: 'mer_1', version: 2 });
  expect((await cache.find('ses_1'))?.version).toBe(2);
});

test('a failed load is not cached', async () => {
  const failing = vi.fn().mockRejectedValueOnce(new Error('no connection')).mockResolvedValue({ holderId: 'mer_1' });
  const cache = createCredentialCache({ prefix: 'ses_', load: failing, subscribe: () => () => {}, onGap: () => {} });
  await expect(cache.find('ses_1')).rejects.toThrow('no connection');
  expect(await cache.find('ses_1')).toEqual({ holderId: 'mer_1' });
});
