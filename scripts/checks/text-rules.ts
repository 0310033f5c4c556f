import type { Fault, SourceFile } from './source-files.ts';

/** The longest file, in lines. A longer file can be split. */
const LINES_MAX = 450;

/** Lists and prose may be longer. */
const ANY_LENGTH = /\.(json|yaml|yml|md)$|(^|\/)LICENSE$/;

type TextRule = {
  /** What must not be in a line. */
  readonly pattern: RegExp;
  readonly message: string;
  readonly in?: RegExp;
  readonly except?: RegExp;
};

// Written so that the rules do not match this file.
const RULES: readonly TextRule[] = [
  { pattern: /\b(TO[D]O|FI[X]ME|XX[X])\b/, message: 'finish it, or write an issue; a note in the code is forgotten.' },
  {
    pattern: /(?<![\w.$}\]])\/(work|home|Users|root)\/[\w.-]+/,
    message: 'a path of one machine. Use a path from the root of the project, or ask the system.',
  },
  {
    pattern: /https?:\/\/(?!registry\.npmjs\.org\b)[^\s"'`/]*\b(registry|artifactory|nexus|verdaccio|mirror)\b/i,
    message: 'the address of a registry. Packages come from wherever npm is configured to get them.',
  },
  {
    pattern: /"resolved": "(?!https:\/\/registry\.npmjs\.org\/|clients\/)/,
    message:
      'the lockfile names where one machine gets its packages. Run npm with omit-lockfile-registry-resolved (.npmrc).',
    in: /package-lock\.json$/,
  },
  {
    pattern: /\bshared[/](design|spec)\b|\.\.[/]shared\b|\b(decisions|reliability|library-notes|style-anchors)\.m[d]\b/,
    message: 'a document that readers of this repository do not have. Say here what it says.',
  },
];

/** The faults that a file's text shows. */
export function findTextFaults(file: SourceFile): Fault[] {
  const lines = file.text.replace(/\n$/, '').split('\n');
  const rules = RULES.filter(({ in: only, except }) => (only?.test(file.path) ?? true) && !except?.test(file.path));
  const found = lines.flatMap((line, index) =>
    rules
      .filter(({ pattern }) => pattern.test(line))
      .map(({ message }): Fault => ({ path: file.path, line: index + 1, message })),
  );
  if (lines.length <= LINES_MAX || ANY_LENGTH.test(file.path)) return found;
  const message = `${lines.length} lines; at most ${LINES_MAX}. Split it at the seam that you find.`;
  return [{ path: file.path, line: LINES_MAX + 1, message }, ...found];
}
