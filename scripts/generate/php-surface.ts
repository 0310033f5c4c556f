import { type ClientGroup, type ClientMethod, groupOf, takesKey, wordsOf } from './client-methods.ts';
import type { Contract } from './client-schema.ts';
import { PHP_HEADER, phpType, queryName } from './php-types.ts';

const IMPORTS = ['Kasi\\EventPosition', 'Kasi\\Internal\\CallOptions', 'Kasi\\Internal\\Group']
  .concat('Kasi\\Internal\\Operation', 'Kasi\\Internal\\Transport', 'Kasi\\KasiError')
  .map((name) => `use ${name};\n`)
  .join('');

/** The PHP file with the methods of a surface: the same names, groups and operations as in TypeScript. */
export function surfaceFile(contract: Contract, tree: object, prefix: string, about: string): string {
  const groups = classesOf(contract, groupOf(contract, tree), prefix, about);
  return `${PHP_HEADER}namespace Kasi\\Generated;\n\n${IMPORTS}\n${groups.join('\n')}`;
}

/** The class of a group, behind those of the groups in it. */
function classesOf(contract: Contract, group: ClientGroup, prefix: string, about: string): string[] {
  const { path, children } = group;
  const classOf = (at: readonly string[]): string =>
    at.length === 0 ? `${prefix}Surface` : `${prefix}${at.map(capital).join('')}Methods`;
  const parts = children.map((child) => ({ name: child.path.at(-1) ?? '', className: classOf(child.path) }));
  const methods = group.methods.map((method) => methodText(contract, method));
  const used = [...new Set(methods.flatMap(({ types }) => types))].sort();
  const imports = used.map((name) => ` * @phpstan-import-type ${name} from Types\n`).join('');
  const said = about || `\`${path.join('->')}\` of the client.`;
  const properties = parts.map(({ name, className }) => `    public readonly ${className} $${name};\n`).join('');
  const start = `
    /** @internal */
    public function __construct(Transport $transport)
    {
        parent::__construct($transport);
${parts.map(({ name, className }) => `        $this->${name} = new ${className}($transport);\n`).join('')}    }
`;
  const body = [parts.length > 0 ? properties + start : '', ...methods.map(({ text }) => text)].filter(Boolean);
  const kind = path.length === 0 ? 'abstract' : 'final';
  const text = `/**\n * ${said}\n${imports && ` *\n${imports}`} */\n${kind} class ${classOf(path)} extends Group\n{\n${body.join('\n')}}\n`;
  return [...children.flatMap((child) => classesOf(contract, child, prefix, '')), text];
}

const capital = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);

/** What differs between the kinds of methods. */
type Shape = {
  readonly input: readonly { readonly doc: string; readonly arg: string }[];
  readonly answer: { readonly doc: string; readonly type: string };
  readonly lines: readonly string[];
};

/** A method, and the types that its comment names. */
function methodText(
  contract: Contract,
  method: ClientMethod,
): { readonly text: string; readonly types: readonly string[] } {
  const { name, ids, operation } = method;
  const shape = shapeOf(contract, method);
  const key = takesKey(method);
  const options = [
    ...(key ? ['?string $idempotencyKey = null'] : []),
    '?float $timeout = null',
    '?int $maxRetries = null',
  ];
  const args = [...ids.map((id) => `string $${id}`), ...shape.input.map(({ arg }) => arg), ...options];
  const docs = [...shape.input.map(({ doc }) => `@param ${doc}`), `@return ${shape.answer.doc}`, '@throws KasiError'];
  const about = [wordsOf(method, 'throws'), '', ...(operation.description ?? '').split('\n')];
  const text = [
    `    /**\n${[...about, '', ...docs].map((line) => `     * ${line.replaceAll('*/', '*\\/')}`.trimEnd()).join('\n')}\n     */\n`,
    `    public function ${name}(\n${args.map((arg) => `        ${arg},\n`).join('')}    ): ${shape.answer.type} {\n`,
    `        $call = new CallOptions($timeout, $maxRetries${key ? ', $idempotencyKey' : ''});\n`,
    ...shape.lines.map((line) => `        ${line}\n`),
    '    }\n',
  ].join('');
  const named = docs.flatMap((doc) => doc.match(/\b[A-Z]\w+/g) ?? []);
  return { text, types: named.filter((type) => !['KasiError', 'Generator', 'EventPosition'].includes(type)) };
}

