import { expect, test } from 'vitest';
import { ADDRESS_RULES, isOnChain } from '../../src/chains/bitcoin/addresses.ts';
import { createChains } from '../../src/chains/chains.ts';
import { evm } from '../../src/chains/evm/kind.ts';
import { isSame } from '../../src/payouts/destination.ts';
import type { Network } from '../../src/ports/chain.ts';
import { isPayable, resolveDestination, resolveNetwork } from '../../src/withdrawals/destination.ts';
import { requireOffRampFits } from '../../src/withdrawals/listed.ts';
import { toy } from '../chains/toy/kind.ts';
import { TEST_NETWORK } from '../support/payments.ts';
import { WALLET, withdrawalOf } from '../support/withdrawals.ts';

const toyNetwork = toy.parseNetwork({ name: 'toy', tokens: TEST_NETWORK.tokens }) as Network;
const networks = [TEST_NETWORK, toyNetwork];
const deps = { networks, chains: createChains([evm, toy] as never, networks) };

/** A chain that takes its own coin and no dollars, and spells its addresses as Bitcoin's test chain does. */
const COIN = { symbol: 'BTC', contract: 'btc', decimals: 8 } as const;
const bitcoin = {
  ...toy,
  addresses: ADDRESS_RULES,
  listOwnAddresses: () => [],
  isOnNetwork: (_network: Network, address: string) => isOnChain('regtest', address),
};
const regtest = toy.parseNetwork({ name: 'regtest', tokens: [], native: COIN } as never) as Network;
const both = [regtest, TEST_NETWORK];
const rules = { networks: both, chains: createChains([evm, bitcoin] as never, both) };
const ON_REGTEST = 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080';
const ON_MAIN = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4';

test('dollars go where dollars are: never to an address of Bitcoin, and each refusal says why and what to do', async () => {
  expect(resolveNetwork(rules, {})).toEqual({ network: 'devnet', currency: 'USDT' });
  expect(() => resolveNetwork(rules, { network: 'regtest' })).toThrow('network: must be one of: devnet');
  const to = (asked: string | undefined, own: string | null) =>
    resolveDestination({} as never, rules, 'devnet', asked, own);
  await expect(to(ON_REGTEST, WALLET)).rejects.toThrow(
    'destinationAddress: is an address of regtest, and devnet can not pay there; name an address of devnet',
  );
  await expect(to(undefined, ON_REGTEST)).rejects.toThrow(
    'destinationAddress: is needed, because the walletAddress of your profile is an address of regtest: name an address of devnet',
  );
  await expect(to(ON_MAIN, null)).rejects.toThrow('must be an address of devnet; check it for typing mistakes');
  expect([WALLET, ON_REGTEST, ON_MAIN].map((address) => isPayable(rules, address))).toEqual([true, false, false]);
});

test('addresses of every enabled network are known, in all spellings, and those of other chains are not', () => {
  const { isAddress, presentAddress, isOwnAddress } = rules.chains;
  const others = ['2N2JD6wb56AfK4tfmM6PwdVmoYk2dCKf4Br', 'mipcBbFg9gMiCh81Kj8tqqdgoZub1ZJRfn'];
  for (const address of [WALLET, ON_REGTEST, ON_REGTEST.toUpperCase(), ...others]) {
    expect(isAddress(address), address).toBe(true);
    expect(isOwnAddress(address)).toBe(false);
  }
  expect([ON_MAIN, '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa', 'bcrt:0014'].map(isAddress)).toEqual([false, false, false]);
  const stored = ADDRESS_RULES.canonical(ON_REGTEST);
  expect([stored, WALLET.toLowerCase(), 'no address'].map(presentAddress)).toEqual([ON_REGTEST, WALLET, 'no address']);
  expect(isSame(rules.chains, WALLET, WALLET.toLowerCase())).toBe(true);
  expect(isSame(rules.chains, others[0]!, others[0]!.toLowerCase()), 'of base58, case is no decoration').toBe(false);
  expect(isSame(rules.chains, ON_REGTEST, ON_REGTEST.toUpperCase())).toBe(true);
});

test('an address of another kind of network is refused, whether it is asked for or the wallet of the profile', async () => {
  const noDatabase = {} as never;
  for (const [network, address] of [
    ['devnet', 'toy:me'],
    ['toy', WALLET],
  ] as const) {
    const refused = { code: 'VALIDATION_ERROR', fields: [{ path: 'destinationAddress' }] };
    await expect(resolveDestination(noDatabase, deps, network, address, null)).rejects.toMatchObject(refused);
    await expect(resolveDestination(noDatabase, deps, network, undefined, address)).rejects.toMatchObject(refused);
  }
});

test('a bank withdrawal is not approved towards an off-ramp address of another kind of network', () => {
  const bank = { encryptedNumber: Buffer.alloc(0), tail: '7890', name: 'Bank', branch: 'Kandy' };
  const withdrawal = withdrawalOf({ bank, destinationAddress: null });
  expect(() => requireOffRampFits(deps, withdrawal, 'toy:off-ramp')).toThrow('no address of devnet');
  expect(() => requireOffRampFits(deps, withdrawal, WALLET)).not.toThrow();
});
