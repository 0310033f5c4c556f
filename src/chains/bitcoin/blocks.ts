import { createCursor, displayHash, InvalidDataError, writeDoubleHash } from './bytes.ts';
import { HEADER_BYTES, type Header, parseHeader } from './headers.ts';
import { readTransaction, type Transaction } from './transactions.ts';

/** The bytes of a node of the tree of hashes. */
const NODE = 32;
const NO_NODE = Buffer.alloc(NODE);

/** A block of which nothing is missing. */
export type Block = { readonly header: Header; readonly transactions: readonly Transaction[] };

/**
 * The block that these bytes are. Throws InvalidDataError unless it is the one with this hash and has all of its
 * transactions and no other, as its header's root of the tree of hashes says. See
 * decision chains/bitcoin/blocks-are-proven.
 */
export function parseBlock(raw: Buffer, hash: string): Block {
  const header = parseHeader(raw.subarray(0, HEADER_BYTES), hash);
  const cursor = createCursor(raw);
  cursor.skip(HEADER_BYTES);
  const transactions: Transaction[] = [];
  for (let left = cursor.size(); left > 0; left -= 1) transactions.push(readTransaction(raw, cursor));
  if (!cursor.isAtEnd()) throw new InvalidDataError('bytes follow its last transaction');
  // Inner nodes of the tree can pass for transactions, but hardly for the one that only a first may be.
  if (!transactions[0]?.isCoinbase) throw new InvalidDataError('its first transaction is no coinbase');
  if (merkleRoot(transactions.map((each) => each.hash)) !== header.merkleRoot)
    throw new InvalidDataError('its transactions are not those that its header accounts for');
  return { header, transactions };
}

/**
 * The root of the tree of these hashes. Throws for lists whose end is repeated: they have the root of a shorter list
 * (CVE-2012-2459).
 */
function merkleRoot(leaves: readonly Buffer[]): string {
  // Each level is written over the one below it, behind what is still to be read; a last odd one is its own pair.
  const nodes = Buffer.concat([...leaves, NO_NODE]);
  for (let count = leaves.length; count > 1; count = Math.ceil(count / 2)) {
    if (count % 2 === 1) nodes.copy(nodes, count * NODE, (count - 1) * NODE, count * NODE);
    for (let left = 0; left < count; left += 2) {
      const [at, middle, end] = [left * NODE, (left + 1) * NODE, (left + 2) * NODE];
      if (left + 1 < count && nodes.compare(nodes, middle, end, at, middle) === 0)
        throw new InvalidDataError('it repeats transactions');
      writeDoubleHash(nodes, at / 2, nodes.subarray(at, end));
    }
  }
  return displayHash(nodes.subarray(0, NODE));
}
