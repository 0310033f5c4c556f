/** How a language writes the values of JSON. */
export type Syntax = {
  readonly text: (text: string) => string;
  readonly number: (value: number) => string;
  readonly words: { readonly true: string; readonly false: string; readonly null: string };
  /** What stands around an object and around a list. */
  readonly object: readonly [open: string, close: string];
  readonly list: readonly [open: string, close: string];
  /** What stands inside the braces of an object on one line. */
  readonly padding: string;
  readonly entry: (name: string, value: string) => string;
  readonly indent: string;
};

/** The longest object on one line. */
const INLINE_MAX = 48;

/** A JSON value as a language writes it, its lines indented from the second on. */
export function literal(syntax: Syntax, value: unknown, indent = ''): string {
  if (value === null) return syntax.words.null;
  if (typeof value === 'boolean') return syntax.words[`${value}`];
  if (typeof value === 'number') return syntax.number(value);
  if (typeof value !== 'object') return syntax.text(String(value));
  const deeper = indent + syntax.indent;
  const isList = Array.isArray(value);
  const parts = isList
    ? value.map((item) => literal(syntax, item, deeper))
    : Object.entries(value).map(([name, item]) => syntax.entry(name, literal(syntax, item, deeper)));
  const [open, close] = isList ? syntax.list : syntax.object;
  if (parts.length === 0) return open + close;
  const padding = isList ? '' : syntax.padding;
  const inline = `${open}${padding}${parts.join(', ')}${padding}${close}`;
  if (inline.length <= INLINE_MAX && !inline.includes('\n')) return inline;
  return `${open}\n${parts.map((part) => `${deeper}${part},\n`).join('')}${indent}${close}`;
}
