import type { SampleCall } from './samples-call.ts';
import { literal, type Syntax } from './samples-literal.ts';

/** The longest line that makes a client. */
const WIDTH = 76;

const text = (value: string): string => `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;

const SYNTAX: Syntax = {
  text,
  number: String,
  words: { true: 'true', false: 'false', null: 'null' },
  object: ['[', ']'],
  list: ['[', ']'],
  padding: '',
  entry: (name, value) => `${text(name)} => ${value}`,
  indent: '    ',
};

/** The call with the client in PHP, as a whole program. Credentials come from the environment. */
export function phpSample(call: SampleCall): string {
  const make = call.isForAdmins ? 'KasiAdmin' : 'Kasi';
  return [
    '<?php',
    "require __DIR__ . '/vendor/autoload.php';",
    '',
    `use Kasi\\${make};`,
    '',
    clientOf(make, call),
    ...statements(call),
  ].join('\n');
}

function clientOf(make: string, { baseUrl, credentials, tokenName }: SampleCall): string {
  const options = {
    none: [],
    token: [`token: getenv('${tokenName}')`],
    key: ["apiKey: getenv('KASI_API_KEY')", "apiSecret: getenv('KASI_API_SECRET')"],
  }[credentials];
  const given = [text(baseUrl), ...options];
  const inline = `$kasi = new ${make}(${given.join(', ')});`;
  return inline.length <= WIDTH ? inline : `$kasi = new ${make}(\n${given.map((each) => `    ${each},\n`).join('')});`;
}

function statements({ method, arguments: given, use }: SampleCall): string[] {
  const call = methodCall(method, given);
  switch (use.kind) {
    case 'states':
      return [
        `foreach (${call} as $state) {`,
        '    echo $state[\'status\'], "\\n";',
        "    if (in_array($state['status'], ['paid', 'expired'], true)) {",
        '        break;',
        '    }',
        '}',
      ];
    case 'list':
      return [
        `$page = ${call};`,
        print(`$page${use.says.map((name) => `['${name}']`).join('')}`, use.says),
        '',
        '// All of them, page after page:',
        `foreach (${methodCall(use.iterate, use.arguments)} as $${use.item}) {`,
        `    echo $${use.item}['id'], "\\n";`,
        '}',
      ];
    case 'file':
      return [`$${use.variable} = ${call};`, `file_put_contents(${text(use.file)}, $${use.variable});`];
    case 'text':
      return [`$${use.variable} = ${call};`, `echo $${use.variable};`];
    case 'nothing':
      return [`${call};`];
    default:
      return [`$${use.variable} = ${call};`, `print_r($${use.variable});`];
  }
}

/** `echo` writes nothing for false. */
const print = (value: string, path: readonly string[]): string =>
  path.at(-1) === 'hasMore' ? `var_dump(${value});` : `echo ${value}, "\\n";`;

const methodCall = (method: string, given: readonly unknown[]): string =>
  `$kasi->${method.replaceAll('.', '->')}(${given.map((value) => literal(SYNTAX, value)).join(', ')})`;
