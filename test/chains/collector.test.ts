import { concat, type Hex, keccak256, pad, stringToBytes, zeroAddress } from 'viem';
import { readContract } from 'viem/actions';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { subscriptionCollector } from '../../generated/contracts.ts';
import { reasonOf } from '../../src/chains/collector.ts';
import {
  encodeAuthorizeBySig,
  encodeRevoke,
  type Mandate,
  mandateId,
  mandateRef,
  mandateTypedData,
  toSign,
} from '../../src/chains/evm/collector.ts';
import { checkCollector, collectorAddress } from '../../src/chains/evm/collector-deploy.ts';
import { readCollector, readMandateState } from '../../src/chains/evm/collector-reader.ts';
import { type Anvil, startAnvil } from '../support/anvil.ts';
import { deploy, send, walletOf } from '../support/evm.ts';
import {
  type Collecting,
  DAY,
  encode,
  OPERATOR,
  OWNER,
  openCollector,
  type Payer,
  STRANGER,
  UNIT,
} from './collector-fixture.ts';

let node: Anvil;
let world: Collecting;

beforeAll(async () => {
  node = await startAnvil();
  world = await openCollector(node);
});
afterAll(() => node.stop());

/** A payer with an authorised mandate. */
async function agreed(change: Partial<Mandate> = {}): Promise<{ payer: Payer; mandate: Mandate }> {
  const payer = await world.payer(change.token);
  const mandate = await world.mandate(payer, change);
  expect((await world.authorize(payer, mandate)).status).toBe('success');
  return { payer, mandate };
}

const stateOf = (mandate: Mandate) =>
  readMandateState(world.wallet, world.collector, mandate.payer, mandateId(mandate));

test("the collector's address is the one that mandates were signed for", () => {
  // A change here means another collector: mandates of the old one stay with it, and payers would have to sign again.
  const [treasury, owner] = ['0x000000000000000000000000000000000000dEaD', OWNER] as const;
  expect(collectorAddress({ treasury, owner, operator: OPERATOR })).toBe('0x7de15674646832273d66F5f3152970A2B682f52D');
  const type =
    'Mandate(address payer,address token,uint128 maxPerPeriod,uint48 period,uint48 start,uint48 end,uint8 carry,bytes32 ref)';
  const mandate = { payer: OWNER, token: treasury, maxPerPeriod: 1n, period: 2, start: 3, end: 4, carry: 5 } as const;
  const words = [OWNER, treasury, '0x1', '0x2', '0x3', '0x4', '0x5', mandateRef('sub_1', 1)].map((word) =>
    word.slice(2).toLowerCase().padStart(64, '0'),
  );
  const encoded = `${keccak256(stringToBytes(type))}${words.join('')}` as Hex;
  expect(mandateId({ ...mandate, ref: mandateRef('sub_1', 1) })).toBe(keccak256(encoded));
});

test('a mandate has one id on and off chain, and wallets sign what the contract hashes', async () => {
  const { payer, mandate } = await agreed();
  const contract = { address: world.collector, abi: subscriptionCollector.abi } as const;
  expect(await readContract(world.wallet, { ...contract, functionName: 'mandateId', args: [mandate] })).toBe(
    mandateId(mandate),
  );
  const asked = JSON.parse(toSign(mandateTypedData(world.place, mandate)));
  expect(asked).toMatchObject({
    domain: {
      name: 'Kasi Subscriptions',
      version: '1',
      chainId: 31337,
      verifyingContract: world.collector.toLowerCase(),
    },
    primaryType: 'Mandate',
    message: { payer: payer.address.toLowerCase(), maxPerPeriod: '10000000', period: 28 * DAY },
  });
  // The node signs for its own accounts, as a wallet would.
  const bob = { ...mandate, payer: STRANGER };
  const signature = await node.rpc<Hex>('eth_signTypedData_v4', [STRANGER, toSign(mandateTypedData(world.place, bob))]);
  const given = await send(world.wallet, { to: world.collector, data: encodeAuthorizeBySig(bob, signature) });
  expect(given.status).toBe('success');
  expect((await stateOf(bob)).status).toBe('active');
});

