import ts from 'typescript';
import { type Fault, lineOf, parse, type SourceFile, walk } from './source-files.ts';

/** Longest function, in lines. */
const FUNCTION_LINES_MAX = 60;

/** The widest line of a comment or of SQL, which no formatter wraps. */
const COLUMNS_MAX = 120;
const COMMENT_LINE = /^\s*(\/\/|\/?\*)|[;,{}()[\]] \/\/ /;

/** What a rule may look at. */
type Context = { readonly path: string; readonly tree: ts.SourceFile };
/** Says what is wrong with a node, or nothing. */
type Rule = (node: ts.Node, context: Context) => string | undefined;

/** What runs in a browser has its own clock and no environment. */
const isCode = (path: string): boolean => path.startsWith('src/') && !path.includes('/assets/');
const isTest = (path: string): boolean => path.startsWith('test/') || path.includes('/test/');

/** Only these may ask what time it is or what the environment says: the clock, and what runs before there is one. */
const OWN_TIME = /^src\/(lib\/clock|main|infrastructure)\.ts$/;
const OWN_ENVIRONMENT = /^src\/(config|main)\.ts$/;
/** Tools that load a module by its default export, and what modules of packages are declared to have. */
const DEFAULT_WANTED = /(^|\/)[\w.-]+\.(config|d)\.ts$|^scripts\/contract\/rules\.ts$/;
/** The one module that a package shows is a list of what it shows. */
const PACKAGE_ENTRY = /^clients\/[\w-]+\/src\/index\.ts$/;
const SQL_TIME = /\b(now|transaction_timestamp)\s*\(\s*\)|\b(current_timestamp|current_date|localtimestamp)\b/i;

function functionLength(node: ts.Node, { tree }: Context): string | undefined {
  if (!ts.isFunctionLike(node) || !('body' in node) || node.body === undefined || isDescribeCallback(node))
    return undefined;
  const lines = tree.getLineAndCharacterOfPosition(node.end).line + 2 - lineOf(tree, node);
  return lines > FUNCTION_LINES_MAX
    ? `a function of ${lines} lines; at most ${FUNCTION_LINES_MAX}. Split it at the seam that you find.`
    : undefined;
}

/** `describe(name, () => …)` is a heading over tests, as a file is; each test counts by itself. */
function isDescribeCallback(node: ts.Node): boolean {
  const call = node.parent;
  return (
    ts.isCallExpression(call) &&
    call.arguments.includes(node as ts.Expression) &&
    /^describe\b/.test(call.expression.getText())
  );
}

function wallTime(node: ts.Node, { path }: Context): string | undefined {
  if (!isCode(path) || OWN_TIME.test(path)) return undefined;
  const isDateNow = ts.isPropertyAccessExpression(node) && /^Date\s*\.\s*now$/.test(node.getText());
  const isNewDate = ts.isNewExpression(node) && node.expression.getText() === 'Date' && !node.arguments?.length;
  const isDateCall = ts.isCallExpression(node) && node.expression.getText() === 'Date';
  return isDateNow || isNewDate || isDateCall
    ? 'time is an argument: take `now: Date`, or read a Clock at the edge. To measure how long something took, monotonicMs().'
    : undefined;
}

function sqlTime(node: ts.Node, { path }: Context): string | undefined {
  if (!isCode(path) || !isTextPart(node) || !isSql(node, path) || !SQL_TIME.test(node.text)) return undefined;
  return 'time is an argument of SQL too: bind `now`. Only leases go by the time of the database, by clock_timestamp().';
}

type TextPart =
  | ts.StringLiteral
  | ts.NoSubstitutionTemplateLiteral
  | ts.TemplateHead
  | ts.TemplateMiddle
  | ts.TemplateTail;

const isTextPart = (node: ts.Node): node is TextPart =>
  ts.isStringLiteralLike(node) || ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node);

/** The text of a migration, or of a template tagged `sql`. */
function isSql(node: ts.Node, path: string): boolean {
  if (path.startsWith('src/db/migrations/')) return true;
  for (let at: ts.Node | undefined = node; at && !ts.isStatement(at); at = at.parent) {
    if (ts.isTaggedTemplateExpression(at)) return /^sql\b/.test(at.tag.getText());
  }
  return false;
}

function environment(node: ts.Node, { path }: Context): string | undefined {
  if (!isCode(path) || OWN_ENVIRONMENT.test(path)) return undefined;
  const read = ts.isPropertyAccessExpression(node) && /^process\s*\.\s*env$/.test(node.getText());
  return read ? 'only config.ts reads the environment. Add the setting there and take it from Config.' : undefined;
}

function defaultExport(node: ts.Node, { path }: Context): string | undefined {
  if (DEFAULT_WANTED.test(path)) return undefined;
  const isDefault =
    ts.isExportAssignment(node) ||
    (ts.isExportSpecifier(node) && node.name.text === 'default') ||
    (ts.canHaveModifiers(node) && ts.getModifiers(node)?.some(({ kind }) => kind === ts.SyntaxKind.DefaultKeyword));
  return isDefault ? 'a default export. Give it a name, so that it has the same one everywhere.' : undefined;
}

const anyType: Rule = (node) =>
  node.kind === ts.SyntaxKind.AnyKeyword
    ? '`any` turns the compiler off. Use the type, or unknown and look.'
    : undefined;

