/** What happens to the payment of one order of 25 dollars, in the order in which its shop hears of it. */
export type Happening = keyof typeof SEQUENCES | 'part back' | 'all back' | 'second completed';

/** The events of the payment, by their place in its history. */
const SEQUENCES = { completed: 4, reversed: 5, restored: 6, 'reversed again': 7 } as const;

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
];

export type Told = { readonly id: string; readonly type: string; readonly sequence: number; readonly data: object };

/** The events of one row, about payments of its own. */
export const happeningsOf = (row: number, happenings: readonly Happening[]): Told[] =>
  happenings.map((happening, place) => {
    const id = `evt_${row}_${place}`;
    const payment = { id: `pay_${row}`, amount: 25, currency: 'USD', amountReceived: 25, metadata: {} };
    const refund = { id: `rfd_${row}_${place}`, paymentId: `pay_${row}`, currency: 'USD' };
    switch (happening) {
      case 'second completed':
        return { id, type: 'payment.completed', sequence: 4, data: { ...payment, id: `pay_${row}_2` } };
      case 'part back':
        return { id, type: 'refund.completed', sequence: 3, data: { ...refund, amount: 10.5 } };
      case 'all back':
        return { id, type: 'refund.completed', sequence: 3, data: { ...refund, amount: 25 } };
      default: {
        const [type = ''] = happening.split(' ');
        const received = type === 'reversed' ? { amountReceived: 0 } : {};
        return { id, type: `payment.${type}`, sequence: SEQUENCES[happening], data: { ...payment, ...received } };
      }
    }
  });
