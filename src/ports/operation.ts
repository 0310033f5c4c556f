import type { Readable } from 'node:stream';
import type { operations } from '../../generated/api.ts';
import type { LimitName, operationMeta } from '../../generated/operations.ts';
import type { Trx } from '../lib/db-types.ts';
import type { JsonObject } from '../lib/json.ts';
import type { Origin, PrincipalOfScheme } from './security.ts';

export type OperationId = keyof operations & keyof typeof operationMeta;
type Meta<K extends OperationId> = (typeof operationMeta)[K];

type Parameters<K extends OperationId, Where extends string> = operations[K]['parameters'] extends infer P
  ? Where extends keyof P
    ? Sent<NonNullable<P[Where]>>
    : Record<never, never>
  : never;

/** Callers may write `undefined`, which never arrives. */
type Sent<Values> = { [Name in keyof Values]: Exclude<Values[Name], undefined> };

type Body<K extends OperationId> = operations[K] extends { requestBody?: infer B }
  ? [NonNullable<B>] extends [never]
    ? undefined
    : NonNullable<B> extends { content: { 'application/json': infer J } }
      ? J | (undefined extends B ? undefined : never)
      : undefined
  : undefined;

/**
 * The principals that the operation's security alternatives admit; null for public operations. See
 * decision http/principals-are-types.
 */
type PrincipalOf<K extends OperationId> = Meta<K>['security'] extends readonly []
  ? null
  : PrincipalOfScheme[SchemesOf<Meta<K>['security'][number]> & keyof PrincipalOfScheme];

type SchemesOf<Alternative> = Alternative extends unknown ? keyof Alternative : never;

/** What a handler notes for the audit entry of its operation; the rest (actor, origin, action) is known. */
export type AuditDraft = {
  readonly resourceId?: string;
  /** For operations without a principal: who acted. */
  readonly actor?: { readonly type: 'admin' | 'merchant' | 'system'; readonly id: string };
  /** The merchant whose log shows the entry; the principal when left out. */
  readonly merchantId?: string;
  readonly metadata?: JsonObject;
};

export type AuditTrail = {
  /** Adds to the entry that http writes at the end of the request's transaction. */
  readonly note: (draft: AuditDraft) => void;
  /** Writes the entry now: for operations that open their own transaction (`x-transaction: none`). */
  readonly record: (trx: Trx, draft?: AuditDraft) => Promise<void>;
  /** Writes an entry now, with an action other than the operation's own: what happened instead, or also. */
  readonly recordOther: (trx: Trx, action: `${string}.${string}`, draft: AuditDraft) => Promise<void>;
};

/** What services need of a call: when, from where, and its audit trail. `now` is business time, `real` wall time. */
export type Circumstances = {
  readonly origin: Origin;
  readonly now: Date;
  readonly real: Date;
  readonly audit: AuditTrail;
};

type InTransaction<K extends OperationId> = Meta<K>['transaction'] extends 'request' ? { readonly trx: Trx } : unknown;

/** Of operations that open their own transactions, and whose answers are stored under an idempotency key. */
type Keeping<K extends OperationId> =
  Meta<K> extends { readonly transaction: 'none'; readonly idempotent: true }
    ? {
        /** Stores the answer in the transaction of its work. See decision idempotency/stored-with-the-work. */
        readonly keep: (trx: Trx, answer: Answer<K>) => Promise<void>;
      }
    : unknown;

/** One call of an operation, already authenticated and validated by the contract. */
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
  /** Created on first use; aborted when the caller disconnects. */
  readonly signal: () => AbortSignal;
} & InTransaction<K> &
  Keeping<K>;

/** What is no JSON. A generator makes a file in pieces, each of which http has made in a turn of its caller. */
type File = Uint8Array | Readable | AsyncGenerator<string, void> | string;

type Payload<C> = C extends { content: { 'application/json': infer J } } ? J : File;

type NumericKeys<R> = Extract<keyof R, number>;

/** What a handler may return: a status that the contract documents, with its body. Refusals are thrown as AppError. */
export type Answer<K extends OperationId> = {
  [S in NumericKeys<operations[K]['responses']>]: {
    readonly status: S;
    readonly body: Payload<operations[K]['responses'][S]>;
    readonly headers?: Readonly<Record<string, string>>;
  };
}[NumericKeys<operations[K]['responses']>];

/** Throws the refusal of a caller whom the contract's scopes and permissions let through. Reads no database. */
export type Admit<K extends OperationId> = (call: Pick<Call<K>, 'principal' | 'body'>) => void;

/** `admit` is asked before the handler, and before an answer that is stored under an idempotency key is shown again. */
export type Handler<K extends OperationId> = ((call: Call<K>) => Promise<Answer<K>>) & {
  readonly admit?: Admit<K>;
  readonly ownUse?: FindOwnUse<K>;
  /** Whether a session has to show a code, and an API key none. See decision idempotency/codes-are-not-passed-by. */
  readonly wantsCode?: true;
};

/**
 * What a request counts against where its address has used up what the operation's limit allows; null: nothing, so it
 * is refused. See decision limits/known-devices-have-their-own.
 */
export type OwnUse = { readonly limit: LimitName; readonly key: string } | null;

/** Finds it. */
export type FindOwnUse<K extends OperationId> = (call: Pick<Call<K>, 'body' | 'origin' | 'real'>) => Promise<OwnUse>;

/** A handler of which some callers stand aside from what others at their address have used up. */
export const standingAside = <K extends OperationId>(
  ownUse: FindOwnUse<K>,
  handler: (call: Call<K>) => Promise<Answer<K>>,
): Handler<K> => Object.assign(handler, { ownUse });

/** A handler for callers whom `admit` lets through. */
export const admitting = <K extends OperationId>(
  admit: Admit<K>,
  handler: (call: Call<K>) => Promise<Answer<K>>,
): Handler<K> => Object.assign(handler, { admit });

/** A handler that wants a code of a session, and none of an API key. */
export const wantingCode = <K extends OperationId>(handler: Handler<K>): Handler<K> =>
  Object.assign(handler, { wantsCode: true } as const);

/** A handler for every operation of the contract. A missing handler or an undocumented status does not compile. */
export type Handlers = { readonly [K in OperationId]: Handler<K> };

/** The handlers of one folder. */
export type HandlersOf<K extends OperationId> = { readonly [O in K]: Handler<O> };
