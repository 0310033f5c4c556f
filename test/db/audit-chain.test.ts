import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { chainHash, entryBody, GENESIS, isHeadSigned } from '../../src/audit/chain.ts';
import { auditJobs } from '../../src/audit/jobs.ts';
import { recordAudit } from '../../src/audit/record.ts';
import { sealAudit } from '../../src/audit/seal.ts';
import { verifyAudit } from '../../src/audit/verify.ts';
import { openDatabase } from '../../src/db/database.ts';
import { inTransaction } from '../../src/db/transaction.ts';
import { canonicalJson, type JsonObject } from '../../src/lib/json.ts';
import { beforeMigration } from '../support/upgrade.ts';
import { type AuditWorld, DRAFT, KEY, NOW, openAuditWorld, withAuditWorld } from './audit-fixture.ts';

let world: AuditWorld;
beforeAll(async () => {
  world = await openAuditWorld();
});
afterAll(() => world.close());

const chain = () => world.db.selectFrom('audit_chain').selectAll().orderBy('sequence').execute();
const waiting = async (): Promise<number> =>
  (await world.db.selectFrom('unsealed_audit_entries').select('id').execute()).length;
const expectRight = async (): Promise<void> =>
  expect((await verifyAudit(world.db, { keys: [KEY.publicKey], patienceMs: 0 })).finding).toBeNull();

test('the hash equals the published vector, in the database too', async () => {
  const body = Buffer.from('{"action":"api_key.create","actorId":"mer_1"}');
  const expected = '345f29e236c5e2d7ffba9b2d4f81d60e9048124eb28ff591f5b34af1f07b55d5';
  expect(chainHash(1n, GENESIS.hash, body).toString('hex')).toBe(expected);
  const { rows } = await sql<{ hash: Buffer }>`select audit_hash(1, ${GENESIS.hash}, ${body}) as hash`.execute(
    world.db,
  );
  expect(rows[0]?.hash.toString('hex')).toBe(expected);
});

test('canonical JSON follows RFC 8785', () => {
  // The example in section 3.2.2 and the order in section 3.2.3.
  const value = {
    numbers: [JSON.parse('333333333.33333329') as number, 1e30, 4.5, 2e-3, 0.000000000000000000000000001],
    string: '€$\u000f\nA\'B"\\\\"/',
    literals: [null, true, false],
  };
  expect(canonicalJson(value)).toBe(
    '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}',
  );
  const keys = { '€': 'e', '\r': 'r', '\ufb33': 'd', '1': 'o', '😀': 's', '\u0080': 'c', ö: 'l' };
  expect([...canonicalJson(keys).matchAll(/:"(\w)"/g)].map(([, name]) => name).join('')).toBe('roclesd');
});

test('an entry is sealed once it is committed, a rolled-back one never, and sealing twice changes nothing', async () => {
  await inTransaction(world.db, async (trx) => {
    await recordAudit(trx, { ...DRAFT, resourceId: 'plink_slow', metadata: {} }, NOW);
    await world.write();
    expect(await world.seal()).toBe(1);
  });
  const undone = inTransaction(world.db, async (trx) => {
    await recordAudit(trx, { ...DRAFT, resourceId: 'plink_undone', metadata: {} }, NOW);
    throw new Error('undone');
  });
  await expect(undone).rejects.toThrow('undone');
  expect([await world.seal(), await world.seal()]).toEqual([1, 0]);
  const bodies = (await chain()).map(({ body }) => JSON.parse(body.toString()) as { resourceId: string });
  expect(bodies.at(-1)).toEqual({
    id: expect.stringMatching(/^log_/),
    actorType: 'merchant',
    actorId: 'mer_1',
    action: 'payment_link.create',
    resourceType: 'payment_link',
    resourceId: 'plink_slow',
    merchantId: 'mer_1',
    ipAddress: '203.0.113.9',
    userAgent: 'test',
    requestId: 'req-1',
    metadata: {},
    timestamp: '2026-01-02T03:11:42.117Z',
  });
  await expectRight();
});

