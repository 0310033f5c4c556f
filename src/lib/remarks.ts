import { invalidField } from './errors.ts';
import { isVisible } from './shown-text.ts';

/** The field `reason` of a request, trimmed. VALIDATION_ERROR for a blank one: a person has to read it. */
export function parseReason(text: string): string {
  if (isVisible(text)) return text.trim();
  throw invalidField('reason', 'must not be blank');
}

/** The field `notes` of a request, trimmed. VALIDATION_ERROR for a blank one. */
export function requireNotes(text: string): string {
  const notes = parseNotes(text);
  if (notes !== null) return notes;
  throw invalidField('notes', 'must not be blank');
}

/** The field `notes` of a request, trimmed; null for a blank one. */
export const parseNotes = (text: string | undefined): string | null =>
  text !== undefined && isVisible(text) ? text.trim() : null;
