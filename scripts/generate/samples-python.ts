import { snakeCase } from './python-text.ts';
import type { SampleCall } from './samples-call.ts';
import { literal, type Syntax } from './samples-literal.ts';

/** The longest line of a call. */
const WIDTH = 76;

const INDENT = '    ';

const text = (value: string): string => JSON.stringify(value);

const SYNTAX: Syntax = {
  text,
  // A float would be rounded somewhere between here and the ledger.
  number: (value) => (Number.isInteger(value) ? String(value) : `Decimal("${value}")`),
  words: { true: 'True', false: 'False', null: 'None' },
  object: ['{', '}'],
  list: ['[', ']'],
  padding: '',
  entry: (name, value) => `${text(name)}: ${value}`,
  indent: INDENT,
};

/** The call with the client in Python, as a whole program. Credentials come from the environment. */
export function pythonSample(call: SampleCall): string {
  const [make, from] = call.isForAdmins ? ['KasiAdmin', 'kasi.admin'] : ['Kasi', 'kasi'];
  const code = [clientOf(make, call), ...statements(call)].join('\n');
  const modules = [
    ...(code.includes('os.environ') ? ['import os'] : []),
    ...(code.includes('Decimal(') ? ['from decimal import Decimal'] : []),
    ...(code.includes('Path(') ? ['from pathlib import Path'] : []),
  ];
  return [...modules, ...(modules.length > 0 ? [''] : []), `from ${from} import ${make}`, '', code].join('\n');
}

function clientOf(make: string, { baseUrl, credentials, tokenName }: SampleCall): string {
  const options = {
    none: [],
    token: [`token=os.environ[${text(tokenName)}]`],
    key: ['api_key=os.environ["KASI_API_KEY"]', 'api_secret=os.environ["KASI_API_SECRET"]'],
  }[credentials];
  return `kasi = ${callOf(make, [`base_url=${text(baseUrl)}`, ...options])}`;
}

function statements({ method, arguments: given, use }: SampleCall): string[] {
  const call = methodCall(method, given);
  switch (use.kind) {
    case 'states':
      return [
        `for state in ${call}:`,
        `${INDENT}print(state["status"])`,
        `${INDENT}if state["status"] in ("paid", "expired"):`,
        `${INDENT}${INDENT}break`,
      ];
    case 'list': {
      const item = snakeCase(use.item);
      return [
        `page = ${call}`,
        `print(page${use.says.map((name) => `[${text(name)}]`).join('')})`,
        '',
        '# All of them, page after page:',
        `for ${item} in ${methodCall(use.iterate, use.arguments)}:`,
        `${INDENT}print(${item}["id"])`,
      ];
    }
    case 'file':
      return [`${use.variable} = ${call}`, `Path(${text(use.file)}).write_bytes(${use.variable})`];
    case 'nothing':
      return [call];
    default:
      return [`${snakeCase(use.variable)} = ${call}`, `print(${snakeCase(use.variable)})`];
  }
}

function methodCall(method: string, given: readonly unknown[]): string {
  const name = `kasi.${method.split('.').map(snakeCase).join('.')}`;
  const inline = `${name}(${given.map((value) => literal(SYNTAX, value)).join(', ')})`;
  const isShort = inline.length <= WIDTH && !inline.includes('\n');
  return isShort
    ? inline
    : onLines(
        name,
        given.map((value) => literal(SYNTAX, value, INDENT)),
      );
}

/** A call on one line, or with an argument on each. */
function callOf(name: string, given: readonly string[]): string {
  const inline = `${name}(${given.join(', ')})`;
  return inline.length <= WIDTH ? inline : onLines(name, given);
}

/** A single argument gets no comma behind it, as the formatters of Python write it. */
const onLines = (name: string, given: readonly string[]): string =>
  given.length === 1
    ? `${name}(\n${INDENT}${given[0]}\n)`
    : `${name}(\n${given.map((each) => `${INDENT}${each},\n`).join('')})`;
