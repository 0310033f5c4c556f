import { KNOWN_SETTINGS } from './known-settings.ts';

/** The forms of settings, beyond what a parser of URLs takes: pg makes something of almost any text. */

/** For people. Which part of a URL is wrong is not said: it holds a password. */
export const DATABASE_URL_FORM =
  'postgres://user:password@host:5432/database, one, with what is special in user and password percent-encoded ' +
  '(# is %23, / is %2F, ? is %3F)';

/** A name, an address, or a folder of sockets that is percent-encoded. */
const HOST = /^(?:[\w.%~-]*|\[[\da-f:.]+\])$/i;

/**
 * Whether pg takes all of it as it is meant. From a text that is no URL, pg makes a database of the host "base"; of a
 * password with a "#" it makes a host; and of two URLs a database with a long name.
 */
export function isDatabaseUrl(text: string): boolean {
  // Sockets, in the two other forms that pg knows.
  if (/^(?:\/|socket:)/.test(text)) return true;
  // The host may stand behind, as in postgres://app@/kasi?host=/run/postgresql.
  const url = URL.parse(text.replace('@/', '@localhost/'));
  if (!url || !/^postgres(?:ql)?:\/\//i.test(text) || url.hash !== '') return false;
  return HOST.test(url.hostname) && !url.pathname.includes('://');
}

/** Whether it is one http or https URL with a host that can be looked up. */
export function isWebAddress(text: string): boolean {
  const url = URL.parse(text);
  return /^https?:\/\//i.test(text) && url !== null && HOST.test(url.hostname);
}

/** Whether a path can be put behind it. */
export function isWhereLinksBegin(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && !/[?#]/.test(text) && url.username === '' && url.password === '';
}

export const ORIGIN_FORM = 'origin such as https://shop.example';

/** An origin as browsers send it; null for what is none, and would be compared with each in vain. */
export function toOrigin(text: string): string | null {
  // Programs that open a page from a file send "file://".
  if (!/^https?:/i.test(text)) return /^(?:file:\/\/|[a-z][a-z0-9+.-]*:\/\/[^\s/]+)$/.test(text) ? text : null;
  const url = URL.parse(text);
  return url && isWebAddress(text) && isWhereLinksBegin(text) && url.pathname === '/' ? url.origin : null;
}

/** A password may be what is quoted; keys in base64 are read without the marks, and those in hex are refused. */
const MAY_BE_QUOTED: ReadonlySet<string> = new Set(['ADMIN_PASSWORD', 'BACKUP_KEY', 'MASTER_KEY', 'MASTER_KEYS_OLD']);

/** A sentence about each setting in quotation marks, which a shell takes away, and Docker's --env-file does not. */
export const findQuoted = (env: Readonly<Record<string, string | undefined>>): string[] =>
  KNOWN_SETTINGS.filter((name) => !MAY_BE_QUOTED.has(name) && /^(["']).*\1$/s.test(env[name]?.trim() ?? '')).map(
    (name) =>
      `${name} is in quotation marks, which are part of its value: what reads the file keeps them, so write none`,
  );
