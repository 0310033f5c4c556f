/** Validates the check that 0081 loosened: existing rows are read without a lock that others would wait for. */
export const name = '0082-returns-validated';

export const up = `alter table payments validate constraint payments_booked_available_check;`;
