import { readdirSync, readFileSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

/** A file of the project. `path` is relative to the root, with "/". */
export type SourceFile = { readonly path: string; readonly text: string };

/** What is wrong, where, and what to do about it. */
export type Fault = { readonly path: string; readonly line: number; readonly message: string };

/** Files that we do not write, or that are generated. */
const FOREIGN = new Set([
  'node_modules',
  'generated',
  'dist',
  'coverage',
  '.git',
  '.kasi',
  '_generated',
  'Generated',
  '__pycache__',
  '.mypy_cache',
]);
const TEXT =
  /\.(ts|mts|mjs|js|json|css|html|eta|sol|php|py|toml|yaml|yml|md|sh)$|(^|\/)(\.npmrc|\.gitignore|\.gitattributes|LICENSE|run)$/;

/** Every text file below `root` that is written by people, and the lockfile. */
export function readSourceFiles(root = '.'): SourceFile[] {
  return listFiles(root, '').map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }));
}

function listFiles(root: string, folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (entry.isDirectory()) return FOREIGN.has(entry.name) ? [] : listFiles(root, path);
      return entry.isFile() && TEXT.test(path) ? [path] : [];
    });
}

/** The syntax tree of a TypeScript or JavaScript file. */
export const parse = ({ path, text }: SourceFile): ts.SourceFile =>
  ts.createSourceFile(
    path,
    text,
    ts.ScriptTarget.Latest,
    true,
    path.endsWith('.ts') ? ts.ScriptKind.TS : ts.ScriptKind.JS,
  );

/** The line on which a node begins, from 1. */
export const lineOf = (tree: ts.SourceFile, node: ts.Node): number =>
  tree.getLineAndCharacterOfPosition(node.getStart(tree)).line + 1;

/** Calls `visit` for every node of a tree, parents first. */
export function walk(node: ts.Node, visit: (node: ts.Node) => void): void {
  visit(node);
  ts.forEachChild(node, (child) => walk(child, visit));
}

/** Prints faults, one a line as editors and terminals can follow, and fails the process if there are any. */
export function report(faults: readonly Fault[], allIsWell: string): void {
  for (const { path, line, message } of faults) console.error(`${path}:${line}: ${message}`);
  if (faults.length === 0) console.log(allIsWell);
  else process.exitCode = 1;
}

/** Whether a module was started as a script, rather than imported by a test. */
export const isStarted = ({ filename }: ImportMeta): boolean =>
  process.argv[1] !== undefined && realpathSync(process.argv[1]) === filename;
