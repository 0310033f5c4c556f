import { sql } from 'kysely';
import { insertRows } from '../db/many-rows.ts';
import { shareAccounts } from '../ledger/accounts.ts';
import { postJournals } from '../ledger/post.ts';
import { after, DAY_MS, HOUR_MS } from '../lib/clock.ts';
import type { Trx } from '../lib/db-types.ts';
import type { Id } from '../lib/ids.ts';
import { type Currency, E12 } from '../lib/money.ts';
import type { LockedRate } from '../rates/quote.ts';
import type { Settings } from '../settings/settings.ts';
import { announce } from './announce.ts';
import { storeCredits, toCreditRow, toSeenCredit } from './credits.ts';
import { creditJournal, journalsOf, movePayment, type PaymentMove } from './move.ts';
import { makeOptions } from './options.ts';
import { appearConfirming } from './payment.ts';
import { insertPayments, type NewPayment } from './queries.ts';
import type { CoinRates } from './quotes.ts';
import type { PaymentDeps } from './service.ts';
import {
  type CreditedTokens,
  type CreditedTransfer,
  type Locale,
  type Payment,
  type SeenCredit,
  UNMOVED,
} from './types.ts';

/** A collected charge: its transfer from the customer's wallet to the treasury, and what its payment asks. */
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
  readonly locale: Locale | null;
  readonly transfer: CreditedTokens;
};

/**
 * Outlasts all retries of a charge that a reorg took: until then the payment stays open. It has a deposit address of
 * its own, so it can also be paid by an ordinary transfer meanwhile.
 */
const OPEN_FOR_MS = 15 * DAY_MS;

/** Subscriptions are collected in tokens. */
const NO_RATES: CoinRates = new Map();

type Collection = Pick<NewPayment, 'keys'> & {
  readonly move: PaymentMove;
  readonly credit: SeenCredit & { readonly bookedMicro: bigint };
  readonly row: ReturnType<typeof toAppliedRow>;
};

/**
 * Creates the payments of collected charges: each appears in `confirming` with its credit, is announced, and from then
 * on is treated like any payment. Takes a fixed number of statements, because renewals come in hundreds. Returns a
 * function that posts the journals; call it last, because what goes out of the merchants' accounts waits from there to
 * the commit.
 */
export async function createCollectedPayments(
  trx: Trx,
  deps: PaymentDeps,
  collected: readonly Collected[],
  now: Date,
): Promise<() => Promise<void>> {
  const settings = await deps.settings.current();
  const heads = await readHeads(trx);
  const collections: Collection[] = [];
  for (const item of collected) collections.push(await toCollection(trx, deps, settings, heads, item, now));
  insertPayments(
    trx,
    collections.map(({ move: { payment }, keys }) => ({ payment, keys })),
  );
  await insertRows(
    trx,
    'credits',
    collections.map(({ row }) => row),
  );
  await announce(
    trx,
    deps,
    collections.map(({ move: { payment, events }, credit }) => ({ payment, events, credits: [credit] })),
    now,
  );
  return async () => {
    await shareAccounts(trx, [...new Set(collected.map(({ merchantId }) => merchantId))]);
    await postJournals(trx, collections.map(journalOf), now);
  };
}

/** The credit and its move in one journal: the money comes straight into `pending`. */
function journalOf({ move, credit }: Collection) {
  const arrived = creditJournal(move.payment, credit);
  const moved = journalsOf([move], new Map());
  return { ...arrived, postings: [...arrived.postings, ...moved.flatMap(({ postings }) => postings)] };
}

/**
 * Stores a charge's transfer that came again after a reorg; its payment applies it like any other. Repeating it changes
 * nothing.
 */
export const addCollectedCredit = (trx: Trx, paymentId: string, transfer: CreditedTransfer, now: Date): Promise<void> =>
  storeCredits(trx, [toCreditRow(transfer, paymentId, now)]);

async function toCollection(
  trx: Trx,
  deps: PaymentDeps,
  settings: Settings,
  heads: ReadonlyMap<string, bigint>,
  item: Collected,
  now: Date,
): Promise<Collection> {
  const { transfer } = item;
  const row = toAppliedRow(transfer, item.paymentId, now);
  const head = heads.get(transfer.network) ?? row.block_number;
  const credit = { ...toSeenCredit({ ...DEFAULTS, ...row, head }), bookedMicro: row.booked_micro };
  // Its token may no longer be listed, or be another contract's by now.
  const networks = deps.networks
    .filter(({ name }) => name === transfer.network)
    .map((network) => ({ ...network, tokens: [transfer.token] }));
  const { paymentId, amountMicro } = item;
  const offer = { paymentId, amountMicro, accepted: [transfer.token.symbol], rates: NO_RATES, now };
  const { options, keys, factory } = await makeOptions(trx, { ...deps, networks }, offer);
  const arrived: Payment = {
    ...UNMOVED,
    ...COLLECTED,
    ...asked(item, settings),
    options,
    factoryAddress: factory,
    txHash: transfer.txHash,
    seenE18: credit.valueE18,
    booked: { ...UNMOVED.booked, suspense: credit.bookedMicro },
    createdAt: now,
    updatedAt: now,
    expiresAt: after(now, OPEN_FOR_MS),
  };
  const inLedger = { counted: credit.bookedMicro, wrong: 0n, countedDeep: 0n, wrongDeep: 0n };
  return { move: movePayment(arrived, appearConfirming(arrived, now), inLedger, now), keys, credit, row };
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
  locale: item.locale,
  feeBps: settings.paymentFeeBps,
  lateWindowMs: BigInt(settings.lateWindowHours * HOUR_MS),
});

/** What payments of subscriptions have in common when they appear. */
const COLLECTED = {
  source: 'subscription',
  linkId: null,
  sessionId: null,
  linkSnapshot: null,
  successUrl: null,
  cancelUrl: null,
  toleranceMicro: 0n,
  items: null,
  metadata: {},
  customFields: null,
  chosen: 0,
  creditCount: 1,
} as const satisfies Partial<Payment>;

/** The row of a credit that this transaction applies as it stores it. */
const toAppliedRow = (transfer: CreditedTransfer, paymentId: string, now: Date) => {
  const row = toCreditRow(transfer, paymentId, now);
  return { ...row, counted: true, applied_at: now, booked_micro: row.value_e18 / E12 };
};

/** The defaults of the other columns, with which the credit is shown before it is read back. */
const DEFAULTS = {
  ...{ canonical: true, inclusion: 1, confirmed_at: null, parked_at: null, failure: null },
  ...{ seconded_at: null, final_at: null, swept_at: null, twins: null },
  ...{ arrived_at: null, rate: null, spends: null, gone_because: null, replaced_by: null },
  ...{ missing_since: null, matures_at: null },
};

async function readHeads(trx: Trx): Promise<ReadonlyMap<string, bigint>> {
  const { rows } = await sql<{ network: string; height: bigint }>`select network, height from chain_cursors`.execute(
    trx,
  );
  return new Map(rows.map((row) => [row.network, row.height]));
}
