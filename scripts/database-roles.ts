/** Makes the two roles of a live database, or mends those that are there: the owner's and the application's. */
import { makeRoles } from '../src/db/make-roles.ts';
import { requireIdentity } from '../src/deployment/identity.ts';
import { runCommand } from './lib/command.ts';
import { Refusal, readClaim } from './lib/connection.ts';

const NEW_PASSWORDS = '--new-passwords';

const USAGE = `Usage: DATABASE_ADMIN_URL=postgresql://postgres@host/kasi npm run database:roles [-- ${NEW_PASSWORDS}]
  DATABASE_ADMIN_URL  a superuser, or a role that may make roles and databases, and the name of Kasi's database
  KASI_MODE, DEPLOYMENT_ID  as the processes will have them; a database that is there already has to be this deployment's
  Makes the database if there is none, the role kasi_owner, which gets everything in it, and the role kasi_app, which
  gets what the application needs. May be repeated. Passwords are generated for new roles, and shown only then;
  ${NEW_PASSWORDS} replaces those of roles that are there.`;

await runCommand(async () => {
  const { DATABASE_ADMIN_URL: adminUrl } = process.env;
  const [option, ...others] = process.argv.slice(2);
  const known = option === undefined || option === NEW_PASSWORDS;
  if (!adminUrl || !known || others.length > 0) throw new Refusal(USAGE);
  const claim = readClaim();
  const { owner, application, granted } = await makeRoles(adminUrl, {
    newPasswords: option === NEW_PASSWORDS,
    prove: (db) => requireIdentity(db, claim),
  });
  console.log(`DATABASE_OWNER_URL=${owner.url}\nDATABASE_URL=${application.url}`);
  for (const { name, made } of [owner, application]) {
    if (made === 'kept') console.log(`The password of ${name} is as it was (${NEW_PASSWORDS} makes another one).`);
    else console.log(`The password of ${name} is shown only now.`);
  }
  console.log(granted ? 'All rights are granted.' : 'Now run npm run migrate with both.');
});
