import { listTransactions, type OperatorTransactionId } from '../../chains/operator/queries.ts';
import type { Db } from '../../lib/db-types.ts';
import type { Charge } from '../records.ts';
import type { Claim } from './claims.ts';

/**
 * A claim in parts that are to be sent apart. Charges whose last transaction was reverted as a whole go with half as many as then, so that
 * one that nothing can be done about is soon alone and stops nobody else; all others go together.
 */
export async function splitReverted(db: Db, claim: Claim): Promise<Claim[]> {
  const ids = [...new Set(claim.charges.flatMap(({ transactionId }) => transactionId ?? []))];
  if (ids.length === 0) return [claim];
  const sent = await listTransactions(db, ids as OperatorTransactionId[]);
  const reverted = new Set<string>(sent.filter(({ succeeded }) => succeeded === false).map(({ id }) => id));
  const batchOf = ({ transactionId }: Charge): string | null =>
    transactionId !== null && reverted.has(transactionId) ? transactionId : null;
  const groups = Map.groupBy(claim.charges, batchOf);
  return [...groups].flatMap(([batch, charges]) =>
    (batch === null ? [charges] : halves(charges)).map((part) => ({ ...claim, charges: part })),
  );
}

function halves(charges: readonly Charge[]): (readonly Charge[])[] {
  const half = Math.ceil(charges.length / 2);
  return half === charges.length ? [charges] : [charges.slice(0, half), charges.slice(half)];
}
