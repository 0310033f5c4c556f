import { AppError } from '../../lib/errors.ts';

const EMAIL_MAX = 254;
/** As strict as a browser's own e-mail field; only a message could prove that the address exists. */
const EMAIL_PATTERN = /^[^\s@<>"]+@[^\s@<>".]+(\.[^\s@<>".]+)+$/;

/** Whether a text looks like an e-mail address. */
export const isEmail = (text: string): boolean => text.length <= EMAIL_MAX && EMAIL_PATTERN.test(text);

/** Whether an operation refused what stands in this field of a form. */
export const isAbout = (error: unknown, field: string): boolean =>
  error instanceof AppError &&
  error.code === 'VALIDATION_ERROR' &&
  error.fields?.some(({ path }) => path.endsWith(field)) === true;

/** What is wrong with a proof that a form brought; null where something else is. */
export function proofFault(error: unknown): 'plan.changed' | 'proof.over' | 'proof.wrong' | null {
  if (isAbout(error, 'signature')) return 'proof.wrong';
  if (isAbout(error, 'challengeId')) return 'proof.over';
  if (!(error instanceof AppError)) return null;
  if (error.reason === 'challenge_over') return 'proof.over';
  return error.reason === 'plan_changed' ? 'plan.changed' : null;
}
