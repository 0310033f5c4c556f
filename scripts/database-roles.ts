/** Makes the two roles of a live database, or mends those that are there: the owner's and the application's. */
import { readDatabaseUrl } from '../src/config.ts';
import { isRolePrefix, makeRoles } from '../src/db/make-roles.ts';
import { requireIdentity } from '../src/deployment/identity.ts';
import { runCommand } from './lib/command.ts';
import { readClaim, usage } from './lib/connection.ts';
import { result, say, showOnce } from './lib/output.ts';

const NEW_PASSWORDS = '--new-passwords';
const OF_ALL = '--of-all';
const PREFIX = '--prefix';
const DEFAULT_PREFIX = 'kasi';

function readOptions(words: readonly string[]) {
  const at = words.indexOf(PREFIX);
  const prefix = at < 0 ? DEFAULT_PREFIX : (words[at + 1] ?? '');
  const others = words.filter((_, i) => at < 0 || (i !== at && i !== at + 1));
  if (!isRolePrefix(prefix))
    throw usage('database roles', `${PREFIX} takes lower-case letters, digits and underscores, such as shop`);
  const [newPasswords, ofAll] = [others.includes(NEW_PASSWORDS), others.includes(OF_ALL)];
  if (others.length !== Number(newPasswords) + Number(ofAll)) throw usage('database roles');
  if (ofAll && !newPasswords) throw usage('database roles', `${OF_ALL} goes with ${NEW_PASSWORDS}`);
  return { newPasswords, ofAll, prefix };
}

await runCommand(async () => {
  const adminUrl = readDatabaseUrl(process.env, 'DATABASE_ADMIN_URL');
  const { newPasswords, ofAll, prefix } = readOptions(process.argv.slice(2));
  if (!adminUrl) throw usage('database roles', 'DATABASE_ADMIN_URL is missing.');
  const claim = readClaim();
  const { owner, application, granted, sharedWith } = await makeRoles(adminUrl, {
    newPasswords,
    prefix,
    mayTakeRoles: false,
    mayLockOut: ofAll,
    prove: (db) => requireIdentity(db, claim),
  });
  const fresh = [owner, application].filter(({ made }) => made !== 'kept');
  // Of the same roles: those of the default prefix may be another deployment's.
  const again = [NEW_PASSWORDS, ...(ofAll ? [OF_ALL] : []), ...(prefix === DEFAULT_PREFIX ? [] : [PREFIX, prefix])];
  if (fresh.length > 0)
    showOnce(
      `The passwords are lost: run npx kasi database roles ${again.join(' ')} for others, before anything uses them.`,
    );
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
