import { readFileSync } from 'node:fs';

const GUIDE = 'openapi/guides/generate-a-client.md';

/** What the guide shows for a language: the commands that generate, and a program. */
export type Shown = { readonly commands: string; readonly program: string };

/** The first shell block and the first block in `fence` of the chapter "In <name>". Throws if the guide has none. */
export function shownIn(name: string, fence: string): Shown {
  const chapter = readFileSync(GUIDE, 'utf8').split(`\n## In ${name}\n`)[1]?.split('\n## ')[0] ?? '';
  const block = (language: string): string => {
    const [, text] = new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'm').exec(chapter) ?? [];
    if (text === undefined) throw new Error(`${GUIDE} has no \`\`\`${language} for ${name}.`);
    return text;
  };
  return { commands: block('sh'), program: block(fence) };
}
