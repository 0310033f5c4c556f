/** An index of the credits to apply by their payments, so that those with thousands are passed over in one step. */
export const name = '0184-due-by-payment';

export const indexes = {
  credits_due_by_payment: 'credits (payment_id) where applied_at is null and parked_at is null',
};
