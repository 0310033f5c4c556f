import type { paths } from './generated/api.ts';

type HttpMethod = 'get' | 'put' | 'post' | 'delete' | 'patch';
type SuccessStatus = 200 | 201 | 202;

/** Every operation of the contract, in the form `POST /v1/payments`. */
export type Route = {
  [P in keyof paths]: {
    [M in HttpMethod]: paths[P] extends Record<M, object> ? `${Uppercase<M>} ${P}` : never;
  }[HttpMethod];
}[keyof paths];

/** The operations for administrators. */
export type AdminRoute = Extract<Route, `${string} /v1/${'admin' | 'audit-logs'}${string}`>;

type OperationOf<R extends Route> = R extends `${infer M} ${infer P extends keyof paths}`
  ? paths[P][Lowercase<M> & keyof paths[P]]
  : never;

type ContentOf<O> = O extends { responses: infer Responses }
  ? { [S in keyof Responses & SuccessStatus]: Responses[S] extends { content: infer C } ? C : never }[keyof Responses &
      SuccessStatus]
  : never;

/** The media type of the answer. */
type MediaOf<R extends Route> = keyof ContentOf<OperationOf<R>>;

/** The statuses that the contract documents for the operation. */
export type StatusOf<R extends Route> = OperationOf<R> extends { responses: infer Responses } ? keyof Responses : never;

/** The routes that take an `Idempotency-Key`. */
export type IdempotentRoute = {
  [R in Route]: OperationOf<R> extends { parameters: { header?: infer Headers } }
    ? NonNullable<Headers> extends infer Given
      ? [Given] extends [never]
        ? never
        : 'idempotency-key' extends keyof Given
          ? R
          : never
      : never
    : never;
}[Route];

/** What the operation returns: a JSON value, SVG and CSV as text, or PNG as bytes. */
export type AnswerOf<R extends Route> =
  ContentOf<OperationOf<R>> extends { 'application/json': infer Body }
    ? Body
    : MediaOf<R> extends 'image/svg+xml' | 'text/csv'
      ? string
      : MediaOf<R> extends 'image/png'
        ? Uint8Array
        : never;

/**
 * The item type of the list that the operation returns, whatever the list is called; never for operations without
 * pages.
 */
export type ItemOf<R extends Route> =
  AnswerOf<R> extends { pagination: object } ? ListedIn<Omit<AnswerOf<R>, 'pagination'>> : never;

type ListedIn<Page> = ElementOf<Page[keyof Page]>;
type ElementOf<Value> = Value extends readonly (infer Item)[] ? Item : never;

/** The routes that return a page of a list. */
export type PagedRoute = { [R in Route]: [ItemOf<R>] extends [never] ? never : R }[Route];

/** The routes that return this media type. */
export type RouteOfMedia<Media extends string> = { [R in Route]: MediaOf<R> extends Media ? R : never }[Route];

type IdsOf<P extends string> = P extends `${string}{${infer Name}}${infer Rest}`
  ? [...(Name extends 'slug' ? [slug: string] : [id: string]), ...IdsOf<Rest>]
  : [];

/**
 * The query of the operation, in which values may be undefined; never when it takes none. Queries of images only tell
 * URLs apart, so methods don't take them.
 */
type QueryOf<R extends Route> =
  OperationOf<R> extends { parameters: { query?: infer Query } }
    ? [NonNullable<Query>] extends [never]
      ? never
      : MediaOf<R> extends `image/${string}`
        ? never
        : NonNullable<Query>
    : never;

/** The query of a list without what an iterator does itself. It begins at the cursor `after`, where one is given. */
export type IterateQueryOf<R extends Route> = Omit<QueryOf<R>, 'page' | 'before'>;

/** The arguments of an iterator: the ids of the path, the query without a page, and how to make the calls. */
export type IterateArgumentsOf<R extends Route, Options> = [
  ...IdsOf<R>,
  query?: IterateQueryOf<R> | undefined,
  options?: Options | undefined,
];

type InputOf<R extends Route> =
  OperationOf<R> extends { requestBody: { content: { 'application/json': infer Body } } }
    ? [body: Body]
    : OperationOf<R> extends { requestBody?: never }
      ? [QueryOf<R>] extends [never]
        ? []
        : [query?: QueryOf<R> | undefined]
      : OperationOf<R> extends { requestBody?: { content: { 'application/json': infer Body } } }
        ? [body?: Body | undefined]
        : never;

/** What follows the ids in the arguments of a method: the body, the query, or nothing. */
export type SlotOf<R extends Route> =
  OperationOf<R> extends { requestBody?: never } ? ([QueryOf<R>] extends [never] ? 'none' : 'query') : 'body';

/** The arguments of a method: the ids of the path, the body or the query, and how to make the call. */
export type ArgumentsOf<R extends Route, Options> = [...IdsOf<R>, ...InputOf<R>, options?: Options | undefined];
