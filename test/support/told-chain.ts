import { randomBytes } from 'node:crypto';
import { inTransaction } from '../../src/db/transaction.ts';
import type { Clock } from '../../src/lib/clock.ts';
import type { Db } from '../../src/lib/db-types.ts';
import { parseUnits } from '../../src/lib/money.ts';
import { paymentMatcher } from '../../src/payments/observe.ts';
import type { Network } from '../../src/ports/chain.ts';

/** What of a payment tells where its money goes; the contract's `Payment` and `PublicPayment` both do. */
export type Payable = { readonly cryptoAddress: string; readonly tokenAmountDue: string };

export type TransferOptions = {
  /** In whole tokens; all that is due if left out. */
  readonly amount?: string;
  readonly token?: 'USDT' | 'USDC';
  /** The time of its block; business time if left out. */
  readonly time?: Date;
  /** Whether as many blocks follow as the network wants; true if left out. */
  readonly confirmed?: boolean;
};

/** A chain that contains what the test says, as a watcher would have stored it. No node runs. */
export type ToldChain = {
  /** A transfer to a payment's address, in a block of its own. Returns its hash. */
  readonly transfer: (payment: Payable, options?: TransferOptions) => Promise<string>;
  /** Empty blocks, the last of them made at `time`; business time if left out. */
  readonly mine: (blocks: number, time?: Date) => Promise<void>;
  /** Takes the newest blocks out of the chain, with what is in them. */
  readonly drop: (blocks: number) => Promise<void>;
};

/** The chain of one network, for a service whose watcher does not run. Nothing is applied before the service's jobs run. */
export async function createToldChain(db: Db, clock: Clock, network: Network): Promise<ToldChain> {
  let height = 100;
  const confirmations = network.confirmations === 'finalized' ? 64 : network.confirmations;
  await insertCursor(db, network, height, clock.now());

  const mine = async (blocks: number, time = clock.now()): Promise<void> => {
    height += blocks;
    await moveCursor(db, network, height, confirmations, time);
  };
  return {
    mine,
    transfer: async (payment, options = {}) => {
      const symbol = options.token ?? 'USDT';
      const token = network.tokens.find((each) => each.symbol === symbol);
      if (!token) throw new Error(`${network.name} has no ${symbol}`);
      const time = options.time ?? clock.now();
      await mine(1, time);
      const txHash = `0x${randomBytes(32).toString('hex')}`;
      const hash = (at: number): string => `0x${at.toString(16).padStart(64, '0')}`;
      const transfer = {
        network: network.name,
        block: { network: network.name, height, hash: hash(height), parentHash: hash(height - 1), time },
        txHash,
        index: 0,
        token,
        from: '0x00000000000000000000000000000000000000c1',
        to: payment.cryptoAddress.toLowerCase(),
        units: parseUnits(options.amount ?? payment.tokenAmountDue, token.decimals),
      };
      const sightings = { transfers: [transfer], collector: [], approvals: [] };
      await inTransaction(db, (trx) => paymentMatcher.observe(trx, sightings, clock.now()));
      if (options.confirmed !== false) await mine(confirmations - 1, time);
      return txHash;
    },
    drop: async (blocks) => {
      height -= blocks;
      await inTransaction(db, (trx) => paymentMatcher.orphan(trx, network.name, height, clock.now()));
      await moveCursor(db, network, height, confirmations, clock.now());
    },
  };
}

async function insertCursor(db: Db, network: Network, height: number, now: Date): Promise<void> {
  await db
    .insertInto('chain_cursors')
    .values({
      network: network.name,
      genesis_hash: '0xg',
      height: BigInt(height),
      hash: `0x${height}`,
      block_time: now,
      confirmed_height: BigInt(height),
      head_height: BigInt(height),
      scanned_at: now,
    })
    .execute();
}

async function moveCursor(db: Db, network: Network, height: number, confirmations: number, time: Date): Promise<void> {
  await db
    .updateTable('chain_cursors')
    .set({
      height: BigInt(height),
      hash: `0x${height}`,
      head_height: BigInt(height),
      confirmed_height: BigInt(height - confirmations + 1),
      block_time: time,
      scanned_at: time,
    })
    .where('network', '=', network.name)
    .execute();
}
