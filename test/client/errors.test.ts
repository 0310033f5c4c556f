import { expect, expectTypeOf, test } from 'vitest';
import {
  type CallOptions,
  type CheckoutSessionCreated,
  type ClientErrorCode,
  createClient,
  type IdempotentCallOptions,
  KasiError,
  type KasiErrorCode,
  type Payment,
  type Result,
  type SharedErrorCode,
  type WebhookEvent,
  type WebhookEventOf,
} from '../../clients/typescript/src/index.ts';
import { refusal, startFakeService } from './fake-service.ts';

test(".try returns the call's result, or the error that the call would throw", async () => {
  const { url } = await startFakeService(({ url }) =>
    url.endsWith('/pay_1') ? { body: { id: 'pay_1' } } : refusal(404, 'NOT_FOUND'),
  );
  const client = createClient({ baseUrl: url, token: 'T1' });
  expect(await client.payments.get.try('pay_1')).toEqual({ ok: true, data: { id: 'pay_1' }, requestId: null });
  const { ok, data, error } = await client.payments.get.try('pay_2', { timeoutMs: 5000 });
  expect([ok, data]).toEqual([false, undefined]);
  expect(error).toBeInstanceOf(KasiError);
  expect(error).toMatchObject({ code: 'NOT_FOUND', status: 404, requestId: 'req-1', attempts: 1 });
});

test(".try throws a caller's mistake and the caller's abort", async () => {
  const { url, sent } = await startFakeService(() => undefined);
  const client = createClient({ baseUrl: url, token: 'T1' });
  await expect(client.payments.get.try('')).rejects.toBeInstanceOf(TypeError);
  const enough = new Error('enough');
  await expect(client.payments.get.try('pay_1', { signal: AbortSignal.abort(enough) })).rejects.toBe(enough);
  expect(sent).toEqual([]);
});

test(".try has the method's side effects, and works for files", async () => {
  const { url } = await startFakeService(({ url }) =>
    url.endsWith('.svg')
      ? { body: '<svg/>', headers: { 'content-type': 'image/svg+xml' } }
      : { body: { token: 'T9', refreshToken: 'R9', expiresIn: 900 } },
  );
  const client = createClient({ baseUrl: url });
  const login = { email: 'owner@teahouse.example', password: 'Str0ng-enough' };
  expect(await client.auth.login.try(login)).toMatchObject({ ok: true });
  expect(client.tokens()).toEqual({ token: 'T9', refreshToken: 'R9' });
  expect(await client.public.payments.qrSvg.try('pay_1')).toEqual({ ok: true, data: '<svg/>', requestId: null });
});

test('an error is typed by the operation that throws it', () => {
  type Client = ReturnType<typeof createClient>;
  type CodeOf<M> = M extends { try(...args: never): Promise<Result<unknown, infer Code extends KasiErrorCode>> }
    ? Code
    : never;
  type Always = SharedErrorCode | ClientErrorCode;
  type Idempotent = 'IDEMPOTENCY_IN_PROGRESS' | 'IDEMPOTENCY_KEY_REUSED';
  type State = 'CONFLICT' | 'INSUFFICIENT_BALANCE';
  type Refusal = 'VALIDATION_ERROR' | 'UNAUTHORIZED' | 'FORBIDDEN';

  expectTypeOf<CodeOf<Client['payments']['get']>>().toEqualTypeOf<
    Always | Exclude<Refusal, 'VALIDATION_ERROR'> | 'NOT_FOUND'
  >();
  expectTypeOf<CodeOf<Client['payments']['cancel']>>().toEqualTypeOf<
    Always | Refusal | 'NOT_FOUND' | State | Idempotent
  >();
  expectTypeOf<CodeOf<Client['public']['paymentLinks']['get']>>().toEqualTypeOf<
    Always | 'NOT_FOUND' | 'EXPIRED' | 'DISABLED'
  >();
  expectTypeOf<CodeOf<Client['auth']['login']>>().toEqualTypeOf<Always | 'VALIDATION_ERROR' | 'UNAUTHORIZED'>();
  expectTypeOf<KasiError['code']>().toEqualTypeOf<KasiErrorCode>();
});

test('the result of .try is narrowed by ok, also when destructured', () => {
  const use = (result: Result<Payment, 'NOT_FOUND'>): string => {
    if (result.ok) return result.data.id;
    expectTypeOf(result.error.code).toEqualTypeOf<'NOT_FOUND'>();
    return result.error.message;
  };
  const apart = ({ data, error }: Result<Payment, 'NOT_FOUND'>): string => (error ? error.code : data.id);
  expect(use({ ok: true, requestId: null, data: { id: 'pay_1' } as Payment })).toBe('pay_1');
  expect(apart({ ok: true, requestId: null, data: { id: 'pay_1' } as Payment })).toBe('pay_1');
});

test('only operations with an Idempotency-Key accept one, and creating a session has one type for both credentials', () => {
  type Client = ReturnType<typeof createClient>;
  expectTypeOf<Parameters<Client['payments']['cancel']>[1]>().toEqualTypeOf<IdempotentCallOptions | undefined>();
  expectTypeOf<Parameters<Client['payments']['get']>[1]>().toEqualTypeOf<CallOptions | undefined>();
  expectTypeOf<Awaited<ReturnType<Client['checkout']['sessions']['create']>>>().toEqualTypeOf<CheckoutSessionCreated>();
});

test('API key events are part of the union, and their type determines data', () => {
  const nameOf = (event: WebhookEvent): string => {
    if (event.type === 'api_key.created' || event.type === 'api_key.revoked') return event.data.name;
    return event.type;
  };
  const event = { id: 'evt_1', type: 'api_key.revoked', data: { name: 'Shop' } } as WebhookEvent;
  expect(nameOf(event)).toBe('Shop');
  expectTypeOf<WebhookEventOf<'payment.completed'>['data']>().toEqualTypeOf<Payment>();
});