test('every batch ends with a signed checkpoint of its last entry', async () => {
  await world.write(3);
  await world.seal(2);
  await world.seal(2);
  const checkpoints = await world.db.selectFrom('audit_checkpoints').selectAll().orderBy('sequence').execute();
  const entries = await chain();
  expect(checkpoints.slice(-2).map(({ sequence }) => sequence)).toEqual([
    BigInt(entries.length - 1),
    BigInt(entries.length),
  ]);
  for (const { sequence, hash, public_key: publicKey, signature } of checkpoints) {
    expect(entries[Number(sequence) - 1]?.hash).toEqual(hash);
    expect(publicKey).toEqual(KEY.publicKey);
    expect(isHeadSigned(KEY.publicKey, { sequence, hash }, signature)).toBe(true);
    expect(isHeadSigned(KEY.publicKey, { sequence: sequence + 1n, hash }, signature)).toBe(false);
  }
});

test('an entry is sealed byte for byte, whatever characters and numbers it contains', async () => {
  const metadata = {
    '€': 'සිංහල ☕',
    '😀': '"\\/\b\f\n\r\t\u0001\u007f\u2028',
    a: [1e21, 1e-7, 25.5, -0, 1e300, Number.MAX_SAFE_INTEGER, null, true],
    B: { z: {}, y: [] },
  };
  await world.write(1, metadata);
  await inTransaction(world.db, (trx) => recordAudit(trx, { ...DRAFT, resourceId: metadata['😀'], metadata: {} }, NOW));
  expect(await world.seal(1)).toBe(1);
  const body = (await chain()).at(-1)?.body.toString() ?? '';
  expect(body).toContain(`"metadata":${canonicalJson(JSON.parse(JSON.stringify(metadata)))}`);
  expect(await world.seal()).toBe(1);
  await expectRight();
});

const HOSTILE: Readonly<Record<string, string>> = {
  empty: '{}',
  'odd nesting': '{"":""," ":[],"a":{},"aa":null,"b":[[[{}]]]}',
  numbers: '{"n":[1.0,1e21,1E+2,-0,0.1e-6,123456789012345680000,1e-7,5e-324,1.7976931348623157e308]}',
  keys: '{"__proto__":{"x":1},"constructor":1,"10":1,"9":2,"é":"\\u00e9","e\u0301":"\ufeff","\u{1f600}":1,"\ufb33":2}',
  strings: '{"a":"\\\\u0000","q\\"":"\\\\\\/\\b\\f\\n\\r\\t\\u0001\\u001f\u007f","\u2028":"\u2029"}',
  'a long one': `{"long":"${'\\"quoted\\" \u{1f600} \\\\'.repeat(2000)}"}`,
};

test.each(Object.entries(HOSTILE))('bytes made at writing are those made at sealing: %s', async (_, text) => {
  const { metadata } = JSON.parse(`{"metadata":${text}}`) as { metadata: JsonObject };
  const times = [
    '2026-01-02T03:11:42Z',
    '2026-01-02T03:11:42.1Z',
    '2026-01-02T03:11:42.100001Z',
    '1999-12-31T23:59:59.999Z',
  ];
  for (const time of times) {
    await writeBySql({ metadata: text, canonical: canonicalJson(metadata), time });
    expect(await world.seal(1)).toBe(1);
    await writeBySql({ metadata: text, canonical: null, time });
    expect(await world.seal(1)).toBe(1);
    const [written, sealed] = (await chain())
      .slice(-2)
      .map(({ body }) => body.toString().replace(/"log_sql\d+"/, '""'));
    expect(written).toBe(sealed);
    expect(written).toContain(`"metadata":${canonicalJson(metadata)},`);
  }
  await world.write(1, metadata);
  expect(await world.seal()).toBe(1);
  await expectRight();
});

test('entries of the release before are sealed in their places between others', async () => {
  const ids = [];
  for (const canonical of ['{}', null, '{}', null, null, '{}', '{}']) ids.push(await writeBySql({ canonical }));
  // One batch that only the database makes, one with both kinds, one of its rest.
  expect([await world.seal(1), await world.seal(4), await world.seal(), await world.seal()]).toEqual([1, 4, 2, 0]);
  expect((await chain()).slice(-7).map(({ entry_id: id }) => id)).toEqual(ids);
  await expectRight();
});

