import { encodeFunctionData, erc20Abi, parseAbi } from 'viem';
import { expect, test } from 'vitest';
import { encodeAuthorize, type Mandate } from '../../src/chains/evm/collector.ts';
import { subscriptionView } from '../../src/checkout/pages/subscription-view.ts';
import { scriptWords } from '../../src/checkout/pages/words.ts';
import { mandateTerms, mostAllowed } from '../../src/subscriptions/schedule/mandate-window.ts';
import { ENGLISH, visit } from '../support/page-visit.ts';
import { NOW } from '../support/public-payment.ts';
import { AGREED, IN_RUPEES, inDays, publicSubscription, WITH_TRIAL } from '../support/public-subscription.ts';

const PAST_DUE = { ...AGREED, status: 'past_due', nextChargeAt: inDays(1) } as const;
const viewOf = (...changes: Parameters<typeof publicSubscription>): ReturnType<typeof subscriptionView> =>
  subscriptionView(publicSubscription(...changes), NOW, ENGLISH);
const promisesOf = (change: Parameters<typeof publicSubscription>[0]): string =>
  viewOf(change)
    .promises.map(({ what, means }) => `${what}: ${means}`)
    .join('\n');

test.each([
  ['waiting', {}, 'Waiting for your agreement'],
  ['waiting', { ...WITH_TRIAL, status: 'past_due', failureCode: 'mandate_missing' }, 'Waiting for your agreement'],
  ['waiting', { ...IN_RUPEES, status: 'past_due', failureCode: 'mandate_missing' }, 'Waiting for your agreement'],
  ['submitted', { submittedAt: inDays(0) }, 'Sent, waiting for the network'],
  ['submitted', { mandateStatus: 'revoked', submittedAt: inDays(0) }, 'Sent, waiting for the network'],
  ['done', AGREED, 'You have agreed'],
  ['done', { ...AGREED, submittedAt: inDays(-1), status: 'trialing' }, 'You have agreed'],
  ['past_due', { ...PAST_DUE, failureCode: 'insufficient_balance' }, 'Your wallet holds too little USDT'],
  ['past_due', { ...PAST_DUE, failureCode: 'insufficient_allowance' }, 'Your wallet allows too little USDT'],
  ['past_due', { ...PAST_DUE, failureCode: 'token_blocked' }, 'USDT can not leave your wallet'],
  ['done', { ...PAST_DUE, failureCode: 'mandate_missing', nextChargeAt: inDays(0) }, 'You have agreed'],
  ['past_due', { ...PAST_DUE, failureCode: 'network_unavailable' }, 'The last charge did not go through'],
  ['revoked', { mandateStatus: 'revoked' }, 'You have stopped the charges'],
  ['revoked', { mandateStatus: 'revoked', typedData: null, submittedAt: inDays(-1) }, 'You have stopped the charges'],
  ['ended', { mandateStatus: 'expired', typedData: null }, 'Your agreement has ended'],
  ['cancelled', { ...AGREED, status: 'cancelled', cancelReason: 'requested' }, 'This subscription is cancelled'],
  ['expired', { status: 'expired', cancelReason: 'not_authorized', typedData: null }, 'This subscription is over'],
] as const)('shows the state %s: %#', (state, change, headline) => {
  const view = viewOf(change);
  expect(view).toMatchObject({ state, headline });
  expect(view.text.join('').length, 'and explains it').toBeGreaterThan(20);
  expect(view.promises.length > 0, 'the terms are shown exactly while they are to be signed').toBe(view.steps.sign);
  expect(view.canRevoke, 'an active or submitted mandate can be revoked').toBe(
    ['submitted', 'done', 'past_due'].includes(state) || state === 'cancelled',
  );
});

test('the customer sees the terms with the numbers of the mandate they sign', () => {
  const text = promisesOf({});
  expect(text).toContain('Ceylon Tea House collects USD 25.00 every month: That is 25.00 USDT each time, on devnet.');
  expect(text).toContain('First charge as soon as you agree: After that every month on the 2nd.');
  expect(text).toContain('At most 25.00 USDT for every 28 days: ');
  expect(text).toContain('at most 50.00 USDT at once');
  expect(text).toContain('On 2 Jan 2036 your agreement ends by itself; until then it allows 3,275.00 USDT in all.');
  expect(text).toContain('Your money stays in your wallet');
  expect(text).toContain('You can stop at any time');
  expect(viewOf({}).recommended).toBe('325.00 USDT');
});

