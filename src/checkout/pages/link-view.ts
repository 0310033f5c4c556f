import type { CustomField } from '../../payment-links/custom-fields.ts';
import type { PublicLink } from './context.ts';
import { isCoin } from './format.ts';
import { amountOf, type Faults, isAmount, nameOf, type Written } from './link-form.ts';
import type { Words } from './words.ts';

/** A question as the page asks it; the template decides nothing. */
export type FieldView = {
  readonly id: string;
  readonly name: string;
  readonly label: string;
  readonly required: boolean;
  /** Of a choice; null for what is written. */
  readonly options: readonly string[] | null;
  readonly maxLength: number | null;
  /** The keyboard that a phone shows. */
  readonly inputMode: 'text' | 'numeric';
  readonly value: string;
  readonly help: string | null;
  readonly error: string | null;
};

/** Digits of the longest number and its sign. */
const NUMBER_LENGTH = 17;

type Bounds = NonNullable<PublicLink['payerAmount']>;

const boundsText = ({ min, max }: Bounds, currency: string, { fiat }: Words) => ({
  min: fiat(min, currency),
  max: fiat(max, currency),
});

/** The field in which payers choose their amount; null where everybody pays the same. */
export function amountView(link: PublicLink, { amount }: Written, faults: Faults, words: Words) {
  const { payerAmount, currency } = link;
  if (!payerAmount) return null;
  return {
    currency,
    help: words.say('link.bounds', boundsText(payerAmount, currency, words)),
    value: amount,
    error: faults.amount ? amountWrong(link, words) : null,
    about: aboutView(link, isAmount(amount) ? amountOf(amount) : null, words),
  };
}

function amountWrong({ payerAmount, amount, currency }: PublicLink, words: Words): string {
  if (!payerAmount) return words.say('link.amount_fixed', { asked: words.fiat(amount, currency) });
  return words.say('link.amount_wrong', { ...boundsText(payerAmount, currency, words), example: amount.toFixed(2) });
}

/** What is wrong with an amount on a link where nobody can choose it; null when nothing is. */
export const fixedAmountError = (link: PublicLink, faults: Faults, words: Words): string | null =>
  faults.amount && !link.payerAmount ? amountWrong(link, words) : null;

/**
 * About what an amount comes to in another currency, by which rate, and what the page's script needs to say it of
 * another amount; null without a rate. No amount is none that can be read.
 */
export function aboutView({ displayAmount: shown, currency }: PublicLink, amount: number | null, words: Words) {
  if (!shown) return null;
  const value = Number(shown.rate.value);
  // Rounded for the eye: nothing is asked by it.
  const about = (amount ?? 0) * value;
  return {
    text: amount === null ? '' : words.say('link.about', { amount: words.fiat(about, shown.currency) }),
    rate: `1 ${currency} = ${words.fiat(value, shown.currency)} (${shown.rate.source}), ${words.moment(shown.rate.quotedAt)}`,
    ...{ value, currency: shown.currency },
  };
}

/** What comes next, and how long an amount there holds: that in a coin is renewed. */
export function howText({ acceptedTokens }: PublicLink, { say, anyOf }: Words): string {
  const coins = acceptedTokens.filter(isCoin);
  return coins.length === 0 ? say('link.how') : say('link.how_coins', { coins: anyOf(coins) });
}

/** The questions of a link, with what was answered so far. */
export const fieldViews = (link: PublicLink, written: Written, faults: Faults, words: Words): FieldView[] =>
  link.customFields.map((field) => ({
    id: `field-${field.key}`,
    name: nameOf(field.key),
    ...{ label: field.label, required: field.required },
    options: field.kind === 'choice' ? field.options : null,
    maxLength: field.kind === 'number' ? NUMBER_LENGTH : field.maxLength,
    // The number pads of phones have no minus.
    inputMode: field.kind === 'number' && field.minimum !== null && field.minimum >= 0 ? 'numeric' : 'text',
    value: written.answers[field.key] ?? '',
    help: helpOf(field, words),
    error: errorOf(field, faults.answers[field.key], words),
  }));

/** Numbers are written as people type them: without marks between thousands. */
const helpOf = ({ minimum: min, maximum: max }: CustomField, { say }: Words): string | null =>
  min === null || max === null ? null : say('link.bounds', { min: String(min), max: String(max) });

function errorOf(field: CustomField, fault: 'missing' | 'wrong' | undefined, words: Words): string | null {
  if (fault === undefined) return null;
  if (field.kind === 'choice') return words.say('link.choice_missing');
  if (fault === 'missing') return words.say('link.field_missing');
  if (field.kind === 'text') return words.say('link.text_wrong', { count: field.maxLength ?? 0 });
  return numberWrong(field, words);
}

function numberWrong({ minimum: min, maximum: max }: CustomField, { say }: Words): string {
  const bounds = min === null ? (max === null ? 'none' : 'most') : max === null ? 'least' : 'both';
  return say('link.number_wrong', { bounds, min: String(min), max: String(max) });
}

/** The id of the first field with a fault, in the order of the page. */
export const focusOf = (faults: Faults, fields: readonly FieldView[]): string | null => {
  if (faults.amount) return 'amount';
  return fields.find(({ error }) => error !== null)?.id ?? (faults.email ? 'email' : null);
};

/** What the page says instead of a form when nothing is left; null while something is. */
export function soldOutView({ maxPayments, paymentsLeft, paymentsOpen }: PublicLink, { say }: Words) {
  if (maxPayments === null || paymentsLeft !== 0) return null;
  const open = paymentsOpen ?? 0;
  const why = say('link.sold_out.why', { count: maxPayments });
  const text = open > 0 ? [why, say('link.sold_out.open', { count: open })] : [why];
  return { headline: say('link.sold_out'), text, again: open > 0 };
}

/** How many are left; null where that is no matter. */
export const leftText = ({ paymentsLeft }: PublicLink, { say }: Words): string | null =>
  paymentsLeft === null || paymentsLeft === 0 ? null : say('link.left', { count: paymentsLeft });
