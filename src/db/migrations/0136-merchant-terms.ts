/** Writes the terms of the merchants that were there before the trigger of 0132. By itself: it locks their rows. */
export const name = '0136-merchant-terms';

export const up = `
update merchants set terms = merchant_terms(id, business_name, email, phone) where terms is null;
`;