test('an entry whose canonical metadata say something else is refused', async () => {
  const before = await waiting();
  for (const canonical of ['{"a":1}', '{"a":"2"}', '{}', 'null', '[]', '{"a":2,"b":null}', '{"a":2.00001}']) {
    await expect(writeBySql({ metadata: '{"a":2}', canonical })).rejects.toThrow('say something else');
  }
  await expect(writeBySql({ canonical: '{' })).rejects.toThrow('invalid input syntax for type json');
  expect(await waiting()).toBe(before);
});

let bySql = 0;

/** Writes an entry as a process of the release before does, or with a text of its own. */
async function writeBySql(entry: { metadata?: string; canonical: string | null; time?: string }): Promise<string> {
  bySql += 1;
  const { metadata = '{}', canonical, time = NOW.toISOString() } = entry;
  await sql`
    insert into audit_log (id, actor_type, actor_id, action, resource_type, resource_id, merchant_id, ip_address,
                           user_agent, request_id, metadata, canonical_metadata, created_at)
    values (${`log_sql${bySql}`}, 'system', '', 'payment.create', 'payment', '"\\', null, '', 'é\u0001', '',
            ${metadata}::jsonb, ${canonical}::json, ${time}::timestamptz)`.execute(world.db);
  return `log_sql${bySql}`;
}

test('many writers and two sealers work concurrently, and a sealer that dies holding the lock is replaced', async () => {
  const before = (await chain()).length;
  let done = false;
  let killed = 0;
  const sealer = async (): Promise<void> => {
    while (!done || (await waiting()) > 0) {
      if (killed < 5 && Math.random() < 0.3) {
        const dying = inTransaction(world.db, async (trx) => {
          await sql`select pg_advisory_xact_lock(hashtext('seal_audit'), 0)`.execute(trx);
          await sql`select pg_terminate_backend(pg_backend_pid())`.execute(trx);
        });
        await expect(dying).rejects.toThrow();
        killed += 1;
      }
      await sealAudit(world.db, KEY, 7, NOW);
    }
  };
  const writers = Promise.all(Array.from({ length: 5 }, () => world.write(30))).then(() => {
    done = true;
  });
  await Promise.all([writers, sealer(), sealer()]);
  expect((await chain()).length - before).toBe(150);
  await expectRight();
});

test('10,000 entries are sealed in seconds, and a stopped job ends after its batch', async () => {
  const before = (await chain()).length;
  await sql`
    insert into audit_log (id, actor_type, actor_id, action, resource_type, resource_id, merchant_id, ip_address,
                           user_agent, request_id, metadata, created_at)
    select 'log_many' || n, 'merchant', 'mer_1', 'payment.create', 'payment', 'pay_' || n, 'mer_1', '203.0.113.9',
           'test', 'req', '{}', ${NOW}
      from generate_series(1, 10000) n`.execute(world.db);
  const [job] = auditJobs({ db: world.db, key: KEY });
  const stopped = new AbortController();
  stopped.abort();
  await job?.run({ now: NOW, real: NOW, signal: stopped.signal });
  expect(await waiting()).toBe(10_000);
  const start = performance.now();
  await job?.run({ now: NOW, real: NOW, signal: new AbortController().signal });
  expect(performance.now() - start).toBeLessThan(10_000);
  expect((await chain()).length - before).toBe(10_000);
  await expectRight();
});

