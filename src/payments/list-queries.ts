import type { ExpressionBuilder } from 'kysely';
import type { DB } from '../../generated/db.ts';
import type { Db } from '../lib/db-types.ts';
import type { PageWindow } from '../lib/paging.ts';
import { toPayment } from './queries.ts';
import type { Payment, PaymentException, PaymentStatus } from './types.ts';

export type PaymentFilter = {
  readonly merchantId: string;
  readonly status?: PaymentStatus;
  readonly exception?: PaymentException;
  readonly source?: Payment['source'];
  readonly linkId?: string;
  /** The whole address, whatever its case. */
  readonly customerEmail?: string;
  readonly from?: Date;
  /** Exclusive. */
  readonly to?: Date;
};

/** Newest first, one page. */
export async function listPayments(db: Db, filter: PaymentFilter, page: PageWindow): Promise<Payment[]> {
  const rows = await db
    .selectFrom('payments')
    .selectAll()
    .where((eb) => matches(eb, filter))
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .offset(page.offset)
    .limit(page.limit)
    .execute();
  return rows.map(toPayment);
}

/** How many payments match a filter, on all pages together. */
export async function countPayments(db: Db, filter: PaymentFilter): Promise<number> {
  const row = await db
    .selectFrom('payments')
    .select((eb) => eb.fn.countAll<bigint>().as('total'))
    .where((eb) => matches(eb, filter))
    .executeTakeFirstOrThrow();
  return Number(row.total);
}

function matches(eb: ExpressionBuilder<DB, 'payments'>, filter: PaymentFilter) {
  return eb.and([
    eb('merchant_id', '=', filter.merchantId),
    ...(filter.status ? [eb('status', '=', filter.status)] : []),
    ...(filter.exception ? [eb('exception', '=', filter.exception)] : []),
    ...(filter.source ? [eb('source', '=', filter.source)] : []),
    ...(filter.linkId ? [eb('link_id', '=', filter.linkId)] : []),
    ...(filter.customerEmail
      ? [eb(eb.fn<string>('lower', ['customer_email']), '=', filter.customerEmail.toLowerCase())]
      : []),
    ...(filter.from ? [eb('created_at', '>=', filter.from)] : []),
    ...(filter.to ? [eb('created_at', '<', filter.to)] : []),
  ]);
}
