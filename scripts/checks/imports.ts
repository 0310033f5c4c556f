/**
 * Holds src/ to the import rule of src/README.md: a folder imports only from rows above its own, there is no cycle
 * inside a folder, and libraries with a home are imported only there. Reads the rows from that README, so the two
 * cannot differ.
 */
import { readFileSync } from 'node:fs';
import { posix } from 'node:path';
import ts from 'typescript';
import {
  type Fault,
  isStarted,
  lineOf,
  parse,
  readSourceFiles,
  report,
  type SourceFile,
  walk,
} from './source-files.ts';

/** The row of each folder; '' stands for the files directly in src/. */
export type Rows = ReadonlyMap<string, number>;

type Import = { readonly from: string; readonly to: string; readonly line: number; readonly typeOnly: boolean };

type Home = {
  readonly library: RegExp;
  readonly home: string;
  /** Where else it is imported: a play wallet signs as its owner's own would. */
  readonly also?: string;
  readonly typesElsewhere: boolean;
};

/** The home of a library. Other folders may import at most its types. */
const HOMES: readonly Home[] = [
  { library: /^pg(-copy-streams)?$/, home: 'src/db/', typesElsewhere: false },
  { library: /^(fastify|fastify-.*|@fastify\/.*|helmet)$/, home: 'src/http/', typesElsewhere: true },
  { library: /^@scure\//, home: 'src/chains/bitcoin/', also: 'src/sandbox/bitcoin-', typesElsewhere: false },
  { library: /^zeromq$/, home: 'src/chains/bitcoin/', typesElsewhere: false },
  { library: /^@opentelemetry\//, home: 'src/tracing/', typesElsewhere: false },
  { library: /^viem$/, home: 'src/chains/evm/', typesElsewhere: false },
];

/** The rows of the table in src/README.md. Throws if there is no such table. */
export function readRows(readme: string): Rows {
  const rows = new Map<string, number>();
  for (const [, row = '', cell = ''] of readme.matchAll(/^\| (\d+) \| (.+) \|$/gm)) {
    const folders = [...cell.matchAll(/`([a-z-]+)`/g)].map(([, name = '']) => name);
    for (const folder of folders.length > 0 ? folders : ['']) rows.set(folder, Number(row));
  }
  if (!rows.has('') || rows.size < 2)
    throw new Error('src/README.md has no table of rows, the last of them the files of src/ itself');
  return rows;
}

/** Every import of `files` that the rule forbids. */
export function findImportFaults(files: readonly SourceFile[], rows: Rows): Fault[] {
  const sources = files.filter(({ path }) => path.startsWith('src/') && path.endsWith('.ts'));
  const imports = sources.flatMap(listImports);
  return [
    ...findStrayFolders(sources, rows),
    ...imports.flatMap((each) => judge(each, rows)),
    ...findCircles(imports.filter(({ from, to }) => isWithin(to, 'src') && folderOf(from) === folderOf(to))),
  ];
}

function listImports(file: SourceFile): Import[] {
  const tree = parse(file);
  const found: Import[] = [];
  const add = (specifier: ts.Node | undefined, typeOnly: boolean): void => {
    if (!specifier || !ts.isStringLiteralLike(specifier)) return;
    const { text } = specifier;
    const to = text.startsWith('.') ? posix.join(posix.dirname(file.path), text) : packageOf(text);
    found.push({ from: file.path, to, line: lineOf(tree, specifier), typeOnly });
  };
  walk(tree, (node) => {
    if (ts.isImportDeclaration(node)) add(node.moduleSpecifier, isTypeOnly(node.importClause));
    else if (ts.isExportDeclaration(node)) add(node.moduleSpecifier, node.isTypeOnly);
    else if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) add(node.argument.literal, true);
    else if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword)
      add(node.arguments[0], false);
  });
  return found;
}

