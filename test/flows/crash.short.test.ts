import { test } from 'vitest';
import { useCrashStage } from '../support/crash-stage.ts';
import { crashWhilePaying } from './crash-fixture.ts';

const { endings } = useCrashStage();

/** `crash.long.test.ts` has more of both, and `npm run test:crash` fifty kills and two hundred payments. */
test(
  'a service killed twice credits every payment once and loses no webhook',
  () => crashWhilePaying({ kills: 2, payments: 8 }, endings),
  150_000,
);
