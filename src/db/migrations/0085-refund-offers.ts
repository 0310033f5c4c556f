/** Refunds that a payment's page offers by its merchant's rules, and whether a payer took one from there. */
export const name = '0085-refund-offers';

export const up = `
alter table merchants
  add column refund_offers text[] not null default '{}'
    check (refund_offers <@ array['underpaid', 'overpaid', 'late', 'wrong_token']),
  add column refund_offer_minimum_cents bigint not null default 100 check (refund_offer_minimum_cents >= 0);

alter table refunds add column offered boolean not null default false;
-- An offer that is taken twice is one refund.
create unique index refunds_offered_once on refunds (payment_id) where offered and status = 'awaiting_claim';
`;
