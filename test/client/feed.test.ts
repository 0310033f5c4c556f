import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import {
  createClient,
  EventFeedError,
  type EventPosition,
  type SealedEvent,
  type WebhookEvent,
} from '../../clients/typescript/src/index.ts';
import { refusal, startFakeService } from './fake-service.ts';

const GENESIS = '0'.repeat(64);

/** The hash of an entry, recomputed from its description. */
function hashOf(position: number, previousHash: string, body: string): string {
  const place = Buffer.alloc(8);
  place.writeBigUInt64BE(BigInt(position));
  const hash = createHash('sha256').update('event-v1\0').update(place).update(previousHash, 'hex');
  return hash.update(body, 'utf8').digest('hex');
}

/** A feed of these bodies, which contain the events' ids and types. */
function feedOf(bodies: readonly string[], from = 1, hash = GENESIS): SealedEvent[] {
  let previousHash = hash;
  return bodies.map((body, index) => {
    const { id, type } = JSON.parse(body) as SealedEvent;
    const position = from + index;
    const entry = { position, id, type, createdAt: '2026-01-02T03:04:05.006Z', previousHash, body, pruned: false };
    previousHash = hashOf(position, previousHash, body);
    return { ...entry, hash: previousHash };
  });
}

const bodyOf = (n: number): string => `{"id":"evt_${n}","type":"payment.created","data":{"note":"සිංහල ☕ ${n}"}}`;
const numbered = (from: number, to: number): string[] =>
  Array.from({ length: to - from + 1 }, (_, index) => bodyOf(from + index));

/** A service with a feed that the test may change. */
async function startFeed(feed: SealedEvent[]) {
  const { url, sent } = await startFakeService(({ url }) => {
    const { searchParams } = new URL(url, 'http://localhost');
    const behind = feed.filter(({ position }) => position > Number(searchParams.get('after')));
    const data = behind.slice(0, Number(searchParams.get('limit')));
    return { body: { data, hasMore: behind.length > data.length } };
  });
  return { events: createClient({ baseUrl: url, token: 'T1', maxRetries: 0 }).events, sent };
}

async function listOf<T>(items: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = [];
  for await (const item of items) list.push(item);
  return list;
}

/** Syncs; returns what was handled and how it ended. */
async function syncAll(events: Awaited<ReturnType<typeof startFeed>>['events'], after: number | EventPosition) {
  const handled: string[] = [];
  const end = await events
    .sync(after, (event) => handled.push(event.id))
    .catch((error: unknown) => {
      if (error instanceof EventFeedError) return error;
      throw error;
    });
  return { handled, end };
}

test('the published vectors form a valid feed', async () => {
  const bodies = ['{"id":"evt_1","type":"payment.created"}', '{"id":"evt_2","type":"payment.completed"}'];
  const feed = feedOf(bodies);
  expect(feed.map(({ hash }) => hash)).toEqual([
    '739e7d5f9048f8c64415f4376b9e17d59a7988f72f3dfbb75217ae972c48ca62',
    '64f971e2463cca5871e594677824c653862cb2f7d8088d39443cb56ef3f99c47',
  ]);
  const { events } = await startFeed(feed);
  expect(await syncAll(events, 0)).toEqual({
    handled: ['evt_1', 'evt_2'],
    end: { position: 2, hash: feed[1]?.hash },
  });
});

test('events are handled once, in order and one at a time, page after page, and the end is the next start', async () => {
  const feed = feedOf(numbered(1, 250));
  const { events, sent } = await startFeed(feed);
  let busy = 0;
  const seen: [WebhookEvent, EventPosition][] = [];
  const end = await events.sync(0, async (event, at) => {
    busy += 1;
    await new Promise((resolve) => setImmediate(resolve));
    expect(busy).toBe(1);
    busy -= 1;
    seen.push([event, at]);
  });
  expect(seen.map(([event, at]) => [event.id, at])).toEqual(
    feed.map(({ id, position, hash }) => [id, { position, hash }]),
  );
  expect(seen[2]?.[0]).toEqual(JSON.parse(bodyOf(3)));
  expect(sent.map(({ url }) => url)).toEqual([
    '/v1/events?after=0&limit=100',
    '/v1/events?after=100&limit=100',
    '/v1/events?after=200&limit=100',
  ]);

  // Nothing new: nothing is handled, and the end stays.
  expect(await syncAll(events, end)).toEqual({ handled: [], end });
  feed.push(...feedOf([bodyOf(251)], 251, end.hash));
  for (const after of [end, end.position]) {
    expect(await syncAll(events, after)).toMatchObject({ handled: ['evt_251'], end: { position: 251 } });
  }
  expect(await syncAll(events, 240)).toMatchObject({ handled: feed.slice(240).map(({ id }) => id) });
});

