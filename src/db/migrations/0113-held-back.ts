/** What is held back: mandates that are not worth their relay yet, and mails that their server may have refused for good. */
export const name = '0113-held-back';

export const up = `
-- When a signed mandate that is held back is looked at again; null: it never was held back.
alter table mandates add column relay_look_at timestamptz;
-- How often an attempt ended in what may be the server's own trouble.
alter table mails add column troubles integer not null default 0;
`;
