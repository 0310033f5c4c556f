/**
 * Refuses SQL of src/ that uses a table of another folder, unless table-owners.ts lists it with a reason. Reads `sql`
 * and `sqlOnce` templates and the calls that build statements. Migrations have no owner.
 */
import { readFileSync } from 'node:fs';
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
import { EXCEPTIONS, type Exception, OWNERS } from './table-owners.ts';

/** One mention of a table in SQL. */
type Use = {
  readonly path: string;
  readonly line: number;
  readonly table: string;
  readonly access: Exception['access'];
};

const SQL_USE = /\b(insert\s+into|update|delete\s+from|from|join|using)\s+([a-z_]+)/gi;
const WRITING = /^(insert|update|delete|merge)/i;
const BUILDER_CALL = /^(selectFrom|insertInto|updateTable|deleteFrom|mergeInto|innerJoin|leftJoin|from|using)$/;

/**
 * Tables without an owner, uses of a table by a folder that neither owns it nor is excepted, and exceptions that
 * nothing uses.
 */
export function findTableFaults(
  files: readonly SourceFile[],
  tables: ReadonlySet<string>,
  owners: Readonly<Record<string, string>> = OWNERS,
  exceptions: readonly Exception[] = EXCEPTIONS,
): Fault[] {
  const uses = files.filter(isQuerying).flatMap((file) => listUses(file, tables));
  const isAllowed = (use: Use): boolean =>
    owners[use.table] === folderOf(use.path) || exceptions.some((each) => covers(each, use));
  const data = 'scripts/checks/table-owners.ts';
  return [
    ...[...tables]
      .filter((table) => !(table in owners))
      .map((table) => ({ path: data, line: 1, message: `the table ${table} has no owner. Name its folder.` })),
    ...uses
      .filter((use) => !isAllowed(use))
      .map(({ path, line, table, access }) => ({
        path,
        line,
        message:
          `${folderOf(path) || 'src'} ${access}s ${table}, which ${owners[table]} owns. Call its owner, be given a function, ` +
          `or list the exception with its reason in ${data}.`,
      })),
    ...exceptions
      .filter((each) => !uses.some((use) => covers(each, use)))
      .map(({ folder, access, tables: names }) => ({
        path: data,
        line: 1,
        message: `the exception that ${folder} may ${access} ${names.join(', ')} is not used. Remove it.`,
      })),
  ];
}

const covers = ({ folder, access, tables }: Exception, use: Use): boolean =>
  folder === folderOf(use.path) && access === use.access && tables.includes(use.table);

const isQuerying = ({ path }: SourceFile): boolean =>
  path.startsWith('src/') && path.endsWith('.ts') && !path.startsWith('src/db/migrations/');

/** The folder of src/ that a file belongs to; '' for files directly in src/. */
function folderOf(path: string): string {
  const [, folder = '', ...rest] = path.split('/');
  return rest.length > 0 ? folder : '';
}

function listUses(file: SourceFile, tables: ReadonlySet<string>): Use[] {
  const tree = parse(file);
  const uses: Use[] = [];
  const add = (node: ts.Node, verb: string, table: string): void => {
    if (!tables.has(table)) return;
    uses.push({ path: file.path, line: lineOf(tree, node), table, access: WRITING.test(verb) ? 'write' : 'read' });
  };
  walk(tree, (node) => {
    if (ts.isTaggedTemplateExpression(node) && /^sql(Once)?\b/.test(node.tag.getText())) {
      for (const [, verb = '', table = ''] of textOf(node.template).matchAll(SQL_USE)) add(node, verb, table);
    }
    const [verb, names] = builderCall(node);
    for (const name of names) add(node, verb, name);
  });
  return uses;
}

const textOf = (template: ts.TemplateLiteral): string =>
  ts.isNoSubstitutionTemplateLiteral(template)
    ? template.text
    : [template.head.text, ...template.templateSpans.map(({ literal }) => literal.text)].join(' $ ');

/** `.selectFrom(['charges as c', 'payments'])` → selectFrom, charges and payments; `insertOnce('events')`. */
function builderCall(node: ts.Node): [verb: string, tables: string[]] {
  if (ts.isCallExpression(node) && node.expression.getText() === 'insertOnce') {
    return ['insertInto', node.arguments.filter(ts.isStringLiteralLike).map(({ text }) => text)];
  }
  if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return ['', []];
  const verb = node.expression.name.text;
  const [argument] = node.arguments;
  if (!argument || !BUILDER_CALL.test(verb)) return ['', []];
  const names = ts.isArrayLiteralExpression(argument) ? [...argument.elements] : [argument];
  return [verb, names.filter(ts.isStringLiteralLike).map(({ text }) => text.split(' ')[0] ?? '')];
}

/** The tables of the database, from its generated types. */
export const readTables = (generated: string): ReadonlySet<string> =>
  new Set(
    [...(/export interface DB \{([^}]*)\}/.exec(generated)?.[1] ?? '').matchAll(/^\s+(\w+):/gm)].map(
      ([, name = '']) => name,
    ),
  );

if (isStarted(import.meta)) {
  const tables = readTables(readFileSync('generated/db.ts', 'utf8'));
  report(findTableFaults(readSourceFiles(), tables), `All SQL keeps to the owners of ${tables.size} tables.`);
}
