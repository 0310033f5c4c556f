/** Waits for writers that saw no text of a payment which they forgot, because 0170 had not committed it yet. */
export const name = '0171-payment-texts-awaited';

export const up = 'lock table payment_texts in share row exclusive mode;';
