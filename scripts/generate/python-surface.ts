import { begins, changesPassword, ends, exchanges } from '../../clients/typescript/src/session-methods.ts';
import {
  answerOf,
  bodyOf,
  type Contract,
  isLeaf,
  isPaged,
  itemOf,
  type Leaf,
  type Operation,
  operationAt,
  parametersOf,
} from './client-schema.ts';
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
  const groups = groupsOf(contract, types, tree, [], root, about);
  return `${HEADER(about)}${IMPORTS}\n${groups.join('\n\n')}`;
}

function groupsOf(
  contract: Contract,
  types: Types,
  tree: object,
  at: readonly string[],
  own: string,
  about: string,
): string[] {
  const entries = Object.entries(tree) as [string, object][];
  const leaves = entries.filter(([, branch]) => isLeaf(branch)) as [string, Leaf][];
  const branches = entries.filter(([, branch]) => !isLeaf(branch));
  const children = branches.map(([name, branch]) => {
    const path = [...at, name];
    const className = path.map(pascalCase).join('');
    return { name: snakeCase(name), className, groups: groupsOf(contract, types, branch, path, className, '') };
  });
  const start =
    children.length === 0
      ? []
      : [
          `    def __init__(self, transport: Transport) -> None:\n        super().__init__(transport)\n${children
            .map(({ name, className }) => `        self.${name} = ${className}(transport)\n`)
            .join('')}`,
        ];
  const methods = leaves.map(([name, leaf]) => methodOf(contract, types, name, leaf));
  const said = docstring(about || `\`${at.map(snakeCase).join('.')}\` of the client.`, '    ');
  const text = `class ${own}(Group):\n${said}\n${[...start, ...methods].join('\n')}`;
  return [...children.flatMap(({ groups }) => groups), text];
}

/** What a method is made of. */
type Shape = {
  /** Arguments besides the ids and the options. */
  readonly input: readonly string[];
  readonly answer: string;
  readonly lines: readonly string[];
  readonly takesKey: boolean;
  readonly more: string;
};

function methodOf(contract: Contract, types: Types, name: string, leaf: Leaf): string {
  const operation = operationAt(contract, leaf.route);
  const ids = parametersOf(contract, operation, 'path').map((parameter) => parameter.name);
  const isIdempotent = parametersOf(contract, operation, 'header').some((each) => each.name === 'idempotency-key');
  const constant = operationText(leaf, isIdempotent);
  const path = `{${ids.map((id) => `${quoted(id)}: ${snakeCase(id)}`).join(', ')}}`;
  const shape = shapeOf(contract, types, name, leaf, operation, isIdempotent, `${constant}, ${path}`, constant);
  const options = [
    ...(shape.takesKey ? ['idempotency_key: Optional[str] = None'] : []),
    'timeout: Optional[float] = None',
    'max_retries: Optional[int] = None',
  ];
  const given = shape.takesKey ? 'timeout, max_retries, idempotency_key' : 'timeout, max_retries';
  const args = ['self', ...ids.map((id) => `${snakeCase(id)}: str`), ...shape.input, '*', ...options];
  const about = [`${operation.summary}. ${shape.more}`.trim(), operation.description ?? ''].join('\n\n');
  return [
    `    def ${snakeCase(name)}(\n${args.map((arg) => `        ${arg},\n`).join('')}    ) -> ${shape.answer}:\n`,
    docstring(about, '        '),
    `        options = CallOptions(${given})\n`,
    ...shape.lines.map((line) => `        ${line}\n`),
  ].join('');
}

function operationText({ route, signed, open }: Leaf, isIdempotent: boolean): string {
  const [method = '', path = ''] = route.split(' ');
  const more = [
    open && 'is_open=True',
    isIdempotent && 'is_idempotent=True',
    signed !== undefined && `signed_path=${quoted(signed.split(' ')[1] ?? '')}`,
  ].filter((part) => part !== false);
  return `Operation(${[quoted(method), quoted(path), ...more].join(', ')})`;
}

