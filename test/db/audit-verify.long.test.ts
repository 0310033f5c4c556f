import { type RawBuilder, sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { chainHash, signHead } from '../../src/audit/chain.ts';
import { type VerifyOptions, verifyAudit } from '../../src/audit/verify.ts';
import { signingKey } from '../../src/lib/standard-webhooks.ts';
import { runScript } from '../support/run-script.ts';
import { type AuditWorld, KEY, MASTER_KEY, withAuditWorld } from './audit-fixture.ts';

const TRUSTED: VerifyOptions = { keys: [KEY.publicKey], patienceMs: 0 };
const verify = (world: AuditWorld, options: Partial<VerifyOptions> = {}) =>
  verifyAudit(world.db, { ...TRUSTED, ...options });

const idOf = async (world: AuditWorld, sequence: number): Promise<string> => {
  const { rows } = await sql<{ id: string }>`
    select entry_id as id from audit_chain where sequence = ${sequence}`.execute(world.db);
  return rows[0]?.id ?? '';
};
const log = (set: RawBuilder<unknown>, sequence: number) =>
  sql`update audit_log set ${set} where id = (select entry_id from audit_chain where sequence = ${sequence})`;
const removeFromLog = (sequence: number) =>
  sql`delete from audit_log where id = (select entry_id from audit_chain where sequence = ${sequence})`;
/** Swaps the values of two rows by way of a free one. */
const swap = (table: string, column: string, a: unknown, b: unknown, free: unknown) =>
  [
    [a, free],
    [b, a],
    [free, b],
  ].map(
    ([from, to]) => sql`update ${sql.table(table)} set ${sql.ref(column)} = ${to} where ${sql.ref(column)} = ${from}`,
  );

/** Recomputes the chain from an entry on, as a tamperer would: every hash matches, but no checkpoint is signed. */
async function rewrite(world: AuditWorld, from: number): Promise<RawBuilder<unknown>[]> {
  const { rows } = await sql<{ sequence: bigint; body: Buffer; hash: Buffer }>`
    select sequence, body, hash from audit_chain order by sequence`.execute(world.db);
  let previous = rows[from - 2]?.hash ?? Buffer.alloc(32);
  return rows.slice(from - 1).map(({ sequence, body }) => {
    const changed = sequence === BigInt(from) ? Buffer.from(body.toString().replace('mer_1', 'mer_2')) : body;
    previous = chainHash(sequence, previous, changed);
    return sql`update audit_chain set body = ${changed}, hash = ${previous} where sequence = ${sequence}`;
  });
}

test('an untouched log verifies, empty or not, with any page size, while it is being written and sealed', () =>
  withAuditWorld(async (world) => {
    expect(await verify(world)).toMatchObject({ finding: null, head: { sequence: 0n }, checkpoints: 0 });
    await world.live(3, 3);
    for (const pageSize of [1, 2, 9, 1000]) {
      expect(await verify(world, { pageSize })).toMatchObject({
        finding: null,
        head: { sequence: 9n },
        checkpoints: 3,
      });
    }
    const told: string[] = [];
    await verify(world, { pageSize: 4, onProgress: (line) => void told.push(line) });
    expect(told).toEqual([
      ...[0, 4, 8, 9].map((count) => `${count} entries of the audit log were verified`),
      ...[0, 9].map((count) => `${count} entries were looked for in the chain`),
    ]);
    let done = false;
    const busy = (async () => {
      for (let n = 0; n < 20; n += 1) await world.live(1, 2);
      done = true;
    })();
    while (!done) expect((await verify(world, { pageSize: 2, patienceMs: 5000 })).finding).toBeNull();
    await busy;
    expect(await verify(world)).toMatchObject({ finding: null, head: { sequence: 49n }, checkpoints: 23 });
  }));

describe('the first wrong entry is reported', () => {
  /** Nine entries with a checkpoint at every third; the tampering, the first bad entry that results, and the reason. */
  type Case = readonly [
    what: string,
    how: (world: AuditWorld) => Promise<readonly RawBuilder<unknown>[]>,
    named: number,
    why: RegExp,
  ];
  const cases: readonly Case[] = [
    ['a changed row', async () => [log(sql`actor_id = 'mer_2'`, 4)], 4, /changed since.*: actorId$/],
    ['two changed rows', async () => [log(sql`user_agent = ''`, 8), log(sql`action = 'a.b'`, 5)], 5, /action$/],
    [
      'a row with changed details',
      async () => [log(sql`metadata = '{"batch": 7}', created_at = created_at + interval '1 microsecond'`, 2)],
      2,
      /: metadata, timestamp$/,
    ],
    ['a deleted first row', async () => [removeFromLog(1)], 1, /gone from the log/],
    ['a deleted last row', async () => [removeFromLog(9)], 9, /gone from the log/],
    [
      'two swapped rows',
      async (world) => swap('audit_log', 'id', await idOf(world, 3), await idOf(world, 7), 'log_free'),
      3,
      /resourceId/,
    ],
    ['two swapped positions', async () => swap('audit_chain', 'sequence', 6, 8, 99), 6, /does not follow/],
    [
      'an entry removed from the chain and the log',
      async () => [removeFromLog(5), sql`delete from audit_chain where sequence = 5`],
      5,
      /missing in the chain/,
    ],
    [
      'a removed entry, with the rest moved up',
      async () => [
        sql`delete from audit_chain where sequence = 5`,
        sql`update audit_chain set sequence = sequence - 1 where sequence in (6)`,
      ],
      5,
      /does not follow/,
    ],
    ['changed bytes', async () => [sql`update audit_chain set body = '{}' where sequence = 2`], 2, /not follow/],
    ['a changed hash', async () => [sql`update audit_chain set hash = sha256('') where sequence = 7`], 7, /follow/],
    [
      'a changed row, with the chain rewritten from there',
      async (world) => [log(sql`actor_id = 'mer_2'`, 5), ...(await rewrite(world, 5))],
      6, // Its checkpoint is the first that can detect it.
      /since entry 4 was changed and the chain written anew/,
    ],
    [
      'a last entry removed from log and chain',
      async () => [removeFromLog(9), sql`delete from audit_chain where sequence = 9`],
      9,
      /is gone: a checkpoint was signed at entry 9/,
    ],
    [
      'a removed last checkpoint',
      async () => [sql`delete from audit_checkpoints where sequence = 9`],
      7,
      /no checkpoint/,
    ],
    ['all checkpoints removed', async () => [sql`delete from audit_checkpoints`], 1, /no checkpoint/],
    [
      'a checkpoint with a changed signature',
      async () => [sql`update audit_checkpoints set signature = ${Buffer.alloc(64)} where sequence = 6`],
      6,
      /not signed by the key that it names/,
    ],
    [
      'a chain rewritten and signed with another key',
      async (world) => {
        const statements = await rewrite(world, 5);
        const thief = signingKey(Buffer.alloc(32, 1));
        const hash = sql`(select hash from audit_chain c where c.sequence = p.sequence)`;
        return [
          log(sql`actor_id = 'mer_2'`, 5),
          ...statements,
          sql`update audit_checkpoints p set hash = ${hash}, public_key = ${thief.publicKey} where sequence > 4`,
        ];
      },
      6,
      /signed by a key that is not ours/,
    ],
  ];
  test.each(cases)('%s', (_, how, named, why) =>
    withAuditWorld(async (world) => {
      await world.live(3, 3);
      const id = await idOf(world, named);
      const statements = await how(world);
      await world.tamper(...statements);
      const { finding, head } = await verify(world, { pageSize: 2 });
      expect(finding).toMatchObject({ sequence: BigInt(named), message: expect.stringMatching(why) });
      if (finding?.entryId) expect(id === '' || /^log_/.test(finding.entryId)).toBe(true);
      expect(head.sequence).toBeLessThanOrEqual(9n);
    }),
  );
});

test('an entry that never reaches the chain is reported: written around it, still waiting, or deleted before', () =>
  withAuditWorld(async (world) => {
    await world.live(1, 2);
    await world.write();
    expect((await verify(world)).finding?.message).toMatch(/^waits to be sealed; /);
    await world.write();
    expect((await verify(world)).finding?.message).toMatch(/^waits to be sealed, and 1 after it; /);
    await world.tamper(sql`delete from audit_log where resource_id = 'plink_3'`);
    expect((await verify(world)).finding?.message).toMatch(/is gone: it was written/);
    await world.tamper(sql`delete from unsealed_audit_entries`);
    const [loose] = await world.db.selectFrom('audit_log').select('id').where('resource_id', '=', 'plink_4').execute();
    expect((await verify(world)).finding).toEqual({
      sequence: null,
      entryId: loose?.id,
      message: 'stands in the log, but not in the chain',
    });
  }));

test('what is done to an entry in the second before it is sealed is found, for its bytes are those that were written', () =>
  withAuditWorld(async (world) => {
    await world.live(1, 2);
    await world.write(2, { amount: '25.00' });
    await world.tamper(
      sql`update audit_log set actor_id = 'mer_2', metadata = '{"amount":"52.00"}' where resource_id = 'plink_4'`,
    );
    expect(await world.seal()).toBe(2);
    expect((await verify(world)).finding).toMatchObject({
      sequence: 4n,
      message: 'was changed since it was written: actorId, metadata',
    });
    await world.tamper(sql`delete from audit_log where resource_id = 'plink_3'`);
    expect((await verify(world)).finding).toMatchObject({
      sequence: 3n,
      message: 'is in the chain and gone from the log',
    });
  }));

test('a tail removed with its checkpoints is detected only with a remembered entry', () =>
  withAuditWorld(async (world) => {
    await world.live(3, 3);
    const { head } = await verify(world);
    expect((await verify(world, { known: head })).finding).toBeNull();
    await world.tamper(
      sql`delete from audit_log where id in (select entry_id from audit_chain where sequence > 6)`,
      sql`delete from audit_chain where sequence > 6`,
      sql`delete from audit_checkpoints where sequence > 6`,
    );
    expect((await verify(world)).finding).toBeNull();
    expect((await verify(world, { known: head })).finding).toMatchObject({ sequence: 7n, entryId: null });
    await world.live(1, 3); // Another history in its place, signed by the service itself.
    expect((await verify(world)).finding).toBeNull();
    expect((await verify(world, { known: head })).finding).toMatchObject({
      sequence: 9n,
      message: expect.stringContaining('you know it by another hash'),
    });
  }));

describe('npx kasi audit verify', () => {
  const run = (world: AuditWorld, ...args: string[]) =>
    runScript('audit-verify.ts', args, { DATABASE_URL: world.database.url, MASTER_KEY: MASTER_KEY.toString('hex') });

  test('reports success and what to remember, or names the first bad entry and fails', () =>
    withAuditWorld(async (world) => {
      await world.live(2, 2);
      const fine = await run(world);
      expect(fine).toMatchObject({ code: 0, err: '' });
      const [summary, signed, , remember = ''] = fine.out.trim().split('\n');
      expect(summary).toBe('nothing is wrong: 4 entries and 2 checkpoints were checked');
      expect(signed).toBe(`signed by ${KEY.publicKey.toString('base64')}`);
      expect(await run(world, '--key', KEY.publicKey.toString('base64'), remember)).toMatchObject({ code: 0 });
      const other = signingKey(Buffer.alloc(32, 1)).publicKey.toString('base64');
      expect(await run(world, '--key', other)).toMatchObject({ code: 1, out: expect.stringContaining('not ours') });

      await world.tamper(log(sql`actor_id = ''`, 3));
      expect(await run(world)).toEqual({
        code: 1,
        out: [
          `entry 3 (${await idOf(world, 3)}) was changed since it was written: actorId`,
          'not proven beyond that: 2 entries and 1 checkpoints were checked\n',
        ].join('\n'),
        err: '',
      });
    }));

  test('prints its usage for unknown arguments', () =>
    withAuditWorld(async (world) => {
      for (const args of [['1:ff'], ['--key', 'short']]) {
        expect(await run(world, ...args)).toMatchObject({ code: 2, out: '', err: expect.stringContaining('Usage:') });
      }
    }));
});

test('a signature covers the position and the hash, so it fits no other position', () => {
  const hash = Buffer.alloc(32, 5);
  expect(signHead(KEY, { sequence: 1n, hash })).not.toEqual(signHead(KEY, { sequence: 2n, hash }));
});
