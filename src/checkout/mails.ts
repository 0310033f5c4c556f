import type { Trx } from '../lib/db-types.ts';
import { headerLine, isPlainAddress } from '../mail/addresses.ts';
import type { QueuedMail, Writing } from '../mail/mail.ts';
import type { Merchant } from '../merchants/merchant.ts';
import { getMerchant } from '../merchants/queries.ts';
import { type PublicViewDeps, presentPublic } from '../payments/public.ts';
import { findPayment } from '../payments/queries.ts';
import type { Payment } from '../payments/types.ts';
import { presentRefund } from '../refunds/present.ts';
import { findRefund } from '../refunds/queries.ts';
import { type PayerMail, receiptMail, refundMail } from './pages/mail-view.ts';
import { wordsOf } from './pages/words.ts';

const UNTOLD: Writing = { kind: 'untold' };

/**
 * Writes mails to payers: what they tell of is read when they are written, in the language that the payer has read.
 * What is not so any more (a reorg took the payout of a refund) is not told.
 */
export const writeMails =
  (deps: PublicViewDeps) =>
  async (trx: Trx, mail: QueuedMail): Promise<Writing> => {
    const payment = await findPayment(trx, { id: mail.paymentId });
    if (!payment || payment.customerEmail === null) return UNTOLD;
    const written = await writeMail(trx, deps, mail, payment);
    if (written === null) return UNTOLD;
    const merchant = await getMerchant(trx, mail.merchantId);
    if (!merchant.sendReceipts) return { kind: 'dropped', reason: 'merchant' };
    return {
      kind: 'letter',
      letter: {
        ...written,
        subject: headerLine(written.subject),
        recipient: payment.customerEmail,
        replyTo: replyToOf(merchant),
        language: languageOf(payment),
      },
    };
  };

async function writeMail(
  trx: Trx,
  deps: PublicViewDeps,
  { refundId }: QueuedMail,
  payment: Payment,
): Promise<PayerMail | null> {
  // The zone of the payer is not known; times say that they are in UTC.
  const words = wordsOf(languageOf(payment), 'UTC');
  const shown = await presentPublic(deps, trx, payment);
  if (refundId === null) return receiptMail(shown, deps.checkoutUrl, words);
  const refund = await findRefund(trx, { id: refundId });
  if (refund?.status !== 'completed') return null;
  return refundMail(shown, presentRefund(refund), deps.checkoutUrl, words);
}

const languageOf = ({ locale }: Payment) => locale ?? 'en';

/** The merchant itself answers, not the platform. */
const replyToOf = ({ supportEmail }: Merchant): string | null =>
  supportEmail !== null && isPlainAddress(supportEmail) ? supportEmail : null;
