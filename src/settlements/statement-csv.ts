import type { components } from '../../generated/api.ts';
import { lineOf } from '../lib/csv.ts';
import type { Db } from '../lib/db-types.ts';
import { formatMicro } from '../lib/money.ts';
import type { Amounts, Month } from './statement.ts';
import { movedFromOutside, presentAmounts, presentMovement } from './statement-present.ts';
import { listMovements, type Movement } from './statement-queries.ts';

type Schemas = components['schemas'];

/** How many movements are read at a time, so that a month of any size needs little memory. */
const PIECE = 500;

const COLUMNS = [
  ...['line', 'time', 'id', 'kind', 'paymentId', 'withdrawalId', 'refundId'],
  ...['hash', 'network', 'token', 'tokenAmount', 'fiatAmount', 'fiatCurrency'],
  ...['rate', 'rateSource', 'rateQuotedAt', 'price', 'priceSource', 'priceQuotedAt'],
  ...['value', 'fee', 'available', 'pending', 'hold', 'suspense', 'debt', 'total'],
];

const amountCells = ({ available, pending, hold, suspense, debt, total }: Schemas['AccountAmounts']) => [
  ...[available, pending, hold, suspense, debt, total],
];

function movementLine(movement: Movement): string {
  const { id, kind, paymentId, withdrawalId, refundId, value, fee, amounts, transfer, createdAt } =
    presentMovement(movement);
  const { hash, network, token, amount, fiatAmount, fiatCurrency, rate, price } = transfer ?? {};
  return lineOf([
    ...['movement', createdAt, id, kind, paymentId, withdrawalId, refundId],
    ...[hash ?? null, network ?? null, token ?? null, amount ?? null, fiatAmount?.toFixed(2) ?? null],
    ...[fiatCurrency ?? null, rate?.value ?? null, rate?.source ?? null, rate?.quotedAt ?? null],
    ...[price?.value ?? null, price?.source ?? null, price?.quotedAt ?? null],
    ...[value, fee, ...amountCells(amounts)],
  ]);
}

const balanceLine = (line: 'opening' | 'closing', at: Date, sums: readonly [string, string], amounts: Amounts) =>
  lineOf([
    line,
    at.toISOString(),
    ...Array<null>(COLUMNS.length - 10).fill(null),
    ...sums,
    ...amountCells(presentAmounts(amounts)),
  ]);

/**
 * The lines of a statement, read piece by piece. The closing is what the lines before it add up to, so a table is right
 * in itself, also of a month that goes on meanwhile.
 */
export async function* csvOf(
  db: Db,
  span: { readonly merchantId: string; readonly from: Date; readonly to: Date },
  { opening }: Pick<Month, 'opening'>,
): AsyncGenerator<string, void> {
  yield lineOf(COLUMNS) + balanceLine('opening', span.from, ['', ''], opening);
  let closing: Amounts = opening;
  let [value, fee] = [0n, 0n];
  for (let after: string | null | undefined; after !== null; ) {
    const start = after === undefined ? { offset: 0 } : { after };
    const { rows: piece, next } = await listMovements(db, span, { limit: PIECE, ...start });
    for (const movement of piece) {
      closing = {
        available: closing.available + movement.available,
        pending: closing.pending + movement.pending,
        hold: closing.hold + movement.hold,
        suspense: closing.suspense + movement.suspense,
        debt: closing.debt + movement.debt,
      };
      value += movedFromOutside(movement);
      fee += movement.fee;
    }
    if (piece.length > 0) yield piece.map(movementLine).join('');
    after = next;
  }
  yield balanceLine('closing', span.to, [formatMicro(value), formatMicro(fee)], closing);
}
