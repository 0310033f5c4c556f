import { invalidField } from './errors.ts';
import { isVisible } from './shown-text.ts';

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
