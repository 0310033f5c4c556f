export type StatementName = {
  /** `select payments`: short, without a value, and the same for many texts. */
  readonly summary: string;
  readonly operation: string;
  readonly table: string | undefined;
  /** It may have changed something although no count says so: it calls a function. */
  readonly calls: boolean;
};

const NAMES_MAX = 1000;
const DEPTH_MAX = 20;
const names = new Map<string, StatementName>();

/** What a statement does, and to what. Its text is not told: something may have been written out in it. */
export function nameStatement(text: string): StatementName {
  const known = names.get(text);
  if (known) return known;
  if (names.size >= NAMES_MAX) names.clear();
  const name = read(text);
  names.set(text, name);
  return name;
}

const CHANGE = /\b(insert\s+into|update|delete\s+from|merge\s+into)\s+(?:only\s+)?"?([a-z_]\w*)/i;
const SOURCE = /\bfrom\s+(?:only\s+)?"?([a-z_]\w*)/i;
const FUNCTION = /^\s*select\s+(\*\s+from\s+)?"?([a-z_]\w*)"?\s*§/i;

/** Without what stands in brackets: of a statement with parts, the last one names it. */
function outermost(text: string): string {
  let rest = text;
  for (let depth = 0; depth < DEPTH_MAX && rest.includes('('); depth += 1) rest = rest.replace(/\([^()]*\)/g, ' § ');
  return rest;
}

function read(whole: string): StatementName {
  const text = outermost(whole);
  const verb = /^\W*(\w+)/.exec(text)?.[1]?.toLowerCase() ?? 'statement';
  const [found, fromIt, called] = FUNCTION.exec(text) ?? [];
  const changed = verb === 'select' ? null : CHANGE.exec(text);
  const operation = changed?.[1]?.split(/\s/)[0]?.toLowerCase() ?? (verb === 'with' ? 'select' : verb);
  const table = changed?.[2] ?? (operation === 'select' ? (SOURCE.exec(text)?.[1] ?? called) : undefined);
  const summary = table === undefined ? operation : `${operation} ${table}`;
  return { summary, operation, table, calls: found !== undefined && (fromIt !== undefined || !SOURCE.test(text)) };
}
