const [ISOLATE, END] = ['\u2068', '\u2069'];

/**
 * What nobody sees. Some of it turns the text around it, the rest hides in it. Not so the joiners, without which
 * neither Sinhala nor emoji can be written, and what chooses the shape of a letter.
 */
const HIDDEN = /(?![\u200c\u200d]|\p{Variation_Selector})\p{Default_Ignorable_Code_Point}/u;
const ALL_HIDDEN = new RegExp(HIDDEN, 'gu');
const BREAKS = /[\p{Cc}\p{Zl}\p{Zp}]+/u;
const ALL_BREAKS = new RegExp(BREAKS, 'gu');
/** The pattern of Braille without a dot is a symbol, and as empty as a space. */
const VISIBLE = /(?!\p{Default_Ignorable_Code_Point}|\u2800)[^\s\p{C}\p{Z}]/u;
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/** Whether there is anything to see. */
export const isVisible = (text: string): boolean => VISIBLE.test(text);

/** Whether it can stand as a name among words of ours: one line, nothing hidden, something to see. */
export const isName = (text: string): boolean => !HIDDEN.test(text) && !BREAKS.test(text) && isVisible(text);

/** The text without what is hidden. Isolates stay that end in their line: they turn nothing outside. */
export function withoutHidden(text: string): string {
  if (!HIDDEN.test(text)) return text;
  const kept = isolatesOf(text);
  return text.replace(ALL_HIDDEN, (character, at: number) => (kept.has(at) ? character : ''));
}

/** Where isolates begin and end. */
function isolatesOf(text: string): ReadonlySet<number> {
  let open: number[] = [];
  const kept = new Set<number>();
  for (const { 0: character, index } of text.matchAll(/[\u2068\u2069\n\r\u0085\u2029]/g)) {
    if (character === ISOLATE) open.push(index);
    else if (character !== END) open = [];
    else {
      const begin = open.pop();
      if (begin !== undefined) kept.add(begin).add(index);
    }
  }
  return kept;
}

/** The same on one line. */
export const inOneLine = (text: string): string => withoutHidden(text.replace(ALL_BREAKS, ' ')).trim();

/**
 * What another machine says, as part of a message of ours: one line of `max` characters at most. PostgreSQL takes no
 * NUL, a terminal obeys control characters, and a second line of theirs would look like one of ours.
 */
export function shortLine(text: string, max: number): string {
  const looked = text.slice(0, 2 * max);
  const line = inOneLine(looked.toWellFormed());
  if (line.length <= max && looked === text) return line;
  return `${line.slice(0, max - 1).toWellFormed()}…`;
}

/** What a terminal obeys instead of showing it; lines and tabs stay. */
const CONTROLS = /[^\P{Cc}\n\t]/gu;

/** Lines of ours for a terminal, with words of others in them. */
export const forTerminal = (text: string): string => withoutHidden(text.replace(CONTROLS, ' '));

/** As part of a sentence of ours. What is written from right to left would turn it around, so it is set apart. */
export function inSentence(text: string): string {
  const line = inOneLine(text);
  return RIGHT_TO_LEFT.test(line) ? `${ISOLATE}${line}${END}` : line;
}

/** A dot as it stands in the name of a host: before a letter, in the middle of a word. */
const DOT_OF_HOST = /([.\u3002\uff0e\uff61])(?=[^\s\d.,;:!?)\]'’"”])/gu;

/** So that no mail program makes a link of it, readable all the same: `https: //shop. example`. */
export const withoutLinks = (text: string): string => text.replaceAll('://', ': //').replace(DOT_OF_HOST, '$1 ');

/** A text of several lines, as it is written. */
export const linesOf = (text: string): string[] => withoutHidden(text).split(/\r\n|[\n\r\u0085\u2028\u2029]/);
