/** Makes the two roles of a live database, or mends those that are there: the owner's and the application's. */
import { makeRoles } from '../src/db/make-roles.ts';
import { requireIdentity } from '../src/deployment/identity.ts';
import { runCommand } from './lib/command.ts';
import { readClaim, usage } from './lib/connection.ts';
import { result, say } from './lib/output.ts';

const NEW_PASSWORDS = '--new-passwords';

await runCommand(async () => {
  const { DATABASE_ADMIN_URL: adminUrl } = process.env;
  const [option, ...others] = process.argv.slice(2);
  const known = option === undefined || option === NEW_PASSWORDS;
  if (!adminUrl || !known || others.length > 0) throw usage('database roles');
  const claim = readClaim();
  const { owner, application, granted } = await makeRoles(adminUrl, {
    newPasswords: option === NEW_PASSWORDS,
    prove: (db) => requireIdentity(db, claim),
  });
  result({ owner, application, granted });
  say(`DATABASE_OWNER_URL=${owner.url}\nDATABASE_URL=${application.url}`);
  for (const { name, made } of [owner, application]) {
    if (made === 'kept') say(`The password of ${name} is as it was (${NEW_PASSWORDS} makes another one).`);
    else say(`The password of ${name} is shown only now.`);
  }
  say(granted ? 'All rights are granted.' : 'Now run npx kasi migrate with both.');
});
