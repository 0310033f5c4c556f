import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { IntlMessageFormat } from 'intl-messageformat';
import type { Messages } from '../../../generated/messages.ts';
import { createRecent } from '../../lib/recent.ts';
import { inSentence } from '../../lib/shown-text.ts';
import { coinAmount, isCoin, plainAmount } from './format.ts';
import { LANGUAGE_CODES, LANGUAGES, type Language } from './languages.ts';

export type Key = keyof Messages;
/** Nothing, for a message without arguments. */
type Values<K extends Key> = Messages[K] extends null ? [] : [values: Messages[K]];
type Say = <K extends Key>(key: K, ...values: Values<K>) => string;

/** Everything that pages say, in one language and one time zone. */
export type Words = {
  readonly language: Language;
  /** An IANA name. */
  readonly zone: string;
  /** A message of `messages`, as text. */
  readonly say: Say;
  /** The same as HTML: what a message marks as `<code>` is, and everything is escaped. */
  readonly markup: Say;
  /** An amount of money: `LKR 4,500.00`; of a discount `−LKR 500.00`. */
  readonly fiat: (amount: number, currency: string) => string;
  /** A token amount without trailing zeros but with at least two decimals: `1,500.00 USDT`. */
  readonly tokens: (amount: string, token: string) => string;
  /** What has arrived: of coins the first eight decimals. */
  readonly arrived: (amount: string, token: string) => string;
  /** `2 Jan 2026, 03:11 UTC`, in the payer's time zone. */
  readonly moment: (iso: string) => string;
  /** `2 Jan 2026`, in UTC, as mandates and their periods count days. */
  readonly date: (iso: string) => string;
  /** `Friday`, in UTC. */
  readonly weekday: (at: Date) => string;
  /** `2 January`, in UTC. */
  readonly dayOfYear: (at: Date) => string;
  /** `USDC on Base, USDT on Base or ETH on Base` */
  readonly anyOf: (ways: readonly string[]) => string;
};

const MINUS = '−';
/** As many as a token of ours can have. */
const DECIMALS_MAX = 18;

const FOLDER = join(import.meta.dirname, 'messages');
const TEXTS = Object.fromEntries(
  LANGUAGE_CODES.map((code) => [code, JSON.parse(readFileSync(join(FOLDER, `${code}.json`), 'utf8'))]),
) as Readonly<Record<Language, Readonly<Record<Key, string>>>>;

const SCRIPT_PREFIX = 'script.';

/**
 * What scripts say in a language, by their names for it: every page's, and those that talk to wallets. Their arguments
 * are simple, so that a script can fill them in.
 */
export function scriptWords(language: Language): { readonly page: string; readonly wallet: string } {
  const ofScripts = Object.entries(TEXTS[language])
    .filter(([key]) => key.startsWith(SCRIPT_PREFIX))
    .map(([key, text]) => [key.slice(SCRIPT_PREFIX.length), text] as const);
  const isOfWallets = (name: string): boolean => name.includes('.');
  const json = (some: typeof ofScripts): string => JSON.stringify(Object.fromEntries(some));
  return {
    page: json(ofScripts.filter(([name]) => !isOfWallets(name))),
    wallet: json(ofScripts.filter(([name]) => isOfWallets(name))),
  };
}

/** What is the same in every time zone, by the language: they are few, and each has parsed messages. */
type Spoken = Omit<Words, 'zone' | 'moment'>;
const spoken = new Map<Language, Spoken>();

/** A payer names the time zone, so the formats of only so many are kept. */
const ZONES_KEPT = 64;
const moments = createRecent<(at: Date) => string>(ZONES_KEPT);

/** The words of a language in a time zone, which has to be one that Intl knows. */
export function wordsOf(language: Language, zone: string): Words {
  const words = spoken.get(language) ?? makeSpoken(language);
  spoken.set(language, words);
  const format = () =>
    moments.of(`${language} ${zone}`, () => formatOfDates(language, { ...DAY, ...TIME, timeZone: zone }));
  return { ...words, zone, moment: (iso) => format()(new Date(iso)) };
}

