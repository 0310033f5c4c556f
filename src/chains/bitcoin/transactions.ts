import { type Cursor, createCursor, displayHash, doubleHash, InvalidDataError } from './bytes.ts';

/** A transaction as far as money goes. */
export type Transaction = {
  /** Its txid, which leaves signatures out. */
  readonly txHash: string;
  /** The same in the order of its bytes. */
  readonly hash: Buffer;
  /** The outputs that it spends, each as `<transaction>:<number>`; of a coinbase one of a transaction of zeros. */
  readonly spends: () => string[];
  readonly isCoinbase: boolean;
  readonly outputs: readonly Output[];
};

export type Output = { readonly units: bigint; readonly script: Buffer };

const OUTPOINT = 36;
const SEQUENCE = 4;
const TX_HASH = 32;
const NO_TRANSACTION = Buffer.alloc(TX_HASH);
/** Stands where the number of inputs would, and says that signatures follow (BIP144). */
const WITNESS_MARK = 0;

/** The transaction that these bytes are. Throws InvalidDataError when they are none. */
export function parseTransaction(raw: Buffer): Transaction {
  const cursor = createCursor(raw);
  const transaction = readTransaction(raw, cursor);
  if (!cursor.isAtEnd()) throw new InvalidDataError('bytes follow the transaction');
  return transaction;
}

/** The transaction that begins at the cursor, which stands behind it then. */
export function readTransaction(raw: Buffer, cursor: Cursor): Transaction {
  const version = cursor.take(4);
  const hasWitness = cursor.peek() === WITNESS_MARK;
  if (hasWitness && cursor.take(2)[1] !== 1) throw new InvalidDataError('it is of an unknown form');
  const bodyAt = cursor.at();
  const outpoints: Buffer[] = [];
  for (let left = cursor.size(); left > 0; left -= 1) {
    outpoints.push(cursor.take(OUTPOINT));
    cursor.skip(cursor.size());
    cursor.skip(SEQUENCE);
  }
  const outputs: Output[] = [];
  for (let left = cursor.size(); left > 0; left -= 1) {
    const units = cursor.uint64();
    outputs.push({ units, script: cursor.take(cursor.size()) });
  }
  const body = raw.subarray(bodyAt, cursor.at());
  if (hasWitness) {
    for (let input = 0; input < outpoints.length; input += 1)
      for (let left = cursor.size(); left > 0; left -= 1) cursor.skip(cursor.size());
  }
  const hash = doubleHash(Buffer.concat([version, body, cursor.take(4)]));
  const isCoinbase = outpoints.length === 1 && outpoints[0]?.compare(NO_TRANSACTION, 0, TX_HASH, 0, TX_HASH) === 0;
  return {
    ...{ txHash: displayHash(hash), hash, outputs, isCoinbase },
    spends: () => outpoints.map(nameOutpoint),
  };
}

const nameOutpoint = (outpoint: Buffer): string =>
  `${displayHash(outpoint.subarray(0, TX_HASH))}:${outpoint.readUInt32LE(TX_HASH)}`;
