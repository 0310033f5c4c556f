/** Mails to administrators about incidents: they are of no payment and no merchant. */
export const name = '0150-incident-mails';

export const up = `
alter table mails alter column merchant_id drop not null, alter column payment_id drop not null;
alter table mails drop constraint mails_kind_check;
alter table mails add constraint mails_kind_check
  check (kind in ('receipt', 'refund', 'incidents', 'digest')) not valid;
alter table mails add constraint mail_of_a_payment
  check ((kind in ('receipt', 'refund')) = (num_nulls(merchant_id, payment_id) = 0)) not valid;

-- When a mail told of it; null: none did, or need not.
alter table incidents add column mailed_at timestamptz;
`;
