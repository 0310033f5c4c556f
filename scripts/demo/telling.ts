/** Tells the story, in plain text for people who do not know Kasi. */
export type Telling = {
  readonly title: (text: string) => void;
  /** The next step of the story. */
  readonly step: (text: string) => void;
  /** The result; long lines break between words. */
  readonly say: (text: string) => void;
  /** Names on the left, values on the right. */
  readonly table: (rows: readonly (readonly [name: string, value: string])[]) => void;
};

const WIDTH = 96;
const INDENT = '    ';

/** Writes whole lines through `write`. */
export function createTelling(write: (text: string) => void): Telling {
  let steps = 0;
  return {
    title: (text) => write(`\n${text}\n${'='.repeat(text.length)}\n`),
    step: (text) => {
      steps += 1;
      write(`\n${String(steps).padStart(2)}. ${text}\n`);
    },
    say: (text) => write(broken(text, INDENT)),
    table: (rows) => {
      const width = Math.max(...rows.map(([name]) => name.length));
      for (const [name, value] of rows) write(broken(value, `${INDENT}${name.padEnd(width)}  `));
    },
  };
}

/** Wraps to lines of at most WIDTH, between words. The first begins with `lead`; the others align with its end. */
function broken(text: string, lead: string): string {
  const lines: string[] = [];
  let line = lead;
  for (const word of text.split(' ')) {
    const isFirst = line.trimEnd() === '' || line === lead;
    if (!isFirst && line.length + 1 + word.length > WIDTH) {
      lines.push(line);
      line = `${' '.repeat(lead.length)}${word}`;
    } else line += isFirst ? word : ` ${word}`;
  }
  return `${[...lines, line].join('\n')}\n`;
}
