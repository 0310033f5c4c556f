import { inject } from 'vitest';
import { bitcoin } from '../../src/chains/bitcoin/kind.ts';
import { openBitcoin } from './bitcoin-fixture.ts';
import { testKind } from './kind-contract.ts';

const WALLET = 'bcrt1qcr8te4kr609gcawutmrza0j4xv80jy8zeqchgx';

testKind(bitcoin, async () => {
  // What a reorg drops waits in the pool again, so blocks are mined with what is asked for and nothing else.
  const { network, entry, node, wallet, rollBack, close } = await openBitcoin(inject('runFolder'));
  return {
    ...{ network: { ...network, confirmations: 2 }, entry, operatorKey: null },
    spellings: [WALLET, WALLET.toUpperCase()],
    wrong: ['', 'bcrt1', `${WALLET}q`, WALLET.replace('gx', 'xg'), WALLET.replace('qcr8', 'Qcr8'), 'toy:someone'],
    ownerless: '1111111111111111111114oLvT2',
    pay: async (to, units) => {
      const { txid } = await wallet.pay([{ address: bitcoin.addresses.present(to), units }]);
      await node.mineOnly([await node.rpc('getrawtransaction', [txid])]);
      return txid;
    },
    mine: async (blocks) => {
      for (let left = blocks; left > 0; left -= 1) await node.mineOnly([]);
    },
    ...{ rollBack, close },
  };
});
