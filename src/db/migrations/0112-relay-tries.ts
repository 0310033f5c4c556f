/** When what can't be sent yet is looked at again, so that it stands in nobody's way; and what one can cost. */
export const name = '0112-relay-tries';

export const up = `
-- Null: at once. Processes of the release before leave it alone and try everything each time.
alter table relays
  add column next_try_at timestamptz,
  -- The limit of the transaction that carries it; null of what processes of the release before have sent.
  add column gas bigint check (gas > 0);
`;
