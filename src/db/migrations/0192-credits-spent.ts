/** An index of the credited outputs that count as spent, by when that was noted: a reorg may bring them back. */
export const name = '0192-credits-spent';

export const indexes = {
  credits_spent: `credits (network, swept_at, id)
    where canonical and swept_at is not null and spends is not null`,
};
