import type { SampleCall } from './samples-call.ts';
import { literal, type Syntax } from './samples-literal.ts';

const text = (value: string): string => `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;

const SYNTAX: Syntax = {
  text,
  number: String,
  words: { true: 'true', false: 'false', null: 'null' },
  object: ['{', '}'],
  list: ['[', ']'],
  padding: ' ',
  // A property's name, quoted where necessary.
  entry: (name, value) => `${/^[A-Za-z_$][\w$]*$/.test(name) ? name : text(name)}: ${value}`,
  indent: '  ',
};

/** The call with @kasi/client, as a whole module. Credentials come from the environment. */
export function typescriptSample(call: SampleCall): string {
  const make = call.isForAdmins ? 'createAdminClient' : 'createClient';
  const from = call.isForAdmins ? '@kasi/client/admin' : '@kasi/client';
  const imports = [
    ...(call.use.kind === 'file' ? ["import { writeFile } from 'node:fs/promises';"] : []),
    `import { ${make} } from '${from}';`,
  ];
  return [...imports, '', clientOf(make, call), ...statements(call)].join('\n');
}

function clientOf(make: string, { baseUrl, credentials, tokenName }: SampleCall): string {
  const options = {
    none: [],
    token: [`token: process.env['${tokenName}']`],
    key: ["apiKey: process.env['KASI_API_KEY']", "apiSecret: process.env['KASI_API_SECRET']"],
  }[credentials];
  const address = `baseUrl: ${text(baseUrl)}`;
  if (options.length === 0) return `const kasi = ${make}({ ${address} });`;
  return `const kasi = ${make}({\n${[address, ...options].map((option) => `  ${option},\n`).join('')}});`;
}

function statements({ method, arguments: given, use }: SampleCall): string[] {
  const call = `kasi.${method}(${argumentsOf(given)})`;
  switch (use.kind) {
    case 'states':
      return [
        `for await (const { status } of ${call}) {`,
        '  console.log(status);',
        "  if (status === 'paid' || status === 'expired') break;",
        '}',
      ];
    case 'list':
      return [
        `const page = await ${call};`,
        `console.log(page.${use.says.join('.')});`,
        '',
        '// All of them, page after page:',
        `for await (const { id } of kasi.${use.iterate}(${argumentsOf(use.arguments)})) {`,
        '  console.log(id);',
        '}',
      ];
    case 'file':
      return [`const ${use.variable} = await ${call};`, `await writeFile(${text(use.file)}, ${use.variable});`];
    case 'nothing':
      return [`await ${call};`];
    default:
      return [`const ${use.variable} = await ${call};`, `console.log(${use.variable});`];
  }
}

const argumentsOf = (values: readonly unknown[]): string => values.map((value) => literal(SYNTAX, value)).join(', ');
