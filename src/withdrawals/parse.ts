import type { components } from '../../generated/api.ts';
import { AppError, type FieldError } from '../lib/errors.ts';
import { parseFiat } from '../lib/money.ts';
import { parseName } from '../lib/remarks.ts';
import type { StableToken } from './withdrawal.ts';

/** A merchant's request; what it left out is undefined. */
export type WithdrawalRequest = {
  readonly amountMinor: bigint;
  readonly route:
    | {
        readonly method: 'crypto';
        readonly destinationAddress: string | undefined;
        readonly network: string | undefined;
        readonly currency: StableToken | undefined;
      }
    | { readonly method: 'bank'; readonly number: string; readonly name: string; readonly branch: string };
};

type Body = components['schemas']['CreateWithdrawalRequest'];

const BANK_FIELDS = ['bankAccountNumber', 'bankName', 'bankBranch'] as const;
const CRYPTO_FIELDS = ['destinationAddress', 'network', 'currency'] as const;

/** Reads a request's body. VALIDATION_ERROR lists every field that is missing or belongs to the other method. */
export function parseRequest(body: Body): WithdrawalRequest {
  const missing = body.method === 'bank' ? BANK_FIELDS.filter((field) => parseName(body[field] ?? '') === null) : [];
  requireNone([...strangers(body), ...missing.map((path) => ({ path, message: 'is needed to pay to a bank' }))]);
  return { amountMinor: parseFiat(body.amount), route: routeOf(body) };
}

/** Throws VALIDATION_ERROR for fields of the other method. */
export const requireOwnFields = (query: Pick<Body, 'method' | 'network' | 'currency'>): void =>
  requireNone(strangers(query));

/** Fields that belong to the other method. */
const strangers = (fields: Partial<Body> & Pick<Body, 'method'>): FieldError[] =>
  (fields.method === 'bank' ? CRYPTO_FIELDS : BANK_FIELDS)
    .filter((field) => fields[field] !== undefined)
    .map((path) => ({ path, message: `does not belong to the method ${fields.method}; leave it out` }));

function requireNone(problems: readonly FieldError[]): void {
  const [first] = problems;
  if (!first) return;
  throw new AppError('VALIDATION_ERROR', `${first.path}: ${first.message}`, { fields: problems });
}

function routeOf(body: Body): WithdrawalRequest['route'] {
  const { method, destinationAddress, network, currency } = body;
  if (method === 'crypto') return { method, destinationAddress, network, currency };
  const { bankAccountNumber = '', bankName = '', bankBranch = '' } = body;
  return { method, number: bankAccountNumber, name: parseName(bankName) ?? '', branch: parseName(bankBranch) ?? '' };
}
