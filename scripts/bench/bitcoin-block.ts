import { createHash, randomBytes } from 'node:crypto';
import { CompactSize, RawTx } from '@scure/btc-signer';
import type { BitcoinControl } from '../../src/sandbox/bitcoin-control.ts';

/** A block as nodes pass it on, and its transactions, each by itself. */
export type FullBlock = { readonly height: number; readonly transactions: readonly Uint8Array[] };

const SUBSIDY = 50_0000_0000n;
const DUST = 1_000n;
/** What a signature and a key take up. */
const SIGNATURE = 72;
const PUBLIC_KEY = 33;
/** A program that drops a signature and a key unseen, and is content: anyone may spend what is locked by it. */
const ANYONE = new Uint8Array([0x6d, 0x51]);
/** Of regtest: every second header has enough work. */
const TARGET_BITS = 0x207fffff;
const VERSION = 0x20000000;
const NOTHING = new Uint8Array(32);
/** In a coinbase it says that a commitment to all signatures follows (BIP141). */
const COMMITMENT = new Uint8Array([0x6a, 0x24, 0xaa, 0x21, 0xa9, 0xed]);

const doubleHash = (bytes: Uint8Array): Buffer =>
  createHash('sha256').update(createHash('sha256').update(bytes).digest()).digest();

/**
 * Adds a block with `count` transactions to a node, each with one input, a signature and two outputs, as most have.
 * `scripts` are the first that they pay; all others are random. The signatures are random, too: what is spent needs
 * none. `beforeIt` is done when all blocks but the full one are there.
 */
export async function addFullBlock(
  node: BitcoinControl,
  count: number,
  scripts: readonly Uint8Array[],
  beforeIt: () => Promise<void>,
): Promise<FullBlock> {
  const locked = new Uint8Array([0x00, 0x20, ...createHash('sha256').update(ANYONE).digest()]);
  const purse = Array.from({ length: count }, () => ({ amount: SUBSIDY / BigInt(count), script: locked }));
  const { transactions } = await addBlock(node, purse, []);
  await node.mine(2);
  const txid = idOf(transactions[0] as Transaction);
  const spending = Array.from({ length: count }, (_, index) => ({
    ...{ version: 2, lockTime: 0, segwitFlag: true },
    inputs: [{ txid: Buffer.from(txid).reverse(), index, finalScriptSig: new Uint8Array(), sequence: 0xffffffff }],
    outputs: [index * 2, index * 2 + 1].map((at) => ({ amount: DUST, script: scripts[at] ?? randomScript() })),
    witnesses: [[randomBytes(SIGNATURE), randomBytes(PUBLIC_KEY), ANYONE]],
  }));
  await beforeIt();
  const block = await addBlock(node, [], spending);
  return { height: block.height, transactions: block.transactions.map((each) => RawTx.encode(each)) };
}

type Transaction = Parameters<typeof RawTx.encode>[0];

/** Adds a block whose first transaction pays these outputs. */
async function addBlock(node: BitcoinControl, outputs: Transaction['outputs'], others: readonly Transaction[]) {
  const head = await node.readHead();
  const height = head.height + 1;
  const committed = merkleRoot([Buffer.from(NOTHING), ...others.map((each) => doubleHash(RawTx.encode(each)))]);
  const commitment = doubleHash(Buffer.concat([committed, NOTHING]));
  const coinbase: Transaction = {
    ...{ version: 2, lockTime: 0, segwitFlag: true, witnesses: [[NOTHING]] },
    inputs: [coinbaseInput(height)],
    outputs: [...outputs, { amount: 0n, script: new Uint8Array([...COMMITMENT, ...commitment]) }],
  };
  const transactions = [coinbase, ...others];
  const header = Buffer.alloc(80);
  header.writeUInt32LE(VERSION, 0);
  Buffer.from(head.hash, 'hex').reverse().copy(header, 4);
  merkleRoot(transactions.map(idOf)).copy(header, 36);
  header.writeUInt32LE(head.time + 1, 68);
  header.writeUInt32LE(TARGET_BITS, 72);
  for (let nonce = 0; (doubleHash(header)[31] as number) > 0x7f; nonce += 1) header.writeUInt32LE(nonce, 76);
  const bytes = transactions.map((each) => RawTx.encode(each));
  const raw = Buffer.concat([header, CompactSize.encode(BigInt(bytes.length)), ...bytes]);
  const refused = await node.rpc<string | null>('submitblock', [raw.toString('hex')]);
  if (refused !== null) throw new Error(`the node refused the block: ${refused}`);
  return { height, transactions };
}

/** Its txid in the order of its bytes: signatures are left out. */
const idOf = ({ witnesses: _, ...body }: Transaction): Buffer =>
  doubleHash(RawTx.encode({ ...body, segwitFlag: false } as Transaction));

/** A coinbase begins with its height (BIP34). */
const coinbaseInput = (height: number): Transaction['inputs'][number] => ({
  ...{ txid: NOTHING, index: 0xffffffff, sequence: 0xffffffff },
  finalScriptSig: new Uint8Array([2, height & 0xff, height >> 8, 8, ...randomBytes(8)]),
});

/** P2WPKH. */
const randomScript = (): Uint8Array => new Uint8Array([0x00, 0x14, ...randomBytes(20)]);

function merkleRoot(leaves: readonly Buffer[]): Buffer {
  let level = leaves;
  while (level.length > 1) {
    const pairs = Array.from({ length: Math.ceil(level.length / 2) }, (_, i) => level.slice(i * 2, i * 2 + 2));
    level = pairs.map(([left, right]) => doubleHash(Buffer.concat([left as Buffer, right ?? (left as Buffer)])));
  }
  return level[0] as Buffer;
}
