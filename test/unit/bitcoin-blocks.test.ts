import { RawTx, Transaction } from '@scure/btc-signer';
import { expect, test } from 'vitest';
import { parseBlock } from '../../src/chains/bitcoin/blocks.ts';
import { displayHash, doubleHash, InvalidDataError } from '../../src/chains/bitcoin/bytes.ts';
import { findWorkFault, type Header, parseHeader } from '../../src/chains/bitcoin/headers.ts';
import { parseTransaction } from '../../src/chains/bitcoin/transactions.ts';
import { makeBlock, makeCoinbase, makeTransaction } from '../support/bitcoin-blocks.ts';

const KEY = `0014${'ab'.repeat(20)}`;
const SCRIPTS = [KEY, `0020${'cd'.repeat(32)}`, `76a914${'ef'.repeat(20)}88ac`, '6a', `51${'00'.repeat(300)}`];
const coinbase = makeCoinbase(KEY);
/** Of every shape: with and without signatures aside, one input and three hundred, no output of a key and many. */
const transactions = [
  ...[makeTransaction(1, SCRIPTS), makeTransaction(2, [KEY], 1, false), makeTransaction(3, SCRIPTS, 300)],
  ...[makeTransaction(4, SCRIPTS.slice(1), 2), makeTransaction(5, Array<string>(260).fill(KEY))],
];

const HEADER = 80;
/** The header of Bitcoin's first block. */
const GENESIS = Buffer.from(
  `01000000${'00'.repeat(32)}3ba3edfd7a7b12b27ac72c3e67768f617fc81bc3888a51323a9fb8aa4b1e5e4a29ab5f49ffff001d1dac2b7c`,
  'hex',
);
const GENESIS_HASH = '000000000019d6689c085ae165831e934ff763ae46a2a6c172b3f1b60a8ce26f';

test('blocks and transactions are read as two independent implementations read them', () => {
  for (let count = 0; count <= transactions.length; count += 1) {
    const all = [coinbase, ...transactions.slice(0, count)];
    const { raw, hash, txHashes } = makeBlock(all);
    const block = parseBlock(raw, hash);
    expect(block.header.hash).toBe(hash);
    expect(block.transactions.map(({ txHash }) => txHash)).toEqual(txHashes);
    for (const [i, bytes] of all.entries()) {
      const theirs = RawTx.decode(bytes);
      const lenient = { allowUnknownOutputs: true, allowUnknownInputs: true, disableScriptCheck: true };
      const ours = block.transactions[i]!;
      expect(ours.txHash).toBe(Transaction.fromRaw(bytes, lenient).id);
      expect(ours.outputs.map(({ units, script }) => ({ amount: units, script: script.toString('hex') }))).toEqual(
        theirs.outputs.map(({ amount, script }) => ({ amount, script: Buffer.from(script).toString('hex') })),
      );
      expect(ours.spends()).toEqual(
        theirs.inputs.map(({ txid, index }) => `${Buffer.from(txid).toString('hex')}:${index}`),
      );
      expect(parseTransaction(Buffer.from(bytes)).txHash).toBe(ours.txHash);
    }
  }
});

test('a block from which a transaction was left out, or into which one was put, is none', () => {
  const whole = makeBlock([coinbase, ...transactions.slice(0, 2)]);
  /** The same header over other transactions. */
  const forged = (count: number, ...parts: readonly Uint8Array[]): Buffer =>
    Buffer.concat([whole.raw.subarray(0, HEADER), Buffer.from([count]), ...parts]);
  const [first, second, third] = transactions;
  const lies: [string, Buffer][] = [
    ['left out', forged(2, coinbase, first!)],
    ['put in', forged(4, coinbase, first!, second!, third!)],
    ['exchanged', forged(3, coinbase, second!, first!)],
    ['another amount', forged(3, coinbase, makeTransaction(2, SCRIPTS), second!)],
    ['no coinbase', forged(2, first!, second!)],
    ['repeated', forged(4, coinbase, first!, second!, second!)],
    ['bytes behind it', Buffer.concat([whole.raw, Buffer.from([0])])],
  ];
  for (const [what, raw] of lies) expect(() => parseBlock(raw, whole.hash), what).toThrow(InvalidDataError);
  expect(() => parseBlock(whole.raw, makeBlock([coinbase]).hash)).toThrow('it is another block');
  for (let length = 0; length < whole.raw.length; length += 7)
    expect(() => parseBlock(whole.raw.subarray(0, length), whole.hash)).toThrow(InvalidDataError);
});

test('inner nodes of the tree do not pass for transactions', () => {
  const { raw, hash, txHashes } = makeBlock([coinbase, ...transactions.slice(0, 3)]);
  const leaves = txHashes.map((each) => Buffer.from(each, 'hex').reverse());
  // Two transactions of 64 bytes each, whose hashes are the nodes above the leaves.
  const nodes = [Buffer.concat(leaves.slice(0, 2)), Buffer.concat(leaves.slice(2))];
  expect(nodes.map(({ length }) => length)).toEqual([64, 64]);
  const lie = Buffer.concat([raw.subarray(0, HEADER), Buffer.from([2]), ...nodes]);
  expect(() => parseBlock(lie, hash)).toThrow(InvalidDataError);
});

test('a header is the one of its hash, and took its work', () => {
  expect(parseHeader(GENESIS, GENESIS_HASH)).toMatchObject({
    parentHash: '00'.repeat(32),
    merkleRoot: '4a5e1e4baab89f3a32518a88c31bc87f618f76673e2cc77ab2127b7afdeda33b',
    time: new Date('2009-01-03T18:15:05.000Z'),
    target: 0xffffn << 208n,
  });
  const lazy = Buffer.from(GENESIS);
  lazy.writeUInt32LE(1, 76);
  expect(() => parseHeader(lazy, displayHash(doubleHash(lazy)))).toThrow('it lacks the work that it claims');
  expect(() => parseHeader(lazy, GENESIS_HASH)).toThrow('it is another block');
  expect(() => parseHeader(GENESIS.subarray(1), GENESIS_HASH)).toThrow('cut off');
});

test('on the main chain a block takes no less work than its period demands', () => {
  const today = 1n << 177n;
  const header = (target: bigint): Header => ({ ...parseHeader(GENESIS, GENESIS_HASH), target });
  const fault = (height: number, target: bigint, parent = today) =>
    findWorkFault('main', height, header(target), header(parent));
  expect([fault(900_001, today), fault(900_001, today - 1n), fault(899_136, today * 4n)]).toEqual([null, null, null]);
  expect(fault(900_001, today + 1n)).toContain('took less work');
  expect(fault(899_136, today * 4n + 1n)).toContain('took less work');
  // A chain of such blocks from the first one on.
  expect(fault(900_001, 1n << 200n, 1n << 200n)).toContain('took less work');
  expect(findWorkFault('regtest', 5, header(1n << 255n), header(1n << 200n))).toBeNull();
});