test('the application may write entries and have them sealed, but cannot change, delete or chain them itself', async () => {
  await world.write();
  const { rows } = await sql<{ id: bigint }>`select id from unsealed_audit_entries`.execute(world.db);
  const id = rows[0]?.id ?? 0n;
  const forbidden = [
    sql`update audit_log set actor_id = ''`,
    sql`delete from audit_log`,
    sql`truncate audit_log cascade`,
    sql`insert into audit_chain values (100000, 'log_1', '', sha256(''))`,
    sql`update audit_chain set hash = sha256('')`,
    sql`delete from audit_chain`,
    sql`truncate audit_chain cascade`,
    sql`update audit_checkpoints set signature = ''`,
    sql`delete from audit_checkpoints`,
    sql`truncate audit_checkpoints`,
    sql`insert into unsealed_audit_entries (entry_id) values ('log_1')`,
    sql`delete from unsealed_audit_entries`,
    sql`truncate unsealed_audit_entries`,
  ];
  for (const statement of forbidden) await expect(statement.execute(world.db)).rejects.toThrow('permission denied');
  const seal = (numbers: bigint[], metadata: string) =>
    sql`select seal_audit_entries(${numbers}::bigint[], ${metadata}::json)`.execute(world.db);
  await expect(seal([id], '[{"amount":"1.00"}]')).rejects.toThrow('not the metadata of audit entry');
  await expect(seal([id], '[null]')).rejects.toThrow('not the metadata of audit entry');
  await expect(seal([0n], '[{}]')).rejects.toThrow('no audit entry waits');
  await expect(seal([id], '[]')).rejects.toThrow('1 entries and metadata of 0');
  await expect(seal([id, id], '[{},{}]')).rejects.toThrow('duplicate key');
  // The function of the release before, which may run meanwhile.
  const sealBytes = (number: bigint, body: string) =>
    sql`select seal_audit(array[${number}::bigint], array[${Buffer.from(body)}::bytea])`.execute(world.db);
  await expect(sealBytes(id, '{"actorId":"mer_2"}')).rejects.toThrow('not the bytes of audit entry');
  await expect(sealBytes(0n, '{}')).rejects.toThrow('no audit entry waits');
  expect(await world.seal()).toBe(1);
  await expectRight();
});

test('entries from before the chain existed are chained in the order they happened', () =>
  beforeMigration('0016-audit-chain', async ({ client, ownerUrl, migrate }) => {
    await client.query(`
      insert into audit_log (id, actor_type, actor_id, action, resource_type, resource_id, merchant_id, ip_address, user_agent, request_id,
                             created_at)
      select 'log_' || n, 'merchant', 'mer_1', 'payment.create', 'payment', 'pay_' || n, 'mer_1', '', '', '',
             timestamptz '2026-01-01' + n * interval '1 second' from generate_series(60, 1, -1) n`);
    await migrate('0160-sealed-bodies', '0166-canonical-metadata', '0167-sealed-as-written');
    const db = openDatabase({ url: ownerUrl, poolMax: 1, applicationName: 'test', onError: () => {} });
    expect(await sealAudit(db, KEY, 100, NOW)).toBe(60);
    const { finding, head } = await verifyAudit(db, { keys: [KEY.publicKey], patienceMs: 0 });
    expect([finding, head.sequence]).toEqual([null, 60n]);
    const { rows } = await client.query('select entry_id from audit_chain order by sequence');
    expect(rows.map(({ entry_id: id }) => id)).toEqual(Array.from({ length: 60 }, (_, n) => `log_${n + 1}`));
    await db.destroy();
  }));

test('the bytes of an entry do not depend on the order of its fields', () => {
  const entry = { ...JSON.parse('{}'), id: 'log_1', metadata: { b: 1, a: 2 } };
  expect(entryBody(entry).toString()).toMatch(/^\{.*"metadata":\{"a":2,"b":1\}/);
});

test('only the log queues entries: a table of the application with its trigger forges none', () =>
  withAuditWorld(async (world) => {
    await world.live();
    const forge = async () => {
      await sql`create temp table log (like audit_log)`.execute(world.db);
      await sql`create trigger forged after insert on log for each row execute function queue_audit_entry()`.execute(
        world.db,
      );
    };
    await expect(forge()).rejects.toThrow('permission denied for function queue_audit_entry');
  }));

test('no function of a trigger with the rights of the owner can be put on another table by the application', () =>
  withAuditWorld(async ({ db }) => {
    const { rows } = await sql<{ name: string }>`
      select p.oid::regprocedure::text as name from pg_proc p
       where p.pronamespace = 'public'::regnamespace and p.prorettype = 'trigger'::regtype and p.prosecdef
         and has_function_privilege(current_user, p.oid, 'execute')`.execute(db);
    expect(rows).toEqual([]);
  }));
