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
  type Schema,
} from './client-schema.ts';

/** A group of methods of the client, as the surface of the TypeScript client has it. */
export type ClientGroup = {
  /** The names that lead to it; none of the client itself. */
  readonly path: readonly string[];
  readonly children: readonly ClientGroup[];
  readonly methods: readonly ClientMethod[];
};

/** What a call does to the session besides its answer. */
export type Effect = 'begins' | 'ends' | 'changes password' | 'exchanges';

/** A method as every client has it: what it takes and gives, and how. Printers write it in their languages. */
export type ClientMethod = {
  readonly name: string;
  readonly operation: Operation;
  /** Of the HTTP request, with the parameters of the path in braces. */
  readonly verb: string;
  readonly path: string;
  /** The path when the client signs with an API key, where that is another. */
  readonly signedPath: string | null;
  /** Whether it is sent without credentials. */
  readonly isOpen: boolean;
  /** Whether the operation takes an `Idempotency-Key`. */
  readonly isIdempotent: boolean;
  /** The parameters of the path, the first arguments. */
  readonly ids: readonly string[];
  /** Whether it takes a query. */
  readonly hasQuery: boolean;
  readonly body: { readonly schema: Schema; readonly required: boolean } | null;
  readonly answer: { readonly media: string; readonly schema: Schema };
  /**
   * `call`: one request. `pages`, `feed`: all items of a list with pages, or with positions. `follow`: a stream of
   * states. `sync`: all events behind a position, proven.
   */
  readonly kind: 'call' | 'pages' | 'feed' | 'follow' | 'sync';
  /** What a list lists. */
  readonly item: Schema | null;
  readonly effect: Effect | null;
};

/** The groups and methods of a surface. */
export function groupOf(contract: Contract, tree: object, path: readonly string[] = []): ClientGroup {
  const entries = Object.entries(tree) as [string, object][];
  return {
    path,
    children: entries.flatMap(([name, branch]) => (isLeaf(branch) ? [] : [groupOf(contract, branch, [...path, name])])),
    methods: entries.flatMap(([name, branch]) => (isLeaf(branch) ? [methodOf(contract, name, branch)] : [])),
  };
}

function methodOf(contract: Contract, name: string, leaf: Leaf): ClientMethod {
  const operation = operationAt(contract, leaf.route);
  const [verb = '', path = ''] = leaf.route.split(' ');
  const answer = answerOf(contract, operation);
  const kind = kindOf(contract, name, operation, answer.media);
  return {
    ...{ name, operation, verb, path, answer, kind },
    signedPath: leaf.signed?.split(' ')[1] ?? null,
    isOpen: leaf.open,
    isIdempotent: parametersOf(contract, operation, 'header').some((each) => each.name === 'idempotency-key'),
    ids: parametersOf(contract, operation, 'path').map((parameter) => parameter.name),
    hasQuery: queryParametersOf(contract, operation).length > 0,
    body: bodyOf(operation),
    item: kind === 'pages' || kind === 'feed' ? itemOf(contract, operation) : null,
    effect: effectOf(leaf.around),
  };
}

function kindOf(contract: Contract, name: string, operation: Operation, media: string): ClientMethod['kind'] {
  if (name === 'sync') return 'sync';
  if (name === 'iterate') return isPaged(contract, operation) ? 'pages' : 'feed';
  return media === 'text/event-stream' ? 'follow' : 'call';
}

const EFFECTS = new Map<unknown, Effect>([
  [begins, 'begins'],
  [ends, 'ends'],
  [changesPassword, 'changes password'],
  [exchanges, 'exchanges'],
]);

function effectOf(around: unknown): Effect | null {
  if (around === undefined) return null;
  const effect = EFFECTS.get(around);
  if (effect !== undefined) return effect;
  throw new Error('A method of the TypeScript client is refined in a way that the other clients do not know.');
}

/** Whether a caller may give a key of their own. */
export const takesKey = ({ kind, isIdempotent }: ClientMethod): boolean => kind === 'call' && isIdempotent;

const EFFECT_WORDS: Readonly<Record<Effect, string>> = {
  begins: 'The client then acts as who logged in.',
  ends: 'Afterwards the client holds no tokens.',
  'changes password': 'The client then knows the new one, if it logs in by itself.',
  exchanges: 'The client does it automatically when a token expires.',
};

/** What a method does, for its comment. `raises` is the language's word for throwing. */
export function wordsOf({ kind, effect, operation }: ClientMethod, raises: 'raises' | 'throws'): string {
  const more = {
    call: effect === null ? '' : EFFECT_WORDS[effect],
    pages:
      'All of them, each once, page after page as you use them up. `limit` is the page size (default: 100), `after` a ' +
      'cursor to begin at.',
    feed: 'All of them, or all behind the position `after`. `limit` is the page size (default: 100).',
    follow:
      'First its present state, then every change, until you leave the loop. Reconnects when the connection is lost.',
    sync:
      'Calls `handle` with each event in order, and proves that none is missing and none was changed. Reads from ' +
      '`after` (0 for the beginning, or what an earlier call returned) to the end and returns how far it came. Events ' +
      `whose bodies are gone (\`pruned\`) are skipped. ${raises === 'raises' ? 'Raises' : 'Throws'} \`EventFeedError\` before ` +
      `the first wrong event, whatever \`handle\` ${raises}, and \`KasiError\` like any call.`,
  }[kind];
  return `${operation.summary}. ${more}`.trim();
}
