import { invalidField } from './errors.ts';
import { inOneLine, isVisible } from './shown-text.ts';

/** The field `notes` of a request, trimmed; null for a blank one. */
export const parseNotes = (text: string | undefined): string | null =>
  text !== undefined && isVisible(text) ? text.trim() : null;

/** A field of a request that a person has to read, trimmed. VALIDATION_ERROR for a blank one. */
const requireText =
  (field: string) =>
  (text: string): string => {
    const shown = parseNotes(text);
    if (shown !== null) return shown;
    throw invalidField(field, 'must not be blank');
  };

export const parseReason = requireText('reason');
export const requireNotes = requireText('notes');

/**
 * A name that others read beside words of ours, in lists and logs: one line, without what hides in it or turns what
 * stands around it. Null for one that shows nothing.
 */
export function parseName(text: string): string | null {
  const name = inOneLine(text);
  return isVisible(name) ? name : null;
}

/** The same; VALIDATION_ERROR for one that shows nothing. */
export function requireName(field: string, text: string): string {
  const name = parseName(text);
  if (name === null) throw invalidField(field, 'must not be blank');
  return name;
}
