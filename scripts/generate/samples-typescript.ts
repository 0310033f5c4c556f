import type { SampleRequest } from './samples-request.ts';

/** A method of the client, by its path within the client (`payments.create`). */
export type Method = {
  readonly name: string;
  /** The method that iterates over all pages, if the answer is a page. */
  readonly iterate: string | null;
};

/** The longest object on one line. */
const INLINE_MAX = 40;

const OPTIONS: Readonly<Record<SampleRequest['credentials'], readonly string[]>> = {
  none: [],
  admin: ["token: process.env['KASI_ADMIN_TOKEN']"],
  token: ["token: process.env['KASI_TOKEN']"],
  key: ["apiKey: process.env['KASI_API_KEY']", "apiSecret: process.env['KASI_API_SECRET']"],
  either: ["apiKey: process.env['KASI_API_KEY']", "apiSecret: process.env['KASI_API_SECRET']"],
};

/** The call with @kasi/client, as a whole module. Credentials come from the environment. */
export function typescriptSample(request: SampleRequest, method: Method): string {
  const options = [`baseUrl: ${literal(request.baseUrl)}`, ...OPTIONS[request.credentials]];
  const make = request.isForAdmins ? 'createAdminClient' : 'createClient';
  const from = request.isForAdmins ? '@kasi/client/admin' : '@kasi/client';
  const client =
    options.length === 1
      ? `const kasi = ${make}({ ${options[0]} });`
      : `const kasi = ${make}({\n${options.map((option) => `  ${option},\n`).join('')}});`;
  return [`import { ${make} } from '${from}';`, '', client, ...statements(request, method)].join('\n');
}

function statements(request: SampleRequest, { name, iterate }: Method): string[] {
  const call = `kasi.${name}(${argumentsOf(request)})`;
  if (request.answer.type === 'text/event-stream') {
    return [`for await (const { status } of ${call}) {`, '  console.log(status);', '}'];
  }
  if (iterate !== null) {
    const { limit, ...filters } = request.query;
    const all = argumentsOf({ ...request, query: filters });
    return [
      `const page = await ${call};`,
      `console.log(page.${request.isPaged ? 'pagination.total' : 'hasMore'});`,
      '',
      '// All of them, page after page:',
      `for await (const { id } of kasi.${iterate}(${all})) {`,
      '  console.log(id);',
      '}',
    ];
  }
  const variable = variableOf(request.answer);
  if (variable === null) return [`await ${call};`];
  return [`const ${variable} = await ${call};`, `console.log(${variable});`];
}

function argumentsOf({ ids, query, body }: Pick<SampleRequest, 'ids' | 'query' | 'body'>): string {
  const input = Object.keys(query).length > 0 ? [query] : body === undefined ? [] : [body];
  return [...ids, ...input].map((value) => literal(value)).join(', ');
}

/**
 * `CheckoutSessionCreated` becomes `checkoutSession`, `PublicPayment` becomes `payment`; a plain message gets no name.
 */
function variableOf({ type, schema }: SampleRequest['answer']): string | null {
  if (schema === 'MessageResponse') return null;
  if (type === 'image/png') return 'png';
  if (type === 'text/csv') return 'csv';
  if (type === 'image/svg+xml' || schema === null) return 'svg';
  const noun = schema
    .replace(/^Public/, '')
    .replace(/(Created|Result|Info)$/, '')
    .replace(/List$/, 's');
  return `${noun.charAt(0).toLowerCase()}${noun.slice(1)}`;
}

/** A JSON value in our code format. */
function literal(value: unknown, indent = ''): string {
  if (typeof value === 'string') return `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
  if (Array.isArray(value)) return `[${value.map((item) => literal(item, indent)).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return String(value);
  const deeper = `${indent}  `;
  const entries = Object.entries(value).map(([name, item]) => `${nameOf(name)}: ${literal(item, deeper)}`);
  const inline = `{ ${entries.join(', ')} }`;
  if (entries.length === 0) return '{}';
  if (inline.length <= INLINE_MAX && !inline.includes('\n')) return inline;
  return `{\n${entries.map((entry) => `${deeper}${entry},\n`).join('')}${indent}}`;
}

/** A property's name, quoted where necessary. */
const nameOf = (name: string): string => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : literal(name));