function makeSpoken(language: Language): Spoken {
  const { locale } = LANGUAGES[language];
  const money = new Intl.NumberFormat(locale, { minimumFractionDigits: 2, maximumFractionDigits: 2 });
  const units = new Intl.NumberFormat(locale, { minimumFractionDigits: 2, maximumFractionDigits: DECIMALS_MAX });
  const date = formatOfDates(language, DAY);
  const list = new Intl.ListFormat(locale, { type: 'disjunction' });
  const formats = new Map<Key, IntlMessageFormat>();
  const formatOf = (key: Key): IntlMessageFormat => {
    const format = formats.get(key) ?? new IntlMessageFormat(TEXTS[language][key], locale);
    formats.set(key, format);
    return format;
  };
  const say: Say = (key, ...[values]) => String(formatOf(key).format(fitted(values)));
  const tokens = (amount: string, token: string): string =>
    `${units.format(plainAmount(amount) as Intl.StringNumericLiteral)} ${token}`;
  return {
    ...{ language, say, tokens },
    markup: (key, ...[values]) => markup(formatOf(key), fitted(values)),
    fiat: (amount, currency) =>
      `${amount < 0 ? MINUS : ''}${say('money', { currency, amount: money.format(Math.abs(amount)) })}`,
    arrived: (amount, token) => tokens(isCoin(token) ? coinAmount(amount) : amount, token),
    date: (iso) => date(new Date(iso)),
    weekday: formatOfDates(language, { weekday: 'long' }),
    dayOfYear: formatOfDates(language, { day: 'numeric', month: 'long' }),
    anyOf: (ways) => list.format(ways),
  };
}

const DAY = { day: 'numeric', month: 'short', year: 'numeric' } as const;
const TIME = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23', timeZoneName: 'short' } as const;

/** In UTC unless the options say otherwise. */
function formatOfDates(language: Language, wanted: Intl.DateTimeFormatOptions): (at: Date) => string {
  const options = { timeZone: 'UTC', ...wanted };
  if (language === 'si' && !wanted.weekday) return inSinhala(options);
  const format = new Intl.DateTimeFormat(LANGUAGES[language].locale, options);
  return (at) => format.format(at);
}

const SINHALA_MONTHS = [
  ...['ජනවාරි', 'පෙබරවාරි', 'මාර්තු', 'අප්‍රේල්', 'මැයි', 'ජූනි'],
  ...['ජූලි', 'අගෝස්තු', 'සැප්තැම්බර්', 'ඔක්තෝබර්', 'නොවැම්බර්', 'දෙසැම්බර්'],
];

/**
 * A moment as people in Sri Lanka write it: `2026 ජනවාරි 2, 08:34 GMT+5:30`. The data of Intl names the months of the
 * moon's calendar instead.
 */
function inSinhala({ year, hour, timeZone, ...options }: Intl.DateTimeFormatOptions): (at: Date) => string {
  const numbers = new Intl.DateTimeFormat('en', { year: 'numeric', month: 'numeric', day: 'numeric', timeZone });
  const { minute, hourCycle, timeZoneName } = options;
  const clock = hour && new Intl.DateTimeFormat('en', { hour, minute, hourCycle, timeZoneName, timeZone });
  return (at) => {
    const parts = Object.fromEntries(numbers.formatToParts(at).map(({ type, value }) => [type, value]));
    const day = `${SINHALA_MONTHS[Number(parts['month']) - 1]} ${parts['day']}`;
    const date = year ? `${parts['year']} ${day}` : day;
    return clock ? `${date}, ${clock.format(at)}` : date;
  };
}

/** Texts of others keep neither a line of their own in our sentences nor a direction. */
const fitted = (values: object | null | undefined): Record<string, never> =>
  Object.fromEntries(
    Object.entries(values ?? {}).map(([name, value]) => [name, typeof value === 'string' ? inSentence(value) : value]),
  ) as never;

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
/** As it can stand in HTML. */
export const escaped = (text: string): string => text.replace(/[&<>"']/g, (character) => ESCAPES[character] ?? '');

type Part = string | { readonly code: string };

function markup(format: IntlMessageFormat, values: Record<string, never>): string {
  const code = (chunks: readonly unknown[]): Part => ({ code: chunks.join('') });
  const made = format.format<Part>({ ...values, code } as never);
  const parts = Array.isArray(made) ? made : [made];
  return (parts as Part[])
    .map((part) => (typeof part === 'string' ? escaped(part) : `<code class="whole">${escaped(part.code)}</code>`))
    .join('');
}
