import { Secret, TOTP } from 'otpauth';

/** The code that an authenticator app shows for a base32 secret at a given time. */
export const codeAt = (secret: string, at: Date): string =>
  TOTP.generate({ secret: Secret.fromBase32(secret), timestamp: at.getTime() });

/** A code that the app does not show around that time. */
export function wrongCodeAt(secret: string, at: Date): string {
  const near = [-30, 0, 30].map((seconds) => codeAt(secret, new Date(at.getTime() + seconds * 1000)));
  for (let guess = 0; ; guess += 1) {
    const code = String(guess).padStart(6, '0');
    if (!near.includes(code)) return code;
  }
}
