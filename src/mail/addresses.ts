import { isIP } from 'node:net';
import { domainToASCII, domainToUnicode } from 'node:url';

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

/**
 * Whether a mail can be addressed to it. The host is judged as it is asked for, too, since the library maps it: some
 * letters become brackets then, and some names the address of a machine.
 */
export function isPlainAddress(address: string): boolean {
  if (address.length > ADDRESS_MAX || !PLAIN.test(address)) return false;
  const { mailbox, domain } = partsOf(address);
  const host = domainToASCII(domain);
  return PLAIN.test(`${mailbox}@${host}`) && isIP(host) === 0;
}

/**
 * Big servers that have several names, or ignore signs in the name of a mailbox: else one has thousands. `signs` are
 * left out, or are all the same (`as`).
 */
const SERVERS: readonly {
  readonly names: readonly [string, ...string[]];
  readonly signs?: RegExp;
  readonly as?: string;
}[] = [
  { names: ['gmail.com', 'googlemail.com'], signs: /\./g },
  { names: ['proton.me', 'protonmail.com', 'protonmail.ch', 'pm.me'], signs: /[._-]/g },
  { names: ['yandex.ru', 'ya.ru', 'yandex.com', 'yandex.by', 'yandex.kz'], signs: /-/g, as: '.' },
  { names: ['icloud.com', 'me.com', 'mac.com'] },
];
/** Fastmail brings all that is sent to a name below its own to the mailbox of that name. */
const MAILBOX_AS_HOST = /^([^.]+)\.(fastmail\.(?:com|fm))$/;

/**
 * An address as the limit a day counts it: the mailbox that it reaches, in lower case and without what servers ignore,
 * such as all after a `+`. The host is the one that is asked for: `ｇｍａｉｌ.com` is another way to write `gmail.com`.
 */
export function recipientKey(address: string): string {
  const parts = partsOf(address);
  const [mailbox = ''] = parts.mailbox.normalize('NFKC').toLowerCase().split('+');
  const domain = domainToUnicode(domainToASCII(parts.domain));
  const [, owner, host] = MAILBOX_AS_HOST.exec(domain) ?? [];
  if (owner) return `${owner}@${host}`;
  const server = SERVERS.find(({ names }) => names.includes(domain));
  if (!server) return `${mailbox}@${domain}`;
  const { names, signs, as = '' } = server;
  return `${signs ? mailbox.replaceAll(signs, as) : mailbox}@${names[0]}`;
}

function partsOf(address: string): { readonly mailbox: string; readonly domain: string } {
  const at = address.lastIndexOf('@');
  return { mailbox: address.slice(0, at), domain: address.slice(at + 1) };
}

/** A text as one line of a header, whatever a merchant has called itself. */
export function headerLine(text: string): string {
  const line = text.replace(UNSEEN, (character) => (JOINERS.has(character) ? character : ' ')).replace(/\s+/g, ' ');
  const characters = [...line.trim()];
  return characters.length <= SUBJECT_MAX ? characters.join('') : `${characters.slice(0, SUBJECT_MAX - 1).join('')}…`;
}
