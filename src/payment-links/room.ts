import { invalidField } from '../lib/errors.ts';
import { answerBytes } from './custom-fields.ts';
import type { PaymentLink } from './link.ts';

/** Bytes of JSON, so that a link's event fits into a webhook, and the event of a payment with its lines and answers. */
const TERMS_MAX_BYTES = 8192;

/** Throws VALIDATION_ERROR for more lines, questions and thanks than a link keeps. */
export function requireRoom({
  items,
  customFields,
  thankYou,
}: Pick<PaymentLink, 'items' | 'customFields' | 'thankYou'>): void {
  if (customFields === null && thankYou === null) return;
  const bytes = Buffer.byteLength(JSON.stringify([items, customFields, thankYou])) + answerBytes(customFields ?? []);
  if (bytes <= TERMS_MAX_BYTES) return;
  const path = customFields === null ? 'thankYou' : 'customFields';
  throw invalidField(
    path,
    'must be, together with items and thankYou, at most 8 KiB as JSON, with four bytes for every character of an answer',
  );
}