test('an empty feed ends where it starts', async () => {
  const { events } = await startFeed([]);
  expect(await syncAll(events, 0)).toEqual({ handled: [], end: { position: 0, hash: GENESIS } });
  expect(await syncAll(events, { position: 0, hash: GENESIS })).toEqual({
    handled: [],
    end: { position: 0, hash: GENESIS },
  });
});

/** Ways to tamper with a feed of ten; the position where each is detected, and the reason. */
const TAMPERED: readonly [string, (feed: SealedEvent[]) => void, number, string][] = [
  ['an event is left out', (feed) => void feed.splice(4, 1), 5, 'missing'],
  ['an event is left out, and the others move up', (feed) => renumber(feed.splice(4, 1) && feed), 5, 'broken_chain'],
  ['two events are swapped', (feed) => void feed.splice(4, 2, at(feed, 5), at(feed, 4)), 5, 'missing'],
  ['an event is repeated', (feed) => void feed.splice(4, 0, at(feed, 3)), 5, 'missing'],
  ['the first event is left out', (feed) => void feed.shift(), 1, 'missing'],
  ['a body is changed', (feed) => change(feed, 4, { body: bodyOf(5).replace('evt_5"', 'evt_5" ') }), 5, 'wrong_hash'],
  [
    'a body and its hash are changed',
    (feed) => change(feed, 4, { ...feedOf(['{"id":"evt_5","type":"payment.paid"}'], 5, at(feed, 3).hash)[0] }),
    6,
    'broken_chain',
  ],
  ['a hash is changed', (feed) => change(feed, 4, { hash: 'a'.repeat(64) }), 5, 'wrong_hash'],
  ['a previous hash is changed', (feed) => change(feed, 4, { previousHash: 'A'.repeat(64) }), 5, 'broken_chain'],
  ['an id is changed', (feed) => change(feed, 4, { id: 'evt_6' }), 5, 'wrong_body'],
  ['a type is changed', (feed) => change(feed, 4, { type: 'payment.completed' }), 5, 'wrong_body'],
  ['an event is inserted', (feed) => renumber(feed.splice(4, 0, at(feed, 9)) && feed), 5, 'broken_chain'],
];

const at = (feed: readonly SealedEvent[], index: number): SealedEvent => feed[index] as SealedEvent;
const change = (feed: SealedEvent[], index: number, changes: Partial<SealedEvent>): void => {
  feed[index] = { ...at(feed, index), ...changes };
};
const renumber = (feed: SealedEvent[]): void => {
  for (const index of feed.keys()) change(feed, index, { position: index + 1 });
};

test.each(TAMPERED)(
  '%s: the first wrong position is reported, and nothing from there on is handled',
  async (...row) => {
    const [, tamper, position, reason] = row;
    const feed = feedOf(numbered(1, 10));
    tamper(feed);
    const { events } = await startFeed(feed);
    const { handled, end } = await syncAll(events, 0);
    expect(end).toBeInstanceOf(EventFeedError);
    expect(end).toMatchObject({
      name: 'EventFeedError',
      position,
      reason,
      message: expect.stringContaining(`${position}`),
    });
    expect(handled).toEqual(Array.from({ length: position - 1 }, (_, index) => `evt_${index + 1}`));
  },
);

test('a feed truncated or rewritten before the last read position is detected, even without new events', async () => {
  const feed = feedOf(numbered(1, 10));
  const end = { position: 10, hash: at(feed, 9).hash };
  const cut = await startFeed(feed.slice(0, 9));
  for (const after of [end, 10]) {
    expect(await syncAll(cut.events, after)).toMatchObject({ handled: [], end: { reason: 'missing', position: 10 } });
  }
  const anew = await startFeed(feedOf(['{"id":"evt_0","type":"payment.created"}', ...numbered(2, 12)]));
  expect(await syncAll(anew.events, end)).toMatchObject({ handled: [], end: { reason: 'wrong_hash', position: 10 } });
  // A position alone proves only what comes after it.
  expect(await syncAll(anew.events, 10)).toMatchObject({ handled: ['evt_11', 'evt_12'] });
  const forged = feedOf(numbered(1, 10));
  change(forged, 9, { body: bodyOf(11), hash: end.hash });
  expect(await syncAll((await startFeed(forged)).events, end)).toMatchObject({ end: { reason: 'wrong_hash' } });
  change(forged, 9, { previousHash: 'nonsense' });
  expect(await syncAll((await startFeed(forged)).events, 10)).toMatchObject({ end: { reason: 'wrong_hash' } });
});