test("a price in rupees is shown with today's token amount and the limit a quarter above it", () => {
  // 4,500 rupees at 301.1 are 14.945201 USDT, rounded up; the limit is rounded up once more.
  const terms = mandateTerms({ interval: 'monthly', currency: 'LKR', tokenAmount: 14_945_201n, firstDue: NOW });
  const { mandate } = publicSubscription();
  const text = promisesOf({ ...IN_RUPEES, mandate: { ...mandate, maxPerPeriod: terms.maxPerPeriod.toString() } });
  expect(text).toContain('at the rate of each day: 14.945201 USDT when this was set up.');
  expect(promisesOf(IN_RUPEES)).toContain('At most 18.75 USDT for every 28 days: That is a quarter more than now');
  const outgrown = viewOf({ ...IN_RUPEES, status: 'past_due', failureCode: 'mandate_missing' });
  expect(outgrown.text.join()).toContain('15.00 USDT is due, more than you agreed to');
  expect(mostAllowed(terms).atOnce).toBe(2n * terms.maxPerPeriod);
});

test.each([
  ['daily', '2026-01-02T03:04:05Z', 'every day at the same time'],
  ['weekly', '2026-01-02T03:04:05Z', 'every Friday'],
  ['monthly', '2026-01-03T03:04:05Z', 'every month on the 3rd'],
  ['monthly', '2026-01-21T23:59:59Z', 'every month on the 21st'],
  ['monthly', '2026-01-31T00:00:00Z', 'every month on the 31st, or the last day of a shorter one'],
  ['yearly', '2028-02-29T12:00:00Z', 'every year on 29 February'],
] as const)('charges are described as %s from %s: %s', (interval, firstChargeAt, words) => {
  expect(promisesOf({ interval, firstChargeAt })).toContain(`After that ${words}.`);
});

test('charges are described from the day of agreeing where the first period had begun before', () => {
  expect(promisesOf({ firstChargeAt: inDays(-1 / 48) })).toContain('every month on the 2nd.');
  expect(promisesOf({ firstChargeAt: inDays(-2), nextChargeAt: null })).toContain('every month on the 2nd.');
  const trialOver = { ...WITH_TRIAL, status: 'trialing', firstChargeAt: inDays(-2), nextChargeAt: inDays(-2) } as const;
  expect(promisesOf(trialOver)).toContain('First charge as soon as you agree: After that every month on the 2nd.');
  const owed = { ...trialOver, status: 'past_due', failureCode: 'mandate_missing' } as const;
  expect(promisesOf(owed)).toContain('every month on the 31st');
});

test('the page says when the first charge comes', () => {
  expect(promisesOf(WITH_TRIAL)).toContain('First charge on 16 Jan 2026, 03:04 UTC: It is free until then.');
  expect(promisesOf({ ...WITH_TRIAL, status: 'past_due', firstChargeAt: inDays(-1) })).toContain(
    'as soon as you agree',
  );
  const paid = { mandateStatus: 'revoked', firstChargeAt: inDays(-10), nextChargeAt: inDays(20) } as const;
  const again = { ...paid, paidUntil: inDays(31) };
  expect(promisesOf(again)).toContain('Next charge on 22 Jan 2026, 03:04 UTC');
  expect(viewOf(again).text).toContain('What you have paid for holds until 2 Feb 2026, 03:04 UTC.');
});

test('a price in rupees is due at the rate of the day: who sends what is missing sends at most what may be taken', () => {
  const due = (change: Parameters<typeof publicSubscription>[0]): string =>
    viewOf({ ...PAST_DUE, failureCode: 'insufficient_balance', ...change }).text.join(' ');
  expect(due(IN_RUPEES)).toContain('At most 18.75 USDT is due, at the rate of the day. Send what is missing');
  expect(due({ ...IN_RUPEES, failureCode: 'insufficient_allowance' })).toContain('At most 18.75 USDT is due');
  expect(due({})).toContain('25.00 USDT is due. Send what is missing');
});

test.each([
  ['cancelled before anybody agreed', { status: 'cancelled', cancelReason: 'requested' }],
  ['cancelled before its first charge', { ...AGREED, status: 'cancelled', cancelReason: 'customer_requested' }],
  [
    'cancelled after the first charge had failed',
    { ...AGREED, status: 'cancelled', cancelReason: 'customer_requested', failureCode: 'insufficient_balance' },
  ],
  [
    'stopped after the first charge had failed',
    { status: 'past_due', mandateStatus: 'revoked', failureCode: 'insufficient_balance' },
  ],
] as const)('nothing is called paid of a subscription that was %s', (_what, change) => {
  expect(viewOf(change).text.join(' ')).not.toContain('paid for');
});

