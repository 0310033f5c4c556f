import { afterAll, beforeAll, expect, test } from 'vitest';
import { type LiarProxy, startLiar } from '../../scripts/liars/proxy.ts';
import { CUSTOMER, checkOn, claimOf, type Desk, openDesk, TEN, together, transfer } from './payout-fixture.ts';

let desk: Desk;
let [first, second]: LiarProxy[] = [];
beforeAll(async () => {
  desk = await openDesk();
  [first, second] = [await startLiar(desk.node.url), await startLiar(desk.node.url)];
});
afterAll(async () => {
  await Promise.all([first!.close(), second!.close()]);
  await desk.close();
});

const network = (secondOpinionFrom: number | null) => ({
  ...desk.network,
  ...{ rpcUrl: first!.url, otherRpcUrls: [second!.url], secondOpinionFrom },
});

test('a payout is verified only when two endpoints show it; the refusal names their hosts', async () => {
  const hash = await desk.pay(transfer(desk.usdt, CUSTOMER, TEN));
  await desk.mine(3);
  const check = checkOn(network(0));
  expect(await check(claimOf(hash))).toMatchObject({ outcome: 'verified' });
  second!.lie(({ method }) => (method === 'eth_getTransactionReceipt' ? { result: null } : undefined));
  expect(await check(claimOf(hash))).toMatchObject({
    outcome: 'refused',
    reason: 'payout_not_confirmed',
    retryAfterSeconds: 5,
    message: expect.stringContaining(new URL(second!.url).host),
    disagreement: expect.stringContaining(new URL(first!.url).host),
  });
  expect(await checkOn(network(10.01))(claimOf(hash))).toMatchObject({ outcome: 'verified' });
  second!.honest();
  expect(await check(claimOf(hash))).toMatchObject({ outcome: 'verified' });
});

/** A receipt of which one log is changed, or left out. */
const withLog = (at: number, change: (log: RawLog) => RawLog[]) => (receipt: unknown) => {
  const { logs, ...rest } = receipt as { logs: RawLog[] };
  return { ...rest, logs: logs.flatMap((log, place) => (place === at ? change(log) : [log])) };
};
type RawLog = { readonly data: string };

test('two endpoints have to show the same transfers at the same places, and the same before them', async () => {
  const steps = [
    transfer(desk.usdc, CUSTOMER, 5n),
    transfer(desk.usdt, CUSTOMER, TEN),
    transfer(desk.usdt, CUSTOMER, TEN),
  ];
  const hash = await desk.pay(together(desk.puppet, steps));
  await desk.mine(3);
  const check = checkOn(network(0));
  const lies = {
    'another amount': withLog(2, (log) => [{ ...log, data: `0x${(2n * TEN).toString(16).padStart(64, '0')}` }]),
    'one transfer less': withLog(2, () => []),
    'all one place earlier': withLog(0, () => []),
    'nothing of another token before them': withLog(0, (log) => [{ ...log, topics: [] } as RawLog]),
  };
  for (const [what, change] of Object.entries(lies)) {
    second!.lie(({ method }) => (method === 'eth_getTransactionReceipt' ? { change } : undefined));
    expect(await check(claimOf(hash)), what).toMatchObject({
      ...{ outcome: 'refused', reason: 'payout_not_confirmed', retryAfterSeconds: 5 },
      disagreement: expect.stringContaining('shows other transfers in that block'),
    });
    expect(await checkOn(network(null))(claimOf(hash)), what).toMatchObject({ outcome: 'verified' });
  }
  second!.honest();
  expect(await check(claimOf(hash))).toMatchObject({ outcome: 'verified' });
});

test('what the first endpoint denies for good and another one shows is refused for now, and both are named', async () => {
  const hash = await desk.pay(transfer(desk.usdt, CUSTOMER, TEN));
  await desk.mine(3);
  const check = checkOn(network(0));
  const hosts = [first!, second!].map(({ url }) => new URL(url).host);
  const lies = {
    'it moved nothing': (receipt: unknown) => ({ ...(receipt as object), logs: [] }),
    'it failed': (receipt: unknown) => ({ ...(receipt as object), status: '0x0' }),
    'there is none': () => null,
  };
  for (const [what, change] of Object.entries(lies)) {
    first!.lie(({ method }) => (method === 'eth_getTransactionReceipt' ? { change } : undefined));
    const result = await check(claimOf(hash));
    expect(result, what).toMatchObject({ outcome: 'refused', reason: 'payout_not_confirmed', retryAfterSeconds: 5 });
    for (const host of hosts) expect((result as { message: string }).message, what).toContain(host);
    expect(result, what).toMatchObject({ message: expect.stringContaining('Do not fail the withdrawal') });
    // One that has not heard of it yet contradicts none.
    expect('disagreement' in result, what).toBe(change !== lies['there is none']);
  }
  // Of less money one is asked, and what both deny is denied.
  expect(await checkOn(network(10.01))(claimOf(hash))).toMatchObject({ reason: 'payout_not_mined' });
  first!.honest();
  expect(await check(claimOf(hash, { minMicro: TEN + 1n }))).toMatchObject({ reason: 'payout_too_small' });
  expect(await check(claimOf(hash))).toMatchObject({ outcome: 'verified' });
});

test('what the first endpoint denies for good is not denied where another one has it in a young block, or is silent', async () => {
  const hash = await desk.pay(transfer(desk.usdt, CUSTOMER, TEN));
  const check = checkOn(network(0));
  const [, host] = [first!, second!].map(({ url }) => new URL(url).host);
  const raise = (block: unknown) => {
    const { number, ...rest } = block as { readonly number: string };
    return { ...rest, number: `0x${(Number(number) + 100).toString(16)}` };
  };
  first!.lie(({ method, params }) => {
    if (method === 'eth_getTransactionReceipt') return { change: (receipt) => ({ ...(receipt as object), logs: [] }) };
    return method === 'eth_getBlockByNumber' && params[0] === 'latest' ? { change: raise } : undefined;
  });
  const young = await check(claimOf(hash));
  expect(young).toMatchObject({ reason: 'payout_not_confirmed', retryAfterSeconds: 5 });
  expect(young).toMatchObject({ message: expect.stringContaining('Do not fail the withdrawal') });
  expect(young).toMatchObject({ disagreement: expect.stringContaining(`${host} says: `) });
  second!.fail(() => ({ status: 503 }));
  expect(await check(claimOf(hash))).toMatchObject({
    ...{ reason: 'payout_wrong_destination', retryAfterSeconds: 5 },
    message: expect.stringContaining(`${host} did not answer, and may show it: try again before you fail`),
  });
  for (const each of [first!, second!]) each.honest();
});

test('when the first endpoint is away another one is asked', async () => {
  const hash = await desk.pay(transfer(desk.usdt, CUSTOMER, TEN));
  await desk.mine(3);
  first!.fail(() => ({ status: 503 }));
  expect(await checkOn(network(null))(claimOf(hash))).toMatchObject({ outcome: 'verified' });
  expect(await checkOn(network(0))(claimOf(hash))).toMatchObject({
    outcome: 'refused',
    reason: 'payout_not_confirmed',
  });
  first!.honest();
});
