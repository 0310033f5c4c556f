import { AppError } from '../lib/errors.ts';
import type { RequireSecondFactor } from '../ports/security.ts';

/** Refuses whoever has a second factor. */
export const requireNoSecondFactor: RequireSecondFactor = async (trx, { id }) => {
  const row = await trx.selectFrom('merchants').select('two_factor_enabled').where('id', '=', id).executeTakeFirst();
  if (!row?.two_factor_enabled) return {};
  throw new AppError('UNAUTHORIZED', 'Two-factor authentication is on. Send a code as otp.', {
    reason: 'otp_required',
  });
};
