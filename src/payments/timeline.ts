import type { components } from '../../generated/api.ts';
import type { Db } from '../lib/db-types.ts';
import { formatUnits } from '../lib/money.ts';
import type { PaymentEvent, PaymentStatus } from './types.ts';

export type TimelineEntry = components['schemas']['PaymentTimelineEntry'];
type Snapshot = components['schemas']['Payment'];

const ENTRIES_MAX = 200;

/** Each event in plain words for the merchant. */
const TEXTS: Record<PaymentEvent, (payment: Snapshot) => string> = {
  'payment.created': (payment) =>
    payment.currency === 'USD'
      ? `${payment.amount} USD was asked.`
      : `${payment.amount} ${payment.currency} was asked, which is ${payment.cryptoAmount} USD.`,
  'payment.pending': (payment) =>
    payment.amountReceived > 0
      ? `A part has arrived: ${payment.amountReceived} ${payment.currency}. ${payment.amountDue} ${payment.currency} is missing.`
      : `The payer chose ${payment.token} on ${payment.network}.`,
  'payment.confirming': (payment) =>
    `Enough has arrived${payment.exception === 'late' ? ', after the deadline' : ''}; ${payment.confirmations.required} confirmations are awaited.`,
  'payment.completed': (payment) =>
    payment.exception === 'overpaid'
      ? 'The payment is confirmed and credited. More arrived than was asked: the surplus waits for your decision.'
      : 'The payment is confirmed and credited to your balance.',
  'payment.failed': () => 'The transfer was not confirmed within 24 hours.',
  'payment.expired': (payment) => {
    if (payment.reason === 'cancelled') return 'You cancelled the payment.';
    return payment.exception === 'underpaid'
      ? `The deadline passed with ${payment.amountDue} ${payment.currency} missing. What arrived waits for your decision.`
      : 'The deadline passed and nothing had arrived.';
  },
  'payment.exception': (payment) => `${astrayText(payment)} It waits for your decision.`,
  'payment.reverted': () =>
    'What had been seen is gone from the chain or its pool; the payer has at least another hour.',
  'payment.reversed': () =>
    'The chain was reorganised deeper than we waited for: the credit was taken back from your balance.',
  'payment.restored': () => 'The chain has confirmed the transfer again: what was taken back is in your balance.',
};

/** What went astray. Events of earlier releases do not say what it was. */
function astrayText(payment: Snapshot): string {
  const isWrong = payment.exception === 'wrong_token';
  const astray = payment.transactions.find((each) => isUnasked(each) === isWrong && each.astray);
  if (!astray) {
    return isWrong
      ? 'A token arrived that this payment does not accept. It is not counted.'
      : 'Money arrived that this payment no longer waits for.';
  }
  const arrived = `${plain(astray.amount)} ${astray.token} arrived on ${astray.network}`;
  if (astray.astray === 'again') return `${arrived} after enough had come.`;
  if (astray.astray === 'closed') return `${arrived} for this payment, which is over.`;
  const same = payment.options.filter((option) => astray.astray === 'token' || option.token === astray.token);
  const asked = new Set(same.map((option) => `${option.token} on ${option.network}`));
  return `${arrived}; this payment takes ${[...asked].join(', ')}. It is not counted.`;
}

/** `25.000000` → `25` */
const plain = (amount: string): string => (amount.includes('.') ? amount.replace(/\.?0+$/, '') : amount);

const isUnasked = ({ astray }: Snapshot['transactions'][number]): boolean => astray === 'network' || astray === 'token';

/** The events and transfers of a payment, and the `others` that belong among them, oldest first. */
export async function readTimeline(
  db: Db,
  paymentId: string,
  others: readonly TimelineEntry[],
): Promise<TimelineEntry[]> {
  const [events, credits] = await Promise.all([
    db
      .selectFrom('events')
      .select(['type', 'body', 'created_at'])
      .where('resource_id', '=', paymentId)
      // Bodies from before the payment was pruned and came back are gone.
      .where((eb) => eb(eb.fn<number>('length', ['body']), '>', 0))
      .orderBy('sequence')
      .limit(ENTRIES_MAX)
      .execute(),
    db
      .selectFrom('credits')
      .selectAll()
      .where('payment_id', '=', paymentId)
      .orderBy('seen_at')
      .orderBy('id')
      .limit(ENTRIES_MAX)
      .execute(),
  ]);
  const moves = events.map((event): TimelineEntry => {
    const { data } = JSON.parse(event.body.toString('utf8')) as { data: Snapshot };
    return {
      at: event.created_at.toISOString(),
      type: event.type,
      text: TEXTS[event.type as PaymentEvent](data),
      status: data.status as PaymentStatus,
      txHash: data.txHash,
    };
  });
  const transfers = credits.flatMap((credit): TimelineEntry[] => {
    const amount = `${formatUnits(credit.amount_units, credit.decimals)} ${credit.token}`;
    const step = { status: null, txHash: credit.tx_hash };
    const seen = {
      ...step,
      at: credit.seen_at.toISOString(),
      type: 'transfer.seen',
      text: `${amount} was seen on ${credit.network}.`,
    };
    if (credit.gone_because !== null && credit.applied_at !== null)
      return [
        seen,
        { ...step, at: credit.applied_at.toISOString(), type: 'transfer.gone', text: goneText(amount, credit) },
      ];
    if (!credit.confirmed_at) return [seen];
    const text = `The transfer of ${amount} is confirmed.`;
    return [seen, { ...step, at: credit.confirmed_at.toISOString(), type: 'transfer.confirmed', text }];
  });
  // The sort is stable: a transfer stays before the move that it caused, which has the same time.
  return [...transfers, ...moves, ...others].sort((a, b) => a.at.localeCompare(b.at));
}

const goneText = (amount: string, { replaced_by: by }: { readonly replaced_by: string | null }): string =>
  by === null
    ? `The transfer of ${amount} is gone from the pool and does not count.`
    : `The transfer of ${amount} was replaced by ${by} and does not count.`;
