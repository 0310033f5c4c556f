import { beforeEach, expect, test, vi } from 'vitest';
import { createClient, KasiError } from '../../clients/typescript/src/index.ts';

/** How the service answers an attempt: a status, an error code with it, silence, or no connection. */
type Outcome = number | 'silence' | 'lost' | readonly [status: number, code: string, retryAfter?: string];

beforeEach(() => {
  vi.useFakeTimers();
  // Pauses are then three quarters of the longest.
  vi.spyOn(Math, 'random').mockReturnValue(0.5);
  return () => {
    vi.useRealTimers();
    vi.restoreAllMocks();
  };
});

/** A client whose attempts end with these outcomes in turn, the last one repeated, and the time of each attempt. */
function clientOf(...outcomes: readonly Outcome[]) {
  const began = performance.now();
  const at: number[] = [];
  const keys: (string | null)[] = [];
  const fetch = async (request: Request): Promise<Response> => {
    at.push(Math.round(performance.now() - began));
    keys.push(request.headers.get('idempotency-key'));
    const outcome = outcomes[Math.min(at.length, outcomes.length) - 1] ?? 200;
    if (outcome === 'lost') throw new TypeError('fetch failed');
    if (outcome === 'silence') {
      return new Promise((_, reject) => request.signal.addEventListener('abort', () => reject(request.signal.reason)));
    }
    if (outcome === 200) return Response.json({ id: 'pay_1', payments: [], pagination: { next: null } });
    const [status, code, retryAfter] = typeof outcome === 'number' ? [outcome] : outcome;
    const headers = retryAfter === undefined ? {} : { 'retry-after': retryAfter };
    const body = code === undefined ? '<html>' : JSON.stringify({ error: { code, message: 'No.' } });
    return new Response(body, { status, headers });
  };
  return { client: createClient({ baseUrl: 'https://kasi.example', token: 'T1', fetch }), at, keys };
}

/** The result of a call, with the fake clock advanced as fast as possible. */
async function end(call: Promise<unknown>): Promise<unknown> {
  const ended = call.then(
    () => 'done',
    (error: unknown) => error,
  );
  await vi.advanceTimersByTimeAsync(300_000);
  return ended;
}

const ORDER = { amount: 5, currency: 'USD' } as const;
const UNAVAILABLE = [503, 'SERVICE_UNAVAILABLE'] as const;

test.each<[string, Outcome]>([
  ['no connection', 'lost'],
  ['no response', 'silence'],
  ['a rate limit', [429, 'RATE_LIMITED']],
  ['a busy service', UNAVAILABLE],
  ['a missing rate', [503, 'RATE_UNAVAILABLE']],
  ['an internal error', [500, 'INTERNAL_ERROR']],
  ['the same key in progress', [409, 'IDEMPOTENCY_IN_PROGRESS', '1']],
  ['a proxy without a service', 502],
  ['a proxy timeout', 504],
])('after %s, a call is retried when it is safe: GET, PUT, and POST with an Idempotency-Key', async (_, outcome) => {
  for (const call of ['get', 'update', 'create'] as const) {
    const { client, at } = clientOf(outcome, 200);
    const calls = {
      get: () => client.payments.get('pay_1'),
      update: () => client.merchants.update('mer_1', {}),
      create: () => client.payments.create(ORDER),
    };
    expect(await end(calls[call]())).toBe('done');
    expect(at).toHaveLength(2);
  }
});

test.each<[string, Outcome]>([
  ['an invalid request', [400, 'VALIDATION_ERROR']],
  ['a refusal', [403, 'FORBIDDEN']],
  ['a conflict', [409, 'CONFLICT']],
  ['a reused key', [422, 'IDEMPOTENCY_KEY_REUSED']],
  ['an unexpected response', 404],
])('%s is not retried', async (_, outcome) => {
  const { client, at } = clientOf(outcome, 200);
  expect(await end(client.payments.create(ORDER))).toMatchObject({ name: 'KasiError', attempts: 1 });
  expect(at).toHaveLength(1);
});

test.each<[string, Outcome]>([
  ['no connection', 'lost'],
  ['no response', 'silence'],
  ['a busy service', UNAVAILABLE],
  ['an internal error', [500, 'INTERNAL_ERROR']],
  ['a proxy timeout', 504],
])('after %s, a call that might be repeated is not: DELETE, and POST without a key', async (_, outcome) => {
  const deleting = clientOf(outcome, 200);
  expect(await end(deleting.client.paymentLinks.delete('plink_1'))).toBeInstanceOf(KasiError);
  const posting = clientOf(outcome, 200);
  expect(await end(posting.client.public.paymentLinks.startPayment('tea'))).toBeInstanceOf(KasiError);
  expect([deleting.at.length, posting.at.length]).toEqual([1, 1]);
});

