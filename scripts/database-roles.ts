/** Makes the two roles of a live database, or mends those that are there: the owner's and the application's. */
import { readDatabaseUrl } from '../src/config.ts';
import { isRolePrefix, makeRoles } from '../src/db/make-roles.ts';
import { requireIdentity } from '../src/deployment/identity.ts';
import { runCommand } from './lib/command.ts';
import { readClaim, usage } from './lib/connection.ts';
import { result, say } from './lib/output.ts';

const NEW_PASSWORDS = '--new-passwords';
const PREFIX = '--prefix';

function readOptions(words: readonly string[]) {
  const at = words.indexOf(PREFIX);
  const prefix = at < 0 ? 'kasi' : (words[at + 1] ?? '');
  const others = words.filter((_, i) => at < 0 || (i !== at && i !== at + 1));
  if (!isRolePrefix(prefix))
    throw usage('database roles', `${PREFIX} takes lower-case letters, digits and underscores, such as shop`);
  if (others.some((word) => word !== NEW_PASSWORDS) || others.length > 1) throw usage('database roles');
  return { newPasswords: others.length > 0, prefix };
}

await runCommand(async () => {
  const adminUrl = readDatabaseUrl(process.env, 'DATABASE_ADMIN_URL');
  const { newPasswords, prefix } = readOptions(process.argv.slice(2));
  if (!adminUrl) throw usage('database roles');
  const claim = readClaim();
  const { owner, application, granted, sharedWith } = await makeRoles(adminUrl, {
    newPasswords,
    prefix,
    mayTakeRoles: false,
    prove: (db) => requireIdentity(db, claim),
  });
  result({ owner, application, granted, sharedWith });
  say(`DATABASE_OWNER_URL=${owner.url}\nDATABASE_URL=${application.url}`);
  for (const { name, made } of [owner, application]) {
    if (made === 'kept') say(`The password of ${name} is as it was (${NEW_PASSWORDS} makes another one).`);
    else say(`The password of ${name} is shown only now.`);
  }
  if (sharedWith.length > 0)
    say(
      `${owner.name} and ${application.name} may also log in to ${sharedWith.join(', ')}. If that is another ` +
        `deployment's, give each its own: ${PREFIX} <name>`,
    );
  say(granted ? 'All rights are granted.' : 'Now run npx kasi migrate with both.');
});
