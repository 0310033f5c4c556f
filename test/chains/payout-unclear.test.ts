import type { RequestListener } from 'node:http';
import { expect, test } from 'vitest';
import { createEvmWitness } from '../../src/chains/evm/witness.ts';
import { finalOpinionOf, isShort } from '../../src/chains/testimony.ts';
import { ladder } from '../support/ladder.ts';
import { TEST_NETWORK } from '../support/payments.ts';
import { checkOn, claimOf, withServer } from './payout-fixture.ts';

const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';
const TX = `0x${'1'.repeat(64)}`;
const hashOf = (height: number): string => `0x${height.toString(16).padStart(64, '0')}`;
const addressOf = (name: string): string => `0x${Buffer.from(name).toString('hex').padStart(40, '0')}`;
const topicOf = (address: string): string => `0x${address.slice(2).padStart(64, '0')}`;

const [USDT] = TEST_NETWORK.tokens;
const DESTINATION = addressOf('d');
const PAID_AT = 90;

/** A node whose chain has one transaction: a payout whose money goes back by a ladder of ten thousand transfers. */
function tangled(): RequestListener {
  const logs = ladder(3_333, addressOf('p'), DESTINATION, addressOf).map(({ from, to, units }, index) => ({
    address: USDT!.contract,
    topics: [TRANSFER, topicOf(from), topicOf(to)],
    data: `0x${units.toString(16).padStart(64, '0')}`,
    ...{ blockHash: hashOf(PAID_AT), transactionHash: TX, logIndex: `0x${index.toString(16)}` },
  }));
  const block = (tag: string) => {
    const height = tag.startsWith('0x') ? Number(tag) : 100;
    const timestamp = `0x${Math.floor(Date.now() / 1_000).toString(16)}`;
    return { number: `0x${height.toString(16)}`, hash: hashOf(height), parentHash: hashOf(height - 1), timestamp };
  };
  const answer = (method: string, [first]: readonly string[]): unknown => {
    if (method === 'eth_chainId') return `0x${TEST_NETWORK.chainId.toString(16)}`;
    if (method === 'eth_getBlockByNumber') return block(first ?? '');
    if (method === 'eth_getLogs') return logs.filter(({ topics }) => topics[2] === topicOf(DESTINATION));
    return { transactionHash: TX, blockHash: hashOf(PAID_AT), blockNumber: block('0x5a').number, status: '0x1', logs };
  };
  return async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const asked = JSON.parse(Buffer.concat(chunks).toString('utf8'));
    const reply = (one: { id: number; method: string; params: string[] }) => ({
      ...{ jsonrpc: '2.0', id: one.id, result: answer(one.method, one.params) },
    });
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(Array.isArray(asked) ? asked.map(reply) : reply(asked)));
  };
}

test('a payout whose money goes around in ten thousand transfers is for a person to look at', { timeout: 60_000 }, () =>
  withServer(tangled(), async (rpcUrl) => {
    const network = { ...TEST_NETWORK, rpcUrl };
    const claim = claimOf(TX, { network: network.name, destination: DESTINATION });
    expect(await checkOn(network)(claim)).toEqual({
      outcome: 'refused',
      reason: 'payout_unclear',
      message: expect.stringContaining('look at it by hand. If it was sent for this one, do not fail the withdrawal'),
    });
    // One that was completed before is neither final nor taken back: the incident of endpoints that differ says why.
    const block = { height: PAID_AT, hash: hashOf(PAID_AT) };
    const testimony = await createEvmWitness(network).askPayout({ ...claim, block, assets: [USDT!] }, 95);
    expect(finalOpinionOf(testimony)).toBe('unclear');
    expect(isShort(testimony)).toBe(false);
    expect(testimony.deny).toMatchObject([{ has: 'block', certain: false }]);
  }),
);
