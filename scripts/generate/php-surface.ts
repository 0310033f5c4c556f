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
  queryParametersOf,
} from './client-schema.ts';
import { PHP_HEADER, phpType, queryName } from './php-types.ts';

const IMPORTS = ['Kasi\\EventPosition', 'Kasi\\Internal\\CallOptions', 'Kasi\\Internal\\Group']
  .concat('Kasi\\Internal\\Operation', 'Kasi\\Internal\\Transport', 'Kasi\\KasiError')
  .map((name) => `use ${name};\n`)
  .join('');

/** The PHP file with the methods of a surface: the same names, groups and operations as in TypeScript. */
export function surfaceFile(contract: Contract, tree: object, prefix: string, about: string): string {
  const groups = groupsOf(contract, tree, [], prefix, about);
  return `${PHP_HEADER}namespace Kasi\\Generated;\n\n${IMPORTS}\n${groups.join('\n')}`;
}

function groupsOf(contract: Contract, tree: object, at: readonly string[], prefix: string, about: string): string[] {
  const entries = Object.entries(tree) as [string, object][];
  const children = entries
    .filter(([, branch]) => !isLeaf(branch))
    .map(([name, branch]) => {
      const path = [...at, name];
      const className = `${prefix}${path.map(capital).join('')}Methods`;
      return { name, className, groups: groupsOf(contract, branch, path, prefix, '') };
    });
  const methods = entries.flatMap(([name, branch]) => (isLeaf(branch) ? [methodOf(contract, name, branch)] : []));
  const isRoot = at.length === 0;
  const own = isRoot ? `${prefix}Surface` : `${prefix}${at.map(capital).join('')}Methods`;
  const used = [...new Set(methods.flatMap(({ types }) => types))].sort();
  const imports = used.map((name) => ` * @phpstan-import-type ${name} from Types\n`).join('');
  const said = about || `\`${at.join('->')}\` of the client.`;
  const properties = children.map(({ name, className }) => `    public readonly ${className} $${name};\n`).join('');
  const start = `
    /** @internal */
    public function __construct(Transport $transport)
    {
        parent::__construct($transport);
${children.map(({ name, className }) => `        $this->${name} = new ${className}($transport);\n`).join('')}    }
`;
  const body = [children.length > 0 ? properties + start : '', ...methods.map(({ text }) => text)].filter(Boolean);
  const kind = isRoot ? 'abstract' : 'final';
  const text = `/**\n * ${said}\n${imports && ` *\n${imports}`} */\n${kind} class ${own} extends Group\n{\n${body.join('\n')}}\n`;
  return [...children.flatMap(({ groups }) => groups), text];
}

const capital = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);

type Method = { readonly text: string; readonly types: readonly string[] };

/** What a method is made of. */
type Shape = {
  readonly input: readonly { readonly doc: string; readonly arg: string }[];
  readonly answer: { readonly doc: string; readonly type: string };
  readonly lines: readonly string[];
  readonly takesKey: boolean;
  readonly more: string;
};

function methodOf(contract: Contract, name: string, leaf: Leaf): Method {
  const operation = operationAt(contract, leaf.route);
  const ids = parametersOf(contract, operation, 'path').map((parameter) => parameter.name);
  const shape = shapeOf(contract, name, leaf, operation);
  const options = [
    ...(shape.takesKey ? ['?string $idempotencyKey = null'] : []),
    '?float $timeout = null',
    '?int $maxRetries = null',
  ];
  const given = shape.takesKey ? '$timeout, $maxRetries, $idempotencyKey' : '$timeout, $maxRetries';
  const args = [...ids.map((id) => `string $${id}`), ...shape.input.map(({ arg }) => arg), ...options];
  const docs = [...shape.input.map(({ doc }) => `@param ${doc}`), `@return ${shape.answer.doc}`, '@throws KasiError'];
  const about = [`${operation.summary}. ${shape.more}`.trim(), '', ...(operation.description ?? '').split('\n')];
  const text = [
    `    /**\n${[...about, '', ...docs].map((line) => `     * ${line.replaceAll('*/', '*\\/')}`.trimEnd()).join('\n')}\n     */\n`,
    `    public function ${name}(\n${args.map((arg) => `        ${arg},\n`).join('')}    ): ${shape.answer.type} {\n`,
    `        $call = new CallOptions(${given});\n`,
    ...shape.lines.map((line) => `        ${line}\n`),
    '    }\n',
  ].join('');
  const named = docs.flatMap((doc) => doc.match(/\b[A-Z]\w+/g) ?? []);
  return {
    text,
    types: named.filter((type) => type !== 'KasiError' && type !== 'Generator' && type !== 'EventPosition'),
  };
}