const enumeration: Rule = (node) =>
  ts.isEnumDeclaration(node) ? 'an enum is code that is not in the text. Use a union of strings.' : undefined;

function classWithoutError(node: ts.Node): string | undefined {
  if (!ts.isClassLike(node)) return undefined;
  const parent = node.heritageClauses?.find(({ token }) => token === ts.SyntaxKind.ExtendsKeyword)?.types[0];
  return parent && /Error$/.test(parent.expression.getText())
    ? undefined
    : 'a class that is not an error. Use functions, and a closure where there is state.';
}

function accessor(node: ts.Node, { path }: Context): string | undefined {
  if (!isCode(path) || !ts.isAccessor(node)) return undefined;
  return 'a getter or setter: what it sees outlives its object (decision db/no-getters). Use a function, or a property.';
}

function barrel(node: ts.Node, { path }: Context): string | undefined {
  if (!ts.isSourceFile(node) || node.statements.length === 0 || PACKAGE_ENTRY.test(path)) return undefined;
  const passesOn = node.statements.every((statement) => ts.isExportDeclaration(statement) && statement.moduleSpecifier);
  return passesOn ? 'a file that only passes on what others export. Import from where it is.' : undefined;
}

function optionalTransaction(node: ts.Node): string | undefined {
  const named = ts.isParameter(node) || ts.isPropertySignature(node);
  if (!named || !node.questionToken || node.name.getText() !== 'trx') return undefined;
  return 'a function that joins a transaction takes `trx: Trx`, first and always; one that does not takes none.';
}

function focusedTest(node: ts.Node, { path }: Context): string | undefined {
  if (!isTest(path) || !ts.isPropertyAccessExpression(node)) return undefined;
  const [, wanted] = /^(?:test|it|describe|suite)\b.*\.(only|skip|todo|fails)$/s.exec(node.getText()) ?? [];
  return wanted ? `.${wanted}: every test runs, and every test can fail. Make it pass, or take it out.` : undefined;
}

/** A wait of a test, whose own end is a second: a run beside four others, or on a busy machine, takes longer. */
function impatient(node: ts.Node, { path }: Context): string | undefined {
  if (!isTest(path) || !ts.isCallExpression(node)) return undefined;
  if (!/^vi\s*\.\s*wait(For|Until)$/.test(node.expression.getText()) || node.arguments.length > 1) return undefined;
  return 'a wait that gives up after a second, as on a busy machine. Say how long: 60_000, or less where less is promised.';
}

function undocumented(node: ts.Node, { path }: Context): string | undefined {
  if (!isCode(path) || !isExportedFunction(node)) return undefined;
  const statement = ts.isVariableDeclaration(node) ? node.parent.parent : node;
  if (ts.getJSDocCommentsAndTags(statement).length > 0) return undefined;
  return `${node.name?.getText() ?? 'a function'} is exported without a doc comment. Say what it guarantees, with units and errors.`;
}

function isExportedFunction(node: ts.Node): node is ts.FunctionDeclaration | ts.VariableDeclaration {
  if (ts.isFunctionDeclaration(node)) return isExported(node);
  if (!ts.isVariableDeclaration(node) || !node.initializer || !ts.isVariableStatement(node.parent.parent)) return false;
  const isFunction = ts.isArrowFunction(node.initializer) || ts.isFunctionExpression(node.initializer);
  return isFunction && isExported(node.parent.parent);
}

const isExported = (node: ts.HasModifiers): boolean =>
  ts.getModifiers(node)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) ?? false;

const RULES: readonly Rule[] = [
  functionLength,
  wallTime,
  sqlTime,
  environment,
  defaultExport,
  anyType,
  enumeration,
  classWithoutError,
  accessor,
  barrel,
  optionalTransaction,
  focusedTest,
  impatient,
  undocumented,
];

/** The faults of a TypeScript or JavaScript file that its syntax tree shows. */
export function findTreeFaults(file: SourceFile): Fault[] {
  if (!/\.(ts|mts|mjs|js)$/.test(file.path)) return [];
  const tree = parse(file);
  const context = { path: file.path, tree };
  const faults: Fault[] = [];
  const sqlLines = new Set<number>();
  walk(tree, (node) => {
    if (ts.isTemplateLiteral(node) && isSql(node, file.path)) addLines(sqlLines, node, context);
    for (const rule of RULES) {
      const message = rule(node, context);
      if (message !== undefined) faults.push({ path: file.path, line: lineOf(tree, node), message });
    }
  });
  return [...faults, ...findWideLines(file, sqlLines)];
}

function addLines(lines: Set<number>, node: ts.Node, { tree }: Context): void {
  const last = tree.getLineAndCharacterOfPosition(node.end).line + 1;
  for (let line = lineOf(tree, node); line <= last; line += 1) lines.add(line);
}

/** Migrations are frozen, however wide. */
function findWideLines({ path, text }: SourceFile, sqlLines: ReadonlySet<number>): Fault[] {
  if (path.startsWith('src/db/migrations/')) return [];
  return text.split('\n').flatMap((line, index) => {
    const at = index + 1;
    if (line.length <= COLUMNS_MAX || !(COMMENT_LINE.test(line) || sqlLines.has(at))) return [];
    return [{ path, line: at, message: `${line.length} columns; comments and SQL wrap at ${COLUMNS_MAX}.` }];
  });
}
