/** Since when a reorg has money of a payment that was available, so that its merchant hears when it is back. */
export const name = '0199-payments-reversed';

export const up = `
alter table payments add column reversed_at timestamptz;

update payments p set reversed_at = i.opened_at
from incidents i
where i.kind = 'payment.reversed' and i.resolved_at is null and i.subject = p.id
  and p.booked_available < p.settled_micro + p.settled_wrong_micro;
`;
