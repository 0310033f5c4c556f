import type { components } from '../../generated/api.ts';
import type { Db, Trx } from '../lib/db-types.ts';
import { presentRefund } from './present.ts';
import { listNewestOfPayment } from './queries.ts';
import type { RefundEvent } from './refund.ts';

type Schemas = components['schemas'];

const SHOWN = 20;
const STEPS_MAX = 200;

/** The newest refunds of a payment, as its merchant sees them. */
export async function listForPayment(db: Db | Trx, paymentId: string): Promise<Schemas['Refund'][]> {
  return (await listNewestOfPayment(db, paymentId, SHOWN)).map(presentRefund);
}

/** Each step in plain words for the merchant. */
const TEXTS: Record<RefundEvent, (refund: Schemas['Refund']) => string> = {
  'refund.created': (refund) =>
    `You give ${refund.amount} ${refund.currency} back, as ${refund.tokenAmount} ${refund.token}: ${refund.reason}`,
  'refund.pending': (refund) => `The refund goes to ${refund.destinationAddress}.`,
  'refund.processing': () => 'The refund is being paid.',
  'refund.completed': (refund) => `The refund of ${refund.tokenAmount} ${refund.token} is paid.`,
  'refund.cancelled': () => 'You took the refund back.',
  'refund.failed': (refund) => `The refund failed: ${refund.statusMessage}`,
  'refund.reverted': () => 'The chain took the payout of the refund back; it is paid anew.',
};

/** What happened to the refunds of a payment, for its timeline. */
export async function readStory(db: Db, paymentId: string): Promise<Schemas['PaymentTimelineEntry'][]> {
  const rows = await db
    .selectFrom('refunds')
    .innerJoin('events', 'events.resource_id', 'refunds.id')
    .select(['events.type', 'events.body', 'events.created_at'])
    .where('refunds.payment_id', '=', paymentId)
    .orderBy('events.created_at')
    .orderBy('events.sequence')
    .limit(STEPS_MAX)
    .execute();
  return rows.map(({ type, body, created_at: at }) => {
    const { data } = JSON.parse(body.toString('utf8')) as { data: Schemas['Refund'] };
    return { at: at.toISOString(), type, text: TEXTS[type as RefundEvent](data), status: null, txHash: data.txHash };
  });
}
