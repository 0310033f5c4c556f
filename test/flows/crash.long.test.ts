import { test } from 'vitest';
import { useCrashStage } from '../support/crash-stage.ts';
import { crashWhilePaying } from './crash-fixture.ts';

const { endings } = useCrashStage();

/** `npm run test:crash` runs this with fifty kills and two hundred payments. */
test(
  'a service killed repeatedly credits every payment once and loses no webhook',
  () => crashWhilePaying({ kills: 3, payments: 12 }, endings),
  150_000,
);
