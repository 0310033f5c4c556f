import { type ClientGroup, type ClientMethod, groupOf, takesKey, wordsOf } from './client-methods.ts';
import type { Contract, Schema } from './client-schema.ts';
import type { Types } from './python-models.ts';
import { docstring, HEADER, pascalCase, quoted, snakeCase } from './python-text.ts';

const IMPORTS = `
from typing import TYPE_CHECKING, Iterator, Optional, Tuple, Union

from .._feed import EventPosition, HandleEvent
from .._group import Group
from .._transport import CallOptions, Operation, Transport

if TYPE_CHECKING:
    from . import models as m

`;

/** The Python module with the methods of a surface: the same names, groups and operations as in TypeScript. */
export function surfaceModule(contract: Contract, types: Types, tree: object, root: string, about: string): string {
  const groups = classesOf(types, groupOf(contract, tree), root, about);
  return `${HEADER(about)}${IMPORTS}\n${groups.join('\n\n')}`;
}

/** The class of a group, behind those of the groups in it. */
function classesOf(types: Types, { path, children, methods }: ClientGroup, root: string, about: string): string[] {
  const classOf = (at: readonly string[]): string => (at.length === 0 ? root : at.map(pascalCase).join(''));
  const parts = children.map((child) => {
    const name = snakeCase(child.path.at(-1) ?? '');
    return `        self.${name} = ${classOf(child.path)}(transport)\n`;
  });
  const start = `    def __init__(self, transport: Transport) -> None:\n        super().__init__(transport)\n${parts.join('')}`;
  const body = [...(parts.length > 0 ? [start] : []), ...methods.map((method) => methodText(types, method))];
  const said = docstring(about || `\`${path.map(snakeCase).join('.')}\` of the client.`, '    ');
  const own = `class ${classOf(path)}(Group):\n${said}\n${body.join('\n')}`;
  return [...children.flatMap((child) => classesOf(types, child, root, '')), own];
}

/** What differs between the kinds of methods. */
type Shape = {
  /** Arguments besides the ids and the options. */
  readonly input: readonly string[];
  readonly answer: string;
  readonly lines: readonly string[];
};

function methodText(types: Types, method: ClientMethod): string {
  const { name, ids, operation } = method;
  const shape = shapeOf(types, method);
  const key = takesKey(method);
  const options = [
    ...(key ? ['idempotency_key: Optional[str] = None'] : []),
    'timeout: Optional[float] = None',
    'max_retries: Optional[int] = None',
  ];
  const args = ['self', ...ids.map((id) => `${snakeCase(id)}: str`), ...shape.input, '*', ...options];
  const about = [wordsOf(method, 'raises'), operation.description ?? ''].join('\n\n');
  return [
    `    def ${snakeCase(name)}(\n${args.map((arg) => `        ${arg},\n`).join('')}    ) -> ${shape.answer}:\n`,
    docstring(about, '        '),
    `        options = CallOptions(timeout, max_retries${key ? ', idempotency_key' : ''})\n`,
    ...shape.lines.map((line) => `        ${line}\n`),
  ].join('');
}

function operationText({ verb, path, signedPath, isOpen, isIdempotent }: ClientMethod): string {
  const more = [
    isOpen && 'is_open=True',
    isIdempotent && 'is_idempotent=True',
    signedPath !== null && `signed_path=${quoted(signedPath)}`,
  ].filter((part) => part !== false);
  return `Operation(${[quoted(verb), quoted(path), ...more].join(', ')})`;
}

const FILES: Readonly<Record<string, string>> = { 'text/csv': 'str', 'image/svg+xml': 'str', 'image/png': 'bytes' };

function shapeOf(types: Types, method: ClientMethod): Shape {
  const typeOf = (schema: Schema, direction: 'sent' | 'back'): string =>
    types.typeOf(schema, direction, (type) => `m.${type}`);
  const own = operationText(method);
  const path = `{${method.ids.map((id) => `${quoted(id)}: ${snakeCase(id)}`).join(', ')}}`;
  const filter = `query: Optional[m.${types.queryOf(method.operation)?.filter}] = None`;
  const items = `Iterator[${method.item && typeOf(method.item, 'back')}]`;
  switch (method.kind) {
    case 'sync':
      return {
        input: ['after: Union[int, Tuple[int, str]]', 'handle: HandleEvent'],
        answer: 'EventPosition',
        lines: [`return self._sync(${own}, after, handle, options)`],
      };
    case 'pages':
      return { input: [filter], answer: items, lines: [`return self._pages(${own}, ${path}, query, options)`] };
    case 'feed':
      return { input: [filter], answer: items, lines: [`return self._feed(${own}, query, options)`] };
    case 'follow': {
      const lines = [`return self._follow(${own}, ${path}, options)`];
      return { input: [], answer: 'Iterator[m.PublicPayment]', lines };
    }
    case 'call':
      return callShape(types, method, `${own}, ${path}`, typeOf);
  }
}

function callShape(
  types: Types,
  { operation, answer: { media, schema }, body, effect }: ClientMethod,
  target: string,
  typeOf: (schema: Schema, direction: 'sent' | 'back') => string,
): Shape {
  const isJson = media === 'application/json';
  const answer = isJson ? typeOf(schema, 'back') : FILES[media];
  if (answer === undefined) throw new Error(`${operation.operationId} answers ${media}, which no client reads.`);
  const query = types.queryOf(operation);
  const bodyType = body && typeOf(body.schema, 'sent');
  const slot = body
    ? { arg: body.required ? `body: ${bodyType}` : `body: Optional[${bodyType}] = None`, pass: ', body=body' }
    : query && { arg: `query: Optional[m.${query.name}] = None`, pass: ', query=query' };
  const accept = isJson ? '' : `, accept=${quoted(media)}`;
  const call = `self._call(${target}, options${slot?.pass ?? ''}${accept})`;
  return { input: slot ? [slot.arg] : [], answer, lines: linesOf(effect, call, answer) };
}

/** The call, with what it does to the session. */
function linesOf(effect: ClientMethod['effect'], call: string, answer: string): string[] {
  const asked = `answer: ${answer} = ${call}`;
  switch (effect) {
    case null:
      return [asked, 'return answer'];
    case 'begins':
      return [asked, 'return self._begins(answer)'];
    case 'ends':
      return [asked, 'self._ends()', 'return answer'];
    case 'changes password':
      return [asked, 'self._changes_password(body)', 'return answer'];
    case 'exchanges':
      return [
        `def trade() -> ${answer}:`,
        `    ${asked}`,
        '    return answer',
        '',
        'return self._exchanges(body, trade)',
      ];
  }
}
