import { parseEther } from 'viem';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ETHER, type EvmNetwork } from '../../src/chains/evm/network.ts';
import { finalOpinionOf, isSeen } from '../../src/chains/testimony.ts';
import type { PaidOut } from '../../src/ports/chain.ts';
import { chainsOf } from '../support/chains.ts';
import { send } from '../support/evm.ts';
import { CUSTOMER, checkOn, claimOf, type Desk, openDesk, together } from './payout-fixture.ts';

let desk: Desk;
let network: EvmNetwork;

beforeAll(async () => {
  desk = await openDesk();
  network = { ...desk.network, native: ETHER };
});
afterAll(() => desk.close());

const finalHeight = async () => Number(await desk.node.rpc('eth_blockNumber'));
const ask = async (payout: PaidOut) => {
  const testimony = await chainsOf()
    .openWitness(network)!
    .askPayout(payout, await finalHeight());
  return { opinion: finalOpinionOf(testimony), seen: isSeen(testimony), block: testimony.block };
};

/** A tenth of an ether to the customer, in a block of its own. */
async function paid(): Promise<PaidOut> {
  const [to, value] = [CUSTOMER, parseEther('0.1')] as const;
  const { transactionHash: txHash, blockNumber, blockHash } = await send(desk.wallet, { to, value });
  const block = { height: Number(blockNumber), hash: blockHash };
  return {
    txHash,
    token: 'ETH',
    destination: CUSTOMER,
    minMicro: 300_000_000n,
    minUnits: value,
    block,
    assets: [ETHER],
  };
}

test('a payout in the coin is found in its block, is gone with it, and is seen when it is mined again', async () => {
  const payout = await paid();
  expect(await ask(payout)).toEqual({ opinion: 'there', seen: true, block: payout.block });
  // By its own units, not by what it is worth.
  expect(await ask({ ...payout, minUnits: payout.minUnits! + 1n })).toMatchObject({ opinion: 'unclear' });
  const raw = await desk.node.rpc('eth_getRawTransactionByHash', [payout.txHash]);
  await desk.node.rpc('anvil_reorg', [1, []]);
  await desk.mine(1);
  expect(await ask(payout)).toEqual({ opinion: 'gone', seen: false, block: null });
  await desk.node.rpc('eth_sendRawTransaction', [raw]);
  await desk.mine(1);
  const again = await ask(payout);
  expect(again).toMatchObject({ opinion: 'there', seen: true });
  expect(again.block?.hash).not.toBe(payout.block?.hash);
});

/** Passes what it gets on to the address that its input names, as a Safe does with what its owners have signed. */
const PASSES_ON = '0x695f5f5f5f345f355af1005f52600a6016f3';

test('what a contract sends of the coin proves nothing, and nobody is told that it moved none', async () => {
  const { contractAddress } = await send(desk.wallet, { data: PASSES_ON });
  const value = parseEther('0.1');
  const balance = async () => BigInt((await desk.node.rpc('eth_getBalance', [CUSTOMER, 'latest'])) as string);
  const before = await balance();
  const data = `0x${CUSTOMER.slice(2).padStart(64, '0')}` as const;
  const { transactionHash: txHash } = await send(desk.wallet, { to: contractAddress!, value, data });
  expect(await balance()).toBe(before + value);
  const claim = claimOf(txHash, { token: 'ETH', pays: 'refund', minMicro: 300_000_000n, minUnits: value });
  await desk.mine(2);
  expect(await checkOn(network)(claim)).toMatchObject({ outcome: 'refused', reason: 'payout_wrong_destination' });
  const { message } = (await checkOn(network)(claim)) as { message: string };
  expect(message).not.toContain('moved no ETH');
  expect(message).toMatch(
    /contract, such as a Safe, sends .* is in no receipt.*do not fail the refund.*verifyPayoutOnChain/,
  );
});

test('coins that are less than was due are not failed either: what arrived would be paid twice', async () => {
  const { txHash, minUnits } = await paid();
  await desk.mine(2);
  const claim = claimOf(txHash, { token: 'ETH', pays: 'refund', minMicro: 300_000_000n, minUnits: minUnits! + 1n });
  const said = await checkOn(network)(claim);
  expect(said).toMatchObject({ outcome: 'refused', reason: 'payout_too_small' });
  expect(said).toMatchObject({ message: expect.stringMatching(/do not fail the refund.*send the rest/) });
  expect(said).not.toHaveProperty('short');
});

test('what a contract sends the destination that the transaction calls proves nothing, either, and is not sent once more', async () => {
  // It calls the destination without a coin, which has a contract send it all.
  const { data } = together(desk.mirror, []);
  const { transactionHash: txHash } = await send(desk.wallet, { to: desk.mirror, data });
  await desk.mine(2);
  const changes = { token: 'ETH', minMicro: 300_000_000n, minUnits: 5n, pays: 'refund' } as const;
  const said = await checkOn(network)(claimOf(txHash, { ...changes, destination: desk.mirror }));
  const message = expect.stringMatching(/contract, such as a Safe, sends .* is in no receipt.*do not fail the refund/);
  expect(said).toMatchObject({ outcome: 'refused', reason: 'payout_too_small', message });
  expect(said).not.toMatchObject({ message: expect.stringContaining('send the rest') });
});