test('a past_due customer sees what to do and when the next retry is', () => {
  const text = viewOf({ ...PAST_DUE, failureCode: 'insufficient_balance' }).text.join(' ');
  expect(text).toContain('25.00 USDT is due. Send what is missing to your wallet, on devnet');
  expect(text).toContain('tried again on 3 Jan 2026, 03:04 UTC');
  expect(viewOf({ ...PAST_DUE, failureCode: 'insufficient_balance' }).refill).toBe(publicSubscription().walletAddress);
  expect(viewOf({ ...PAST_DUE, failureCode: 'insufficient_allowance' }).steps).toEqual({ allow: true, sign: false });
});

test('after the chain refused a signature, the page asks for a transaction and says why, without the sandbox button', async () => {
  const refused = { agreeBy: 'transaction' } as const;
  expect(viewOf({}).byTransaction).toBe(false);
  expect(viewOf(refused)).toMatchObject({ state: 'waiting', byTransaction: true, steps: { allow: true, sign: true } });
  expect(viewOf(refused).text.join(' ')).toContain('The network refused what your wallet had signed');
  expect(viewOf({ ...AGREED, ...refused })).toMatchObject({ state: 'done', byTransaction: false });
  const subscription = publicSubscription(refused);
  const page = await visit('GET /subscription/:id', subscription.id, {
    livemode: false,
    sandboxAuthorize: async () => undefined,
    readSubscription: async () => subscription,
  });
  expect(page.body).toContain('<strong data-way="signature" hidden>');
  expect(page.body).toContain('<strong data-way="transaction">Agree by a transaction');
  expect(page.body).not.toContain('test wallet');
});

test("the page's version changes with everything it shows, also when only time passes", () => {
  const submitted = publicSubscription({ submittedAt: NOW.toISOString() });
  const at = (minutes: number): string =>
    subscriptionView(submitted, new Date(NOW.getTime() + minutes * 60_000), ENGLISH).version;
  expect(at(9)).toBe(at(0));
  expect(at(11)).not.toBe(at(0));
});

test("the page carries the contract's response for its script, safely escaped", async () => {
  const hostile = `"><script>alert(1)</script>'`;
  const subscription = publicSubscription({ merchantName: hostile, planName: hostile, description: hostile });
  const { status, body } = await visit('GET /subscription/:id', subscription.id, {
    readSubscription: async () => subscription,
  });
  expect(status).toBe(200);
  const html = String(body);
  expect(html).not.toContain('<script>');
  expect(html).not.toMatch(/ (on\w+|style)="/);
  const carried = /data-subscription="([^"]*)"/.exec(html)?.[1] ?? '';
  const decoded = carried.replace(
    /&(quot|lt|gt|#39|amp);/g,
    (_all, name: string) => ({ quot: '"', lt: '<', gt: '>', '#39': "'", amp: '&' })[name] ?? '',
  );
  expect(JSON.parse(decoded)).toEqual(subscription);
});

test.each(['', 'sub_', 'pay_01jggm8d2f5h7k9m1p3r6t8v0x', '../etc', `sub_${'a'.repeat(99)}`])(
  'the subscription id %j answers 404 before anything is read, and has no QR code',
  async (id) => {
    const readSubscription = async (): Promise<never> => {
      throw new Error('read');
    };
    const answer = await visit('GET /subscription/:id', id, { readSubscription });
    expect(answer.status).toBe(404);
    expect(answer.body).toContain('There is no such subscription');
    expect((await visit('GET /subscription/:id/qr.svg', id)).status).toBe(404);
  },
);

test('a subscription id has a QR code', async () => {
  const { type, body } = await visit('GET /subscription/:id/qr.svg', 'sub_1');
  expect([type, String(body).slice(0, 4)]).toEqual(['image/svg+xml', '<svg']);
});

test('the sandbox test wallet exists only in the sandbox, and only while there is something to sign', async () => {
  const { id } = publicSubscription();
  const asked: unknown[] = [];
  const sandbox = { livemode: false, sandboxAuthorize: async (input: object) => void asked.push(input) };
  expect((await visit('GET /subscription/:id', id)).body).not.toContain('test wallet');
  await expect(visit('POST /subscription/:id/sandbox-authorize', id)).rejects.toThrow('no page');
  expect((await visit('GET /subscription/:id', id, sandbox)).body).toContain('Authorise with a test wallet');
  const done = { ...sandbox, readSubscription: async () => publicSubscription(AGREED) };
  expect((await visit('GET /subscription/:id', id, done)).body).not.toContain('test wallet');
  const { status, headers } = await visit('POST /subscription/:id/sandbox-authorize', id, sandbox);
  expect([status, headers?.['location']]).toEqual([303, `/checkout/subscription/${id}`]);
  expect(asked).toMatchObject([{ subscriptionId: id, now: NOW }]);
});

