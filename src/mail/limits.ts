import { after, DAY_MS } from '../lib/clock.ts';
import type { Trx } from '../lib/db-types.ts';
import type { DropReason, QueuedMail } from './mail.ts';
import { countWritten } from './queries.ts';

/** Mails of one payment: its receipt and a few refunds. */
const PER_PAYMENT = 5;
/** Mails to one address in 24 hours, of all merchants: anybody may type anybody's address into a link. */
const PER_RECIPIENT = 10;
/** Mails of one merchant in 24 hours. */
const PER_MERCHANT = 2000;

/** The limit that a mail would break; null: it may go. */
export async function findLimit(trx: Trx, mail: QueuedMail, recipient: string, now: Date): Promise<DropReason | null> {
  const written = await countWritten(trx, mail, recipient, after(now, -DAY_MS));
  if (written.payment >= PER_PAYMENT) return 'limit_payment';
  if (written.recipient >= PER_RECIPIENT) return 'limit_recipient';
  return written.merchant >= PER_MERCHANT ? 'limit_merchant' : null;
}
