import { expect, test } from 'vitest';
import { CASES } from '../../src/webhooks/certify/cases.ts';
import type { Reply } from '../../src/webhooks/certify/judge.ts';
import { drip, type Player, pendingChecks, playSuite, type SuiteRequest } from '../../src/webhooks/certify/play.ts';

type Answering = (request: SuiteRequest, isGenuine: boolean) => Omit<Reply, 'durationMs'> & { durationMs?: number };

/** Plays the suite against a fake endpoint, on a clock that only replies advance. */
async function play(answering: Answering) {
  let nowMs = 0;
  const sent: SuiteRequest[] = [];
  const saved: number[] = [];
  const player: Player = {
    makeEvent: (draft) => ({
      ...draft,
      id: `evt_${draft.role}`,
      paymentId: `pay_${draft.payment}`,
      body: '{"data":{}}',
    }),
    sign: (id, _body, ageSeconds, key) => ({ 'webhook-id': id, age: String(ageSeconds), 'webhook-signature': key }),
    send: async (request) => {
      sent.push(request);
      const isGenuine = request.headers['webhook-signature'] === 'genuine' && request.headers['age'] === '0';
      const reply = { durationMs: request.dripMs + 10, ...answering(request, isGenuine) } as Reply;
      nowMs += reply.durationMs;
      return reply;
    },
    elapsedMs: () => nowMs,
    onProgress: (checks) => void saved.push(checks.filter(({ status }) => status !== 'pending').length),
    signal: new AbortController().signal,
  };
  return { checks: await playSuite(player), sent, saved, tookMs: () => nowMs };
}

const answer = (statusCode: number, durationMs?: number) =>
  ({ kind: 'answer', statusCode, ...(durationMs !== undefined && { durationMs }) }) as ReturnType<Answering>;
const timeout = (durationMs: number) => ({ kind: 'failure', failure: 'timeout', durationMs }) as ReturnType<Answering>;
const good: Answering = (_, isGenuine) => answer(isGenuine ? 204 : 400);
const statuses = ({ checks }: Awaited<ReturnType<typeof play>>) =>
  Object.fromEntries(checks.map(({ name, status }) => [name, status]));

test('the suite sends ten requests for nine events and reports progress after every check', async () => {
  const played = await play(good);
  expect(new Set(Object.values(statuses(played)))).toEqual(new Set(['passed']));
  expect(played.sent).toHaveLength(10);
  expect(new Set(played.sent.map(({ headers }) => headers['webhook-id'])).size).toBe(9);
  expect(played.saved).toEqual(CASES.map((_, index) => index + 1));
});

test('the unsigned request has no signature, the old one is ten minutes old, the oversized one is a whole MiB', async () => {
  const { sent } = await play(good);
  const by = (role: string) => sent.find(({ event }) => event.role === role) as SuiteRequest;
  expect(Object.keys(by('unsigned').headers)).not.toContain('webhook-signature');
  expect(by('old').headers).toMatchObject({ age: '600', 'webhook-signature': 'genuine' });
  expect(by('oversized').body).toHaveLength(1024 * 1024);
  expect(JSON.parse(by('oversized').body)).toHaveProperty('padding');
});

test('an unanswered forgery costs at most 15 seconds, and checks are skipped once the minute is used up', async () => {
  const played = await play((request, isGenuine) => (isGenuine ? answer(204) : timeout(request.timeoutMs)));
  expect(statuses(played)).toMatchObject({
    good_event: 'passed',
    bad_signature: 'failed',
    missing_signature: 'failed',
    old_timestamp: 'failed',
    slow_body: 'passed',
    oversized_body: 'failed',
  });
  expect(played.tookMs()).toBeLessThanOrEqual(60_000);
  const last = played.sent.at(-1)?.timeoutMs ?? 0;
  expect(last).toBeLessThan(15_000);
  const slower = await play((request, isGenuine) => (isGenuine ? answer(204, 9000) : timeout(request.timeoutMs)));
  expect(Object.values(statuses(slower))).toContain('skipped');
  expect(slower.tookMs()).toBeLessThanOrEqual(60_000);
  expect(slower.checks.find(({ status }) => status === 'skipped')?.observed).toContain('no time left');
});

test('a slow answer is a warning, and the time spent sending the body does not count', async () => {
  const slow = await play((request, isGenuine) => answer(isGenuine ? 204 : 400, request.dripMs + 5001));
  expect(statuses(slow)).toMatchObject({ good_event: 'warning', slow_body: 'warning', bad_signature: 'passed' });
  const quick = await play((request, isGenuine) => answer(isGenuine ? 204 : 400, request.dripMs + 5000));
  expect(statuses(quick)).toMatchObject({ good_event: 'passed', slow_body: 'passed' });
});

test.each([
  [302, 'failed', 'warning'],
  [404, 'failed', 'passed'],
  [500, 'failed', 'warning'],
  [204, 'passed', 'failed'],
] as const)('status %i: %s for a genuine event, %s for a forged one', async (status, genuine, forged) => {
  const one = (role: string) =>
    play((request, isGenuine) => (request.event.role === role ? answer(status) : good(request, isGenuine)));
  expect(statuses(await one('unknown'))['unknown_type']).toBe(genuine);
  expect(statuses(await one('forged'))['bad_signature']).toBe(forged);
});

test('a closed connection passes for an oversized body and is a warning for a forgery', async () => {
  const closed = { kind: 'failure', failure: 'connection_failed' } as ReturnType<Answering>;
  const played = await play((_, isGenuine) => (isGenuine ? answer(204) : closed));
  expect(statuses(played)).toMatchObject({ bad_signature: 'warning', oversized_body: 'passed' });
});

test('a failure without a text of its own is still described', async () => {
  const { checks } = await play(() => ({ kind: 'failure', failure: 'sunspots' }) as ReturnType<Answering>);
  expect(checks[0]).toMatchObject({ status: 'failed', observed: expect.stringContaining('No answer came') });
  expect(checks.slice(1).every(({ status }) => status === 'skipped')).toBe(true);
});

test.each([0, 1, 24, 25, 26, 1000])('a body of %i bytes sent in pieces arrives whole and in time', async (length) => {
  const body = Uint8Array.from({ length }, (_, index) => index % 256);
  const { pieces, tookMs } = await dripped(body, 0);
  expect(Buffer.concat(pieces).equals(body)).toBe(true);
  expect(tookMs).toBeLessThanOrEqual(5001);
  if (length === 1000) expect(tookMs).toBeCloseTo(5000);
});

test('a machine that wakes late at each piece does not lengthen the whole', async () => {
  expect((await dripped(Buffer.alloc(1000), 150)).tookMs).toBeLessThanOrEqual(5150);
});

/** The pieces of a body that takes five seconds, where each pause ends so much later than it should. */
async function dripped(body: Uint8Array, lateMs: number) {
  let tookMs = 0;
  const pieces: Uint8Array[] = [];
  const sleep = async (ms: number): Promise<void> => {
    tookMs += ms + lateMs;
  };
  for await (const piece of drip(body, 5000, { sleep, elapsedMs: () => tookMs })) pieces.push(piece);
  return { pieces, tookMs };
}

test('before the first check, every case is listed as pending', () => {
  expect(pendingChecks().map(({ name }) => name)).toEqual(CASES.map(({ name }) => name));
  expect(new Set(CASES.map(({ name }) => name)).size).toBe(CASES.length);
});