test('a call refused before it had any effect is retried, whatever its method', async () => {
  for (const outcome of [[429, 'RATE_LIMITED'], 429, [503, 'RATE_UNAVAILABLE']] as const) {
    const deleting = clientOf(outcome, 200);
    expect(await end(deleting.client.paymentLinks.delete('plink_1'))).toBe('done');
    const posting = clientOf(outcome, 200);
    expect(await end(posting.client.public.paymentLinks.startPayment('tea'))).toBe('done');
    expect([deleting.at.length, posting.at.length]).toEqual([2, 2]);
  }
});

test('pauses grow from half a second to eight, with jitter, and two retries are the default', async () => {
  const { client, at } = clientOf('lost');
  expect(await end(client.payments.get('pay_1'))).toMatchObject({ code: 'NETWORK_ERROR', attempts: 3 });
  expect(at).toEqual([0, 375, 1125]);
  const patient = clientOf('lost');
  await end(patient.client.payments.get('pay_1', { maxRetries: 7, timeoutMs: 0 }));
  const pauses = patient.at.slice(1).map((time, index) => time - (patient.at[index] ?? 0));
  expect(pauses).toEqual([375, 750, 1500, 3000, 6000, 6000, 6000]);
  vi.mocked(Math.random).mockReturnValue(0);
  const hasty = clientOf('lost');
  await end(hasty.client.payments.get('pay_1', { maxRetries: 1 }));
  expect(hasty.at).toEqual([0, 250]);
});

test('maxRetries of a call or of the client is respected, and 0 means one attempt', async () => {
  const { client, at } = clientOf('lost');
  await end(client.payments.get('pay_1', { maxRetries: 0 }));
  expect(at).toHaveLength(1);
  let attempts = 0;
  const fetch = () => {
    attempts += 1;
    return Promise.reject(new TypeError('fetch failed'));
  };
  const eager = createClient({ baseUrl: 'https://kasi.example', fetch, maxRetries: 4 });
  expect(await end(eager.payments.get('pay_1'))).toMatchObject({ attempts: 5 });
  expect(attempts).toBe(5);
  expect(() => createClient({ baseUrl: 'https://kasi.example', maxRetries: -1 })).toThrow(TypeError);
});

test('Retry-After is honoured, as seconds or a date, with jitter so that clients do not all return at once', async () => {
  const seconds = clientOf([429, 'RATE_LIMITED', '7'], 200);
  expect(await end(seconds.client.payments.get('pay_1'))).toBe('done');
  expect(seconds.at).toEqual([0, 7375]);
  const date = clientOf([503, 'SERVICE_UNAVAILABLE', new Date(Date.now() + 5000).toUTCString()], 200);
  expect(await end(date.client.payments.get('pay_1'))).toBe('done');
  expect(date.at[1]).toBeGreaterThanOrEqual(4375);
  expect(date.at[1]).toBeLessThanOrEqual(5375);
});

test("a pause that exceeds the call's timeout is not started: the error is thrown at once", async () => {
  const { client, at } = clientOf([429, 'RATE_LIMITED', '12'], 200);
  const began = performance.now();
  const call = client.payments.get('pay_1', { timeoutMs: 10_000 }).catch((error: unknown) => error);
  expect(await call).toMatchObject({ code: 'RATE_LIMITED', retryAfterSeconds: 12, attempts: 1 });
  expect(performance.now() - began).toBe(0);
  expect(at).toHaveLength(1);
  const endless = clientOf([429, 'RATE_LIMITED', '61'], 200);
  const error = await endless.client.payments.get('pay_1', { timeoutMs: 0 }).catch((reason: unknown) => reason);
  expect(error).toMatchObject({ code: 'RATE_LIMITED', retryAfterSeconds: 61 });
});

test('a hanging attempt gets half of the remaining time, the last or only one all of it', async () => {
  const { client, at } = clientOf('silence');
  const error = await end(client.payments.get('pay_1', { timeoutMs: 20_000 }));
  expect(error).toMatchObject({ code: 'TIMEOUT', message: 'No answer within 20000 ms.', attempts: 3 });
  expect(at).toEqual([0, 10_375, 15_937]);
  const once = clientOf('silence');
  const deleted = await end(once.client.paymentLinks.delete('plink_1', { timeoutMs: 20_000 }));
  expect(deleted).toMatchObject({ code: 'TIMEOUT', message: 'No answer within 20000 ms.', attempts: 1 });
  const short = clientOf('silence');
  expect(await end(short.client.payments.get('pay_1', { timeoutMs: 900 }))).toMatchObject({
    code: 'TIMEOUT',
    attempts: 1,
  });
});

test("all attempts of a call share one Idempotency-Key: a new one per call, or the caller's", async () => {
  const { client, keys } = clientOf('lost', 'lost', 200, 200, 200);
  await end(client.payments.create(ORDER));
  await end(client.payments.create(ORDER));
  await end(client.payments.create(ORDER, { idempotencyKey: 'order-1001' }));
  await end(client.payments.get('pay_1'));
  const [first, second, third, fourth, fifth, none] = keys;
  expect(first).toMatch(/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/);
  expect([second, third]).toEqual([first, first]);
  expect(fourth).not.toBe(first);
  expect([fifth, none]).toEqual(['order-1001', null]);
});

