/** An index of exceptions that says which, so that those of one kind are passed over in it. */
export const name = '0183-payments-excepted';

export const indexes = {
  // Has the rows of `payments_with_exception` (0086), which code of before reads.
  payments_excepted: `payments (merchant_id, created_at desc, id desc) include (exception)
    where exception is not null`,
};