function shapeOf(contract: Contract, name: string, leaf: Leaf, operation: Operation): Shape {
  const { media, schema } = answerOf(contract, operation);
  const ids = parametersOf(contract, operation, 'path').map((parameter) => parameter.name);
  const takesKey = parametersOf(contract, operation, 'header').some((each) => each.name === 'idempotency-key');
  const own = operationText(leaf, takesKey);
  const target = `${own}, [${ids.map((id) => `'${id}' => $${id}`).join(', ')}]`;
  const query = queryParametersOf(contract, operation).length > 0 ? queryInput(operation) : null;
  const base = { takesKey: false, more: '', input: query ? [query] : [] };
  const listOf = (item: string) => ({ doc: `\\Generator<int, ${item}>`, type: '\\Generator' });
  if (name === 'sync') {
    const after = { doc: 'int|EventPosition $after', arg: 'int|EventPosition $after' };
    const handle = { doc: 'callable(WebhookEvent, EventPosition): mixed $handle', arg: 'callable $handle' };
    const lines = [`return $this->proven(${own}, $after, $handle, $call);`];
    return {
      ...base,
      input: [after, handle],
      answer: { doc: 'EventPosition', type: 'EventPosition' },
      lines,
      more: SYNC,
    };
  }
  if (name === 'iterate') {
    const answer = listOf(phpType(contract, itemOf(contract, operation)));
    const call = isPaged(contract, operation) ? `pages(${target}` : `feed(${own}`;
    return { ...base, answer, lines: [`return $this->${call}, $query, $call);`], more: ITERATE };
  }
  if (media === 'text/event-stream') {
    const lines = [`return $this->follow(${target}, $call);`];
    return { ...base, input: [], answer: listOf('PublicPayment'), lines, more: FOLLOW };
  }
  const body = bodyOf(operation);
  const input = body ? [bodyInput(phpType(contract, body.schema), body.required)] : base.input;
  const slot = body ? ', body: $body' : query ? ', query: $query' : '';
  const isJson = media === 'application/json';
  const call = `$this->transport->call(${target}, $call${slot}${isJson ? '' : `, accept: '${media}'`})`;
  const answer = isJson ? { doc: phpType(contract, schema), type: 'array' } : { doc: 'string', type: 'string' };
  return { input, answer, takesKey, ...effectOf(leaf.around, call) };
}

const queryInput = ({ operationId }: Operation) => ({
  doc: `?${queryName(operationId)} $query`,
  arg: '?array $query = null',
});

const bodyInput = (type: string, isRequired: boolean) =>
  isRequired ? { doc: `${type} $body`, arg: 'array $body' } : { doc: `?${type} $body`, arg: '?array $body = null' };

function operationText({ route, signed, open }: Leaf, isIdempotent: boolean): string {
  const [method = '', path = ''] = route.split(' ');
  const more = [
    open && 'isOpen: true',
    isIdempotent && 'isIdempotent: true',
    signed !== undefined && `signedPath: '${signed.split(' ')[1]}'`,
  ].filter((part) => part !== false);
  return `new Operation(${[`'${method}'`, `'${path}'`, ...more].join(', ')})`;
}

const SYNC =
  'Calls `handle` with each event in order, and proves that none is missing and none was changed. Reads from `after` (0 ' +
  'for the beginning, or what an earlier call returned) to the end and returns how far it came. Events whose bodies are ' +
  'gone (`pruned`) are skipped. Throws `EventFeedError` before the first wrong event, and whatever `handle` throws.';
const ITERATE = 'All of them, page after page, each once. `limit` is the page size (default: 100).';
const FOLLOW =
  'First its present state, then every change, until you leave the loop. Reconnects when the connection is lost.';

/** What a call does to the session besides its answer. */
function effectOf(around: unknown, call: string): Pick<Shape, 'lines' | 'more'> {
  const plain = [`$answer = ${call};`, 'return $answer;'];
  const then = (effect: string, more: string) => ({ lines: plain.toSpliced(1, 0, effect), more });
  if (around === undefined) return { lines: [`return ${call};`], more: '' };
  if (around === begins)
    return then('$this->transport->session?->replace($answer);', 'The client then acts as who logged in.');
  if (around === ends)
    return then('$this->transport->session?->replace(null);', 'Afterwards the client holds no tokens.');
  if (around === changesPassword) {
    const effect = "$this->transport->session?->replacePassword($body['newPassword']);";
    return then(effect, 'The client then knows the new one, if it logs in by itself.');
  }
  if (around === exchanges) {
    const trade = `$trade = fn (): array => ${call};`;
    const line = "return $this->transport->session?->trade($body['refreshToken'], $trade) ?? $trade();";
    return { lines: [trade, line], more: 'The client does it automatically when a token expires.' };
  }
  throw new Error('A method of the TypeScript client is refined in a way that the PHP client does not know.');
}
