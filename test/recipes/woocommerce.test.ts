import { copyFile, mkdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { expect, inject, type TestContext, test } from 'vitest';
import { createTestWebhookKey, signTestWebhook } from '../../clients/typescript/src/index.ts';
import { readSteps } from '../../scripts/recipes/guide.ts';
import { writeFiles } from '../../scripts/recipes/workshop.ts';
import { type Reply, refusal, type SentRequest, startFakeService } from '../client/fake-service.ts';
import { LANGUAGES, missingFor, skipWithout } from '../docs/program.ts';
import { makeTestFolder } from '../support/run-folder.ts';
import { serveOrder } from './ordered.ts';
import { playPhp } from './php-shop.ts';

const missing = LANGUAGES.filter(({ name }) => name === 'PHP').flatMap(missingFor);

type State = { said: unknown; status: string; notes: string[]; warned: string[]; page: string };

/** The folder of a plug-in. */
async function installed({ skip }: Pick<TestContext, 'skip'>): Promise<string> {
  skipWithout(missing, skip);
  const folder = makeTestFolder(inject('runFolder'));
  writeFiles(readSteps('woocommerce'), folder);
  for (const name of ['vendor', 'wp/wp-admin/includes']) await mkdir(join(folder, name), { recursive: true });
  await writeFile(join(folder, 'wp/wp-admin/includes/class-wp-upgrader.php'), '<?php\n');
  const client = resolve('clients/php/autoload.php');
  await writeFile(join(folder, 'vendor/autoload.php'), `<?php\nrequire '${client}';\n`);
  await copyFile('test/recipes/woocommerce-order.php', join(folder, 'order.php'));
  return folder;
}

/** What the plug-in says after each step, and how its order then stands. */
async function shop(url: string, steps: readonly object[], context: Pick<TestContext, 'skip'>): Promise<State[]> {
  return play(await installed(context), url, steps);
}

/** The same in a process of its own. */
async function play(folder: string, url: string, steps: readonly object[]): Promise<State[]> {
  const lines = await playPhp({ folder, file: 'order.php', env: { KASI_URL: url } }, steps);
  return lines.map((line) => (line.startsWith('{') ? JSON.parse(line) : { said: line }) as State);
}

const made: Reply = { status: 201, body: { id: 'ref_1', claimUrl: 'https://pay.example/checkout/refund/rft_1' } };
const LATER = { headers: { 'retry-after': '120' } };
const nothingBack: Reply = { body: { amountRefunded: 0 } };
const keysOf = (sent: readonly SentRequest[]) =>
  sent.filter(({ method }) => method === 'POST').map(({ headers }) => headers['idempotency-key']);
const press = { transaction: 'pay_1', refund: 10 };

test.for<readonly [string, Reply]>([
  ['a limit', { ...refusal(429, 'RATE_LIMITED'), ...LATER }],
  ['a clock that is wrong', refusal(401, 'UNAUTHORIZED', { reason: 'timestamp_skew' })],
  ['a firewall', refusal(403, 'FORBIDDEN')],
  ['the first press, which is under way', { ...refusal(409, 'IDEMPOTENCY_IN_PROGRESS'), ...LATER }],
  ['a proxy that waited for too long', refusal(408, 'TIMEOUT')],
])('a refund whose answer was lost, and then met %s, is the same at the next press', async ([, obstacle], context) => {
  const replies: (Reply | undefined)[] = [undefined, undefined, undefined, obstacle, made, made];
  const { url, sent } = await startFakeService(({ method }, raw) => {
    if (method === 'GET') return nothingBack;
    const reply = replies.shift();
    if (reply === undefined) raw.destroy();
    return reply;
  });
  const states = await shop(url, [press, press, press, press], context);
  expect(states.map(({ said }) => said === true)).toEqual([false, false, true, true]);
  const keys = keysOf(sent);
  expect(new Set(keys.slice(0, 5)).size).toBe(1);
  expect(keys[5]).not.toBe(keys[0]);
});

test.for([400, 404, 409, 422])(
  'a refund that was refused for good with %s is another one at the next press',
  async (status, context) => {
    const { url, sent } = await startFakeService(({ method }) => {
      if (method === 'GET') return nothingBack;
      return keysOf(sent).length === 1 ? refusal(status, 'CONFLICT') : made;
    });
    await shop(url, [press, press], context);
    expect(new Set(keysOf(sent)).size).toBe(2);
  },
);

test('while the answer to a refund is not known, there is none of another amount', async (context) => {
  const { url, sent } = await startFakeService(({ method }, raw) => {
    if (method === 'GET') return nothingBack;
    if (keysOf(sent).length > 3) return made;
    raw.destroy();
    return undefined;
  });
  const states = await shop(url, [press, { ...press, refund: 15 }, press, { ...press, refund: 15 }], context);
  expect(states.map(({ said }) => said)).toEqual([
    expect.any(String),
    'Kasi has not answered about 10 yet: refund it first.',
    ...[true, true],
  ]);
  const amounts = sent.filter(({ method }) => method === 'POST').map(({ body }) => JSON.parse(body).amount);
  expect(amounts).toEqual([10, 10, 10, 10, 15]);
});

test.for([
  ['made', 10],
  ['not made', 0],
] as const)(
  'a refund whose key has ended is looked up before another is made: it was %s',
  async ([was, now], context) => {
    let isLost = true;
    const { url, sent } = await startFakeService(({ method }, raw) => {
      if (method === 'GET') return isLost ? nothingBack : { body: { amountRefunded: now } };
      if (keysOf(sent).length > 3) return made;
      if (keysOf(sent).length === 3) isLost = false;
      raw.destroy();
      return undefined;
    });
    const states = await shop(url, [press, { hours: 21 }, press, press], context);
    expect(states.slice(2).map(({ said }) => said)).toEqual([
      `A refund of 10 was ${was} before. Look in Kasi, then press again.`,
      true,
    ]);
    const [first, , , last] = keysOf(sent);
    expect(last).not.toBe(first);
  },
);

test('a customer of the shop is sent to one payment until that is over, whatever address the site has', async (context) => {
  const { answer, keys } = serveOrder([
    'initiated',
    'confirming',
    'paid',
    'expired',
    'initiated',
    'failed',
    'initiated',
  ]);
  const { url } = await startFakeService(answer);
  const sites = ['https://shop.example', 'https://www.shop.example', 'http://shop.example', 'https://shop.example'];
  const states = await shop(
    url,
    [...sites, 'https://shop.example'].map((site) => ({ site })),
    context,
  );
  expect(states.map(({ said }) => said)).toEqual([1, 1, 1, 2, 3].map((at) => `https://pay.example/pay_${at}`));
  expect(new Set(keys()).size).toBe(3);
});

test('who presses twice at once asks under one key, and from another address of the site under another', async (context) => {
  const asked = async (site: string): Promise<(string | undefined)[]> => {
    const { answer, keys } = serveOrder(['initiated']);
    await shop((await startFakeService(answer)).url, [{ site }], context);
    return keys();
  };
  const first = await asked('https://shop.example');
  expect(await asked('https://shop.example')).toEqual(first);
  expect(await asked('https://www.shop.example')).not.toEqual(first);
});

test('a payment of another program, whose metadata is of other types, is logged', async (context) => {
  const { event } = paid('pay_1');
  const data = { ...event.data, metadata: { orderId: 7, orderKey: 1001 } };
  const [state] = await shop('http://127.0.0.1:1', [{ event: { ...event, data } }], context);
  expect(state).toMatchObject({ said: true, status: 'pending', warned: ['Payment pay_1 fits no order.'] });
});

test('an event that the shop could not act on comes again', async (context) => {
  const { url } = await startFakeService(() => ({ body: paymentOf('pay_1') }));
  const states = await shop(url, [{ ...paid('pay_1'), isBroken: true }, paid('pay_1'), paid('pay_1')], context);
  expect(states.map(({ said, status }) => [said, status])).toEqual([
    [false, 'pending'],
    [true, 'processing'],
    [true, 'processing'],
  ]);
});

const paymentOf = (id: string) => ({
  ...{ id, amount: 25, currency: 'USD', amountReceived: 25 },
  metadata: { orderId: '7', orderKey: 'wc_order_key' },
});
const told = (id: string, type: string, sequence: number) => ({
  event: { id: `evt_${id}_${sequence}`, type, sequence, data: paymentOf(id) },
});
const paid = (id: string) => told(id, 'payment.completed', 4);
const REFUNDS = { completed: 'refund.completed', processing: 'refund.reverted', failed: 'refund.failed' };
const refund = (id: string, status: keyof typeof REFUNDS, sequence: number, amount = 25, paymentId = 'pay_1') => ({
  event: {
    ...{ id: `evt_${id}_${sequence}`, type: REFUNDS[status], sequence },
    data: { id, paymentId, amount, currency: 'USD', status },
  },
});
const given = (id: string, paymentId: string, amount: number) => refund(id, 'completed', 4, amount, paymentId);

test('a second payment of an order is logged, and what goes back of it leaves the order paid', async (context) => {
  const { url } = await startFakeService(({ url }) => ({ body: paymentOf(url.split('/').at(-1) ?? '') }));
  const steps = [paid('pay_1'), paid('pay_2'), given('ref_2', 'pay_2', 25), paid('pay_1')];
  const states = await shop(url, steps, context);
  expect(states.map(({ status }) => status)).toEqual(['processing', 'processing', 'processing', 'processing']);
  expect(states.at(-1)?.warned).toEqual(['Payment pay_2 fits no order.', 'Payment pay_2 fits no order.']);
});

test('an order whose money all went back is not to be sent, whichever event comes first', async (context) => {
  const { url } = await startFakeService(() => ({ body: paymentOf('pay_1') }));
  const [payment, part, rest] = [paid('pay_1'), given('ref_1', 'pay_1', 10), given('ref_2', 'pay_1', 15)];
  const states = await shop(url, [payment, part, rest], context);
  expect(states.map(({ status }) => status)).toEqual(['processing', 'processing', 'on-hold']);
  const turned = await shop(url, [rest, part, payment], context);
  expect(turned.map(({ status }) => status)).toEqual(['pending', 'pending', 'on-hold']);
});

test('an order is on hold while the chain has taken its payment back, whichever event comes first', async (context) => {
  const { url } = await startFakeService(() => ({ body: paymentOf('pay_1') }));
  const reversed = told('pay_1', 'payment.reversed', 5);
  const restored = told('pay_1', 'payment.restored', 6);
  const statuses = async (...steps: object[]) => (await shop(url, steps, context)).map(({ status }) => status);
  expect(await statuses(paid('pay_1'), reversed, restored)).toEqual(['processing', 'on-hold', 'processing']);
  expect(await statuses(reversed, paid('pay_1'), restored)).toEqual(['on-hold', 'on-hold', 'processing']);
  expect(await statuses(paid('pay_1'), restored, reversed)).toEqual(['processing', 'processing', 'processing']);
});

test('an order whose refund did not arrive is not to be sent, and its notes say so once', async (context) => {
  const { url } = await startFakeService(() => ({ body: paymentOf('pay_1') }));
  const back = refund('ref_1', 'completed', 4);
  const reverted = refund('ref_1', 'processing', 5);
  const last = async (...steps: object[]) => {
    const states = await shop(url, [paid('pay_1'), ...steps], context);
    const { status, notes, page } = states.at(-1) as State;
    return [status, page, notes.filter((note) => note.includes('ref_1'))];
  };
  const onItsWay = 'Your money is on its way back to you.';
  const again = 'Refund ref_1 (25 USD) did not arrive: processing.';
  const never = 'Refund ref_1 (25 USD) did not arrive: failed.';
  expect(await last(back)).toEqual(['on-hold', 'Your money went back to you.', []]);
  expect(await last(back, reverted, reverted)).toEqual(['on-hold', onItsWay, [again]]);
  expect(await last(reverted, back)).toEqual(['on-hold', onItsWay, [again]]);
  expect(await last(back, reverted, refund('ref_1', 'completed', 6))).toEqual([
    ...['on-hold', 'Your money went back to you.'],
    [again],
  ]);
  const failed = refund('ref_1', 'failed', 6);
  expect(await last(back, reverted, failed)).toEqual([
    ...['on-hold', 'The shop looks at your order. Please wait.'],
    [again, never],
  ]);
  expect(await last(failed, reverted, back)).toEqual(['processing', 'Thank you, your order is paid.', [never]]);
  expect(await last(back, failed, refund('ref_2', 'completed', 4))).toEqual([
    ...['on-hold', 'Your money went back to you.'],
    [never],
  ]);
});

test('webhooks, each in a process of its own, share the keys that the first of them has fetched', async (context) => {
  const { secret, publicKey } = createTestWebhookKey();
  const key = { kty: 'OKP', crv: 'Ed25519', x: publicKey.replace('whpk_', '') };
  const { url, sent } = await startFakeService(() => ({ body: { keys: [key] } }));
  const folder = await installed(context);
  // PHP reads no body where there is no server, and an empty one is no event, although its signature fits.
  const { headers } = signTestWebhook('', { secret });
  const entries = Object.entries(headers).map(([name, value]) => [
    `HTTP_${name.toUpperCase().replaceAll('-', '_')}`,
    value,
  ]);
  const request = Object.fromEntries(entries);
  for (let i = 0; i < 3; i += 1)
    expect(await play(folder, url, [{ request }])).toMatchObject([
      { said: 400 },
      { said: 'The body is signed but is not JSON.' },
    ]);
  expect(sent.map(({ url }) => url)).toEqual(['/v1/public/merchants/mer_1/webhook-keys']);
});
