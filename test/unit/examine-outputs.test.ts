import { expect, test } from 'vitest';
import { type CreditedOutput, examineOutputs, examineUnspent } from '../../src/reconcile/examine-outputs.ts';

const COIN = { symbol: 'BTC', contract: 'btc', decimals: 8 } as const;
const block = { network: 'regtest', height: 7, hash: 'b7', parentHash: 'b6', time: new Date(0) };
const output = (index: number, units: bigint, to = 'script') => ({ txHash: 'tx', index, to, units, block });
const credit = (index: number, units: bigint, change: Partial<CreditedOutput> = {}): CreditedOutput => ({
  ...{ id: `crd_${index}`, txHash: 'tx', index, height: 7, blockHash: 'b7', to: 'script', units, confirmed: true },
  ...change,
});

test('outputs and credits that are the same need no explanation, whatever their order', () => {
  expect(examineOutputs([output(0, 5n), output(1, 6n)], [credit(1, 6n), credit(0, 5n)], COIN)).toEqual([]);
});

test('an output without its credit, and a credit without its output, are named with their block', () => {
  const found = examineOutputs([output(0, 150_000_000n)], [credit(3, 1n)], COIN);
  expect(found).toEqual([
    {
      height: 7,
      finding: {
        rule: 'chain.output',
        subject: 'tx:0',
        message: 'it pays 1.5 BTC to a deposit address in block 7, and was never credited',
      },
    },
    {
      height: 7,
      finding: {
        rule: 'chain.output',
        subject: 'crd_3',
        message: 'it credits 0.00000001 BTC of output tx:3, and block 7 (b7) has no such output',
      },
    },
  ]);
});

test.each([
  ['amount', { units: 6n }],
  ['script', { to: 'other' }],
  ['block', { blockHash: 'b8' }],
  ['transaction', { txHash: 'other' }],
])('another %s is another output', (_, change) => {
  expect(examineOutputs([output(0, 5n)], [credit(0, 5n, change)], COIN)).toHaveLength(2);
});

test('an unspent output holds what was credited, where it was credited', () => {
  expect(examineUnspent(credit(0, 5n), { to: 'script', units: 5n }, COIN)).toBeUndefined();
  expect(examineUnspent(credit(0, 5n), { to: 'script', units: 4n }, COIN)).toEqual({
    rule: 'chain.output',
    subject: 'crd_0',
    message: 'it credits 0.00000005 BTC at script, and output tx:0 holds 0.00000004 BTC',
  });
  expect(examineUnspent(credit(0, 5n), { to: 'other', units: 5n }, COIN)?.message).toContain(' at other');
});
