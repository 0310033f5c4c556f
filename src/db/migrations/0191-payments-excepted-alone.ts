/**
 * `payments_excepted` (0183) has its rows and its order, and says which exception. With both there, PostgreSQL may take the
 * smaller one, and read the rows to know.
 */
export const name = '0191-payments-excepted-alone';

export const dropped = ['payments_with_exception'];
