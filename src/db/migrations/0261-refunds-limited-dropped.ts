/** `refunds_limited_sum` (0260) has its order, and code of before can read that. */
export const name = '0261-refunds-limited-dropped';

export const dropped = ['refunds_limited'];
