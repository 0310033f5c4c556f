import { type Address, getAddress, parseEther, zeroAddress } from 'viem';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Payment } from '../../src/payments/types.ts';
import type { Token } from '../../src/ports/chain.ts';
import { sweepCall } from '../chains/deposit-fixture.ts';
import { send, walletOf } from '../support/evm.ts';
import { createPaymentWorld, type PaymentWorld, START } from '../support/payments.ts';
import { runScript } from '../support/run-script.ts';
import { compareOn, heldOn, openNode, sweepTo, type WatchedNode } from './two-networks-fixture.ts';

const USDC = 1_000_000n;
/** More than a new network's first look goes back. */
const LATER_BLOCKS = 40;

let [asked, later] = [] as unknown as [WatchedNode, WatchedNode];
let world: PaymentWorld;
let token: Token;
beforeAll(async () => {
  asked = await openNode('base', 8_453);
  later = await openNode('devnet', 31_337); // The network of the sandbox, as which the command runs.
  const coin = { native: asked.network.native!, prices: { ETH: '3000' } };
  world = await createPaymentWorld({}, asked.network, coin);
  token = later.network.tokens.find(({ symbol }) => symbol === 'USDC')!;
});
afterAll(async () => {
  await later.close();
  await asked.close();
  await world.close();
});

const recover = (...args: readonly string[]) =>
  runScript('recover.ts', args, { DATABASE_URL: world.database.url, EVM_RPC_URL: later.node.url });
const pay = (payment: Payment, units: bigint) =>
  later.faucet.transfer({ token, to: getAddress(addressOf(payment)), units });
const addressOf = (payment: Payment): string => payment.options[0]!.address;
/** The command says when it saw a transfer by its own clock. */
const now = () => new Date();
/** How many transfers a run says that it has credited. */
const creditedBy = ({ out }: { readonly out: string }): number => Number(/(\d+) credited now/.exec(out)?.[1]);

test('what was paid on a network that is listed only later is found by its address, once, swept there and explained', async () => {
  // A payment that may be paid in ETH is not swept while it is open.
  const tokens = { acceptedTokens: ['USDT', 'USDC'] } as const;
  const [lying, swept] = [await world.create(tokens), await world.create(tokens)];
  await pay(swept, 25n * USDC);
  const data = sweepCall([swept.id], getAddress(token.contract));
  await send(walletOf(later.node), { to: later.network.factory as Address, data });
  await pay(lying, 25n * USDC);
  await later.node.rpc('anvil_mine', [LATER_BLOCKS]);
  const seen = { db: world.db, clock: { now: () => START } };
  await later.watch(seen, [asked.network, later.network]);
  const credits = () => world.db.selectFrom('credits').select('payment_id').orderBy('seen_at').execute();
  expect(await credits()).toEqual([]);

  const runs = await Promise.all([recover('devnet', addressOf(lying)), recover('devnet', addressOf(lying))]);
  expect(runs.map(({ code, err }) => ({ code, err }))).toEqual(runs.map(() => ({ code: 0, err: '' })));
  expect(await credits()).toEqual([{ payment_id: lying.id }]);
  expect(await sweepTo(world.db, later, 'USDC', now())).toEqual([]); // Nobody has confirmed it yet.
  await world.apply(lying);
  expect(await world.apply(lying)).toMatchObject({ exception: 'wrong_token', booked: { suspense: 25_000_000n } });

  expect(await sweepTo(world.db, later, 'USDC', now())).toEqual([{ payment_id: lying.id, outcome: 'moved' }]);
  // The treasury was read from the first credit on. What a stranger has swept lies in an earlier block.
  expect(creditedBy(await recover('devnet', addressOf(swept)))).toBe(1);
  await world.apply(swept);
  expect(await world.apply(swept)).toMatchObject({ exception: 'wrong_token', booked: { suspense: 25_000_000n } });
  expect(await heldOn(later, token, later.network.treasury)).toBe(50n * USDC);
  expect(await compareOn(world.db, later, START)).toEqual([]);
  expect(creditedBy(await recover('devnet', addressOf(lying)))).toBe(0);
  expect(await world.balances()).toEqual({ suspense: 50_000_000n });
});

test('ETH that came before is credited by the running service once its address is asked for', async () => {
  const payment = await world.create({ acceptedTokens: ['USDC'] });
  const units = parseEther('0.01');
  await later.faucet.transferCoin({ to: [{ address: getAddress(addressOf(payment)), units }], by: 'account' });
  await later.node.rpc('anvil_mine', [LATER_BLOCKS]);
  await later.scan();
  const credits = () =>
    world.db.selectFrom('credits').select(['token', 'amount_units']).where('payment_id', '=', payment.id).execute();
  expect(await credits()).toEqual([]);
  const { code, out } = await recover('devnet', addressOf(payment));
  expect([code, out]).toEqual([0, expect.stringContaining('ETH: the running service reads what the address holds')]);
  await later.node.rpc('anvil_mine', [2]);
  await later.scan();
  expect(await credits()).toEqual([{ token: 'ETH', amount_units: units }]);
  await world.apply(payment);
  expect(await world.apply(payment)).toMatchObject({ exception: 'wrong_token', booked: { suspense: 29_999_994n } });

  // What was swept by hand and never credited may have been given back by hand.
  const other = await world.create({ acceptedTokens: ['USDC'] });
  const to = [{ address: getAddress(addressOf(other)), units }];
  await later.faucet.transferCoin({ to, by: 'account' });
  const data = sweepCall([other.id], zeroAddress);
  await send(walletOf(later.node), { to: later.network.factory as Address, data });
  await later.node.rpc('anvil_mine', [2]);
  await later.scan();
  expect((await recover('devnet', addressOf(other))).out).toContain('ETH: some was swept that was never credited');
});

test.for([
  ['no network', [], 'Usage', 2],
  ['a network that is not listed', ['polygon', '0x00000000000000000000000000000000000000fa'], 'No network "polygon"'],
  ['a text that is no address', ['devnet', 'tea'], 'tea is not an address on devnet'],
  ['an address of somebody else', ['devnet', '0x00000000000000000000000000000000000000fa'], 'of any payment here'],
] as const)('says what is wrong: %s', async ([, args, message, code = 1]) => {
  expect(await recover(...args)).toMatchObject({ code, err: expect.stringContaining(message) });
});
