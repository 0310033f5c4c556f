/**
 * What the chain has charged by a former mandate in all, which can't change any more once its revocation is confirmed.
 * It was asked anew for each charge that followed.
 */
export const name = '0309-settled-mandates';

export const up = `
alter table mandates
  -- The newest number that was charged by it; 0: none.
  add column settled_number bigint,
  -- The block of its revocation, by which that counts: only while the block is canonical.
  add column settled_in text,
  add constraint mandate_settled check ((settled_number is null) = (settled_in is null)) not valid;
`;
