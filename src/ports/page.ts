import type { Origin } from './security.ts';

/**
 * Whose page has sent a form, as the browser says: one of ours, one of another origin, or one that hides its origin.
 * Programs say nothing and count as `own`: they have nobody's cookies but their own.
 */
export type Sender = 'own' | 'other' | 'hidden';

/** A request for a hosted page. */
export type PageCall = {
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  /** Fields of a form that was posted (application/x-www-form-urlencoded). */
  readonly form: Readonly<Record<string, string>>;
  /** The path of the URL. */
  readonly path: string;
  /** The header `cookie`; empty without one, as the next. */
  readonly cookie: string;
  readonly acceptLanguage: string;
  readonly sender: Sender;
  readonly origin: Origin;
  readonly now: Date;
  readonly real: Date;
};

export type PageAnswer = {
  readonly status: number;
  readonly type: string;
  readonly body: string | Uint8Array;
  readonly headers?: Readonly<Record<string, string>>;
  /** Each a whole header `set-cookie`. */
  readonly cookies?: readonly string[];
  /** The origins that may show it in a frame; 'any' for everybody's. Without, nobody may. */
  readonly frameAncestors?: readonly string[] | 'any';
};

/** A page, form target or asset for browsers. http sends it with the strict content security policy. */
export type Page = {
  readonly method: 'GET' | 'POST';
  /**
   * Shows something to a person whom a cookie names. It is not compressed: its length would tell what somebody guesses
   * in the address.
   */
  readonly isPersonal?: boolean;
  /** Fastify path, below the path of CHECKOUT_URL. */
  readonly path: string;
  readonly handle: (call: PageCall) => Promise<PageAnswer>;
};
