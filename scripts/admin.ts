/** Creates an administrator, or gives one a new password: the way in while no administrator can log in. */
import { upsertAdmin } from '../src/admins/first-admin.ts';
import { createPasswords } from '../src/identity/passwords.ts';
import { Refusal, runOnDatabase } from './lib/connection.ts';

const RESET = '--reset-two-factor';
const ACTIVATE = '--activate';

const USAGE = `Usage: npm run admin -- <e-mail> [${RESET}] [${ACTIVATE}]
  Makes a super_admin with this e-mail address, or gives the one who has it a new password and ends their sessions.
  The password is ADMIN_PASSWORD if ADMIN_EMAIL is this address, and generated otherwise; it is shown only here.
  Two-factor authentication stays as it is; ${RESET} turns it off, for who has lost the app and the recovery codes.
  A deactivated administrator stays so; ${ACTIVATE} lets them log in again.`;

const EMAIL = /^[^\s@]+@[^\s@]+$/;

await runOnDatabase(async ({ db, config, clock }) => {
  const [email = '', ...options] = process.argv.slice(2);
  if (!EMAIL.test(email) || options.some((option) => option !== RESET && option !== ACTIVATE)) throw new Refusal(USAGE);
  const [resetTwoFactor, activate] = [options.includes(RESET), options.includes(ACTIVATE)];
  const password = config.admin?.email === email ? config.admin.password : undefined;
  const login = await upsertAdmin(
    { db, passwords: createPasswords() },
    { email, resetTwoFactor, activate, ...(password !== undefined && { password }) },
    clock.real(),
  );
  console.log(`${login.made === 'created' ? 'New administrator' : 'New password for'} ${login.email}`);
  if (password === undefined) console.log(`Password: ${login.password}`);
  if (login.twoFactorEnabled)
    console.log(`Two-factor authentication is on: a login needs a code (${RESET} turns it off).`);
  if (login.status === 'deactivated')
    console.log(`The account is deactivated and stays so (${ACTIVATE} lets it log in).`);
});
