import { expect, test } from 'vitest';
import { MINUTE_MS } from '../../src/lib/clock.ts';
import type { OutboundFailure } from '../../src/outbound/lookup.ts';
import { decideOutcome, decideWithoutRetry } from '../../src/webhooks/delivery.ts';

const NOW = new Date('2026-01-02T03:04:05.000Z');
const moment = { now: NOW, real: NOW, random: 0.5 };
const inMs = (ms: number): Date => new Date(NOW.getTime() + ms);

const failing = (failure: OutboundFailure) => ({ kind: 'failure', failure, message: '', durationMs: 15_000 }) as const;
const answering = (statusCode: number) =>
  ({
    kind: 'answer',
    statusCode,
    headers: {},
    body: Buffer.from('é'.repeat(2000)),
    cut: false,
    durationMs: 84,
  }) as const;

test.each([200, 201, 204, 299])('status %i is a success', (statusCode) => {
  expect(decideOutcome(answering(statusCode), 3, moment)).toMatchObject({
    status: 'success',
    statusCode,
    failure: null,
    responseTimeMs: 84,
    nextAttemptAt: null,
  });
});

test.each([300, 302, 304, 400, 401, 404, 500, 503])('status %i is retried', (statusCode) => {
  const outcome = decideOutcome(answering(statusCode), 1, moment);
  expect(outcome).toMatchObject({
    status: 'pending',
    statusCode,
    failure: 'status',
    nextAttemptAt: inMs(5000),
    gone: false,
  });
});

test.each([
  ['timeout', MINUTE_MS],
  ['connection_failed', 5000],
  ['tls_failed', 5000],
  ['dns_failed', 5000],
  ['blocked_address', 5000],
] as const)('%s has no status code and is retried after %i ms', (failure, delayMs) => {
  const outcome = decideOutcome(failing(failure), 1, moment);
  expect(outcome).toMatchObject({
    status: 'pending',
    statusCode: null,
    failure,
    excerpt: null,
    nextAttemptAt: inMs(delayMs),
  });
});

test('a 410 ends the delivery at once, and so does the tenth failure', () => {
  expect(decideOutcome(answering(410), 1, moment)).toMatchObject({ status: 'failed', gone: true, nextAttemptAt: null });
  expect(decideOutcome(answering(500), 9, moment)).toMatchObject({ status: 'pending' });
  expect(decideOutcome(answering(500), 10, moment)).toMatchObject({
    status: 'failed',
    gone: false,
    nextAttemptAt: null,
  });
});

test('up to 2 kB of the response are kept, also when that splits a character', () => {
  expect(decideOutcome(answering(200), 1, moment).excerpt).toBe('é'.repeat(1024));
  const shifted = { ...answering(200), body: Buffer.from(`a${'é'.repeat(2000)}`) };
  expect(decideOutcome(shifted, 1, moment).excerpt).toBe(`a${'é'.repeat(1023)}\uFFFD`);
});

test('a delivery limited to one attempt is never retried', () => {
  expect(decideWithoutRetry(answering(500), moment)).toMatchObject({
    status: 'failed',
    failure: 'status',
    nextAttemptAt: null,
  });
  expect(decideWithoutRetry(answering(204), moment)).toMatchObject({ status: 'success', failure: null });
});
