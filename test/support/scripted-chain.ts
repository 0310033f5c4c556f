import { randomBytes } from 'node:crypto';
import type { EvmNetwork } from '../../src/chains/evm/network.ts';
import { inTransaction } from '../../src/db/transaction.ts';
import type { Clock } from '../../src/lib/clock.ts';
import type { Db } from '../../src/lib/db-types.ts';
import { parseUnits } from '../../src/lib/money.ts';
import { paymentMatcher } from '../../src/payments/observe.ts';
import type { BlockRef, CollectorEvent, Sightings, Token, Transfer } from '../../src/ports/chain.ts';
import { subscriptionMatcher } from '../../src/subscriptions/settling/observe.ts';

/** The part of a payment that says where its money goes; both `Payment` and `PublicPayment` fit. */
export type Payable = { readonly cryptoAddress: string; readonly tokenAmountDue: string };

export type BlockOptions = {
  readonly token?: 'USDT' | 'USDC';
  /** The block's time; by default the business time. */
  readonly time?: Date;
  /** Whether to mine as many blocks after it as the network requires; by default true. */
  readonly confirmed?: boolean;
  /** The hash of a transaction to be included again; by default a new one. */
  readonly txHash?: string;
};

export type TransferOptions = BlockOptions & {
  /** In whole tokens; by default the amount due. */
  readonly amount?: string;
  /** The address that it comes from. */
  readonly from?: string;
};

/** A collector event about a mandate, and its payer. */
export type Saying = { readonly mandateId: string; readonly payer: string } & (
  | { readonly kind: 'authorized' }
  | { readonly kind: 'revoked' }
  | { readonly kind: 'collected'; readonly number: number; readonly units: bigint }
  | { readonly kind: 'collect_failed'; readonly number: number; readonly reason: number }
);

/** A chain scripted by the test, as a watcher would have stored it. No node runs. */
export type ScriptedChain = {
  /** Includes a transfer to a payment's address in its own block; returns its hash. */
  readonly transfer: (payment: Payable, options?: TransferOptions) => Promise<string>;
  /**
   * Includes a collector transaction in its own block; each collection moves its units to the treasury. Returns its
   * hash.
   */
  readonly collector: (said: readonly Saying[], options?: BlockOptions) => Promise<string>;
  /** Includes an approval to the collector in its own block; returns its hash. */
  readonly approve: (owner: string, units: bigint, options?: BlockOptions) => Promise<string>;
  /** Mines empty blocks, the last of them at `time`, by default the business time. */
  readonly mine: (blocks: number, time?: Date) => Promise<void>;
  /** Drops the newest blocks with their contents. */
  readonly drop: (blocks: number) => Promise<void>;
};

const MATCHERS = [paymentMatcher, subscriptionMatcher];

/** The chain of one network, for a service without a watcher. Nothing is applied before the service's jobs run. */
export async function createScriptedChain(db: Db, clock: Clock, network: EvmNetwork): Promise<ScriptedChain> {
  let height = 100;
  const confirmations = network.confirmations === 'finalized' ? 64 : network.confirmations;
  await insertCursor(db, network, height, clock.now());

  const mine = async (blocks: number, time = clock.now()): Promise<void> => {
    height += blocks;
    await moveCursor(db, network, height, confirmations, time);
  };
  /** Includes one transaction in the next block. */
  const include = async (options: BlockOptions, tell: (tx: Included) => Partial<Sightings>): Promise<string> => {
    const time = options.time ?? clock.now();
    await mine(1, time);
    const txHash = options.txHash ?? `0x${randomBytes(32).toString('hex')}`;
    const hash = (at: number): string => `0x${at.toString(16).padStart(64, '0')}`;
    const block = { network: network.name, height, hash: hash(height), parentHash: hash(height - 1), time };
    const told = tell({ network: network.name, block, txHash, token: tokenOf(network, options.token ?? 'USDT') });
    const sightings = { transfers: [], collector: [], approvals: [], ...told };
    await inTransaction(db, async (trx) => {
      for (const matcher of MATCHERS) await matcher.observe(trx, network, sightings, clock.now());
    });
    if (options.confirmed !== false) await mine(confirmations - 1, time);
    return txHash;
  };
  return {
    mine,
    transfer: (payment, options = {}) =>
      include(options, (tx) => {
        const units = parseUnits(options.amount ?? payment.tokenAmountDue, tx.token.decimals);
        const from = (options.from ?? '0x00000000000000000000000000000000000000c1').toLowerCase();
        return { transfers: [{ ...tx, index: 0, from, to: payment.cryptoAddress.toLowerCase(), units }] };
      }),
    collector: (said, options = {}) => include(options, (tx) => sayAll(tx, network, said)),
    approve: (owner, units, options = {}) =>
      include(options, (tx) => ({ approvals: [{ ...tx, owner: owner.toLowerCase(), units }] })),
    drop: async (blocks) => {
      height -= blocks;
      await inTransaction(db, async (trx) => {
        for (const matcher of MATCHERS) await matcher.orphan(trx, network.name, height, clock.now());
      });
      await moveCursor(db, network, height, confirmations, clock.now());
    },
  };
}

type Included = {
  readonly network: string;
  readonly block: BlockRef;
  readonly txHash: string;
  readonly token: Token;
};

function tokenOf(network: EvmNetwork, symbol: Token['symbol']): Token {
  const token = network.tokens.find((each) => each.symbol === symbol);
  if (!token) throw new Error(`${network.name} has no ${symbol}`);
  return token;
}

function sayAll(
  tx: Included,
  { collector: address, treasury }: EvmNetwork,
  said: readonly Saying[],
): Partial<Sightings> {
  if (address === null) throw new Error('this network has no collector');
  const transfers: Transfer[] = [];
  const collector = said.map((saying, place): CollectorEvent => {
    const { mandateId, payer } = saying;
    const event = { network: tx.network, collector: address, block: tx.block, txHash: tx.txHash, place, mandateId };
    if (saying.kind === 'authorized') return { ...event, kind: saying.kind, payer };
    if (saying.kind === 'revoked') return { ...event, kind: saying.kind, payer };
    if (saying.kind === 'collect_failed') {
      return { ...event, kind: saying.kind, number: saying.number, reason: saying.reason };
    }
    const transfer = { ...tx, index: transfers.length, from: payer, to: treasury, units: saying.units };
    transfers.push(transfer);
    return { ...event, kind: 'collected', payer, number: saying.number, amountUnits: saying.units, transfer };
  });
  return { collector, transfers };
}

async function insertCursor(db: Db, network: EvmNetwork, height: number, now: Date): Promise<void> {
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

async function moveCursor(
  db: Db,
  network: EvmNetwork,
  height: number,
  confirmations: number,
  time: Date,
): Promise<void> {
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
