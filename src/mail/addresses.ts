/** As long as a path in SMTP may be (RFC 5321). */
const ADDRESS_MAX = 254;
/**
 * A mailbox without quotes, comments, lists and display names: whatever else the contract takes as an e-mail address is
 * not written to, so that no address can carry a second one.
 */
const PLAIN =
  /^[^\s"(),:;<>@[\\\]\p{C}]{1,64}@(?:[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}-]{0,61}[\p{L}\p{M}\p{N}])?\.)+[\p{L}\p{N}-]{2,63}$/u;
/** What could end a header, hide in it, or turn its text around. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;
/** Joins letters of Sinhala, Tamil and others, and shows nothing by itself. */
const JOINERS = new Set(['\u200c', '\u200d', '\u2068', '\u2069']);
const SUBJECT_MAX = 200;

/** Whether a mail can be addressed to it. */
export const isPlainAddress = (address: string): boolean => address.length <= ADDRESS_MAX && PLAIN.test(address);

/** Names of the one big server that ignores dots: with them a mailbox there has thousands of addresses. */
const IGNORES_DOTS = new Set(['gmail.com', 'googlemail.com']);

/** An address as the limit a day counts it: in lower case, and without what servers ignore, such as all after a `+`. */
export function recipientKey(address: string): string {
  const at = address.lastIndexOf('@');
  const [mailbox = ''] = address.slice(0, at).toLowerCase().split('+');
  const domain = address.slice(at + 1).toLowerCase();
  return IGNORES_DOTS.has(domain) ? `${mailbox.replaceAll('.', '')}@gmail.com` : `${mailbox}@${domain}`;
}

/** A text as one line of a header, whatever a merchant has called itself. */
export function headerLine(text: string): string {
  const line = text.replace(UNSEEN, (character) => (JOINERS.has(character) ? character : ' ')).replace(/\s+/g, ' ');
  const characters = [...line.trim()];
  return characters.length <= SUBJECT_MAX ? characters.join('') : `${characters.slice(0, SUBJECT_MAX - 1).join('')}…`;
}
