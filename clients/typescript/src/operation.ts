import type {
  AnswerOf,
  ArgumentsOf,
  ItemOf,
  IterateArgumentsOf,
  PagedRoute,
  Route,
  RouteOfMedia,
  SlotOf,
} from './contract.ts';
import { followEvents } from './event-stream.ts';
import { type Method, type MethodArguments, withTry } from './method.ts';
import type { PublicPayment } from './models.ts';
import { iteratePages } from './pages.ts';
import type { CallOptions, Exchange, IdempotentCallOptions, Transport } from './transport.ts';

/** An operation of the contract, which becomes a method `M` of the client when it is bound to a transport. */
export type Operation<R extends Route, M> = {
  readonly route: R;
  /** Whether it is sent without credentials. */
  readonly open: boolean;
  readonly bind: (transport: Transport) => M;
};

// Interfaces keep their names in the published types, so editors still show the contract's description of every field.
export interface MethodOperation<R extends Route> extends Operation<R, Method<R>> {
  /** What its method is wrapped in: what it does to the session. */
  readonly around?: unknown;
}
export interface PagesOperation<R extends PagedRoute>
  extends Operation<R, (...args: IterateArgumentsOf<R, CallOptions>) => AsyncGenerator<ItemOf<R>, void, undefined>> {}
export interface EventsOperation<R extends Route>
  extends Operation<R, (...args: ArgumentsOf<R, CallOptions>) => AsyncGenerator<PublicPayment, void, undefined>> {}
/** One method for two operations of the contract with the same input and output. */
export interface TwinOperation<R extends Route, S extends Route> extends Operation<R | S, Method<R>> {
  /** The route when the client signs with an API key. */
  readonly signed: S;
}

/** The shape of the client: groups of operations become groups of methods. */
export type Bound<Tree> = {
  readonly [K in keyof Tree]: Tree[K] extends Operation<Route, infer M> ? M : Bound<Tree[K]>;
};

/** The routes that a tree of operations covers. */
export type RoutesIn<Tree> = {
  [K in keyof Tree]: Tree[K] extends Operation<infer R, unknown> ? R : RoutesIn<Tree[K]>;
}[keyof Tree];

type JsonRoute = RouteOfMedia<'application/json'>;
type SlotName = 'body' | 'query' | 'none';
type Slot<R extends Route> = SlotOf<R> extends 'none' ? [] : [slot: SlotOf<R>];
type SameAs<R extends Route, S extends Route> = [MethodArguments<R>, AnswerOf<S>] extends [
  MethodArguments<S>,
  AnswerOf<R>,
]
  ? S
  : never;

/** An operation that sends credentials and returns JSON; `slot` says what follows the ids. */
export function call<R extends JsonRoute>(route: R, ...slot: Slot<R>): MethodOperation<R> {
  return operationOf(route, { route, open: false }, slot[0]);
}

/** An operation that uses `route` with a session and `signed` with an API key. */
export function twin<R extends JsonRoute, S extends JsonRoute>(
  route: R,
  signed: SameAs<R, S>,
  ...slot: Slot<R>
): TwinOperation<R, S> {
  const bind = (transport: Transport): Method<R> =>
    methodOf(transport, { route: transport.session === null ? signed : route, open: false }, slot[0]);
  return { route, signed, open: false, bind };
}

/** An operation that needs no credentials, so none are sent. */
export function open<R extends JsonRoute>(route: R, ...slot: Slot<R>): MethodOperation<R> {
  return operationOf(route, { route, open: true }, slot[0]);
}

/** A file as text that wants credentials. */
export function text<R extends RouteOfMedia<'text/csv'>>(route: R): MethodOperation<R> {
  return operationOf(route, { route, open: false, parseAs: 'text' });
}

/** A public file as text. */
export function openText<R extends RouteOfMedia<'image/svg+xml'>>(route: R): MethodOperation<R> {
  return operationOf(route, { route, open: true, parseAs: 'text' });
}

/** A public file as bytes. */
export function openBytes<R extends RouteOfMedia<'image/png'>>(route: R): MethodOperation<R> {
  return operationOf(route, { route, open: true, parseAs: 'arrayBuffer' });
}