const asset = (name: string): Promise<Record<string, (...input: unknown[]) => string>> =>
  import(new URL(`../../src/checkout/pages/assets/${name}`, import.meta.url).href);

test('the page encodes token calls exactly as a library does', async () => {
  const { allowanceCall, approveCall, balanceCall, unitsOf, firstUnitsOf, unitsText } = await asset('calls.js');
  const { walletAddress: owner, collector: spender } = publicSubscription();
  const [a, b] = [owner, spender] as [`0x${string}`, `0x${string}`];
  const abi = erc20Abi;
  expect(allowanceCall?.(a, b)).toBe(encodeFunctionData({ abi, functionName: 'allowance', args: [a, b] }));
  expect(balanceCall?.(a)).toBe(encodeFunctionData({ abi, functionName: 'balanceOf', args: [a] }));
  for (const units of [0n, 325_000_000n, 2n ** 256n - 1n]) {
    expect(approveCall?.(b, units)).toBe(encodeFunctionData({ abi, functionName: 'approve', args: [b, units] }));
  }
  expect(unitsOf?.(`0x${'0'.repeat(62)}19`)).toBe(25n);
  expect(() => unitsOf?.('0x')).toThrow('no such contract');
  expect(firstUnitsOf?.(`0x${'0'.repeat(63)}2${'f'.repeat(192)}`)).toBe(2n);
  expect([unitsText?.(1_234_567_000_001n, 6, 'USDT'), unitsText?.(5n * 10n ** 17n, 18, 'USDT')]).toEqual([
    '1,234,567.000001 USDT',
    '0.50 USDT',
  ]);
});

test('the page encodes collector calls exactly as a library does', async () => {
  const { authorizeCall, revokeCall, stateCall } = await asset('calls.js');
  const { walletAddress, mandate } = publicSubscription();
  const abi = parseAbi(['function revoke(bytes32 id)', 'function state(address payer, bytes32 id)']);
  const [payer, id] = [walletAddress, mandate.id] as [`0x${string}`, `0x${string}`];
  expect(revokeCall?.(id)).toBe(encodeFunctionData({ abi, functionName: 'revoke', args: [id] }));
  expect(stateCall?.(payer, id)).toBe(encodeFunctionData({ abi, functionName: 'state', args: [payer, id] }));
  for (const maxPerPeriod of ['25000000', (2n ** 128n - 1n).toString()]) {
    const terms = { ...mandate, maxPerPeriod: BigInt(maxPerPeriod) } as unknown as Mandate;
    expect(authorizeCall?.({ ...mandate, maxPerPeriod })).toBe(encodeAuthorize(terms));
  }
});

test.each([
  [{ code: 4001, message: 'User rejected the request.' }, 'You declined that in your wallet.'],
  [{ code: 4100, message: 'Unauthorized' }, 'Connect it again'],
  [{ code: 4200, message: 'Unsupported' }, 'use another wallet'],
  [{ code: -32004, message: 'Method not supported' }, 'use another wallet'],
  [{ code: 4900, message: 'Disconnected' }, 'Unlock it'],
  [{ code: 4901, message: 'Chain disconnected' }, 'does not reach devnet'],
  [{ code: 4902, message: 'Unrecognized chain' }, 'chain id 31337'],
  [{ code: -32603, message: 'Internal', data: { originalError: { code: 4902 } } }, 'chain id 31337'],
  [{ code: -32002, message: 'Request already pending' }, 'still waits for your answer'],
  [{ code: -32003, message: 'insufficient funds for gas * price + value' }, 'too little ETH'],
  [{ code: -32603, message: 'Something <b>odd</b>' }, 'Your wallet says: “Something <b>odd</b>”'],
])('a wallet error becomes a sentence with a remedy: %o', async (error, words) => {
  const { explain } = await asset('wallets.js');
  (await asset('words.js'))['learn']?.(JSON.parse(scriptWords('en').wallet));
  expect(explain?.(error, { network: 'devnet', chainId: 31_337 })).toContain(words);
});