function operationText({ verb, path, signedPath, isOpen, isIdempotent }: ClientMethod): string {
  const more = [
    isOpen && 'isOpen: true',
    isIdempotent && 'isIdempotent: true',
    signedPath !== null && `signedPath: '${signedPath}'`,
  ].filter((part) => part !== false);
  return `new Operation(${[`'${verb}'`, `'${path}'`, ...more].join(', ')})`;
}

function shapeOf(contract: Contract, method: ClientMethod): Shape {
  const { ids, hasQuery, item, operation } = method;
  const own = operationText(method);
  const target = `${own}, [${ids.map((id) => `'${id}' => $${id}`).join(', ')}]`;
  const query = hasQuery ? [{ doc: `?${queryName(operation.operationId)} $query`, arg: '?array $query = null' }] : [];
  const listOf = (type: string) => ({ doc: `\\Generator<int, ${type}>`, type: '\\Generator' });
  const items = listOf(item === null ? '' : phpType(contract, item));
  switch (method.kind) {
    case 'sync':
      return {
        input: [
          { doc: 'int|EventPosition $after', arg: 'int|EventPosition $after' },
          { doc: 'callable(WebhookEvent, EventPosition): mixed $handle', arg: 'callable $handle' },
        ],
        answer: { doc: 'EventPosition', type: 'EventPosition' },
        lines: [`return $this->proven(${own}, $after, $handle, $call);`],
      };
    case 'pages':
      return { input: query, answer: items, lines: [`return $this->pages(${target}, $query, $call);`] };
    case 'feed':
      return { input: query, answer: items, lines: [`return $this->feed(${own}, $query, $call);`] };
    case 'follow':
      return { input: [], answer: listOf('PublicPayment'), lines: [`return $this->follow(${target}, $call);`] };
    case 'call':
      return callShape(contract, method, target, query);
  }
}

function callShape(
  contract: Contract,
  { answer: { media, schema }, body, effect, hasQuery }: ClientMethod,
  target: string,
  query: Shape['input'],
): Shape {
  const input = body ? [bodyInput(phpType(contract, body.schema), body.required)] : query;
  const slot = body ? ', body: $body' : hasQuery ? ', query: $query' : '';
  const isJson = media === 'application/json';
  const call = `$this->transport->call(${target}, $call${slot}${isJson ? '' : `, accept: '${media}'`})`;
  const answer = isJson ? { doc: phpType(contract, schema), type: 'array' } : { doc: 'string', type: 'string' };
  return { input, answer, lines: linesOf(effect, call) };
}

/** Bodies hold passwords and codes, which trackers of errors would read in the arguments of a trace. */
const SECRET = '#[\\SensitiveParameter]';

const bodyInput = (type: string, isRequired: boolean) =>
  isRequired
    ? { doc: `${type} $body`, arg: `${SECRET} array $body` }
    : { doc: `?${type} $body`, arg: `${SECRET} ?array $body = null` };

/** The call, with what it does to the session. */
function linesOf(effect: ClientMethod['effect'], call: string): string[] {
  const then = (line: string): string[] => [`$answer = ${call};`, line, 'return $answer;'];
  switch (effect) {
    case null:
      return [`return ${call};`];
    case 'begins':
      return then('$this->transport->session?->replace($answer);');
    case 'ends':
      return then('$this->transport->session?->replace(null);');
    case 'changes password':
      return then("$this->transport->session?->replacePassword($body['newPassword']);");
    case 'exchanges':
      return [
        `$trade = fn (): array => ${call};`,
        "return $this->transport->session?->trade($body['refreshToken'], $trade) ?? $trade();",
      ];
  }
}
