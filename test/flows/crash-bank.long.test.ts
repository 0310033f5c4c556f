import { expect, test } from 'vitest';
import { runBankCrash } from '../../scripts/crash/bank/run.ts';
import { useCrashStage } from '../support/crash-stage.ts';

const { endings, makePlace } = useCrashStage();

/** `npm run test:crash-bank` runs this with thirty clients and ten kills in a minute. */
test('the ledger balances in every audit while the service is killed during withdrawals and refunds', async () => {
  const { env, ...place } = await makePlace();
  const figures = await runBankCrash(
    {
      kills: 2,
      seconds: 4,
      withdrawals: 11,
      refunds: 11,
      merchants: 3,
      clients: 12,
      aliveMaxMs: 1_000,
      ...place,
      // Merchants' money comes from payments, so the service watches, too.
      env: { EVM_RPC_URL: env.EVM_RPC_URL },
    },
    endings,
  );
  expect(figures.faults).toEqual([]);
  expect(figures.kills).toBe(2);
  expect(figures.withdrawals).toBeGreaterThan(10);
  expect(figures.refunds).toBeGreaterThan(10);
  expect(figures.claims).toBeGreaterThan(0);
  expect(figures.moves).toBeGreaterThan(0);
  expect(figures.audits).toBeGreaterThan(2); // Each kill is audited; a busy machine makes few beside.
});
