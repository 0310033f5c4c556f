import type { components } from '../../generated/api.ts';
import type { Db, Trx } from '../lib/db-types.ts';
import { AppError, conflict } from '../lib/errors.ts';
import { MICRO_PER_CENT, presentFiat } from '../lib/money.ts';
import type { Merchant } from '../merchants/merchant.ts';
import { getMerchant, lockMerchantShared } from '../merchants/queries.ts';
import { keptInLedger } from '../payments/move.ts';
import { isOpen } from '../payments/payment.ts';
import { presentUnits } from '../payments/present-transfers.ts';
import { getPayment } from '../payments/queries.ts';
import { deepOf, readArrived } from '../payments/returns.ts';
import type { Payment } from '../payments/types.ts';
import { type LeastDeps, leastPayable } from '../payouts/least.ts';
import { isDollar } from '../ports/assets.ts';
import { newClaimSecret } from './claim-secret.ts';
import { type Facts, type Plan, planWaiting } from './plan.ts';
import { listOfPayment } from './queries.ts';
import type { Refund } from './refund.ts';
import { makeRefund, moveRefund, type RefundDeps, readMarket } from './service.ts';

type Rules = Pick<Merchant, 'status' | 'refundOffers' | 'refundOfferMinimum'>;
type Offered = Pick<Plan, 'amountMinor' | 'token' | 'network' | 'decimals' | 'units'>;

/** What payers read as the reason of a refund that they took themselves. */
const REASONS: Readonly<Record<NonNullable<Payment['exception']>, string>> = {
  underpaid: 'Less arrived than was asked.',
  overpaid: 'More arrived than was asked.',
  late: 'It arrived after the time was up.',
  wrong_token: 'It came in a token or on a network that was not asked for.',
};

/**
 * What a merchant's rules give back of a payment that is over: of what waits for a decision, one token. Null where they
 * give nothing. Throws RATE_UNAVAILABLE. Pure. See decision refunds/offered-from-suspense.
 */
function planOffer(facts: Facts, rules: Rules): Plan | null {
  const { payment } = facts;
  if (rules.status !== 'active' || payment.exception === null || !isOver(payment)) return null;
  if (!rules.refundOffers.includes(payment.exception)) return null;
  const plan = planWaiting(facts);
  return plan !== null && plan.fromSuspense >= rules.refundOfferMinimum * MICRO_PER_CENT ? plan : null;
}

const isOver = (payment: Pick<Payment, 'status'>): boolean => !isOpen(payment) && payment.status !== 'confirming';

/** Reads what the page of a payment offers its payer back, without locks; null for nothing. */
export const offerReader =
  (deps: OfferDeps) =>
  (db: Db | Trx, payment: Payment): Promise<components['schemas']['RefundOffer'] | null> =>
    readOffer(deps, db, payment);

type OfferDeps = LeastDeps & Pick<RefundDeps, 'clock' | 'rates' | 'settings'>;

async function readOffer(deps: OfferDeps, db: Db | Trx, payment: Payment) {
  if ((payment.exception === null && !hasReturned(payment)) || !isOver(payment)) return null;
  const rules = await getMerchant(db, payment.merchantId);
  const [arrived, refunds] = [await readArrived(db, payment.id), await listOfPayment(db, payment.id)];
  const waiting = refunds.find(isWaiting);
  if (waiting) return rules.status === 'active' ? presentOffer(waiting, payment, false) : null;
  const { countedDeep, wrongDeep } = deepOf(arrived);
  const kept = keptInLedger({ counted: countedDeep, wrong: wrongDeep, countedDeep, wrongDeep }, payment.returned);
  const now = deps.clock.now();
  const market = { rates: await readMarket(deps, arrived, now), now };
  const plan = tryOffer({ payment, kept, arrived, refunds, ...market, leastOf: leastPayable(deps) }, rules);
  return plan && presentOffer(plan, payment, !isDollar(plan.token));
}

/** Null, too, while a coin has no price: its page shows the offer again once it has one. */
function tryOffer(facts: Facts, rules: Rules): Plan | null {
  try {
    return planOffer(facts, rules);
  } catch (error) {
    if (error instanceof AppError && error.code === 'RATE_UNAVAILABLE') return null;
    throw error;
  }
}

const hasReturned = ({ returned }: Payment): boolean => returned.counted + returned.wrong > 0n;

const isWaiting = ({ offered, status }: Refund): boolean => offered && status === 'awaiting_claim';

/** `isEstimate`: whether less may be sent once it is taken, since its price decides then. */
const presentOffer = (
  offer: Offered,
  { currency }: Payment,
  isEstimate: boolean,
): components['schemas']['RefundOffer'] => ({
  amount: presentFiat(offer.amountMinor),
  currency,
  token: offer.token as components['schemas']['Token'],
  network: offer.network,
  tokenAmount: presentUnits(offer.token, offer.units, offer.decimals),
  isEstimate,
});

/**
 * Takes the offer of a payment: makes its refund, or a new claim link for the one that was taken and not claimed.
 * Throws NOT_FOUND, CONFLICT (`no_offer`; also while what arrived is still counted), and RATE_UNAVAILABLE.
 */
export async function takeOffer(
  trx: Trx,
  deps: RefundDeps,
  paymentId: string,
  now: Date,
): Promise<{ readonly refund: Refund; readonly secret: string }> {
  const asked = await getPayment(trx, { id: paymentId });
  const { merchantId } = asked;
  const rules = await lockMerchantShared(trx, merchantId);
  if (rules.status !== 'active') throw noOffer();
  const waiting = (await listOfPayment(trx, paymentId)).find(isWaiting);
  if (waiting) {
    const { secret, hash } = newClaimSecret();
    const refund = await moveRefund(
      trx,
      deps,
      { id: waiting.id },
      { kind: 'renew', claimHash: hash, limitedAt: null },
      now,
    );
    return { refund, secret };
  }
  if (asked.exception === null || !isOver(asked)) throw noOffer();
  const plan = (facts: Facts): Plan | null => {
    // Locks go from refunds to payments, so a link for one that was made a moment ago needs another call.
    if (facts.refunds.some(isWaiting)) throw new AppError('CONFLICT', TAKEN, { retryAfterSeconds: 1 });
    return planOffer(facts, rules);
  };
  const draft = { merchantId, paymentId, plan, reason: REASONS[asked.exception], destinationAddress: null };
  const made = await makeRefund(trx, deps, { ...draft, offered: true }, now).catch(forPayers);
  if (made === null) throw noOffer();
  if (made.secret === null) throw new Error('an offer has a claim link');
  return { refund: made.refund, secret: made.secret };
}

const TAKEN = 'It has just been taken. Try again in a moment.';

const noOffer = (): AppError => conflict('Nothing of this payment is offered back. Ask the merchant.', 'no_offer');

/** What is said of a merchant's money is not for payers. */
function forPayers(error: unknown): never {
  const isTheirs =
    error instanceof AppError && (error.reason === 'merchant_owes' || error.code === 'INSUFFICIENT_BALANCE');
  throw isTheirs ? noOffer() : error;
}
