import { isFiat } from '../../lib/money.ts';
import { type CustomField, faultOf } from '../../payment-links/custom-fields.ts';
import type { PageCall } from '../../ports/page.ts';
import type { PublicLink } from './context.ts';
import { isEmail } from './forms.ts';

const AMOUNT_PATTERN = /^\d{1,7}([.,]\d{1,2})?$/;
const NUMBER_PATTERN = /^[+-]?\d{1,16}$/;

/** What a payer has filled in, as they wrote it: answers by the key of their question. */
export type Written = {
  readonly email: string;
  readonly amount: string;
  readonly answers: Readonly<Record<string, string>>;
};

/** What is wrong with it. */
export type Faults = {
  readonly email: boolean;
  readonly amount: boolean;
  readonly answers: Readonly<Record<string, 'missing' | 'wrong'>>;
};

export const NO_FAULTS: Faults = { email: false, amount: false, answers: {} };

/** The name of a question's field in the form. */
export const nameOf = (key: string): string => `field.${key}`;

/** The form as a payer first sees it. */
export const unwritten = ({ amount }: PublicLink): Written => ({ email: '', amount: amount.toFixed(2), answers: {} });

/** What a form that was sent says. A choice is taken as it is, because it was not written. */
export function readForm({ customFields }: PublicLink, form: PageCall['form']): Written {
  const text = (name: string): string => (form[name] ?? '').trim();
  const answers = customFields.map(({ key, kind }) => [
    key,
    kind === 'choice' ? (form[nameOf(key)] ?? '') : text(nameOf(key)),
  ]);
  return { email: text('customerEmail'), amount: text('amount'), answers: Object.fromEntries(answers) };
}

/** The faults that a payer can mend. Others, such as an amount outside the bounds, the operation finds. */
export const findFaults = ({ payerAmount, customFields }: PublicLink, { email, amount, answers }: Written): Faults => ({
  email: email !== '' && !isEmail(email),
  // A payer who emptied the field did not choose the suggested amount.
  amount: amount === '' ? payerAmount !== null : !isAmount(amount),
  answers: Object.fromEntries(
    customFields.flatMap((field) => {
      const fault = faultOf(field, answerOf(field, answers[field.key]));
      return fault === null ? [] : [[field.key, fault]];
    }),
  ),
});

/** Whether anything is wrong. */
export const isFaulty = ({ email, amount, answers }: Faults): boolean =>
  email || amount || Object.keys(answers).length > 0;

/** What the operation gets: dollars, and the answers that were given. */
export function toRequest({ customFields }: PublicLink, { email, amount, answers }: Written) {
  const given = customFields.flatMap((field) => {
    const answer = answerOf(field, answers[field.key]);
    return answer === undefined ? [] : [[field.key, answer] as const];
  });
  return {
    amount: amount === '' ? null : amountOf(amount),
    customerEmail: email || null,
    answers: Object.fromEntries(given),
  };
}

/** An answer as the operation takes it. What is no number stays text, and is refused. */
function answerOf({ kind }: CustomField, written = ''): string | number | undefined {
  if (written === '') return undefined;
  return kind === 'number' && NUMBER_PATTERN.test(written) ? Number(written) : written;
}

/** A written amount in dollars; a comma is a point. */
export const amountOf = (written: string): number => Number(written.replace(',', '.'));
/** Whether what was written is an amount of more than 0 with at most two decimals. */
export const isAmount = (written: string): boolean =>
  AMOUNT_PATTERN.test(written) && isFiat(amountOf(written)) && amountOf(written) > 0;
