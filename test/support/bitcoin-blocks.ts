import { createRequire } from 'node:module';
import { RawTx } from '@scure/btc-signer';

const require = createRequire(import.meta.url);
const Block = require('bcoin/lib/primitives/block');
const TX = require('bcoin/lib/primitives/tx');

/** What regtest demands: every second hash will do. */
const EASY_BITS = 0x20_7f_ff_ff;

export type MadeBlock = { readonly raw: Buffer; readonly hash: string; readonly txHashes: readonly string[] };

/** A block of these transactions that took its work, made by bcoin. */
export function makeBlock(transactions: readonly Uint8Array[], parentHash = '00'.repeat(32)): MadeBlock {
  const block = new Block();
  block.version = 1;
  block.time = 1_700_000_000;
  block.bits = EASY_BITS;
  block.prevBlock = Buffer.from(parentHash, 'hex').reverse();
  for (const raw of transactions) block.txs.push(TX.fromRaw(Buffer.from(raw)));
  block.merkleRoot = Buffer.from(block.createMerkleRoot(), 'hex');
  while (!block.verifyPOW()) {
    block.nonce += 1;
    block.refresh();
  }
  return {
    raw: block.toRaw(),
    hash: block.rhash(),
    txHashes: block.txs.map((tx: { txid: () => string }) => tx.txid()),
  };
}

/** The bytes of a transaction that spends `inputs` outputs and pays these scripts (hex) a satoshi more each. */
export function makeTransaction(seed: number, scripts: readonly string[], inputs = 1, hasWitness = true): Uint8Array {
  return RawTx.encode({
    ...{ version: 2, segwitFlag: hasWitness, lockTime: seed },
    inputs: Array.from({ length: inputs }, (_, i) => ({
      ...{ txid: new Uint8Array(32).fill((seed % 255) + 1), index: i, sequence: 0xff_ff_ff_fd },
      finalScriptSig: new Uint8Array(hasWitness ? 0 : 107).fill(7),
    })),
    outputs: scripts.map((script, i) => ({
      amount: BigInt(1000 * (seed + 1) + i),
      script: new Uint8Array(Buffer.from(script, 'hex')),
    })),
    ...(hasWitness && {
      witnesses: Array.from({ length: inputs }, () => [new Uint8Array(71).fill(1), new Uint8Array(33).fill(2)]),
    }),
  } as never);
}

/** The first transaction of a block. */
export const makeCoinbase = (script: string): Uint8Array =>
  RawTx.encode({
    ...{ version: 2, segwitFlag: true, lockTime: 0 },
    inputs: [
      {
        ...{ txid: new Uint8Array(32), index: 0xff_ff_ff_ff, sequence: 0xff_ff_ff_ff },
        finalScriptSig: new Uint8Array([1, 100, 0]),
      },
    ],
    outputs: [{ amount: 5_000_000_000n, script: new Uint8Array(Buffer.from(script, 'hex')) }],
    witnesses: [[new Uint8Array(32)]],
  } as never);
