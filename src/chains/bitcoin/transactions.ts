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

const VERSION = 4;
const OUTPOINT = 36;
const SEQUENCE = 4;
const LOCK_TIME = 4;
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
  const startAt = cursor.skip(VERSION);
  const hasWitness = cursor.peek() === WITNESS_MARK;
  if (hasWitness && cursor.take(2)[1] !== 1) throw new InvalidDataError('it is of an unknown form');
  const bodyAt = cursor.at();
  const outpointsAt: number[] = [];
  for (let left = cursor.size(); left > 0; left -= 1) {
    outpointsAt.push(cursor.skip(OUTPOINT));
    cursor.skip(cursor.size());
    cursor.skip(SEQUENCE);
  }
  const outputs: Output[] = [];
  for (let left = cursor.size(); left > 0; left -= 1) {
    const units = cursor.uint64();
    outputs.push({ units, script: cursor.take(cursor.size()) });
  }
  const bodyEnd = cursor.at();
  if (hasWitness) {
    for (let input = 0; input < outpointsAt.length; input += 1)
      for (let left = cursor.size(); left > 0; left -= 1) cursor.skip(cursor.size());
  }
  const lockTimeAt = cursor.skip(LOCK_TIME);
  const hash = doubleHash(
    hasWitness ? withoutWitness(raw, startAt, bodyAt, bodyEnd, lockTimeAt) : raw.subarray(startAt, cursor.at()),
  );
  const [first = 0] = outpointsAt;
  const isCoinbase = outpointsAt.length === 1 && raw.compare(NO_TRANSACTION, 0, TX_HASH, first, first + TX_HASH) === 0;
  return {
    ...{ txHash: displayHash(hash), hash, outputs, isCoinbase },
    spends: () => outpointsAt.map((at) => nameOutpoint(raw, at)),
  };
}

/** What a txid is the hash of: version, inputs and outputs, and the time before which it may not be mined. */
function withoutWitness(raw: Buffer, startAt: number, bodyAt: number, bodyEnd: number, lockTimeAt: number): Buffer {
  const body = bodyEnd - bodyAt;
  const named = Buffer.allocUnsafe(VERSION + body + LOCK_TIME);
  raw.copy(named, 0, startAt, startAt + VERSION);
  raw.copy(named, VERSION, bodyAt, bodyEnd);
  raw.copy(named, VERSION + body, lockTimeAt, lockTimeAt + LOCK_TIME);
  return named;
}

const nameOutpoint = (raw: Buffer, at: number): string =>
  `${displayHash(raw.subarray(at, at + TX_HASH))}:${raw.readUInt32LE(at + TX_HASH)}`;
