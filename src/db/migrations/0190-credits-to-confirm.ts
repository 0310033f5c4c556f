/** An index of the credits to confirm without those that are still to be applied, of which anybody can send thousands. */
export const name = '0190-credits-to-confirm';

export const indexes = {
  credits_to_confirm: `credits (network, block_number)
    where canonical and confirmed_at is null and applied_at is not null`,
};
