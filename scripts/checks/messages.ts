/**
 * Refuses messages of the hosted pages that are missing in a language, unused, no valid ICU MessageFormat, or that have
 * other arguments than the English ones; and messages that a script or a template names and that do not exist.
 */
import { posix } from 'node:path';
import { argumentsOf } from '../lib/messages.ts';
import { type Fault, isStarted, readSourceFiles, report, type SourceFile } from './source-files.ts';

const FOLDER = 'src/checkout/pages/';
const MESSAGES = `${FOLDER}messages/`;
const SCRIPTS = `${FOLDER}assets/`;
const OF_SCRIPTS = 'script.';
/** Scripts fill arguments in themselves, and know no plurals. */
const SIMPLE = 'string | number';
const NAMED = /\b(?:say|markup)\(\s*'([^']+)'/g;

type Messages = { readonly file: SourceFile; readonly texts: Readonly<Record<string, string>> };

/** What is wrong with the messages in a project's files. */
export function findMessageFaults(files: readonly SourceFile[]): Fault[] {
  const all = files
    .filter(({ path }) => path.startsWith(MESSAGES))
    .map((file): Messages => ({ file, texts: JSON.parse(file.text) }));
  const english = all.find(({ file }) => posix.basename(file.path) === 'en.json');
  if (!english) return [{ path: `${MESSAGES}en.json`, line: 1, message: 'is missing.' }];
  const users = files.filter(({ path }) => path.startsWith(FOLDER) && !path.startsWith(MESSAGES));
  return [
    ...all.flatMap((messages) => faultsOf(messages, english)),
    ...unusedIn(english, users),
    ...users.flatMap((file) => unknownIn(file, english)),
  ];
}

function faultsOf(messages: Messages, english: Messages): Fault[] {
  const { file, texts } = messages;
  const missing = Object.keys(english.texts).filter((key) => texts[key] === undefined);
  return [
    ...missing.map((key) => ({ path: file.path, line: 1, message: `"${key}" is missing.` })),
    ...Object.entries(texts).flatMap(([key, text]) => {
      const message = faultOf(key, text, english.texts[key]);
      return message === null ? [] : [{ path: file.path, line: lineOf(messages, key), message: `"${key}" ${message}` }];
    }),
  ];
}

function faultOf(key: string, text: string, english: string | undefined): string | null {
  if (english === undefined) return 'is not in en.json.';
  try {
    const [own, theirs] = [argumentsOf(text), argumentsOf(english)];
    const [has, wants] = [own, theirs].map((each) => [...each.keys()].sort().join(', '));
    if (has !== wants) return `has the arguments (${has}), and in English (${wants}).`;
    const isSimple = [...own.values()].every((type) => type === SIMPLE);
    return key.startsWith(OF_SCRIPTS) && !isSimple ? 'is of scripts, which know no plurals and choices.' : null;
  } catch (error) {
    return `is no ICU MessageFormat: ${(error as Error).message}.`;
  }
}

function unusedIn(english: Messages, users: readonly SourceFile[]): Fault[] {
  const [scripts, others] = [true, false].map((wanted) =>
    users
      .filter(({ path }) => path.startsWith(SCRIPTS) === wanted)
      .map(({ text }) => text)
      .join('\n'),
  ) as [string, string];
  return Object.keys(english.texts).flatMap((key) => {
    const isUsed = key.startsWith(OF_SCRIPTS)
      ? scripts.includes(`'${key.slice(OF_SCRIPTS.length)}'`)
      : others.includes(`'${key}'`);
    const message = `"${key}" is used nowhere in ${FOLDER}. Delete it in every language.`;
    return isUsed ? [] : [{ path: english.file.path, line: lineOf(english, key), message }];
  });
}

/** TypeScript's compiler refuses unknown names elsewhere. */
function unknownIn({ path, text }: SourceFile, english: Messages): Fault[] {
  if (!path.startsWith(SCRIPTS) && !path.endsWith('.eta')) return [];
  const prefix = path.startsWith(SCRIPTS) ? OF_SCRIPTS : '';
  return [...text.matchAll(NAMED)].flatMap(({ index, 1: name = '' }) =>
    english.texts[prefix + name] === undefined
      ? [{ path, line: text.slice(0, index).split('\n').length, message: `there is no message "${prefix}${name}".` }]
      : [],
  );
}

const lineOf = ({ file }: Messages, key: string): number =>
  file.text.slice(0, file.text.indexOf(`"${key}":`)).split('\n').length;

if (isStarted(import.meta)) report(findMessageFaults(readSourceFiles()), 'Every message is there, once, and used.');
