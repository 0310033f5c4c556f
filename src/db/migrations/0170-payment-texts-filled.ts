/** Notes the texts of payments that were there before the triggers of 0169. It reads the table and locks nothing. */
export const name = '0170-payment-texts-filled';

export const up = 'select fill_payment_texts();';
