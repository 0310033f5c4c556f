import type { SampleRequest } from './samples-request.ts';

/** A method of the clients, by its path within them (`payments.create`). */
export type Method = {
  readonly name: string;
  /** The method that iterates over all pages, if the answer is a page. */
  readonly iterate: string | null;
};

/** What a sample does with what comes back. */
type Use =
  /** Every state of a payment until it has ended. */
  | { readonly kind: 'states' }
  /** One page, and then all pages. `arguments` are those of the method that iterates. */
  | {
      readonly kind: 'list';
      readonly iterate: string;
      readonly arguments: readonly unknown[];
      readonly says: readonly string[];
      readonly item: string;
    }
  /** Bytes go into a file. */
  | { readonly kind: 'file'; readonly variable: string; readonly file: string }
  /** Text is printed as it is. */
  | { readonly kind: 'text'; readonly variable: string }
  | { readonly kind: 'value'; readonly variable: string }
  /** A message says nothing that the code needs. */
  | { readonly kind: 'nothing' };

/** The call of a sample, from which every client's sample is printed. */
export type SampleCall = {
  readonly baseUrl: string;
  readonly credentials: 'none' | 'token' | 'key';
  /** The environment variable of the access token. */
  readonly tokenName: string;
  readonly isForAdmins: boolean;
  readonly method: string;
  /** The ids of the path, then the query or the body. */
  readonly arguments: readonly unknown[];
  readonly use: Use;
};

export function callOf(request: SampleRequest, method: Method): SampleCall {
  const { credentials, baseUrl, isForAdmins } = request;
  return {
    baseUrl,
    credentials: credentials === 'either' ? 'key' : credentials === 'admin' ? 'token' : credentials,
    tokenName: credentials === 'admin' ? 'KASI_ADMIN_TOKEN' : 'KASI_TOKEN',
    isForAdmins,
    method: method.name,
    arguments: argumentsOf(request, request.query),
    use: useOf(request, method),
  };
}

function useOf(request: SampleRequest, { iterate }: Method): Use {
  const { type, schema, item } = request.answer;
  if (type === 'text/event-stream') return { kind: 'states' };
  if (iterate !== null) {
    // The size of a page matters to nobody who reads all of them.
    const { limit, ...filters } = request.query;
    const says = request.isPaged ? ['pagination', 'total'] : ['hasMore'];
    return { kind: 'list', iterate, arguments: argumentsOf(request, filters), says, item: nounOf(item ?? 'Item') };
  }
  if (type === 'image/png') return { kind: 'file', variable: 'png', file: 'qr.png' };
  if (type === 'text/csv') return { kind: 'text', variable: 'csv' };
  if (type === 'image/svg+xml') return { kind: 'text', variable: 'svg' };
  if (schema === null) throw new Error(`The answer of ${request.method} ${request.path} has no name.`);
  return schema === 'MessageResponse' ? { kind: 'nothing' } : { kind: 'value', variable: nounOf(schema) };
}

function argumentsOf({ ids, body }: SampleRequest, query: SampleRequest['query']): readonly unknown[] {
  const input = Object.keys(query).length > 0 ? [query] : body === undefined ? [] : [body];
  return [...ids, ...input];
}

/** `CheckoutSessionCreated` becomes `checkoutSession`, `PublicPayment` and `PaymentSummary` become `payment`. */
function nounOf(schema: string): string {
  const noun = schema
    .replace(/^(Public|Sealed)/, '')
    .replace(/(Created|Result|Info|Summary)$/, '')
    .replace(/List$/, 's');
  return `${noun.charAt(0).toLowerCase()}${noun.slice(1)}`;
}
