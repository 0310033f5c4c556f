/** What many rows of one statement have to fulfil is checked once a statement, or without calling anything: renewals write thousands of rows. */
export const name = '0029-checks-together';

export const up = `
-- The journals of a statement have to add up when it ends, and its accounts to be there: neither they nor journals ever go away.
drop trigger check_journal on entries;
drop function check_journal;
create function check_entries() returns trigger language plpgsql set search_path = public, pg_temp as $$
declare
  bad text;
begin
  -- Each by its index, in these words: a join could be planned as a walk through the whole table.
  select journal_id into bad from added where (select id from journals where id = journal_id) is null limit 1;
  if bad is not null then
    raise exception 'journal % does not exist', bad using errcode = 'foreign_key_violation';
  end if;
  select account_id into bad from (select distinct account_id from added) as named
   where (select id from ledger_accounts where id = account_id) is null limit 1;
  if bad is not null then
    raise exception 'account % does not exist', bad using errcode = 'foreign_key_violation';
  end if;
  select journal_id into bad from (select distinct journal_id from added) as named cross join lateral (
    select from entries e join ledger_accounts a on a.id = e.account_id where e.journal_id = named.journal_id
     group by a.currency having sum(e.amount) <> 0 or count(*) < 2) as crooked limit 1;
  if bad is not null then
    raise exception 'journal % does not balance', bad using errcode = 'check_violation';
  end if;
  return null;
end $$;
create trigger check_entries after insert on entries referencing new table as added
  for each statement execute function check_entries();
alter table entries drop constraint entries_journal_id_fkey, drop constraint entries_account_id_fkey;
create trigger ledger_accounts_stay before delete on ledger_accounts for each row execute function refuse_change();
create trigger ledger_accounts_keep_id before update of id on ledger_accounts for each row execute function refuse_change();
create trigger ledger_accounts_no_truncate before truncate on ledger_accounts for each statement execute function refuse_change();

-- Nobody but seal_events writes the feed, from events that it has just read, and those never go away.
alter table event_feed drop constraint event_feed_event_id_fkey;

-- Charges are listed by their numbers, and payments of subscriptions found by their charges: nothing reads these.
drop index charges_by_subscription;
drop index payments_by_subscription;

create function refuse_move() returns trigger language plpgsql set search_path = public, pg_temp as $$
begin
  raise exception '% % can not move from % to %', tg_argv[0], old.id, old.status, new.status using errcode = 'check_violation';
end $$;
create function refuse_rewrite() returns trigger language plpgsql set search_path = public, pg_temp as $$
begin
  raise exception '% % can not change %', tg_argv[0], old.id, tg_argv[1] using errcode = 'check_violation';
end $$;

drop trigger payment_moves on payments;
drop function payment_moves;
create trigger payment_moves before update on payments for each row
  when (new.status <> old.status and old.status || '>' || new.status not in (
    'initiated>pending', 'initiated>confirming', 'initiated>paid', 'initiated>expired',
    'pending>confirming', 'pending>paid', 'pending>expired',
    'confirming>paid', 'confirming>pending', 'confirming>failed',
    'expired>confirming', 'expired>paid'))
  execute function refuse_move('payment');
create trigger payment_asks before update on payments for each row
  when ((new.merchant_id, new.amount_minor, new.currency, new.amount_micro)
    is distinct from (old.merchant_id, old.amount_minor, old.currency, old.amount_micro))
  execute function refuse_rewrite('payment', 'what it asks');

drop trigger subscription_moves on subscriptions;
drop function subscription_moves;
create trigger subscription_moves before update on subscriptions for each row
  when (new.status <> old.status and old.status || '>' || new.status not in (
    'trialing>active', 'trialing>past_due', 'trialing>cancelled', 'active>past_due', 'active>cancelled',
    'past_due>active', 'past_due>cancelled', 'cancelled>expired'))
  execute function refuse_move('subscription');
create trigger subscription_agreed before update on subscriptions for each row
  when ((new.id, new.merchant_id, new.plan_id, new.wallet, new.amount_minor, new.currency, new.interval, new.token, new.network,
      new.created_at)
    is distinct from (old.id, old.merchant_id, old.plan_id, old.wallet, old.amount_minor, old.currency, old.interval, old.token,
      old.network, old.created_at))
  execute function refuse_rewrite('subscription', 'what was agreed');
create trigger subscription_goes_on before update on subscriptions for each row
  when (new.next_number < old.next_number or new.period_number < old.period_number)
  execute function refuse_rewrite('subscription', 'to an earlier period');

drop trigger charge_moves on charges;
drop function charge_moves;
create trigger charge_moves before update on charges for each row
  when (new.status <> old.status and old.status || '>' || new.status not in (
    'due>sending', 'due>failed', 'due>void', 'due>confirming', 'due>succeeded', 'sending>due', 'sending>failed', 'sending>void',
    'sending>confirming', 'sending>succeeded', 'confirming>succeeded', 'confirming>due', 'confirming>void', 'failed>due',
    'failed>void', 'failed>confirming', 'failed>succeeded', 'void>due', 'void>confirming', 'void>succeeded'))
  execute function refuse_move('charge');
create trigger charge_asks before update on charges for each row
  when ((new.subscription_id, new.number, new.merchant_id, new.amount_minor, new.currency)
    is distinct from (old.subscription_id, old.number, old.merchant_id, old.amount_minor, old.currency))
  execute function refuse_rewrite('charge', 'what it asks');
`;
