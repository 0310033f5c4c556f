import type { components } from '../../generated/api.ts';
import { type FieldError, requireNone } from '../lib/errors.ts';
import { isVisible, withoutHidden } from '../lib/shown-text.ts';
import type { CustomFieldAnswer } from '../payments/types.ts';

type Schemas = components['schemas'];

/** A question of a link, as it is stored and shown. */
export type CustomField = Schemas['CustomField'];
type Input = Schemas['CustomFieldInput'];
type Answers = Readonly<Record<string, string | number>>;
type Answer = Answers[string];

const TEXT_MAX = 100;
/** Of UTF-8, in which JSON is counted. */
const CHARACTER_MAX_BYTES = 4;
/** Which settings belong to which kind. */
const SETTINGS = { text: ['maxLength'], number: ['minimum', 'maximum'], choice: ['options'] } as const;
const ALL_SETTINGS = Object.values(SETTINGS).flat();

/**
 * The questions of a request; null when there are none. Throws VALIDATION_ERROR for a key that is there twice, and for
 * settings that belong to another kind or contradict each other.
 */
export function parseFields(inputs: readonly Input[]): CustomField[] | null {
  const problems = inputs.flatMap((input, at) => problemsOf(input, inputs.slice(0, at), `customFields.${at}`));
  requireNone(problems);
  if (inputs.length === 0) return null;
  return inputs.map(({ key, label, kind, required = false, maxLength, minimum, maximum, options }) => ({
    ...{ key, label, kind, required },
    maxLength: kind === 'text' ? (maxLength ?? TEXT_MAX) : null,
    minimum: minimum ?? null,
    maximum: maximum ?? null,
    options: [...(options ?? [])],
  }));
}

function problemsOf(input: Input, before: readonly Input[], path: string): FieldError[] {
  const { key, kind, minimum, maximum } = input;
  const own: readonly string[] = SETTINGS[kind];
  const strange = ALL_SETTINGS.filter((name) => input[name] !== undefined && !own.includes(name));
  return [
    ...(before.some((other) => other.key === key)
      ? [{ path: `${path}.key`, message: 'is used by another field' }]
      : []),
    ...strange.map((name) => ({ path: `${path}.${name}`, message: `does not belong to a ${kind}; leave it out` })),
    ...(kind === 'choice' && input.options === undefined
      ? [{ path: `${path}.options`, message: 'is required for a choice: 2 to 20 texts' }]
      : []),
    ...(minimum !== undefined && maximum !== undefined && minimum > maximum
      ? [{ path: `${path}.minimum`, message: 'must be at most maximum' }]
      : []),
  ];
}

/** Bytes of JSON that the answers to these questions can have, besides what is in the questions themselves. */
export const answerBytes = (fields: readonly CustomField[]): number =>
  fields.reduce((sum, { maxLength }) => sum + (maxLength ?? 0) * CHARACTER_MAX_BYTES, 0);

/** What is wrong with an answer, undefined when there is none; null when nothing is. */
export function faultOf(field: CustomField, answer: Answer | undefined): 'missing' | 'wrong' | null {
  if (answer === undefined) return field.required ? 'missing' : null;
  return accepts(field, answer) ? null : 'wrong';
}

function accepts({ kind, maxLength, minimum, maximum, options }: CustomField, answer: Answer): boolean {
  if (kind === 'number') {
    return Number.isSafeInteger(answer) && (minimum ?? answer) <= answer && answer <= (maximum ?? answer);
  }
  if (typeof answer !== 'string') return false;
  if (kind === 'choice') return options.includes(answer);
  return isLine(answer, maxLength ?? TEXT_MAX) && isVisible(answer);
}

/**
 * The length comes first: a page's form brings as much as a body holds. A character has one unit or two. U+0085 ends a
 * line for terminals, too, and its neighbours move their cursor: who lists answers there would read lines of a payer.
 */
const isLine = (text: string, most: number): boolean =>
  text.length <= 2 * most && [...text].length <= most && !/[\n\r\u0080-\u009f\u2028\u2029]/.test(text);

/**
 * A payer's answers, in the order of the questions; null when there are none. Throws VALIDATION_ERROR that names every
 * question that was not answered as it asks, and every answer to a question that nobody asked.
 */
export function parseAnswers(questions: readonly CustomField[] | null, answers: Answers): CustomFieldAnswer[] | null {
  const fields = questions ?? [];
  const unknown = Object.keys(answers).filter((key) => !fields.some((field) => field.key === key));
  const given = fields.map((field) => ({
    field,
    answer: Object.hasOwn(answers, field.key) ? answers[field.key] : undefined,
  }));
  requireNone([
    ...given.flatMap(({ field, answer }) => {
      const fault = faultOf(field, answer);
      if (fault === null) return [];
      const message = fault === 'missing' ? `is required: ${rule(field)}` : `must be ${rule(field)}`;
      return [{ path: `customFields.${field.key}`, message }];
    }),
    ...unknown.map((key) => ({ path: `customFields.${key}`, message: unknownText(fields) })),
  ]);
  const answered = given.flatMap(({ field: { key, label, kind }, answer }) =>
    answer === undefined ? [] : [{ key, label, answer: kind === 'text' ? withoutHidden(String(answer)) : answer }],
  );
  return answered.length === 0 ? null : answered;
}

/** What an answer has to be, as the end of a sentence. */
function rule({ kind, maxLength, minimum, maximum, options }: CustomField): string {
  if (kind === 'text') return `a line of text with at most ${maxLength} characters, and more than spaces`;
  if (kind === 'choice') return `one of: ${options.join(', ')}`;
  const bounds = [
    ...(minimum === null ? [] : [`at least ${minimum}`]),
    ...(maximum === null ? [] : [`at most ${maximum}`]),
  ];
  return ['a whole number', ...bounds].join(', ');
}

const unknownText = (fields: readonly CustomField[]): string =>
  fields.length === 0
    ? 'is not asked: this link has no fields'
    : `is not asked; this link has: ${fields.map(({ key }) => key).join(', ')}`;
