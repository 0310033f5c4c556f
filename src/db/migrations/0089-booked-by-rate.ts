/**
 * A coin is booked by a rate. Without one it was booked as nothing: the release before values no coin that its payment
 * never asked for, and may run beside this one. Rows from before are not read again, for none of them can be mended here.
 */
export const name = '0089-booked-by-rate';

export const up = `
alter table credits
  add constraint credits_booked_by_rate
    check (booked_micro is null or rate is not null or token in ('USDT', 'USDC')) not valid;
`;
