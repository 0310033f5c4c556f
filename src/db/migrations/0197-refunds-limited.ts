/** When a refund last counted towards the most that a merchant gives back within a day; null: not. */
export const name = '0197-refunds-limited';

export const up = `
alter table refunds add column limited_at timestamptz;
`;
