import type { Address } from 'viem';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { testUsdc } from '../../generated/contracts.ts';
import { checkNetworkContracts } from '../../src/chains/evm/check-network.ts';
import { parseEvmNetwork } from '../../src/chains/evm/network.ts';
import { type Anvil, startAnvil } from '../support/anvil.ts';
import { deploy } from '../support/evm.ts';
import { compileTestContracts } from '../support/solidity.ts';
import { type Deposits, invoke, openDeposits } from './deposit-fixture.ts';

const { BlocklistToken } = compileTestContracts('BlocklistToken.sol');
let node: Anvil;
let deposits: Deposits;
let token: Address;

beforeAll(async () => {
  node = await startAnvil();
  deposits = await openDeposits(node);
  token = await deploy(deposits.wallet, BlocklistToken!);
});
afterAll(() => node.stop());

const block = (account: Address, blocked: boolean, refusesNothing: boolean) =>
  invoke(deposits.wallet, token, BlocklistToken!.abi, 'set', [account, blocked, refusesNothing]);

/** The check at start of a network with this treasury, which takes the token. */
const checked = ({ factory, treasury }: Pick<Deposits, 'factory' | 'treasury'>) =>
  checkNetworkContracts(
    parseEvmNetwork({
      ...{ name: 'probed', chainId: node.chainId, rpcUrl: node.url, confirmations: 1, factory, treasury },
      tokens: [{ symbol: 'USDC', contract: token, decimals: 6 }],
    }),
    null,
  );

test('a treasury that a token refuses is refused before an address is shown', async () => {
  await expect(checked(deposits)).resolves.toBeUndefined();
  await block(deposits.treasury, true, false);
  await expect(checked(deposits)).rejects.toThrow(`refuses transfers to the treasury ${deposits.treasury}`);
  // A token that sends nothing to nobody says nothing of the treasury.
  await block(deposits.treasury, false, true);
  await expect(checked(deposits)).resolves.toBeUndefined();
  await block(deposits.treasury, false, false);
});

test('a treasury that can not take ether is refused before an address is shown', async () => {
  const closed = await openDeposits(node, await deploy(deposits.wallet, testUsdc));
  await expect(checked(closed)).rejects.toThrow('takes no ether on this chain');
});
