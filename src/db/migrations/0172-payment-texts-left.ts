/** Forgets the texts of payments that went away while 0170 read them; 0171 saw to it that their writers have ended. */
export const name = '0172-payment-texts-left';

export const up = `
delete from payment_texts t using pruned_payments p
 where p.revived_at is null and t.payment_id = p.payment_id
   and not exists (select from payments where id = t.payment_id);
analyze payment_texts;
`;
