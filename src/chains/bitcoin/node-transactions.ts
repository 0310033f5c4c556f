import type { BlockPlace } from '../../ports/chain.ts';
import { NodeRefusal } from '../json-rpc.ts';
import { type Calls, HASH, orUndefined } from './node-calls.ts';
import { type Output, parseTransaction, type Transaction } from './transactions.ts';

type RawUnspent = {
  readonly value: number;
  readonly scriptPubKey: { readonly hex: string };
  readonly confirmations: number;
};

type FeeAdvice = { readonly feerate?: number; readonly fee?: number };

/** About an hour. */
const BLOCKS_OF_FEE = 6;
/** Advice is for a thousand virtual bytes. */
const BYTES_PER_RATE = 1000;
const UNITS_PER_COIN = 100_000_000;
const METHOD_NOT_FOUND = -32_601;

/** The calls that are about transactions. */
export type TransactionCalls = {
  /** The transactions that wait in the node's pool. */
  readonly listPool: () => Promise<string[]>;
  /** A transaction that waits, or, where the node has an index, any; undefined for one that the node does not know. */
  readonly findTransaction: (txHash: string) => Promise<Transaction | undefined>;
  /** Where the node's index says that a transaction is; undefined without an index, or where no block has it. */
  readonly findPlaceOf: (txHash: string) => Promise<BlockPlace | undefined>;
  /** The transactions in the pool that spend these outputs; undefined where the node can't tell. */
  readonly findSpenders: (outpoints: readonly string[]) => Promise<(string | undefined)[] | undefined>;
  /** What an output holds in the newest state, whatever waits in the pool; null: it is spent, or never was. */
  readonly findUnspent: (txHash: string, index: number) => Promise<Output | null>;
  /** How many confirmations an output has that a transaction of ours could spend now; null: it can't be spent. */
  readonly findDepth: (
    txHash: string,
    index: number,
    options: { readonly mindPool: boolean },
  ) => Promise<number | null>;
  /** What nodes advise as a fee for the next hour, in satoshis a virtual byte; undefined when they can't tell. */
  readonly adviseFeeRate: () => Promise<number | undefined>;
};

/** Asks for transactions. Their bytes are held against their hashes. */
export function openTransactionCalls({ request, accuse, read }: Calls): TransactionCalls {
  let tellsSpenders = true;
  return {
    listPool: async () => {
      const ids = await request<unknown>('getrawmempool', []);
      return Array.isArray(ids) && ids.every((id) => HASH.test(String(id)))
        ? ids
        : accuse('lists something else than transactions of its pool');
    },
    findTransaction: async (txHash) => {
      const hex = await request<string>('getrawtransaction', [txHash]).catch(orUndefined);
      if (hex === undefined) return undefined;
      const found = read(`transaction ${txHash}`, hex, parseTransaction);
      return found.txHash === txHash ? found : accuse(`sends another transaction than ${txHash}`);
    },
    findPlaceOf: async (txHash) => {
      const found = await request<{ blockhash?: unknown } | null>('getrawtransaction', [txHash, true]).catch(
        orUndefined,
      );
      const hash = String(found?.blockhash);
      if (!HASH.test(hash)) return undefined;
      const header = await request<{ height?: unknown } | null>('getblockheader', [hash, true]).catch(orUndefined);
      return typeof header?.height === 'number' ? { height: header.height, hash } : undefined;
    },
    findUnspent: async (txHash, index) => {
      const found = await request<RawUnspent | null>('gettxout', [txHash, index, false]);
      if (found === null) return null;
      // The only amount that nodes tell as a number of JSON; the greatest there can be is exact to its last digit.
      const units = BigInt(Math.round(found.value * UNITS_PER_COIN));
      return { units, script: Buffer.from(found.scriptPubKey.hex, 'hex') };
    },
    findDepth: async (txHash, index, { mindPool }) => {
      const found = await request<RawUnspent | null>('gettxout', [txHash, index, mindPool]);
      return found?.confirmations ?? null;
    },
    adviseFeeRate: async () => {
      const advice = await request<FeeAdvice>('estimatesmartfee', [BLOCKS_OF_FEE]).catch(orUndefined);
      // bcoin says `fee`, and -1 when it can't tell.
      const perKilobyte = advice?.feerate ?? advice?.fee ?? 0;
      return perKilobyte > 0 ? Math.ceil((perKilobyte * UNITS_PER_COIN) / BYTES_PER_RATE) : undefined;
    },
    findSpenders: async (outpoints) => {
      if (outpoints.length === 0) return [];
      if (!tellsSpenders) return undefined;
      const asked = outpoints.map((each) => ({ txid: each.split(':')[0], vout: Number(each.split(':')[1]) }));
      try {
        const found = await request<{ spendingtxid?: string }[]>('gettxspendingprevout', [asked]);
        return outpoints.map((_, i) => found[i]?.spendingtxid);
      } catch (error) {
        if (!(error instanceof NodeRefusal)) throw error;
        // bcoin, and Core before 24.
        if (error.code === METHOD_NOT_FOUND) tellsSpenders = false;
        return undefined;
      }
    },
  };
}
