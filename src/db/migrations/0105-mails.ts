/** Mails on their way, and which of them payers get: the merchant's choice and the payer's language. */
export const name = '0105-mails';

export const up = `
create table mails (
  id text primary key,
  -- What it tells of, such as 'receipt:pay_…': it is told once.
  effect text not null unique check (length(effect) between 1 and 120),
  kind text not null check (kind in ('receipt', 'refund')),
  merchant_id text not null references merchants (id),
  payment_id text not null references payments (id) on delete cascade,
  -- Of a refund.
  refund_id text references refunds (id),
  -- 'queued': not written yet. 'pending': written, and on its way. 'dropped': not sent, for a reason.
  status text not null default 'queued' check (status in ('queued', 'pending', 'sent', 'failed', 'dropped')),
  -- Its address and the words of it; cleared some days after the end.
  recipient text,
  -- The address as the limit a day counts it.
  recipient_key text,
  subject text,
  text_body text,
  html_body text,
  reply_to text,
  language text,
  -- When it is due; null once it is over.
  next_attempt_at timestamptz,
  attempts integer not null default 0 check (attempts >= 0),
  locked_by text,
  locked_until timestamptz,
  -- What went wrong last, or why it was dropped.
  failure text,
  created_at timestamptz not null,
  written_at timestamptz,
  finished_at timestamptz,
  cleared_at timestamptz,
  constraint mail_due_until_its_end check ((status in ('queued', 'pending')) = (next_attempt_at is not null)),
  constraint mail_over_at_a_time check ((status in ('sent', 'failed', 'dropped')) = (finished_at is not null)),
  constraint mail_of_a_refund check ((kind = 'refund') = (refund_id is not null)),
  constraint mail_leased_while_pending check (locked_by is null or status = 'pending'),
  constraint mail_lease_has_an_end check ((locked_by is null) = (locked_until is null)),
  constraint mail_cleared_after_its_end check (cleared_at is null or finished_at is not null),
  constraint mail_written_before_it_is_sent check (
    status not in ('pending', 'sent') or cleared_at is not null
    or (num_nulls(recipient, recipient_key, subject, text_body, html_body, language, written_at) = 0)),
  constraint mail_cleared_is_empty check (
    cleared_at is null or num_nonnulls(recipient, recipient_key, subject, text_body, html_body, reply_to) = 0)
);
create index mails_due on mails (next_attempt_at, id) where next_attempt_at is not null;
create index mails_of_payment on mails (payment_id);
create index mails_of_merchant on mails (merchant_id, written_at) where written_at is not null;
create index mails_to_recipient on mails (recipient_key, written_at) where recipient_key is not null;
create index mails_to_clear on mails (finished_at) where finished_at is not null and cleared_at is null;

-- A mail that is over stays over.
create function check_mail_move() returns trigger language plpgsql set search_path = public, pg_temp as $$
begin
  if (old.status, new.status) not in (('queued', 'queued'), ('queued', 'pending'), ('queued', 'dropped'),
      ('queued', 'failed'), ('pending', 'pending'), ('pending', 'sent'), ('pending', 'failed'),
      ('sent', 'sent'), ('failed', 'failed'), ('dropped', 'dropped')) then
    raise exception 'mail % can not go from % to %', old.id, old.status, new.status
      using errcode = 'integrity_constraint_violation';
  end if;
  return new;
end $$;
create trigger mail_moves before update on mails for each row execute function check_mail_move();

-- How the mail server is: one row.
create table mail_server (
  one boolean primary key default true check (one),
  -- Since when it has taken nothing; null while it does.
  failing_since timestamptz,
  failures integer not null default 0 check (failures >= 0),
  next_try_at timestamptz,
  failure text,
  constraint mail_server_tried_again check ((failing_since is null) = (next_try_at is null))
);
insert into mail_server default values;

alter table merchants add column send_receipts boolean not null default true;
alter table payments add column locale text;
alter table payments add constraint payments_locale check (locale ~ '^[a-z]{2}$') not valid;
`;
