/** What happens to the payment of one order of 25 dollars, in the order in which its shop hears of it. */
export type Happening = keyof typeof SEQUENCES | keyof typeof REFUNDS | 'second completed';

/** The events of the payment, by their place in its history. */
const SEQUENCES = { completed: 4, reversed: 5, restored: 6, 'reversed again': 7 } as const;

/** The events of its two refunds: which, of how much, by their place in the history of each. */
const REFUNDS = {
  'part back': { which: 'part', amount: 10.5, status: 'completed', sequence: 4 },
  'part reverted': { which: 'part', amount: 10.5, status: 'processing', sequence: 5 },
  'part failed': { which: 'part', amount: 10.5, status: 'failed', sequence: 6 },
  'all back': { which: 'all', amount: 25, status: 'completed', sequence: 4 },
  'all reverted': { which: 'all', amount: 25, status: 'processing', sequence: 5 },
  'all back again': { which: 'all', amount: 25, status: 'completed', sequence: 6 },
  'all failed': { which: 'all', amount: 25, status: 'failed', sequence: 6 },
} as const;

const TYPES = { completed: 'refund.completed', processing: 'refund.reverted', failed: 'refund.failed' } as const;

/** How an order ends after what its shop hears of, in turn. */
export const IN_TURN: readonly (readonly [status: string, ...Happening[]])[] = [
  ['paid', 'completed'],
  ['held', 'completed', 'reversed'],
  ['held', 'reversed', 'completed'],
  ['paid', 'completed', 'reversed', 'restored'],
  ['paid', 'restored', 'completed', 'reversed'],
  ['held', 'completed', 'reversed', 'restored', 'reversed again'],
  ['held', 'reversed again', 'completed', 'restored'],
  ['held', 'completed', 'part back', 'reversed'],
  ['held', 'completed', 'reversed', 'second completed'],
  ['partly_refunded', 'completed', 'part back', 'reversed', 'restored'],
  ['partly_refunded', 'part back', 'restored', 'reversed', 'completed'],
  ['refunded', 'completed', 'reversed', 'all back', 'restored'],
  ['refunding', 'completed', 'all back', 'all reverted'],
  ['refunding', 'completed', 'all reverted', 'all back'],
  ['refunding', 'all reverted', 'all back', 'completed'],
  ['refunding', 'completed', 'all back', 'reversed', 'all reverted', 'restored'],
  ['held', 'completed', 'all back', 'all reverted', 'reversed'],
  ['refunded', 'completed', 'all back', 'all reverted', 'all back again'],
  ['refunded', 'completed', 'all back', 'all back again', 'all reverted'],
  ['paid', 'completed', 'all back', 'all reverted', 'all failed'],
  ['paid', 'completed', 'all failed', 'all reverted', 'all back'],
  ['paid', 'completed', 'part back', 'part reverted'],
  ['paid', 'completed', 'part back', 'part failed', 'part reverted'],
  ['partly_refunded', 'completed', 'part back', 'all failed'],
];

export type Told = { readonly id: string; readonly type: string; readonly sequence: number; readonly data: object };

/** What the shop tells its owner of refunds of one row: which did not arrive, each step once. */
export const toldOfRefunds = (row: number): string[] => {
  const heard = { part: 0, all: 0 };
  return (IN_TURN[row] ?? []).slice(1).flatMap((happening) => {
    const refund = refundOf(happening as Happening);
    if (!refund || refund.sequence < heard[refund.which]) return [];
    heard[refund.which] = refund.sequence;
    if (refund.status === 'completed') return [];
    return [`Refund rfd_${row}_${refund.which} of pay_${row} did not arrive: ${refund.status}.`];
  });
};

const refundOf = (happening: Happening) =>
  happening in REFUNDS ? REFUNDS[happening as keyof typeof REFUNDS] : undefined;

/** The events of one row, about a payment and refunds of its own. */
export const happeningsOf = (row: number, happenings: readonly Happening[]): Told[] =>
  happenings.map((happening, place) => {
    const id = `evt_${row}_${place}`;
    const payment = { id: `pay_${row}`, amount: 25, currency: 'USD', amountReceived: 25, metadata: {} };
    const refund = refundOf(happening);
    if (refund) {
      const { which, amount, status, sequence } = refund;
      const data = { id: `rfd_${row}_${which}`, paymentId: `pay_${row}`, currency: 'USD', amount, status };
      return { id, type: TYPES[status], sequence, data };
    }
    if (happening === 'second completed') {
      return { id, type: 'payment.completed', sequence: 4, data: { ...payment, id: `pay_${row}_2` } };
    }
    const [type = ''] = happening.split(' ');
    const received = type === 'reversed' ? { amountReceived: 0 } : {};
    const sequence = SEQUENCES[happening as keyof typeof SEQUENCES];
    return { id, type: `payment.${type}`, sequence, data: { ...payment, ...received } };
  });
