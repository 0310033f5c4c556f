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
import { newClaimSecret } from './claim-secret.ts';
import { type Facts, type Plan, planWaiting } from './plan.ts';
import { listOfPayment } from './queries.ts';
import type { Refund } from './refund.ts';
import { makeRefund, moveRefund, type RefundDeps } from './service.ts';

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
 * give nothing. Pure. See decision refunds/offered-from-suspense.
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
  (deps: LeastDeps) =>
  (db: Db | Trx, payment: Payment): Promise<components['schemas']['RefundOffer'] | null> =>
    readOffer(deps, db, payment);

async function readOffer(deps: LeastDeps, db: Db | Trx, payment: Payment) {
  if ((payment.exception === null && !hasReturned(payment)) || !isOver(payment)) return null;
  const rules = await getMerchant(db, payment.merchantId);
  const [arrived, refunds] = [await readArrived(db, payment.id), await listOfPayment(db, payment.id)];
  const waiting = refunds.find(isWaiting);
  if (waiting) return rules.status === 'active' ? presentOffer(waiting, payment) : null;
  const { countedDeep, wrongDeep } = deepOf(arrived);
  const kept = keptInLedger({ counted: countedDeep, wrong: wrongDeep, countedDeep, wrongDeep }, payment.returned);
  const plan = planOffer({ payment, kept, arrived, refunds, leastOf: leastPayable(deps) }, rules);
  return plan && presentOffer(plan, payment);
}

const hasReturned = ({ returned }: Payment): boolean => returned.counted + returned.wrong > 0n;

const isWaiting = ({ offered, status }: Refund): boolean => offered && status === 'awaiting_claim';

const presentOffer = (offer: Offered, { currency }: Payment): components['schemas']['RefundOffer'] => ({
  amount: presentFiat(offer.amountMinor),
  currency,
  token: offer.token as components['schemas']['Token'],
  network: offer.network,
  tokenAmount: presentUnits(offer.token, offer.units, offer.decimals),
});

/**
 * Takes the offer of a payment: makes its refund, or a new claim link for the one that was taken and not claimed.
 * Throws NOT_FOUND, and CONFLICT (`no_offer`; also while what arrived is still counted).
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
