import { test } from 'vitest';
import { useCrashStage } from '../support/crash-stage.ts';
import { crashWhileRenewing } from './crash-fixture.ts';

const { endings } = useCrashStage();

/** `npm run test:crash-subscriptions` plays two years of a thousand subscriptions. */
test(
  'every period is charged once while the service is killed during renewals',
  () => crashWhileRenewing({ count: 12, days: 26, killOf: 6, outages: 1, kills: 2, charges: 6 }, endings),
  150_000,
);
