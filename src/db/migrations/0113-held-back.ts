/** When a signed mandate that is held back is looked at again; null: it never was held back. */
export const name = '0113-held-back';

export const up = `
alter table mandates add column relay_look_at timestamptz;
`;
