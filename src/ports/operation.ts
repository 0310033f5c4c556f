import type { Readable } from 'node:stream';
import type { operations } from '../../generated/api.ts';
import type { operationMeta } from '../../generated/operations.ts';
import type { Trx } from '../lib/db-types.ts';
import type { JsonObject } from '../lib/json.ts';
import type { Origin, PrincipalOfScheme } from './security.ts';

export type OperationId = keyof operations & keyof typeof operationMeta;
type Meta<K extends OperationId> = (typeof operationMeta)[K];

type Parameters<K extends OperationId, Where extends string> = operations[K]['parameters'] extends infer P
  ? Where extends keyof P
    ? NonNullable<P[Where]>
    : Record<never, never>
  : never;

type Body<K extends OperationId> = operations[K] extends { requestBody?: infer B }
  ? [NonNullable<B>] extends [never]
    ? undefined
    : NonNullable<B> extends { content: { 'application/json': infer J } }
      ? J | (undefined extends B ? undefined : never)
      : undefined
  : undefined;

/** Whoever one of the operation's alternatives lets in; nobody has to say who they are where it is public. */
type PrincipalOf<K extends OperationId> = Meta<K>['security'] extends readonly []
  ? null
  : PrincipalOfScheme[SchemesOf<Meta<K>['security'][number]> & keyof PrincipalOfScheme];

type SchemesOf<Alternative> = Alternative extends unknown ? keyof Alternative : never;

/** What a handler notes for the audit entry of its operation; the rest (actor, origin, action) is known. */
export type AuditDraft = {
  readonly resourceId?: string;
  /** For operations without a principal: whose doing it was. */
  readonly actor?: { readonly type: 'admin' | 'merchant' | 'system'; readonly id: string };
  /** Whose resource it is, for the merchant's own view; the principal's when left out. */
  readonly merchantId?: string;
  readonly metadata?: JsonObject;
};

export type AuditTrail = {
  /** Adds to the entry that http writes at the end of the request's transaction. */
  readonly note: (draft: AuditDraft) => void;
  /** Writes the entry now: for operations that open their own transaction (`x-transaction: none`). */
  readonly record: (trx: Trx, draft?: AuditDraft) => Promise<void>;
  /** Writes an entry of another action than the operation's own now: what came of it instead, or besides. */
  readonly recordOther: (trx: Trx, action: `${string}.${string}`, draft: AuditDraft) => Promise<void>;
};

/** Who asks, when and from where: what services need of a call. `now` is business time, `real` wall time. */
export type Circumstances = {
  readonly origin: Origin;
  readonly now: Date;
  readonly real: Date;
  readonly audit: AuditTrail;
};

type InTransaction<K extends OperationId> = Meta<K>['transaction'] extends 'request' ? { readonly trx: Trx } : unknown;

/** One call of an operation: everything that the contract lets through, already authenticated and validated. */
export type Call<K extends OperationId> = {
  readonly params: Parameters<K, 'path'>;
  readonly query: Parameters<K, 'query'>;
  readonly headers: Parameters<K, 'header'>;
  readonly body: Body<K>;
  readonly principal: PrincipalOf<K>;
  /** Business time, read once for this request. */
  readonly now: Date;
  /** Wall time, read once for this request. */
  readonly real: Date;
  readonly origin: Origin;
  readonly audit: AuditTrail;
  /** Made when asked for; aborted when the caller has gone. */
  readonly signal: () => AbortSignal;
} & InTransaction<K>;

type Payload<C> = C extends { content: { 'application/json': infer J } } ? J : Uint8Array | Readable | string;

type NumericKeys<R> = Extract<keyof R, number>;

/** What a handler may return: a status that the contract documents, with its body. Refusals are thrown as AppError. */
export type Answer<K extends OperationId> = {
  [S in NumericKeys<operations[K]['responses']>]: {
    readonly status: S;
    readonly body: Payload<operations[K]['responses'][S]>;
    readonly headers?: Readonly<Record<string, string>>;
  };
}[NumericKeys<operations[K]['responses']>];

export type Handler<K extends OperationId> = (call: Call<K>) => Promise<Answer<K>>;

/** A handler for every operation of the contract: a missing one, or an undocumented status, does not compile. */
export type Handlers = { readonly [K in OperationId]: Handler<K> };

/** The handlers of one folder. */
export type HandlersOf<K extends OperationId> = { readonly [O in K]: Handler<O> };
