import { type Selectable, sql } from 'kysely';
import type { Payments } from '../../generated/db.ts';
import { isAny } from '../db/is-any.ts';
import { insertRows, updateRows } from '../db/many-rows.ts';
import { inTransaction } from '../db/transaction.ts';
import type { Db, Trx } from '../lib/db-types.ts';
import type { Network } from '../ports/chain.ts';
import type { Chains } from '../ports/chain-kind.ts';
import type { Job, JobRun } from '../ports/job.ts';
import type { RateReader } from '../rates/quote.ts';
import type { SettingsReader } from '../settings/settings.ts';
import { isListed } from './options.ts';
import { toPayment } from './queries.ts';
import { type CoinRates, quoteCoin, quotedUntil, quoteRows, readCoinRates } from './quotes.ts';
import type { Payment, PaymentOption } from './types.ts';

export type RequoteDeps = {
  readonly db: Db;
  readonly networks: readonly Network[];
  readonly chains: Pick<Chains, 'paymentUri'>;
  readonly rates: Pick<RateReader, 'coinRate'>;
  readonly settings: Pick<SettingsReader, 'current'>;
};

/** Payments of one transaction. */
const BATCH = 500;

/**
 * Renews the quotes of open payments that are over. Where no rate can be had a payment keeps the old one, which stops
 * being offered by itself. See decision payments/quotes-hold-15-minutes.
 */
export const requotePayments = (deps: RequoteDeps): Job => ({
  name: 'payments.requote',
  cron: '*/5 * * * * *',
  hasWork: ({ now }) =>
    isAny(sql`payments where status in ('initiated', 'pending') and quoted_until <= ${now} order by quoted_until`),
  run: (run) => requoteAll(deps, run),
  nextDue: () => nextEnd(deps.db),
});

/** Payments without a rate are not read: while sources are silent a run costs next to nothing. */
async function requoteAll(deps: RequoteDeps, { now, signal }: JobRun): Promise<void> {
  const coins = deps.networks.flatMap(({ native }) => native?.symbol ?? []);
  if (coins.length === 0) return;
  const rates = await readCoinRates(deps.rates, coins, await deps.settings.current());
  if (rates.size === 0) return;
  while (!signal.aborted && (await requote(deps, rates, now)) === BATCH);
}

/** Renews up to 500 payments, in a number of statements that does not depend on how many; returns how many. */
const requote = (deps: RequoteDeps, rates: CoinRates, now: Date): Promise<number> =>
  inTransaction(deps.db, async (trx) => {
    const payments = await lockEnded(trx, deps.networks, rates, now);
    const renewed = payments.flatMap((payment) => renew(deps, payment, rates, now) ?? []);
    await insertRows(
      trx,
      'payment_quotes',
      renewed.flatMap(({ payment, symbols: fresh }) => quoteRows(payment).filter(({ symbol }) => fresh.has(symbol))),
    );
    await updateRows(
      trx,
      'payments',
      renewed.map(({ payment: { id, options } }) => ({
        id,
        options: options as never,
        quoted_until: quotedUntil(options),
      })),
    );
    for (const { payment } of renewed) trx.wake('kasi_payment', payment.id);
    return renewed.length;
  });

/**
 * The payment with new quotes, and of which coins; undefined where none can be had. A coin has one quote, whichever
 * networks take it: one that is no longer listed shows the same.
 */
function renew({ networks, chains }: RequoteDeps, payment: Payment, rates: CoinRates, now: Date) {
  const fresh = payment.options.filter(
    (each) => isOver(each, now) && isListed(each, networks) && rates.has(each.token),
  );
  const symbols = new Set(fresh.map(({ token }) => token));
  const options = payment.options.map((option): PaymentOption => {
    const rate = symbols.has(option.token) ? rates.get(option.token) : undefined;
    if (option.quote === undefined || rate === undefined) return option;
    const { units, quote } = quoteCoin(payment.amountMicro, option, rate, { number: option.quote.number + 1, now });
    const paymentUri = chains.paymentUri({ ...option, units }) ?? option.paymentUri;
    return { ...option, units: units.toString(), paymentUri, quote };
  });
  return symbols.size === 0 ? undefined : { payment: { ...payment, options }, symbols };
}

const isOver = ({ quote }: PaymentOption, now: Date): boolean => quote !== undefined && new Date(quote.endsAt) <= now;

/** In the order of their index, those that wait longest first: only the rows that are taken are read whole. */
async function lockEnded(trx: Trx, networks: readonly Network[], rates: CoinRates, now: Date): Promise<Payment[]> {
  const able = networks.flatMap(({ name, native }) =>
    native !== undefined && rates.has(native.symbol) ? [`${name} ${native.symbol}`] : [],
  );
  const { rows } = await sql<Selectable<Payments>>`
    select * from payments
     where status in ('initiated', 'pending') and quoted_until <= ${now}
       and exists (select from jsonb_array_elements(options) as o
                    where (o ->> 'network') || ' ' || (o ->> 'token') = any (${able}::text[])
                      and (o -> 'quote' ->> 'endsAt')::timestamptz <= ${now})
     order by quoted_until limit ${BATCH} for no key update skip locked`.execute(trx);
  return rows.map(toPayment);
}

/** When the next quote of an open payment is over; null when none is. */
async function nextEnd(db: Db): Promise<Date | null> {
  const { rows } = await sql<{ due: Date | null }>`
    select min(quoted_until) as due from payments where status in ('initiated', 'pending')`.execute(db);
  return rows[0]?.due ?? null;
}
