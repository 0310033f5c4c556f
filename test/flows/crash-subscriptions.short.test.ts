import { test } from 'vitest';
import { useCrashStage } from '../support/crash-stage.ts';
import { crashWhileRenewing } from './crash-fixture.ts';

const { endings } = useCrashStage();

/** `crash-subscriptions.long.test.ts` plays longer, with an outage of both processes. */
test(
  'every period is charged once while a process is killed during renewals',
  () => crashWhileRenewing({ count: 8, days: 12, killOf: 5, outages: 0, kills: 1, charges: 3 }, endings),
  150_000,
);