test('a mandate is given, charged and revoked, and each step emits one event', async () => {
  const payer = await world.payer();
  const mandate = await world.mandate(payer);
  const id = mandateId(mandate);
  const lowered = { ...mandate, payer: mandate.payer.toLowerCase(), token: mandate.token.toLowerCase() };
  expect(await stateOf(mandate)).toEqual({ status: 'none', window: 0, lastNumber: 0, available: 0n });
  expect(world.events(await world.authorize(payer, mandate))).toEqual([{ kind: 'authorized', id, mandate: lowered }]);
  expect(world.events(await world.authorize(payer, mandate))).toEqual([]);

  const before = await world.balance(world.usdc, world.treasury);
  const charged = await world.collect({ mandate, amount: 4n * UNIT, number: 1 });
  const collected = { kind: 'collected', id, number: 1, payer: payer.address.toLowerCase(), amount: 4n * UNIT };
  expect(world.events(charged)).toEqual([collected]);
  expect(await world.balance(world.usdc, world.treasury)).toBe(before + 4n * UNIT);
  expect(await stateOf(mandate)).toEqual({ status: 'active', window: 1, lastNumber: 1, available: 6n * UNIT });

  const end = () => send(payer.wallet, { to: world.collector, data: encodeRevoke(id) });
  expect(world.events(await end())).toEqual([{ kind: 'revoked', id, payer: payer.address.toLowerCase() }]);
  expect(world.events(await end())).toEqual([]);
  // A charged number stays charged, whatever happens to the mandate.
  const both = [1, 2].map((number) => ({ mandate, amount: 1n, number }));
  expect(await world.preview(both)).toEqual(['AlreadyCharged', 'MandateRevoked']);
  expect(world.fates(await world.collectMany(both), both)).toEqual(['AlreadyCharged', 'MandateRevoked']);
});

test.each<[string, Partial<Mandate> | ((now: number) => Partial<Mandate>)]>([
  ['without a token', { token: zeroAddress }],
  ['of nothing', { maxPerPeriod: 0n }],
  ['without windows', { period: 0 }],
  ['that ends when it begins', (now) => ({ start: now + 60, end: now + 60 })],
  ['that ends before it begins', (now) => ({ start: now + 120, end: now + 60 })],
  ['that is over', (now) => ({ start: now - 60, end: now })],
  ['with more windows than fit the counter', { period: 1, start: 0, end: 2 ** 32 }],
  ['whose carry exceeds the largest amount', { maxPerPeriod: 2n ** 127n, carry: 2 }],
])('a mandate %s is refused', async (_, change) => {
  const payer = await world.payer(world.usdc, 0n, 0n);
  const mandate = await world.mandate(payer, typeof change === 'function' ? change(await world.now()) : change);
  expect((await world.authorize(payer, mandate)).status).toBe('reverted');
});

test('the largest representable amounts are accepted', async () => {
  const ref = mandateRef('sub_large', 2 ** 32 - 1);
  const { mandate } = await agreed({ maxPerPeriod: 2n ** 127n - 1n, period: 1, start: 0, end: 2 ** 32 - 2, ref });
  expect((await world.collect({ mandate, amount: UNIT, number: 2 ** 32 - 1 })).status).toBe('success');
  expect((await stateOf(mandate)).available).toBe(2n ** 128n - 2n - UNIT);
});

test('the check at start distinguishes a missing collector, other roles and other code', async () => {
  const { wallet, collector, treasury } = world;
  const roles = { treasury, operator: OPERATOR };
  await expect(checkCollector(wallet, collector, roles)).resolves.toBeUndefined();
  await expect(checkCollector(wallet, STRANGER, roles)).rejects.toThrow('There is no subscription collector at');
  await expect(checkCollector(wallet, world.usdc, roles)).rejects.toThrow("not this version's subscription collector");
  await expect(checkCollector(wallet, collector, { ...roles, treasury: OWNER })).rejects.toThrow(
    `pays ${treasury}, not the configured treasury ${OWNER}`,
  );
  await expect(checkCollector(wallet, collector, { ...roles, operator: STRANGER })).rejects.toThrow(
    `is ${OPERATOR}, and OPERATOR_KEY is the key of ${STRANGER}`,
  );
  const own = await deploy(walletOf(node), subscriptionCollector, [treasury, OPERATOR, OPERATOR]);
  await expect(checkCollector(wallet, own, roles)).rejects.toThrow('are one account');
  // Changes one byte of the code: the treasury in one of the places where it occurs.
  const code = await node.rpc<Hex>('eth_getCode', [own, 'latest']);
  const at = code.toLowerCase().lastIndexOf(treasury.slice(2).toLowerCase());
  await node.rpc('anvil_setCode', [own, `${code.slice(0, at)}${STRANGER.slice(2)}${code.slice(at + 40)}`]);
  await expect(checkCollector(wallet, own, roles)).rejects.toThrow("not this version's subscription collector");
});

