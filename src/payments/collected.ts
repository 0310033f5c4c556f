import { sql } from 'kysely';
import { insertRows } from '../db/many-rows.ts';
import { externalAccount, merchantAccount } from '../ledger/accounts.ts';
import { postJournals } from '../ledger/post.ts';
import { after, DAY_MS, HOUR_MS } from '../lib/clock.ts';
import type { Trx } from '../lib/db-types.ts';
import { type Id, newId } from '../lib/ids.ts';
import { type Currency, E12, stableValueE18 } from '../lib/money.ts';
import type { LockedRate } from '../rates/quote.ts';
import type { Settings } from '../settings/settings.ts';
import { makeOptions } from './options.ts';
import { presentPayment } from './present.ts';
import { insertPayments } from './queries.ts';
import type { PaymentDeps } from './service.ts';
import type { Payment, SeenCredit } from './types.ts';

/** A transfer that a subscription's contract made, from the customer's wallet to the treasury. */
export type CollectedTransfer = {
  readonly network: string;
  readonly token: string;
  readonly contract: string;
  readonly decimals: number;
  readonly units: bigint;
  readonly sender: string;
  readonly recipient: string;
  readonly txHash: string;
  /** Place among the allow-listed transfers of its transaction. */
  readonly index: number;
  readonly blockHash: string;
  readonly blockNumber: bigint;
  readonly blockTime: Date;
};

/** A charge that was collected, and what its payment asks. */
export type Collected = {
  readonly paymentId: Id<'payment'>;
  readonly merchantId: string;
  readonly subscriptionId: string;
  readonly chargeId: string;
  readonly amountMinor: bigint;
  readonly currency: Currency;
  readonly amountMicro: bigint;
  readonly rate: LockedRate;
  readonly description: string;
  readonly customerEmail: string;
  readonly transfer: CollectedTransfer;
};

/**
 * A payment that a reorg took back stays open until the charge was tried again as often as it will be; it can be paid by hand meanwhile,
 * like any other, because it has a deposit address of its own.
 */
const OPEN_FOR_MS = 15 * DAY_MS;

type BookedCredit = SeenCredit & { readonly bookedMicro: bigint };
type Collection = { readonly payment: Payment; readonly credit: BookedCredit; readonly transfer: CollectedTransfer };

/**
 * The payments of charges that were collected: each appears in `confirming`, its money booked as pending, and is announced. All in a few
 * statements, because renewals come in hundreds. From there they go the way of all payments. What it resolves with books their money: to be
 * called last, because from then on until the commit everybody else waits for the merchants' accounts.
 */
export async function createCollectedPayments(
  trx: Trx,
  deps: PaymentDeps,
  collected: readonly Collected[],
  now: Date,
): Promise<() => Promise<void>> {
  const settings = await deps.settings.current();
  const heads = await readHeads(trx);
  const collections = collected.map((item) => toCollection(deps, settings, heads, item, now));
  await insertPayments(
    trx,
    collections.map(({ payment }) => payment),
  );
  await insertRows(
    trx,
    'credits',
    collections.map(({ payment, credit, transfer }) => ({
      ...toRow(credit.id, payment.id, transfer, now),
      ...{ counted: true, applied_at: now, booked_micro: credit.bookedMicro },
    })),
  );
  await deps.events.recordMany(
    trx,
    collections.flatMap(({ payment, credit }) => {
      const { merchantId, id: resourceId } = payment;
      const data = presentPayment(payment, [credit], deps);
      const draft = { merchantId, resourceId, data };
      return [
        { ...draft, type: 'payment.created', sequence: 1 } as const,
        { ...draft, type: 'payment.confirming', sequence: 2 } as const,
      ];
    }),
    now,
  );
  return () =>
    postJournals(
      trx,
      collections.map(({ payment, credit, transfer }) => ({
        kind: 'credit',
        ref: `${credit.id}#${credit.inclusion}`,
        merchantId: payment.merchantId,
        paymentId: payment.id,
        postings: [
          { account: externalAccount(transfer.network, transfer.token), amount: -payment.booked.pending },
          { account: merchantAccount(payment.merchantId, 'pending'), amount: payment.booked.pending },
        ],
      })),
      now,
    );
}

/** A charge's transfer came again after a reorg: its payment takes it in like any other. Repeating it changes nothing. */
export async function addCollectedCredit(
  trx: Trx,
  paymentId: string,
  transfer: CollectedTransfer,
  now: Date,
): Promise<void> {
  await trx
    .insertInto('credits')
    .values(toRow(newId('credit', now), paymentId, transfer, now))
    .onConflict((conflict) =>
      conflict
        .constraint('credit_once')
        .doUpdateSet({ canonical: true, applied_at: null, parked_at: null, failure: null })
        .where('credits.canonical', '=', false),
    )
    .execute();
  trx.wake('kasi_credits');
}

