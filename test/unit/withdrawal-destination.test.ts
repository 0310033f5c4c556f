import { expect, test } from 'vitest';
import { createChains } from '../../src/chains/chains.ts';
import { evm } from '../../src/chains/evm/kind.ts';
import type { Network } from '../../src/ports/chain.ts';
import { resolveDestination } from '../../src/withdrawals/destination.ts';
import { requireOffRampFits } from '../../src/withdrawals/listed.ts';
import { toy } from '../chains/toy/kind.ts';
import { TEST_NETWORK } from '../support/payments.ts';
import { WALLET, withdrawalOf } from '../support/withdrawals.ts';

const toyNetwork = toy.parseNetwork({ name: 'toy', tokens: TEST_NETWORK.tokens }) as Network;
const networks = [TEST_NETWORK, toyNetwork];
const deps = { networks, chains: createChains([evm, toy] as never, networks) };

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