/** Every item of a list, each once, by cursors. `limit` is the page size (default: 100), `after` where to begin. */
export const pages = <R extends PagedRoute>(route: R): PagesOperation<R> => pagesOf(route, false);

/** The same of a list that needs no credentials. */
export const openPages = <R extends PagedRoute>(route: R): PagesOperation<R> => pagesOf(route, true);

type PageQuery = {
  readonly limit?: number | undefined;
  readonly after?: string | undefined;
  readonly page?: unknown;
  readonly before?: unknown;
};

function pagesOf<R extends PagedRoute>(route: R, isOpen: boolean): PagesOperation<R> {
  const bind =
    (transport: Transport) =>
    (...args: readonly unknown[]) => {
      const { options, path, query } = sortArguments(args, route, 'query');
      // A page or a `before` can only come from a caller without types.
      const { limit, after, page: _, before: __, ...filters } = (query ?? {}) as PageQuery;
      const fetchPage = (cursor: string | undefined, size: number): Promise<unknown> => {
        const place = cursor === undefined ? {} : { after: cursor };
        return transport.call({ route, open: isOpen, path, query: { ...filters, limit: size, ...place } }, options);
      };
      return iteratePages<ItemOf<R>>(fetchPage, { after, limit });
    };
  return { route, open: isOpen, bind };
}

/** The current state of a public payment and every later one, until the caller stops reading. */
export function follow<R extends RouteOfMedia<'text/event-stream'>>(route: R): EventsOperation<R> {
  const bind = (transport: Transport) =>
    async function* (...args: readonly unknown[]) {
      const { options, ...input } = sortArguments(args, route);
      yield* followEvents<PublicPayment>(transport, { route, open: true, ...input }, 'payment', options);
    };
  return { route, open: true, bind };
}

/** The same operation with its method wrapped. */
export function refine<R extends Route>(
  operation: MethodOperation<R>,
  around: (
    method: (...args: MethodArguments<R>) => Promise<AnswerOf<R>>,
    transport: Transport,
  ) => (...args: MethodArguments<R>) => Promise<AnswerOf<R>>,
): MethodOperation<R> {
  return { ...operation, around, bind: (transport) => withTry(around(operation.bind(transport), transport)) };
}

type Template = Omit<Exchange, 'path' | 'query' | 'body'>;

function operationOf<R extends Route>(route: R, template: Template, slot?: SlotName): MethodOperation<R> {
  return { route, open: template.open, bind: (transport) => methodOf(transport, template, slot) };
}

/**
 * A method that sends its arguments according to `template`. Their types were checked where the operation was declared.
 */
function methodOf<R extends Route>(transport: Transport, template: Template, slot?: SlotName): Method<R> {
  return withTry(async (...args) => {
    const { options, ...input } = sortArguments(args, template.route, slot);
    const answer = await transport.call({ ...template, ...input }, options);
    return (answer instanceof ArrayBuffer ? new Uint8Array(answer) : answer) as AnswerOf<R>;
  });
}

type Input = Pick<Exchange, 'path' | 'query' | 'body'> & { readonly options: IdempotentCallOptions | undefined };

/** Sorts the arguments of a method: the ids of the path, the body or the query, the options. */
function sortArguments(args: readonly unknown[], route: Route, slot?: SlotName): Input {
  const names = [...route.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? '');
  const path = Object.fromEntries(names.map((name, index) => [name, checkId(args[index], name, route)]));
  const rest = args.slice(names.length);
  const input = slot === 'body' || slot === 'query' ? { [slot]: rest.shift() } : {};
  return { path, ...input, options: rest[0] as IdempotentCallOptions | undefined };
}

/** Refuses an id that would change the path, because the request would reach another operation. */
function checkId(id: unknown, name: string, route: Route): string {
  if (typeof id === 'string' && id !== '' && id !== '.' && id !== '..') return id;
  throw new TypeError(`${route} needs ${name} as a string that is not empty.`);
}

/** Binds every operation of a tree to a transport. */
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
