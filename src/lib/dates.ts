import { after, DAY_MS } from './clock.ts';
import { invalidField } from './errors.ts';

const DATE_ONLY = /^\d{4}-\d{2}-\d{2}$/;

/** `fromDate` of a list: a date means its first moment, UTC. */
const parseFrom = (text: string): Date => new Date(text);

/** `toDate` of a list as an exclusive end: a date includes its whole UTC day, a date-time its own millisecond. */
function parseTo(text: string): Date {
  const date = new Date(text);
  return DATE_ONLY.test(text) ? after(date, DAY_MS) : after(date, 1);
}

/** The bounds that a list's `fromDate` and `toDate` give, if any. */
export function parseRange(query: { readonly fromDate?: string; readonly toDate?: string }): {
  from?: Date;
  to?: Date;
} {
  return {
    ...(query.fromDate === undefined ? {} : { from: parseFrom(query.fromDate) }),
    ...(query.toDate === undefined ? {} : { to: parseTo(query.toDate) }),
  };
}

const DATE_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})$/i;

/**
 * An ISO 8601 date-time with offset, truncated to milliseconds; undefined for other text and for days that do not
 * exist.
 */
export function parseDateTime(text: string): Date | undefined {
  const day = text.slice(0, 10);
  // Date.parse alone reads 30 February as 2 March.
  const exists = new Date(`${day}T00:00:00Z`).toJSON()?.slice(0, 10) === day;
  const date = new Date(text.toUpperCase());
  return DATE_TIME.test(text) && exists && !Number.isNaN(date.getTime()) ? date : undefined;
}

/**
 * The field `expiresAt` of a request; null means never. VALIDATION_ERROR for a time that does not exist or has passed.
 */
export function parseExpiry(text: string | null, now: Date): Date | null {
  if (text === null || text === '') return null;
  const expiresAt = parseDateTime(text);
  if (!expiresAt) throw invalidField('expiresAt', 'must be a date-time that exists, like 2026-06-30T18:00:00Z');
  if (expiresAt <= now) throw invalidField('expiresAt', 'must be in the future');
  return expiresAt;
}
