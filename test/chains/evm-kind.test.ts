import { MNEMONIC } from '../../src/chains/evm/dev-accounts.ts';
import { createFaucet } from '../../src/chains/evm/faucet.ts';
import { evm } from '../../src/chains/evm/kind.ts';
import { prepareSandboxNetwork, sandboxOperatorKey } from '../../src/sandbox/network.ts';
import { startAnvil } from '../support/anvil.ts';
import { testKind } from './kind-contract.ts';

const WALLET = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';

testKind(evm, async () => {
  const node = await startAnvil();
  const network = await prepareSandboxNetwork({ rpcUrl: node.url });
  const faucet = createFaucet(network, MNEMONIC);
  const { kind: _kind, onDemand: _onDemand, native, ...named } = network;
  const entry = { ...named, tokens: [...network.tokens, { symbol: native?.symbol }] };
  return {
    ...{ network, entry, operatorKey: sandboxOperatorKey() },
    spellings: [WALLET, WALLET.toLowerCase(), `0x${WALLET.slice(2).toUpperCase()}`],
    wrong: ['', '0x', WALLET.slice(2), `${WALLET}0`, WALLET.replace('C5', 'c5'), 'toy:someone'],
    ownerless: `0x${'0'.repeat(40)}`,
    pay: async (to, units) => (await faucet.transfer({ token: network.tokens[0]!, to, units })).txHash,
    mine: (blocks) => node.rpc('anvil_mine', [blocks]),
    rollBack: (depth) => node.rpc('anvil_rollback', [depth]),
    close: () => node.stop(),
  };
});
