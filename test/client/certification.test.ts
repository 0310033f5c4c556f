import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type CertificationReport,
  type CertifyOptions,
  certifyHandler,
  createTestWebhookKey,
  signTestWebhook,
  verifyWebhook,
} from '../../clients/typescript/src/index.ts';
import { EXPECTED, type ExampleHandler, type Fault, gradesOf, startHandler } from '../support/webhook-handlers.ts';

const { secret, publicKey } = createTestWebhookKey();
const FAULTS = Object.keys(EXPECTED) as ('none' | Fault)[];

type Tried = {
  readonly handler: ExampleHandler;
  /** Results with and without counting what the handler did; without only where it makes a difference. */
  readonly counted: CertificationReport;
  readonly seen: CertificationReport | undefined;
};
const tried = new Map<'none' | Fault, Tried>();
const ids: string[] = [];
let spoken: CertificationReport;

/** All at once, since each waits five seconds for the slow body. */
beforeAll(async () => {
  const speaking = certifyHandler('https://shop.example/hooks', { secret, fetch: speaksFetch });
  await Promise.all(FAULTS.map(async (fault) => void tried.set(fault, await tryOut(fault))));
  spoken = await speaking;
});
afterAll(async () => {
  for (const { handler } of tried.values()) await handler.close();
});

async function tryOut(fault: 'none' | Fault): Promise<Tried> {
  const handler = await startHandler(async () => [publicKey], fault === 'none' ? undefined : fault);
  const certify = (options: Partial<CertifyOptions>) => certifyHandler(handler.url, { secret, ...options });
  const differs = fault === 'none' || EXPECTED[fault].unseen !== undefined;
  const [counted, seen] = await Promise.all([
    certify({ countEffects: handler.count }),
    differs ? certify({}) : undefined,
  ]);
  return { handler, counted, seen };
}

async function speaksFetch(request: Request): Promise<Response> {
  const body = new Uint8Array(await request.arrayBuffer());
  try {
    ids.push((await verifyWebhook(body, request.headers, { keys: publicKey })).id);
    return new Response(null, { status: 204 });
  } catch {
    return new Response(null, { status: 400 });
  }
}

const namesIn = ({ checks }: CertificationReport): string[] => checks.map(({ name }) => name);
const gradesIn = ({ checks }: CertificationReport) =>
  Object.fromEntries(checks.map(({ name, status }) => [name, status]));
const isGood = (grades: Readonly<Record<string, string>>): boolean =>
  Object.values(grades).every((grade) => grade === 'passed' || grade === 'warning');

describe.each(FAULTS)('a handler with the fault: %s', (fault) => {
  test('gets the right grades, with and without counting its effects', () => {
    const { counted, seen } = tried.get(fault) as Tried;
    for (const [report, isCounted] of [
      [counted, true],
      [seen, false],
    ] as const) {
      if (!report) continue;
      const expected = gradesOf(fault, namesIn(report), isCounted);
      expect(gradesIn(report)).toEqual(expected);
      expect(report.verdict).toBe(isGood(expected) ? 'passed' : 'failed');
    }
  });

  test('gets an observation for every check, and advice wherever something needs changing', () => {
    for (const { status, observed, advice, expected, title } of tried.get(fault)?.counted.checks ?? []) {
      for (const text of [title, expected, observed]) expect(text).toMatch(/\w/);
      const isFault = status === 'failed' || status === 'warning';
      expect(advice).toEqual(isFault ? expect.stringMatching(/\w/) : null);
    }
  });
});

test('the suite has nine checks, and names what it cannot see', () => {
  const { seen, counted } = tried.get('none') as Tried;
  expect(namesIn(counted)).toEqual([
    'good_event',
    'duplicate',
    'out_of_order',
    'bad_signature',
    'missing_signature',
    'old_timestamp',
    'unknown_type',
    'slow_body',
    'oversized_body',
  ]);
  expect(seen?.checks[1]?.observed).toContain('can not be seen from outside');
  expect(counted.checks[1]?.observed).not.toContain('can not be seen');
});

test('a handler that refuses the genuine event is sent no other', () => {
  const { handler, counted } = tried.get('redirects') as Tried;
  expect(handler.requests()).toBe(1);
  expect(counted.checks[0]).toMatchObject({ advice: expect.stringContaining('not followed') });
  expect(tried.get('is not there')?.counted.checks[0]).toMatchObject({
    advice: expect.stringContaining('server runs'),
  });
});

test('a fetch handler is tested without a server', () => {
  expect(spoken.verdict).toBe('passed');
  expect(ids).toHaveLength(6);
  expect(new Set(ids).size).toBe(5);
});

test('an aborted certification leaves the remaining checks pending', async () => {
  const controller = new AbortController();
  const { verdict, checks } = await certifyHandler('https://shop.example/hooks', {
    secret,
    signal: controller.signal,
    fetch: async () => {
      controller.abort();
      return new Response(null, { status: 204 });
    },
  });
  expect(verdict).toBe('failed');
  expect(new Set(checks.map(({ status }) => status))).toEqual(new Set(['pending']));
});

test('a test key signs what it verifies, and an invalid secret is refused', async () => {
  const { body, headers, publicKey: own } = signTestWebhook('{"id":"evt_1"}', { secret });
  expect(own).toBe(publicKey);
  await expect(verifyWebhook(body, headers, { keys: publicKey })).resolves.toEqual({ id: 'evt_1' });
  await expect(certifyHandler('https://shop.example', { secret: 'whsk_AAAA' })).rejects.toThrow(TypeError);
});