function shapeOf(
  contract: Contract,
  types: Types,
  name: string,
  leaf: Leaf,
  operation: Operation,
  takesKey: boolean,
  target: string,
  constant: string,
): Shape {
  const { media, schema } = answerOf(contract, operation);
  const refs = (type: string): string => `m.${type}`;
  const query = types.queryOf(operation);
  const filter = `query: Optional[m.${query?.filter}] = None`;
  const answer = media === 'application/json' ? types.typeOf(schema, 'back', refs) : FILES[media];
  if (answer === undefined) throw new Error(`${operation.operationId} answers ${media}, which no client reads.`);
  const base = { takesKey: false, more: '' };
  if (name === 'sync') {
    const input = ['after: Union[int, Tuple[int, str]]', 'handle: HandleEvent'];
    const lines = [`return self._sync(${constant}, after, handle, options)`];
    return { ...base, input, answer: 'EventPosition', lines, more: SYNC };
  }
  if (name === 'iterate' && isPaged(contract, operation)) {
    const lines = [`return self._pages(${target}, query, options)`];
    return {
      ...base,
      input: [filter],
      answer: `Iterator[${types.typeOf(itemOf(contract, operation), 'back', refs)}]`,
      lines,
      more: PAGES,
    };
  }
  if (name === 'iterate') {
    const lines = [`return self._feed(${constant}, query, options)`];
    return {
      ...base,
      input: [filter],
      answer: `Iterator[${types.typeOf(itemOf(contract, operation), 'back', refs)}]`,
      lines,
      more: FEED,
    };
  }
  if (media === 'text/event-stream') {
    return { ...base, input: [], answer, lines: [`return self._follow(${target}, options)`], more: FOLLOW };
  }
  const body = bodyOf(operation);
  const bodyType = body && types.typeOf(body.schema, 'sent', refs);
  const slot = body
    ? { arg: body.required ? `body: ${bodyType}` : `body: Optional[${bodyType}] = None`, pass: ', body=body' }
    : query && { arg: `query: Optional[m.${query.name}] = None`, pass: ', query=query' };
  const accept = media === 'application/json' ? '' : `, accept=${quoted(media)}`;
  const call = `self._call(${target}, options${slot?.pass ?? ''}${accept})`;
  const { lines, more } = effectOf(leaf.around, call, answer);
  return { input: slot ? [slot.arg] : [], answer, lines, takesKey, more };
}

const FILES: Readonly<Record<string, string>> = {
  'text/csv': 'str',
  'image/svg+xml': 'str',
  'image/png': 'bytes',
  'text/event-stream': 'Iterator[m.PublicPayment]',
};

const SYNC =
  'Calls `handle` with each event in order, and proves that none is missing and none was changed. Reads from `after` (0 ' +
  'for the beginning, or what an earlier call returned) to the end and returns how far it came. Events whose bodies are ' +
  'gone (`pruned`) are skipped. Raises `EventFeedError` before the first wrong event, whatever `handle` raises, and ' +
  '`KasiError` like any call.';
const PAGES = 'All of them, page after page, each once. `limit` is the page size (default: 100).';
const FEED = 'All of them, or all behind the position `after`. `limit` is the page size (default: 100).';
const FOLLOW =
  'First its present state, then every change, until you leave the loop. Reconnects when the connection is lost.';

/** What a call does to the session besides its answer. */
function effectOf(around: unknown, call: string, answer: string): Pick<Shape, 'lines' | 'more'> {
  const plain = [`answer: ${answer} = ${call}`, 'return answer'];
  if (around === undefined) return { lines: plain, more: '' };
  if (around === begins) {
    const lines = [plain[0] ?? '', 'return self._begins(answer)'];
    return { lines, more: 'The client then acts as who logged in.' };
  }
  if (around === ends) {
    return { lines: plain.toSpliced(1, 0, 'self._ends()'), more: 'Afterwards the client holds no tokens.' };
  }
  if (around === changesPassword) {
    const more = 'The client then knows the new one, if it logs in by itself.';
    return { lines: plain.toSpliced(1, 0, 'self._changes_password(body)'), more };
  }
  if (around === exchanges) {
    const lines = [`def trade() -> ${answer}:`, `    ${plain[0]}`, `    ${plain[1]}`, ''];
    const more = 'The client does it automatically when a token expires.';
    return { lines: [...lines, 'return self._exchanges(body, trade)'], more };
  }
  throw new Error('A method of the TypeScript client is refined in a way that the Python client does not know.');
}
