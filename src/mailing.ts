import type { components } from '../generated/api.ts';
import type { EventDraft, Events } from './events/record.ts';
import type { MailDraft } from './mail/mail.ts';
import { enqueueMails } from './mail/queries.ts';

type Schemas = components['schemas'];

/** The mail that an event asks for; none for most. */
function mailOf({ type, merchantId, data }: EventDraft): readonly MailDraft[] {
  if (type === 'payment.completed') {
    const { id: paymentId, customerEmail } = data as Schemas['Payment'];
    return customerEmail === null ? [] : [{ kind: 'receipt', merchantId, paymentId, refundId: null }];
  }
  if (type === 'refund.completed') {
    const { id: refundId, paymentId } = data as Schemas['Refund'];
    return [{ kind: 'refund', merchantId, paymentId, refundId }];
  }
  return [];
}

/**
 * Events that queue the mails that they ask for, in their transaction. Whatever path completes a payment or a refund
 * announces it, so no path can forget the mail. Events that were only recorded (test calls) ask for none.
 */
export const withMails = (events: Events): Events => ({
  ...events,
  record: async (trx, draft, now) => {
    const id = await events.record(trx, draft, now);
    await enqueueMails(trx, mailOf(draft), now);
    return id;
  },
  recordMany: async (trx, drafts, now) => {
    await events.recordMany(trx, drafts, now);
    await enqueueMails(trx, drafts.flatMap(mailOf), now);
  },
});
