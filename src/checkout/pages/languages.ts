import Negotiator from 'negotiator';
import type { PageCall } from '../../ports/page.ts';

/** The languages of the pages: each has a file in `messages`, and its own name for itself. */
export const LANGUAGES = {
  en: { name: 'English', locale: 'en-GB' },
  es: { name: 'Español', locale: 'es' },
  fr: { name: 'Français', locale: 'fr' },
  si: { name: 'සිංහල', locale: 'si-LK' },
  ta: { name: 'தமிழ்', locale: 'ta-LK' },
} as const;

export type Language = keyof typeof LANGUAGES;

export const LANGUAGE_CODES = Object.keys(LANGUAGES) as Language[];

const COOKIE_SECONDS = 31_536_000;
const isLanguage = (code: string | undefined): code is Language => code !== undefined && Object.hasOwn(LANGUAGES, code);

/** Whether anything says what whoever asks for a page reads: a program that previews links says nothing. */
export const saysLanguage = ({ query, cookie, acceptLanguage }: PageCall): boolean =>
  isLanguage(query['lang']) || isLanguage(cookieValue(cookie, 'kasi_lang')) || /[a-z]/i.test(acceptLanguage);

/** What the payer asks for in the address, else what they asked for before, else what their browser prefers. */
export function languageOf({ query, cookie, acceptLanguage }: PageCall): Language {
  const [wanted, before] = [query['lang'], cookieValue(cookie, 'kasi_lang')];
  if (isLanguage(wanted)) return wanted;
  if (isLanguage(before)) return before;
  const preferred = new Negotiator({ headers: { 'accept-language': acceptLanguage } }).language(LANGUAGE_CODES);
  return isLanguage(preferred) ? preferred : 'en';
}

/** A payer's time zone. */
type Zone = {
  /** As Intl calls it. */
  readonly zone: string;
  /** As the browser has called it, which the page repeats: browsers know a zone by other names (`Asia/Kolkata`). */
  readonly noted: string;
};

/**
 * The payer's time zone, as the address says it (in a frame, where cookies may be blocked) or the page's script has
 * noted it; UTC before that, and without scripts. It has to be a name: Intl takes every offset (`+01:23`), too, and no
 * browser is in one.
 */
export function zoneOf({ query, cookie }: Pick<PageCall, 'query' | 'cookie'>): Zone {
  const asked = /^[\w/+-]{1,64}$/.exec(query['zone'] ?? '')?.[0];
  const noted = asked ?? cookieValue(cookie, 'kasi_zone') ?? 'UTC';
  try {
    const zone = new Intl.DateTimeFormat('en', { timeZone: noted }).resolvedOptions().timeZone;
    return /^[a-z]/i.test(zone) ? { zone, noted } : { zone: 'UTC', noted: 'UTC' };
  } catch {
    return { zone: 'UTC', noted: 'UTC' };
  }
}

/** The cookie that keeps the language that an address asked for; undefined where none did. */
export function languageCookie({ query }: PageCall, { path, isSecure }: Place): string | undefined {
  const wanted = query['lang'];
  if (!isLanguage(wanted)) return undefined;
  const kept = `kasi_lang=${wanted}; Path=${path}; Max-Age=${COOKIE_SECONDS}; SameSite=Lax; HttpOnly`;
  return isSecure ? `${kept}; Secure` : kept;
}

type Place = { readonly path: string; readonly isSecure: boolean };

/** A language as the foot of a page offers it. */
export type LanguageChoice = {
  readonly code: Language;
  readonly name: string;
  readonly href: string;
  readonly chosen: boolean;
};

/** The parameters of pages. What else an address has, such as a campaign's, is nothing that they repeat. */
const KNOWN = new Set(['plan', 'page', 'tried', 'cancelled', 'zone', 'embed', 'lang']);

/** The address of the same page in each language. */
export function languageChoices(path: string, { query }: PageCall, chosen: Language): LanguageChoice[] {
  const known = Object.fromEntries(Object.entries(query).filter(([name]) => KNOWN.has(name)));
  return LANGUAGE_CODES.map((code) => ({
    ...{ code, name: LANGUAGES[code].name, chosen: code === chosen },
    href: `${path}?${new URLSearchParams({ ...known, lang: code })}`,
  }));
}

/** The value of a cookie; undefined without one. */
export const cookieValue = (cookie: string, name: string): string | undefined =>
  new RegExp(`(?:^|;\\s*)${name}=([\\w/+-]{1,64})(?:;|$)`).exec(cookie)?.[1];
