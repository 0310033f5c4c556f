/** What a rescan did not get from every endpoint, for the run that goes on after one that was killed. */
export const name = '0262-rescans-unread';

export const up = `
-- [{"endpoint", "from", "to", "trouble"}, ...]
alter table rescans add column unread jsonb not null default '[]';
`;
