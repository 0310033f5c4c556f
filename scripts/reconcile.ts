/** Reconciles the ledger. Exits with 0 if nothing is wrong, and with 1 after listing every finding. */
import { reconcile } from '../src/reconcile/reconcile.ts';
import { runOnDatabase } from './lib/connection.ts';

await runOnDatabase(async ({ db }) => {
  const { payments, credits, withdrawals, charges, entries, findings } = await reconcile(db);
  const checked = `${payments} payments, ${credits} transfers, ${withdrawals} withdrawals, ${charges} charges and ${entries} ledger entries were checked`;
  if (findings.length === 0) {
    console.log(`nothing is wrong: ${checked}`);
    return;
  }
  for (const { rule, subject, message } of findings) console.log(`${rule}: ${subject}: ${message}`);
  console.log(`${findings.length} wrong: ${checked}`);
  process.exitCode = 1;
});
