import type { Client } from '../../clients/typescript/src/index.ts';
import { SECOND_MS } from '../../src/lib/clock.ts';
import type { TestClock } from './test-clock.ts';
import { codeAt, wrongCodeAt } from './totp.ts';

const STEP_MS = 30 * SECOND_MS;

/** An authenticator app and a list of recovery codes. */
export type TwoFactor = {
  readonly secret: string;
  readonly recoveryCodes: readonly string[];
  /** The app's next code: one step after the previous one, so the real clock advances. */
  readonly nextCode: () => string;
  readonly wrongCode: () => string;
};

type Account = Pick<Client['auth'], 'twoFactor'>;

/** Enables two-factor authentication for the client's account. */
export async function turnOnTwoFactor(
  { clock }: { readonly clock: TestClock },
  { twoFactor }: Account,
  password: string,
): Promise<TwoFactor> {
  const { secret } = await twoFactor.setUp({ password });
  const { recoveryCodes } = await twoFactor.enable({ otp: codeAt(secret, clock.real()) });
  const nextCode = (): string => {
    clock.advanceReal(STEP_MS);
    return codeAt(secret, clock.real());
  };
  return { secret, recoveryCodes, nextCode, wrongCode: () => wrongCodeAt(secret, clock.real()) };
}
