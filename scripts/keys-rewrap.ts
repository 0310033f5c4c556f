/** Wraps what is stored by the current master key, so that former ones can go. Runs beside the service. */
import { listSealingKeys } from '../src/deployment/evidence.ts';
import { findDeployment } from '../src/deployment/identity.ts';
import { listSealingOtherwise } from '../src/deployment/sealing-keys.ts';
import { keyIdOf } from '../src/lib/envelope.ts';
import { rewrapAll } from '../src/sealed.ts';
import { claimOf, Refusal, runOnDatabase, usage } from './lib/connection.ts';
import { result, say } from './lib/output.ts';
import { sayingSometimes } from './lib/progress.ts';

await runOnDatabase(requireNone, async ({ db, config }) => {
  const { ring } = claimOf(config);
  if (!ring)
    throw new Refusal('MASTER_KEY is missing: set it, and the former ones in MASTER_KEYS_OLD, as the processes do.');
  const current = ring.current.id.toString('hex');
  const deployment = await findDeployment(db);
  const canary = deployment && keyIdOf(deployment.sealedCanary);
  if (canary !== current) {
    throw new Refusal(
      `The processes of this database seal with the key ${canary ?? '(none started yet)'}, and MASTER_KEY here is ${current}: restart them with ` +
        'the new key first, or set MASTER_KEY to theirs.',
    );
  }
  const strange = (await listSealingKeys(db)).filter((id) => !ring.keys.has(id));
  if (strange.length > 0) {
    throw new Refusal(`Stored values are sealed with the keys ${strange.join(', ')}: list them in MASTER_KEYS_OLD.`);
  }
  // Also one that stops meanwhile may have sealed something behind what is read here.
  const before = await listSealingOtherwise(db, current);
  const tell = sayingSometimes();
  const round = await rewrapAll(db, ring, (looked, wrapped) =>
    tell(`${looked} values were looked at, ${wrapped} of them wrapped anew`),
  );
  // What was sealed behind the first round is found by another, which reads everything once more.
  const proof = await rewrapAll(db, ring, (looked) => tell(`${looked} values were looked at once more`));
  result({ wrapped: round.count + proof.count, current, locked: proof.locked });
  say(`${round.count + proof.count} values were wrapped anew.`);
  if (proof.locked > 0)
    throw new Refusal(
      `${proof.locked} are still sealed with a former key: rows that were locked just now. Run it again.`,
    );
  if (proof.count > round.locked) {
    throw new Refusal(
      'Something was sealed with a former key meanwhile: restart each process whose MASTER_KEY is a former key, then run it again.',
    );
  }
  const others = [...before, ...(await listSealingOtherwise(db, current))];
  if (others.length > 0) {
    const named = [...new Set(others.map(({ worker, key }) => `${worker} (${key})`))].join(', ');
    throw new Refusal(
      `What was read is sealed with ${current}, and these processes sealed with another key while this ran: ${named}. Keep that key in ` +
        'MASTER_KEYS_OLD, restart them with the new one, then run this again. One that was killed counts for three minutes.',
    );
  }
  say(
    `Everything is sealed with ${current}. The former keys can leave MASTER_KEYS_OLD of the processes; keep them for npx kasi audit verify.`,
  );
});

function requireNone({ length }: readonly string[]): void {
  if (length > 0) throw usage('keys rewrap');
}