/** Where the collector keeps its roles and mandates. Other contracts and tools read these places. */
const SLOTS = { state: '0x2', owner: '0x3', pendingOwner: '0x4', operator: '0x5', proposedOperator: '0x6' } as const;

test('the storage of the collector is laid out as recorded', async () => {
  const { wallet, treasury } = world;
  const made = await deploy(wallet, subscriptionCollector, [treasury, OWNER, OPERATOR]);
  await world.node.rpc('anvil_setBalance', [OWNER, '0xde0b6b3a7640000']);
  const owner = walletOf(node, OWNER);
  await send(owner, { to: made, data: encode('proposeOperator', [STRANGER]) });
  await send(owner, { to: made, data: encode('transferOwnership', [STRANGER]) });
  const slot = (at: string) => node.rpc<Hex>('eth_getStorageAt', [made, at, 'latest']);
  for (const [name, account] of [
    ['owner', OWNER],
    ['pendingOwner', STRANGER],
    ['operator', OPERATOR],
    ['proposedOperator', STRANGER],
  ] as const) {
    expect(await slot(SLOTS[name]), name).toBe(pad(account).toLowerCase());
  }
  const payer = await world.payer();
  const mandate = await world.mandate(payer);
  await send(payer.wallet, { to: made, data: encode('authorize', [mandate]) });
  const ofPayer = keccak256(concat([pad(payer.address), pad(SLOTS.state)]));
  // Packed from the right: the status, the window, the last number, and what is available.
  expect(await slot(keccak256(concat([mandateId(mandate), ofPayer])))).toBe(pad('0x1'));
});

test('the check at start refuses a collector whose past nobody knows, and takes one whose roles were handed over', async () => {
  const { wallet, collector, treasury } = world;
  const roles = { treasury, operator: OPERATOR };
  // Our very code, left by something else than our constructor: here with an operator that nobody proposed.
  const planted = await deploy(wallet, subscriptionCollector, [treasury, OWNER, OPERATOR]);
  await node.rpc('anvil_setStorageAt', [planted, SLOTS.proposedOperator, pad(STRANGER)]);
  expect((await readCollector(wallet, planted)).proposedOperator).toBe(STRANGER);
  await expect(checkCollector(wallet, planted, roles)).rejects.toThrow('nobody knows its past');
  await world.call(world.owner, 'proposeOperator', [STRANGER]);
  await world.call(walletOf(node, STRANGER), 'acceptOperator', []);
  const now = { treasury, operator: STRANGER };
  await expect(checkCollector(wallet, collector, now)).rejects.toThrow('name the first two as "collectorRoles"');
  const first = { owner: OWNER, operator: OPERATOR };
  await expect(checkCollector(wallet, collector, { ...now, first })).resolves.toBeUndefined();
  await world.call(world.owner, 'proposeOperator', [OPERATOR]);
  await world.call(world.operator, 'acceptOperator', []);
});

test('the check at start refuses a chain on which the collector burns all gas', async () => {
  const old = await startAnvil({ hardfork: 'shanghai' });
  try {
    const before = await openCollector(old);
    const check = checkCollector(before.wallet, before.collector, { treasury: before.treasury, operator: OPERATOR });
    await expect(check).rejects.toThrow('lacks the transient storage of Cancun');
  } finally {
    await old.stop();
  }
});

test('the collector reports its roles', async () => {
  const roles = { operator: OPERATOR, proposedOperator: zeroAddress, owner: OWNER, paused: false };
  expect(await readCollector(world.wallet, world.collector)).toEqual(roles);
  await expect(deploy(world.wallet, subscriptionCollector, [zeroAddress, OWNER, OPERATOR])).rejects.toThrow('reverted');
  await expect(deploy(world.wallet, subscriptionCollector, [STRANGER, zeroAddress, OPERATOR])).rejects.toThrow(
    'reverted',
  );
  await expect(deploy(world.wallet, subscriptionCollector, [STRANGER, OWNER, zeroAddress])).rejects.toThrow('reverted');
});

test('an unknown reason code is an error', () => {
  expect(() => reasonOf(10)).toThrow('does not know');
});
