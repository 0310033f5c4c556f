import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { GUIDE_NAMES, readGuide } from './guide.ts';

/** The clients that no registry has yet, as commands would ask for them. Take one out once it is published. */
const UNPUBLISHED = [
  /npm (?:install|i|add)\b[^\n`]*?@kasi\/client(?![/\w])/,
  /pip install\b[^\n`]*?(?<![\w/.])kasi(?:-client)?(?![\w/-])/,
  /composer require\b[^\n`]*?kasi\/client(?!:@dev)/,
];

const CLIENTS = ['typescript', 'python', 'php'].map((name) => `clients/${name}/README.md`);
const TEXTS = new Map([
  ...GUIDE_NAMES.map((name) => [`openapi/guides/${name}.md`, readGuide(name)] as const),
  ...['README.md', ...CLIENTS, 'generated/docs/index.html'].map((file) => [file, readFileSync(file, 'utf8')] as const),
]);

/** The commands of a text that install a client from where it is not, unless their line says that it will be there. */
const tooEarly = (text: string): string[] =>
  text
    .split('\n')
    .filter((line) => UNPUBLISHED.some((pattern) => pattern.test(line)) && !/[Oo]nce it is published/.test(line));

test('no page installs a client that is not published without saying so', () => {
  const found = [...TEXTS].flatMap(([file, text]) => tooEarly(text).map((line) => `${file}: ${line}`));
  expect(found).toEqual([]);
});

test.each([
  'npm install @kasi/client',
  'npm install express@5.3.0 @kasi/client',
  'venv/bin/pip install kasi-client',
  'pip install kasi',
  'composer require kasi/client',
])('%s would be found', (command) => {
  expect(tooEarly(command)).toEqual([command]);
});

test('every recipe and README tells where to get the client today', () => {
  const today =
    /npm pack --silent |pip install \.\.\/kasi\/clients\/python|repositories\.kasi path [./]+kasi\/clients\/php/;
  const wanted = [...TEXTS].filter(([file]) => /recipe-|README|index\.html/.test(file));
  expect(wanted.length).toBeGreaterThan(10);
  expect(wanted.filter(([, text]) => !today.test(text)).map(([file]) => file)).toEqual([]);
});
