/** A charge that a reorg took back after it had succeeded is due again, and a confirmed transaction is looked at again. */
export const name = '0032-reversed-charges';

export const up = `
alter table subscriptions add column recharge integer constraint subscription_recharge check (recharge > 0 and recharge < next_number);
alter table charges add column reversed_at timestamptz;

drop trigger charge_moves on charges;
create trigger charge_moves before update on charges for each row
  when (new.status <> old.status and old.status || '>' || new.status not in (
    'due>sending', 'due>failed', 'due>void', 'due>confirming', 'due>succeeded', 'sending>due', 'sending>failed', 'sending>void',
    'sending>confirming', 'sending>succeeded', 'confirming>succeeded', 'confirming>due', 'confirming>void', 'failed>due',
    'failed>void', 'failed>confirming', 'failed>succeeded', 'void>due', 'void>confirming', 'void>succeeded')
    and not (old.status = 'succeeded' and new.status in ('due', 'void') and new.reversed_at is not null))
  execute function refuse_move('charge');

-- Only the newest are compared with the blocks that were scanned at their heights.
create index operator_transactions_confirmed on operator_transactions (network, block_number) where status = 'confirmed';
`;
