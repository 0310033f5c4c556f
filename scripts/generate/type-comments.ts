/** Formats that say less than the description. */
const SAID = /^Format: (text|name|money)$/;

/**
 * The comment of a generated type as a reader wants it. The generator writes the description behind a tag and the
 * format before it, so that editors show "Format: money" as what a field is about.
 */
export function plainComment(text: string): string {
  const lines = text
    .replace(/^\*/, '')
    .split('\n')
    .map((line) => line.replace(/^ ?\*? ?/, '').trimEnd());
  const formats = lines.filter((line) => line.startsWith('Format: ') && !SAID.test(line));
  const words = lines.filter((line) => !line.startsWith('Format: '));
  const tag = words.findIndex((line) => line.startsWith('@') && !line.startsWith('@description'));
  const split = tag === -1 ? words.length : tag;
  const about = words.slice(0, split).flatMap((line, index) => {
    const said = line.replace(/^@description /, '').replace(/^ {4}/, '');
    // What stands before the description is the summary: a paragraph of its own.
    return line.startsWith('@description') && words.slice(0, index).some(Boolean) ? ['', said] : [said];
  });
  const all = [...trimmed(about), ...formats, ...trimmed(words.slice(split))];
  return all.length === 1 ? `* ${all[0]} ` : `*\n${all.map((line) => ` * ${line}`.trimEnd()).join('\n')}\n `;
}

/** Without empty lines at both ends. */
function trimmed(lines: readonly string[]): string[] {
  const first = lines.findIndex(Boolean);
  return first === -1 ? [] : lines.slice(first, lines.findLastIndex(Boolean) + 1);
}
