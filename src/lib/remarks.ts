import { invalidField } from './errors.ts';

/** Something that can be seen: neither spaces nor characters that show nothing. */
const VISIBLE = /[^\s\p{C}\p{Z}]/u;

/** The field `reason` of a request without the spaces around it. VALIDATION_ERROR for a blank one: somebody has to read it. */
export function parseReason(text: string): string {
  if (VISIBLE.test(text)) return text.trim();
  throw invalidField('reason', 'must not be blank');
}

/** The field `notes` of a request without the spaces around it; null where it says nothing. */
export const parseNotes = (text: string | undefined): string | null =>
  text !== undefined && VISIBLE.test(text) ? text.trim() : null;
