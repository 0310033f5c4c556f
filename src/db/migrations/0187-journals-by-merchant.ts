/** An index of the journals of a merchant in the order of its statements. */
export const name = '0187-journals-by-merchant';

export const indexes = {
  journals_by_merchant: 'journals (merchant_id, created_at, id)',
};