test('an invalid Idempotency-Key, or one for an operation that takes none, is a TypeError', async () => {
  const { client, at } = clientOf(200);
  for (const idempotencyKey of ['', 'a b', 'ключ', 'x'.repeat(256), 'a\nb']) {
    expect(await end(client.payments.create(ORDER, { idempotencyKey }))).toBeInstanceOf(TypeError);
  }
  const options = { idempotencyKey: 'order-1001' } as object;
  expect(await end(client.payments.get('pay_1', options))).toBeInstanceOf(TypeError);
  expect(at).toEqual([]);
});

test('an aborted call ends at once, before an attempt, during it, or in a pause', async () => {
  const enough = new Error('enough');
  for (const [outcome, afterMs] of [
    ['silence', 50],
    ['lost', 100],
  ] as const) {
    const { client, at } = clientOf(outcome);
    const controller = new AbortController();
    setTimeout(() => controller.abort(enough), afterMs);
    const call = client.payments.create(ORDER, { signal: controller.signal }).catch((error: unknown) => error);
    await vi.advanceTimersByTimeAsync(afterMs);
    expect(await call).toBe(enough);
    expect([at.length, vi.getTimerCount()]).toEqual([1, 0]);
  }
  const { client, at } = clientOf(200);
  expect(await end(client.payments.create(ORDER, { signal: AbortSignal.abort(enough) }))).toBe(enough);
  expect(at).toEqual([]);
});

test('a page of a list, the start of a stream and an interrupted body are retried', async () => {
  const { client, at } = clientOf('lost', 200);
  expect(await end(client.payments.iterate().next())).toBe('done');
  expect(at).toHaveLength(2);
  const stream = clientOf(UNAVAILABLE, 200);
  await end(stream.client.public.payments.events('pay_1', { maxRetries: 1 }).next());
  expect(stream.at.slice(0, 2)).toEqual([0, 375]);
  let attempts = 0;
  const fetch = async (): Promise<Response> => {
    attempts += 1;
    const pull = (controller: ReadableStreamDefaultController): void => controller.error(new Error('reset'));
    return attempts === 1 ? new Response(new ReadableStream({ pull })) : Response.json({ id: 'pay_1' });
  };
  const broken = createClient({ baseUrl: 'https://kasi.example', fetch });
  expect(await end(broken.payments.get('pay_1'))).toBe('done');
});

test('every attempt sends the same bytes, whatever happens to the object meanwhile', async () => {
  const bodies: string[] = [];
  const fetch = async (request: Request): Promise<Response> => {
    bodies.push(await request.text());
    if (bodies.length === 1) throw new TypeError('fetch failed');
    return Response.json({ id: 'pay_1' });
  };
  const order = { amount: 5, currency: 'USD' } as { amount: number; currency: 'USD' };
  const call = createClient({ baseUrl: 'https://kasi.example', fetch }).payments.create(order);
  await vi.advanceTimersByTimeAsync(1);
  order.amount = 500;
  expect(await end(call)).toBe('done');
  expect(bodies).toEqual(['{"amount":5,"currency":"USD"}', '{"amount":5,"currency":"USD"}']);
});

test('a started stream outlives the timeout of its attempt', async () => {
  const event = new TextEncoder().encode('event: payment\ndata: {"status":"paid"}\n\n');
  const fetch = async ({ signal }: Request): Promise<Response> => {
    const start = (controller: ReadableStreamDefaultController): void => {
      setTimeout(() => controller.enqueue(event), 40_000);
      signal.addEventListener('abort', () => controller.error(signal.reason));
    };
    return new Response(new ReadableStream({ start }), { headers: { 'content-type': 'text/event-stream' } });
  };
  const events = createClient({ baseUrl: 'https://kasi.example', fetch }).public.payments.events('pay_1');
  const first = events.next();
  await vi.advanceTimersByTimeAsync(40_000);
  expect(await first).toMatchObject({ value: { status: 'paid' } });
  await events.return();
});

test('a session that cannot be renewed now has its own attempts, and the call adds none', async () => {
  const sent: string[] = [];
  const fetch = async ({ url }: Request): Promise<Response> => {
    sent.push(new URL(url).pathname);
    const isRenewal = url.endsWith('/refresh');
    const error = isRenewal ? { code: 'RATE_LIMITED' } : { code: 'UNAUTHORIZED', reason: 'token_expired' };
    return Response.json({ error: { message: 'No.', ...error } }, { status: isRenewal ? 429 : 401 });
  };
  const client = createClient({ baseUrl: 'https://kasi.example', token: 'T1', refreshToken: 'R1', fetch });
  expect(await end(client.payments.get('pay_1'))).toMatchObject({ code: 'RATE_LIMITED', attempts: 3 });
  expect(sent).toEqual(['/v1/payments/pay_1', '/v1/auth/refresh', '/v1/auth/refresh', '/v1/auth/refresh']);
});
