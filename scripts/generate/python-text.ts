/** Python keywords that the contract might use as names. */
const KEYWORDS = new Set(
  (
    'False None True and as assert async await break class continue def del elif else except finally for from global ' +
    'if import in is lambda nonlocal not or pass raise return try while with yield'
  ).split(' '),
);

const WIDTH = 100;

export const HEADER = (what: string): string =>
  `"""${what}\n\nWritten by \`npm run generate\` from openapi/; never edited.\n"""\n\nfrom __future__ import annotations\n`;

/** Whether a name can stand in a class body. */
export const isPlainName = (name: string): boolean => /^[A-Za-z_]\w*$/.test(name) && !KEYWORDS.has(name);

/** `paymentLinks` becomes `payment_links`. */
export const snakeCase = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** `payment_links` or `paymentLinks` becomes `PaymentLinks`. */
export const pascalCase = (name: string): string =>
  name.replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** A text as a string of Python. */
export const quoted = (text: string): string => JSON.stringify(text);

/** A docstring, its lines wrapped. */
export function docstring(text: string, indent: string): string {
  const escaped = text.trim().replaceAll('\\', '\\\\').replaceAll('"""', '\\"\\"\\"');
  const lines = escaped.split('\n').flatMap((line) => wrapped(line, WIDTH - indent.length));
  const last = lines.at(-1) ?? '';
  if (lines.length === 1) return `${indent}"""${last}${last.endsWith('"') ? ' ' : ''}"""\n`;
  return `${indent}"""${lines.map((line, index) => (index === 0 || line === '' ? line : indent + line)).join('\n')}\n${indent}"""\n`;
}

/** A comment above a line, wrapped. */
export const comment = (text: string, indent: string): string =>
  text
    .trim()
    .split('\n')
    .flatMap((line) => wrapped(line, WIDTH - indent.length - 2))
    .map((line) => `${indent}# ${line}`.trimEnd())
    .join('\n')
    .concat('\n');

function wrapped(line: string, width: number): string[] {
  const hang = /^- /.test(line) ? '  ' : '';
  const lines: string[] = [];
  let current = '';
  for (const word of line.split(' ')) {
    const longer = current === '' ? word : `${current} ${word}`;
    if (longer.length <= width || current.trim() === '') current = longer;
    else {
      lines.push(current);
      current = hang + word;
    }
  }
  return [...lines, current.trimEnd()];
}
