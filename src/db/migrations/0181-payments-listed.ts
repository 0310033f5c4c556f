/** `payments_filtered` (0180) has its order and its columns, so code of before reads that. */
export const name = '0181-payments-listed';

export const dropped = ['payments_listed'];
