import { sql } from 'kysely';
import { parseTransaction } from '../chains/bitcoin/dev-wallet.ts';
import { after, SECOND_MS } from '../lib/clock.ts';
import type { Job } from '../ports/job.ts';
import { createRpc, type Head, readHead } from './anvil.ts';
import type { SandboxBitcoin } from './bitcoin.ts';
import { isPatient } from './bitcoin-wallet.ts';
import { confirmationsOf } from './confirmations.ts';
import type { Sandbox } from './sandbox.ts';

/** The sandbox's own timed work. */
export const sandboxJobs = (sandbox: Sandbox): Job[] => [
  mineWhileNeeded(sandbox),
  ...(sandbox.bitcoin ? [mineBitcoinWhileNeeded(sandbox, sandbox.bitcoin)] : []),
];

/** The same on the Bitcoin node, where a deadline needs no block: see decision sandbox/chain-rests. */
function mineBitcoinWhileNeeded(sandbox: Sandbox, bitcoin: SandboxBitcoin): Job {
  return {
    name: 'sandbox.mine-bitcoin',
    cron: '* * * * * *',
    hasWork: () => isUnconfirmed(bitcoin.network.name),
    run: async () => {
      const waiting = await listUnconfirmed(sandbox, bitcoin);
      for (const { tx_hash: txid } of waiting) {
        const hex = await bitcoin.control.rpc<string>('getrawtransaction', [txid]).catch(() => undefined);
        if (hex !== undefined && !isPatient(parseTransaction(hex))) return bitcoin.control.mine(1);
      }
    },
  };
}

/** The transactions that wait in the pool, or lie too near to the head to be confirmed. */
async function listUnconfirmed(sandbox: Sandbox, { network, control }: SandboxBitcoin) {
  const confirmations = confirmationsOf({ ...sandbox, network });
  const waiting = sandbox.db
    .selectFrom('credits')
    .select('tx_hash')
    .distinct()
    .where('network', '=', network.name)
    .where('canonical', '=', true)
    .where('confirmed_at', 'is', null);
  if (!(await waiting.limit(1).executeTakeFirst())) return [];
  const { height } = await control.readHead();
  return waiting
    .where('block_number', '>', BigInt(height - confirmations + 1))
    .limit(WAITING_MAX)
    .execute();
}

/** Whether a transfer on a network waits for its confirmations. */
const isUnconfirmed = (network: string) => sql<boolean>`exists (
  select from credits where network = ${network} and canonical and confirmed_at is null)`;

const WAITING_MAX = 50;

/**
 * Mines one block a second while something waits for one, and rests otherwise: a chain that mines on demand would leave
 * a transfer unconfirmed and a deadline unpassed for ever. Judges by the node's own head, so that a stopped watcher
 * does not keep it mining. See decision sandbox/chain-rests.
 */
function mineWhileNeeded(sandbox: Sandbox): Job {
  const rpc = createRpc(sandbox.network.rpcUrl);
  return {
    name: 'sandbox.mine',
    cron: '* * * * * *',
    // Whatever may need a block, whether that lies deep enough by now or not.
    hasWork: ({ now }) => sql`
      exists (select from payments where status in ('initiated', 'pending') and expires_at <= ${now})
      or exists (select from charges where status = 'due' and due_at <= ${now})
      or ${isUnconfirmed(sandbox.network.name)}
      or exists (select from operator_transactions where status = 'mined')
      or exists (select from operator_transactions where status in ('signed', 'sent'))`,
    run: async ({ now }) => {
      const head = await readHead(rpc);
      // A second ahead: a deadline has passed only when a block is younger than it.
      if (await isDeadlineAhead(sandbox, head, now)) await sandbox.chain.setTime(after(now, SECOND_MS));
      else if ((await isConfirmationAwaited(sandbox, head)) || (await isOperatorWaiting(sandbox, head)))
        await sandbox.chain.mine(1);
    },
  };
}

/**
 * Whether something is due by the clock but not yet by the chain: an open payment's deadline, or the charge of a
 * started period.
 */
async function isDeadlineAhead({ db }: Sandbox, head: Head, now: Date): Promise<boolean> {
  const scannedTo = new Date(head.timestamp * SECOND_MS);
  const overdue = await db
    .selectFrom('payments')
    .select('id')
    .where('status', 'in', ['initiated', 'pending'])
    .where('expires_at', '<=', now)
    .where('expires_at', '>=', scannedTo)
    .limit(1)
    .executeTakeFirst();
  if (overdue) return true;
  const charge = await db
    .selectFrom('charges')
    .select('id')
    .where('status', '=', 'due')
    .where('due_at', '<=', now)
    .where('period_start', '>=', after(scannedTo, SECOND_MS))
    .limit(1)
    .executeTakeFirst();
  return charge !== undefined;
}

/**
 * Whether a transfer is too near to the head to be confirmed, apart from those of the patient payer.
 * See decision sandbox/unconfirmed-until-mined.
 */
async function isConfirmationAwaited(sandbox: Sandbox, head: Head): Promise<boolean> {
  const { db, network, faucet } = sandbox;
  const waiting = await db
    .selectFrom('credits')
    .select('id')
    .where('network', '=', network.name)
    .where('canonical', '=', true)
    .where('confirmed_at', 'is', null)
    .where('block_number', '>', BigInt(head.height - confirmationsOf(sandbox) + 1))
    .where('sender', '<>', sql<string>`${faucet.patientPayer()}`)
    .limit(1)
    .executeTakeFirst();
  return waiting !== undefined;
}

/** Whether a transaction of our own, or one that took its nonce, is too near to the head to be confirmed. */
async function isOperatorWaiting({ db, ...sandbox }: Sandbox, head: Head): Promise<boolean> {
  const shallow = head.height - confirmationsOf(sandbox) + 1;
  // Literals that match the partial indexes of the two states.
  const { rows } = await sql`
    select id from operator_transactions
     where network = ${sandbox.network.name}
       and (status = 'mined' and block_number > ${shallow} or status in ('signed', 'sent') and taken_block > ${shallow})
     limit 1`.execute(db);
  return rows.length > 0;
}