/**
 * A reorg took the block of a charge's transfer: what it brought waits to be taken back, like that of any other. The watcher's own sweep over
 * the credits can not see one that is stored at the same moment.
 */
export async function orphanCollectedCredit(
  trx: Trx,
  transfer: Pick<CollectedTransfer, 'network' | 'txHash' | 'index' | 'blockHash'>,
): Promise<void> {
  const { numUpdatedRows } = await trx
    .updateTable('credits')
    .set({ canonical: false, applied_at: null, parked_at: null, failure: null })
    .where('network', '=', transfer.network)
    .where('tx_hash', '=', transfer.txHash)
    .where('transfer_index', '=', transfer.index)
    .where('block_hash', '=', transfer.blockHash)
    .where('canonical', '=', true)
    .executeTakeFirst();
  if (numUpdatedRows > 0n) trx.wake('kasi_credits');
}

function toCollection(
  deps: PaymentDeps,
  settings: Settings,
  heads: ReadonlyMap<string, bigint>,
  item: Collected,
  now: Date,
): Collection {
  const { transfer } = item;
  const credit = toCredit(transfer, heads.get(transfer.network) ?? transfer.blockNumber, now);
  const networks = deps.networks.filter(({ name }) => name === transfer.network);
  const { options, factory } = makeOptions({ ...deps, networks }, item.paymentId, item.amountMicro, [transfer.token]);
  const payment: Payment = {
    ...asked(item, settings),
    ...NEW,
    options,
    factoryAddress: factory,
    txHash: transfer.txHash,
    seenE18: credit.valueE18,
    booked: { suspense: 0n, pending: credit.bookedMicro, available: 0n },
    createdAt: now,
    updatedAt: now,
    expiresAt: after(now, OPEN_FOR_MS),
    confirmingAt: now,
  };
  return { payment, credit, transfer };
}

const asked = (item: Collected, settings: Settings) => ({
  id: item.paymentId,
  merchantId: item.merchantId,
  subscriptionId: item.subscriptionId,
  chargeId: item.chargeId,
  amountMinor: item.amountMinor,
  currency: item.currency,
  amountMicro: item.amountMicro,
  rate: item.rate,
  description: item.description,
  customerEmail: item.customerEmail,
  feeBps: settings.paymentFeeBps,
  lateWindowMs: BigInt(settings.lateWindowHours * HOUR_MS),
});

/** What a payment is that appears with its one transfer. */
const NEW = {
  status: 'confirming',
  reason: null,
  exception: null,
  source: 'subscription',
  linkId: null,
  sessionId: null,
  linkSnapshot: null,
  successUrl: null,
  cancelUrl: null,
  toleranceMicro: 0n,
  metadata: {},
  chosen: 0,
  confirmedE18: 0n,
  creditCount: 1,
  settledMicro: 0n,
  settledWrongMicro: 0n,
  feeMicro: 0n,
  moves: 1,
  eventSequence: 2,
  paidAt: null,
} as const;

function toCredit(transfer: CollectedTransfer, head: bigint, now: Date): BookedCredit {
  const valueE18 = stableValueE18(transfer.units, transfer.decimals);
  return {
    id: newId('credit', now),
    network: transfer.network,
    token: transfer.token,
    txHash: transfer.txHash,
    units: transfer.units,
    decimals: transfer.decimals,
    valueE18,
    counted: true,
    canonical: true,
    inclusion: 1,
    bookedMicro: valueE18 / E12,
    blockNumber: transfer.blockNumber,
    blockTime: transfer.blockTime,
    seenAt: now,
    confirmedAt: null,
    parkedAt: null,
    confirmations: Math.max(0, Number(head - transfer.blockNumber) + 1),
  };
}

const toRow = (id: string, paymentId: string, transfer: CollectedTransfer, now: Date) => ({
  id,
  payment_id: paymentId,
  network: transfer.network,
  tx_hash: transfer.txHash,
  transfer_index: transfer.index,
  block_hash: transfer.blockHash,
  block_number: transfer.blockNumber,
  block_time: transfer.blockTime,
  token: transfer.token,
  contract: transfer.contract,
  sender: transfer.sender,
  recipient: transfer.recipient,
  amount_units: transfer.units,
  decimals: transfer.decimals,
  value_e18: stableValueE18(transfer.units, transfer.decimals),
  seen_at: now,
});

async function readHeads(trx: Trx): Promise<ReadonlyMap<string, bigint>> {
  const { rows } = await sql<{ network: string; height: bigint }>`select network, height from chain_cursors`.execute(
    trx,
  );
  return new Map(rows.map((row) => [row.network, row.height]));
}
