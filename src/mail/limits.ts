import { after, DAY_MS } from '../lib/clock.ts';
import type { Trx } from '../lib/db-types.ts';
import type { DropReason, QueuedMail } from './mail.ts';
import { readWritten } from './queries.ts';

/** Mails of one payment: its receipt and a few refunds. */
const PER_PAYMENT = 5;
/** Mails of one merchant to one address in 24 hours. */
const PER_PAIR = 3;
/** Mails to one address in 24 hours, of all merchants: anybody may type anybody's address into a link. */
const PER_RECIPIENT = 10;
/** Mails of one merchant in 24 hours. */
const PER_MERCHANT = 2000;

/**
 * The limit that a mail would break; null: it may go. What breaks one of its address only waits: else whoever pays a
 * little in the name of somebody else, at the same merchant or at several, could suppress that person's receipts.
 */
export async function findLimit(trx: Trx, mail: QueuedMail, recipient: string, now: Date): Promise<Limit | null> {
  const most = { pair: PER_PAIR, recipient: PER_RECIPIENT };
  const written = await readWritten(trx, mail, { recipient, most, since: after(now, -DAY_MS) });
  if (written.payment >= PER_PAYMENT) return { kind: 'drop', reason: 'limit_payment' };
  if (written.merchant >= PER_MERCHANT) return { kind: 'drop', reason: 'limit_merchant' };
  const full = [written.pairFullSince, written.recipientFullSince].filter((since) => since !== null);
  if (full.length === 0) return null;
  return { kind: 'wait', until: after(new Date(Math.max(...full.map((since) => since.getTime()))), DAY_MS) };
}

/** What a limit makes of a mail. A mail that waits is due before what comes later, which so never overtakes it. */
type Limit = { readonly kind: 'drop'; readonly reason: DropReason } | { readonly kind: 'wait'; readonly until: Date };