test('an error in the handler ends the sync, which resumes from what was stored', async () => {
  const { events } = await startFeed(feedOf(numbered(1, 10)));
  let stored: number | EventPosition = 0;
  const handled: string[] = [];
  const run = (failing: string) =>
    events.sync(stored, async ({ id }, at) => {
      if (id === failing) throw new Error('the database is away');
      handled.push(id);
      stored = at;
    });
  await expect(run('evt_4')).rejects.toThrow('the database is away');
  expect(stored).toMatchObject({ position: 3 });
  await expect(run('evt_4')).rejects.toThrow('the database is away');
  await run('');
  expect(handled).toEqual(Array.from({ length: 10 }, (_, index) => `evt_${index + 1}`));
});

test('a caller can stop between two events, and errors of the service are those of any call', async () => {
  const { events } = await startFeed(feedOf(numbered(1, 10)));
  const stop = new AbortController();
  const handled: string[] = [];
  const broken = events.sync(
    0,
    ({ id }) => {
      handled.push(id);
      if (handled.length === 3) stop.abort(new Error('enough'));
    },
    { signal: stop.signal },
  );
  await expect(broken).rejects.toThrow('enough');
  expect(handled).toHaveLength(3);
  const { url } = await startFakeService(() => refusal(403, 'FORBIDDEN', { reason: 'scope_missing' }));
  const refused = createClient({ baseUrl: url, token: 'T1' }).events.sync(0, () => undefined);
  await expect(refused).rejects.toMatchObject({ name: 'KasiError', code: 'FORBIDDEN', reason: 'scope_missing' });
});

test('an invalid position is refused before anything is sent, and an invalid feed is an UNEXPECTED_RESPONSE', async () => {
  const { events, sent } = await startFeed([]);
  for (const after of [-1, 1.5, Number.NaN, 2 ** 53, '3', null, {}, { position: -1, hash: GENESIS }]) {
    await expect(events.sync(after as number, () => undefined)).rejects.toThrow(TypeError);
  }
  expect(sent).toEqual([]);
  const [entry] = feedOf([bodyOf(1)]);
  const noEntries = [null, {}, { ...entry, position: '1' }, { ...entry, body: { id: 'evt_1' } }];
  for (const body of [
    ...[{}, null, [], { data: [] }, { data: {}, hasMore: false }, { data: [], hasMore: true }],
    ...noEntries.map((wrong) => ({ data: [wrong], hasMore: false })),
  ]) {
    const broken = createClient({ baseUrl: 'https://kasi.example', fetch: async () => Response.json(body) });
    await expect(broken.events.sync(0, () => undefined)).rejects.toMatchObject({ code: 'UNEXPECTED_RESPONSE' });
  }
  const stuck = async () => Response.json({ data: [{ ...entry, position: 0 }], hasMore: true });
  const listed = createClient({ baseUrl: 'https://kasi.example', fetch: stuck }).events.iterate();
  await expect(listOf(listed)).rejects.toMatchObject({ code: 'UNEXPECTED_RESPONSE' });
});

test('the raw feed can be iterated from any position, in pages of any size', async () => {
  const feed = feedOf(numbered(1, 7));
  const { events, sent } = await startFeed(feed);
  expect(await listOf(events.iterate())).toEqual(feed);
  expect(await listOf(events.iterate({ after: 2, limit: 3 }))).toEqual(feed.slice(2));
  expect(sent.map(({ url }) => url)).toEqual([
    '/v1/events?after=0&limit=100',
    '/v1/events?after=2&limit=3',
    '/v1/events?after=5&limit=3',
  ]);
});

test('an event whose body was pruned is skipped, and what stands around it is still proven', async () => {
  const feed = feedOf(numbered(1, 4));
  const prune = (at: number): void => {
    feed[at] = { ...feed[at]!, body: '', pruned: true };
  };
  prune(1);
  prune(3);
  const { events } = await startFeed(feed);
  const end = { position: 4, hash: feed[3]?.hash };
  expect(await syncAll(events, 0)).toEqual({ handled: ['evt_1', 'evt_3'], end });
  expect(await syncAll(events, { position: 2, hash: feed[1]!.hash })).toEqual({ handled: ['evt_3'], end });
  expect(await syncAll(events, { position: 2, hash: GENESIS })).toMatchObject({ end: { reason: 'wrong_hash' } });

  // What claims to be pruned can not have another hash, nor keep a body that is not its own.
  feed[1] = { ...feed[1]!, hash: GENESIS };
  expect(await syncAll(events, 0)).toMatchObject({ handled: ['evt_1'], end: { reason: 'broken_chain', position: 3 } });
  feed[1] = { ...feed[1], body: bodyOf(9) };
  expect(await syncAll(events, 0)).toMatchObject({ handled: ['evt_1'], end: { reason: 'wrong_hash', position: 2 } });
});
