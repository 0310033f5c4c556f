/** Creates an administrator, or gives one a new password: the way in while no administrator can log in. */
import { upsertAdmin } from '../src/admins/first-admin.ts';
import { createPasswords } from '../src/identity/passwords.ts';
import { runOnDatabase, usage } from './lib/connection.ts';
import { result, say, showOnce } from './lib/output.ts';

const RESET = '--reset-two-factor';
const ACTIVATE = '--activate';
/** An address that is not known makes another super_admin only when that is said. */
const NEW = '--new';
const OPTIONS: readonly string[] = [RESET, ACTIVATE, NEW];

const EMAIL = /^[^\s@]+@[^\s@]+$/;

await runOnDatabase(parse, async ({ db, config, clock }, { email, options }) => {
  const [resetTwoFactor, activate] = [options.includes(RESET), options.includes(ACTIVATE)];
  const password = config.admin?.email === email ? config.admin.password : undefined;
  const login = await upsertAdmin(
    { db, passwords: createPasswords() },
    { email, resetTwoFactor, activate, isNew: options.includes(NEW), ...(password !== undefined && { password }) },
    clock.real(),
  );
  if (password === undefined) showOnce(`The password is lost: run npx kasi admin ${login.email} for another one.`);
  result({ admin: password === undefined ? login : { ...login, password: undefined } });
  say(`${login.made === 'created' ? 'New administrator' : 'New password for'} ${login.email}`);
  if (password === undefined) say(`Password: ${login.password}`);
  if (login.twoFactorEnabled) say(`Two-factor authentication is on: a login needs a code (${RESET} turns it off).`);
  if (login.status === 'deactivated') say(`The account is deactivated and stays so (${ACTIVATE} lets it log in).`);
});

function parse([email = '', ...options]: readonly string[]) {
  if (!EMAIL.test(email) || options.some((option) => !OPTIONS.includes(option))) throw usage('admin');
  return { email, options };
}
