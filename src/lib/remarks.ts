import { invalidField } from './errors.ts';

/** A visible character: no space, no control or format character. */
const VISIBLE = /[^\s\p{C}\p{Z}]/u;

/** The field `reason` of a request, trimmed. VALIDATION_ERROR for a blank one: a person has to read it. */
export function parseReason(text: string): string {
  if (VISIBLE.test(text)) return text.trim();
  throw invalidField('reason', 'must not be blank');
}

/** The field `notes` of a request, trimmed; null for a blank one. */
export const parseNotes = (text: string | undefined): string | null =>
  text !== undefined && VISIBLE.test(text) ? text.trim() : null;
