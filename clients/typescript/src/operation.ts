import type { AnswerOf, ArgumentsOf, ItemOf, PagedRoute, QueryOf, Route, RouteOfMedia, SlotOf } from './contract.ts';
import { readEvents } from './event-stream.ts';
import type { PublicPayment } from './models.ts';
import { iteratePages } from './pages.ts';
import type { CallOptions, Exchange, Transport } from './transport.ts';

/** An operation of the contract that waits for a transport to become a method `M` of the client. */
export type Operation<R extends Route, M> = {
  readonly route: R;
  readonly open: boolean;
  readonly bind: (transport: Transport) => M;
};

/** The client's shape: groups of operations become groups of methods. */
export type Bound<Tree> = {
  readonly [K in keyof Tree]: Tree[K] extends Operation<Route, infer M> ? M : Bound<Tree[K]>;
};

/** The routes that a tree of operations covers. */
export type RoutesIn<Tree> = {
  [K in keyof Tree]: Tree[K] extends Operation<infer R, unknown> ? R : RoutesIn<Tree[K]>;
}[keyof Tree];

type Method<R extends Route, Answer> = (...args: ArgumentsOf<R, CallOptions>) => Promise<Answer>;
type JsonRoute = RouteOfMedia<'application/json'>;
type Slot<R extends Route> = SlotOf<R> extends 'none' ? [] : [slot: SlotOf<R>];

/** An operation that sends credentials and answers in JSON; `slot` says what stands after the ids. */
export function call<R extends JsonRoute>(route: R, ...slot: Slot<R>): Operation<R, Method<R, AnswerOf<R>>> {
  return operation(route, slot[0], false, 'json');
}

/** The same for an operation that needs no credentials and so is never given any. */
export function open<R extends JsonRoute>(route: R, ...slot: Slot<R>): Operation<R, Method<R, AnswerOf<R>>> {
  return operation(route, slot[0], true, 'json');
}

/** A public file as text. */
export function openText<R extends RouteOfMedia<'image/svg+xml'>>(route: R): Operation<R, Method<R, string>> {
  return operation(route, undefined, true, 'text');
}

/** A public file as bytes. */
export function openBytes<R extends RouteOfMedia<'image/png'>>(route: R): Operation<R, Method<R, Uint8Array>> {
  return refine(operation<R, Method<R, ArrayBuffer>>(route, undefined, true, 'arrayBuffer'), (read) => {
    return (async (...args) => new Uint8Array(await read(...args))) as Method<R, Uint8Array>;
  });
}

/** The query of a list without the page, which the iterator turns by itself. */
export type IterateQuery<R extends Route> = Omit<QueryOf<R>, 'page'>;

/** Every item of a list, page after page, each once. `limit` is the size of a page, 100 if left out. */
export function pages<R extends PagedRoute>(
  route: R,
): Operation<R, (query?: IterateQuery<R>, options?: CallOptions) => AsyncGenerator<ItemOf<R>, void, undefined>> {
  const bind = (transport: Transport) => (query?: IterateQuery<R>, options?: CallOptions) =>
    iteratePages<ItemOf<R> & { id: string }>(
      (page, limit) => transport.call({ route, open: false, path: {}, query: { ...query, page, limit } }, options),
      (query as { limit?: number } | undefined)?.limit,
    );
  return { route, open: false, bind };
}

/** The present state and every later one of a public payment, until it can't change any more. */
export function follow<R extends RouteOfMedia<'text/event-stream'>>(
  route: R,
): Operation<R, (id: string, options?: CallOptions) => AsyncGenerator<PublicPayment, void, undefined>> {
  const bind = (transport: Transport) => (id: string, options?: CallOptions) =>
    readEvents<PublicPayment>(transport, exchangeOf(route, true, undefined, [id]).exchange, 'payment', options);
  return { route, open: true, bind };
}

/** The same operation with something done around its method. */
export function refine<R extends Route, M, N>(
  inner: Operation<R, M>,
  around: (method: M, transport: Transport) => N,
): Operation<R, N> {
  return { ...inner, bind: (transport) => around(inner.bind(transport), transport) };
}

function operation<R extends Route, M>(
  route: R,
  slot: 'body' | 'query' | 'none' | undefined,
  open: boolean,
  parseAs: 'json' | 'text' | 'arrayBuffer',
): Operation<R, M> {
  const bind =
    (transport: Transport) =>
    (...args: readonly unknown[]) => {
      const { exchange, options } = exchangeOf(route, open, slot, args);
      return transport.call({ ...exchange, parseAs }, options);
    };
  // The builders' signatures say what `bind` makes; here the arguments are only sorted.
  return { route, open, bind: bind as unknown as (transport: Transport) => M };
}

/** Sorts the arguments of a method into path, query or body, and options. */
function exchangeOf(
  route: Route,
  open: boolean,
  slot: string | undefined,
  args: readonly unknown[],
): { exchange: Exchange; options: CallOptions | undefined } {
  const names = [...route.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? '');
  const path = Object.fromEntries(names.map((name, index) => [name, checkedId(args[index], name, route)]));
  const rest = args.slice(names.length);
  const input = slot === 'body' || slot === 'query' ? { [slot]: rest.shift() } : {};
  return { exchange: { route, open, path, ...input }, options: rest[0] as CallOptions | undefined };
}

/** An id that would change the path instead of standing in it must not reach another operation. */
function checkedId(id: unknown, name: string, route: Route): string {
  if (typeof id === 'string' && id !== '' && id !== '.' && id !== '..') return id;
  throw new TypeError(`${route} needs ${name} as a string that is not empty.`);
}

/** Ties every operation of a tree to a transport. */
export function bindAll<Tree extends object>(tree: Tree, transport: Transport): Bound<Tree> {
  const bound = Object.entries(tree).map(([name, branch]) => [
    name,
    isOperation(branch) ? branch.bind(transport) : bindAll(branch, transport),
  ]);
  return Object.fromEntries(bound);
}

function isOperation(branch: object): branch is Operation<Route, unknown> {
  return 'bind' in branch && typeof branch.bind === 'function';
}