function isTypeOnly(clause: ts.ImportClause | undefined): boolean {
  if (!clause) return false;
  if (clause.isTypeOnly) return true;
  const { namedBindings } = clause;
  if (clause.name || !namedBindings || !ts.isNamedImports(namedBindings)) return false;
  return namedBindings.elements.length > 0 && namedBindings.elements.every((element) => element.isTypeOnly);
}

/** `viem/actions` → `viem`, `@fastify/jwt/x` → `@fastify/jwt`. */
const packageOf = (specifier: string): string =>
  specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');

const isWithin = (path: string, folder: string): boolean => path.startsWith(`${folder}/`);

/** The folder of src/ that a file belongs to; '' for files directly in src/, `generated` for generated files. */
function folderOf(path: string): string {
  if (isWithin(path, 'generated')) return 'generated';
  const [, folder = '', ...rest] = path.split('/');
  return rest.length > 0 ? folder : '';
}

function findStrayFolders(sources: readonly SourceFile[], rows: Rows): Fault[] {
  const strays = new Map<string, string>();
  for (const { path } of sources)
    if (!rows.has(folderOf(path)) && !strays.has(folderOf(path))) strays.set(folderOf(path), path);
  return [...strays].map(([folder, path]) => ({
    path,
    line: 1,
    message: `the folder ${folder} stands in no row of src/README.md. Put it into the row that its imports allow.`,
  }));
}

function judge(each: Import, rows: Rows): Fault[] {
  const { from, to, line, typeOnly } = each;
  const fault = (message: string): Fault[] => [{ path: from, line, message }];
  const home = HOMES.find(({ library }) => library.test(to));
  const isHome = home && [home.home, home.also].some((each) => each !== undefined && from.startsWith(each));
  if (home && !isHome && !(typeOnly && home.typesElsewhere)) {
    const types = home.typesElsewhere ? ' (its types may be imported anywhere)' : '';
    return fault(`only ${home.home} imports ${to}${types}. Use what ${home.home} offers, or be given it as a value.`);
  }
  if (!to.includes('/') || to.startsWith('@') || to.startsWith('node:')) return [];
  if (!isWithin(to, 'src') && !isWithin(to, 'generated')) {
    return fault(`src/ imports nothing from ${to}. Move what is shared into src/lib.`);
  }
  const [own, other] = [folderOf(from), folderOf(to)];
  if (own === other) return [];
  const [ownRow, otherRow] = [rows.get(own), rows.get(other)];
  if (ownRow === undefined || otherRow === undefined || otherRow < ownRow) return [];
  const relation =
    otherRow === ownRow ? `both stand in row ${ownRow}` : `row ${ownRow} may not import from row ${otherRow}`;
  return fault(
    `${own || 'src'} imports ${other || 'src'}${typeOnly ? ' (a type)' : ''}, but ${relation} (src/README.md). ` +
      'Take what you need as an argument, describe it in ports/, or move it up.',
  );
}

/** One fault per cycle among the files of a folder, at the import that closes it. */
function findCircles(imports: readonly Import[]): Fault[] {
  const edges = Map.groupBy(imports, ({ from }) => from);
  const done = new Set<string>();
  const faults: Fault[] = [];
  const visit = (path: string, trail: readonly string[]): void => {
    for (const { from, to, line } of edges.get(path) ?? []) {
      const start = [...trail, path].indexOf(to);
      if (start >= 0) {
        const circle = [...trail, path]
          .slice(start)
          .concat(to)
          .map((each) => posix.basename(each));
        faults.push({
          path: from,
          line,
          message: `a circle: ${circle.join(' → ')}. Move what both need into a file of its own.`,
        });
      } else if (!done.has(to)) visit(to, [...trail, path]);
    }
    done.add(path);
  };
  for (const path of edges.keys()) if (!done.has(path)) visit(path, []);
  return faults;
}

if (isStarted(import.meta)) {
  const rows = readRows(readFileSync('src/README.md', 'utf8'));
  report(findImportFaults(readSourceFiles(), rows), 'Every import follows the rows of src/README.md.');
}
