import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { parseConfig } from '../../src/config.ts';
import { type Infrastructure, prepareInfrastructure } from '../../src/infrastructure.ts';
import { createKeyRing, decrypt, encrypt } from '../../src/lib/envelope.ts';
import { startBitcoinNode } from '../../src/sandbox/bitcoin-node.ts';
import { type Anvil, startAnvil } from '../support/anvil.ts';
import { connectOwner, createTestDatabase, type TestDatabase } from '../support/database.ts';
import { LIVE_CHAIN_ID, LIVE_MASTER_KEY, type LiveEntry, liveEnv, prepareLiveEntry } from '../support/live.ts';
import { makeTestFolder } from '../support/run-folder.ts';
import { runScript } from '../support/run-script.ts';

const OTHER_KEY = 'ffeeddccbbaa99887766554433221100f0e1d2c3b4a5968778695a4b3c2d1e0f';
const OTHER_ADDRESS = '0x2222222222222222222222222222222222222222';

let node: Anvil;
/** What a sandbox that is let in would find. */
let devnet: Anvil;
let entry: LiveEntry;
const databases: TestDatabase[] = [];

beforeAll(async () => {
  [node, devnet] = await Promise.all([startAnvil({ chainId: LIVE_CHAIN_ID }), startAnvil()]);
  entry = await prepareLiveEntry(node.url);
});
afterAll(async () => {
  await Promise.all([node?.stop(), devnet?.stop()]);
  for (const database of databases) await database.drop();
});

async function newDatabase(): Promise<TestDatabase> {
  const database = await createTestDatabase();
  databases.push(database);
  return database;
}

/** What a start prepares, before anything runs on it. */
async function start(env: Record<string, string>): Promise<Infrastructure> {
  const infrastructure = await prepareInfrastructure(parseConfig(env), pino({ level: 'silent' }));
  await infrastructure.stop();
  return infrastructure;
}

/** What a start says about former keys. */
async function noted(env: Record<string, string>): Promise<string[]> {
  const lines: string[] = [];
  const write = (line: string): void => void lines.push((JSON.parse(line) as { msg: string }).msg);
  await (await prepareInfrastructure(parseConfig(env), pino({ level: 'info' }, { write }))).stop();
  return lines.filter((line) => line.includes('MASTER_KEYS_OLD'));
}

const sandboxEnv = (database: TestDatabase): Record<string, string> => ({
  DATABASE_URL: database.url,
  DATABASE_OWNER_URL: database.ownerUrl,
  EVM_RPC_URL: devnet.url,
  KASI_DATA_DIR: makeTestFolder(inject('runFolder')),
  PORT: '0',
});

const hashAt = async (height: string): Promise<string> =>
  (await node.rpc<{ hash: string }>('eth_getBlockByNumber', [height, false])).hash;

const namesOf = ({ networks }: Infrastructure): string[] => networks.map(({ name }) => name);

async function asOwner<T>(database: TestDatabase, text: string): Promise<T[]> {
  const client = await connectOwner(database);
  try {
    return (await client.query(text)).rows as T[];
  } finally {
    await client.end();
  }
}

test('a sandbox whose Bitcoin node can not be had goes on without it, and says why, also where it had one', async () => {
  const folder = makeTestFolder(inject('runFolder'));
  const bitcoin = await startBitcoinNode({ dataDir: folder, now: new Date(), log: () => undefined });
  const env = { ...sandboxEnv(await newDatabase()), BITCOIN_RPC_URL: bitcoin.rpcUrl };
  const before = await start(env);
  expect([namesOf(before), before.missing]).toEqual([['devnet', 'regtest'], []]);
  await bitcoin.stop();
  const silent = await start(env);
  expect([namesOf(silent), silent.missing]).toEqual([
    ['devnet'],
    [{ network: 'regtest', message: expect.any(String) }],
  ]);
  rmSync(join(folder, 'bitcoin'), { recursive: true });
  writeFileSync(join(folder, 'bitcoin'), 'in the way');
  const again = startBitcoinNode({ dataDir: folder, now: new Date(), log: () => undefined });
  await expect(again.finally(() => rmSync(join(folder, 'bitcoin')))).rejects.toThrow(
    /bitcoin can not be a folder of this process .*: move away what is there, or set KASI_DATA_DIR\.$/,
  );
});

describe('the mode of a database', () => {
  test('a live database refuses a sandbox, as when KASI_MODE is forgotten', async () => {
    const database = await newDatabase();
    await start(liveEnv(database, [entry]));
    const { KASI_MODE: _, ...forgotten } = liveEnv(database, [entry]);
    await expect(start({ ...forgotten, EVM_RPC_URL: devnet.url })).rejects.toThrow(/set KASI_MODE=live/);
    await expect(start(sandboxEnv(database))).rejects.toThrow(/set KASI_MODE=live/);
    // Half forgotten: the sandbox's own database, and the owner of the live one, which it would migrate.
    const other = await newDatabase();
    const mixed = { ...sandboxEnv(other), DATABASE_OWNER_URL: database.ownerUrl };
    await expect(start(mixed)).rejects.toThrow(/set KASI_MODE=live/);
  });

  test('a live database from before its identity was recorded refuses it, too', async () => {
    const database = await newDatabase();
    await asOwner(
      database,
      `insert into chain_cursors (network, genesis_hash, height, hash, block_time, confirmed_height, head_height,
         scanned_at) values ('base', '0xaa', 1, '0xbb', now(), 0, 1, now());
       insert into sandbox_clock (id, offset_ms) values (1, 5)`,
    );
    await expect(start(sandboxEnv(database))).rejects.toThrow(/its content is that of a live deployment/);
  });

  test("a sandbox's refuses live, and one of which nothing is known refuses a sandbox", async () => {
    const played = await newDatabase();
    await asOwner(played, 'insert into sandbox_clock (id, offset_ms) values (1, 0)');
    await expect(start(liveEnv(played, [entry]))).rejects.toThrow(/a sandbox never becomes live/);

    const unclear = await newDatabase();
    await asOwner(
      unclear,
      `insert into merchants (id, business_name, email, password_hash, phone, business_type, status, created_at,
         updated_at) values ('mer_x', 'x', 'x@example.com', 'x', '+1', 'company', 'active', now(), now())`,
    );
    await expect(start(sandboxEnv(unclear))).rejects.toThrow(/its content is that of a live deployment/);
    await start(liveEnv(unclear, [entry]));
  });
});

describe('the name of a deployment', () => {
  test('a copy that is started under another name is refused', async () => {
    const database = await newDatabase();
    await start(liveEnv(database, [entry]));
    const restored = liveEnv(database, [entry], { DEPLOYMENT_ID: 'shop-staging' });
    await expect(start(restored)).rejects.toThrow(
      /belongs to the deployment "shop-production", and DEPLOYMENT_ID is "shop-staging"/,
    );
  });

  test('of processes that start at once, one names it', async () => {
    const database = await newDatabase();
    const starts = [1, 2, 3].map(() => start(liveEnv(database, [entry])));
    await Promise.all(starts);
    const others = await Promise.allSettled(
      ['shop-a', 'shop-b'].map((id) => start(liveEnv(database, [entry], { DEPLOYMENT_ID: id }))),
    );
    expect(others.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(await asOwner(database, 'select id, mode from deployment')).toEqual([
      { id: 'shop-production', mode: 'live' },
    ]);
  });
});

describe('the master key of a database', () => {
  test('another key than the one it was sealed with is refused', async () => {
    const database = await newDatabase();
    await start(liveEnv(database, [entry]));
    await expect(start(liveEnv(database, [entry], { MASTER_KEY: OTHER_KEY }))).rejects.toThrow(
      /MASTER_KEY is not the key of this database/,
    );
  });

  test('a new key takes over while the former one is listed', async () => {
    const database = await newDatabase();
    await start(liveEnv(database, [entry]));
    await start(liveEnv(database, [entry], { MASTER_KEY: OTHER_KEY, MASTER_KEYS_OLD: LIVE_MASTER_KEY }));
    await start(liveEnv(database, [entry], { MASTER_KEY: OTHER_KEY }));
    await expect(start(liveEnv(database, [entry]))).rejects.toThrow(/MASTER_KEY/);
  });

  test('what is stored is wrapped by the new key, and then the former one is not needed any more', async () => {
    const database = await newDatabase();
    await start(liveEnv(database, [entry]));
    const [former, current] = [LIVE_MASTER_KEY, OTHER_KEY].map((key) => Buffer.from(key, 'hex')) as [Buffer, Buffer];
    const place = { table: 'second_factors', column: 'sealed_secret', row: 'adm_x', tenant: 'adm_x' };
    const sealed = encrypt(createKeyRing(former), place, Buffer.from('a secret')).toString('hex');
    await asOwner(
      database,
      `insert into second_factors (holder_id, sealed_secret, enabled_at, last_step)
         values ('adm_x', '\\x${sealed}', now(), 1)`,
    );
    const rotated = { MASTER_KEY: OTHER_KEY, MASTER_KEYS_OLD: LIVE_MASTER_KEY };
    const rewrap = (env: object) => runScript('keys-rewrap.ts', [], { ...liveEnv(database, [entry]), ...env } as never);
    const idOf = (n: number): string => n.toString(16).padStart(64, '0');
    // Before the processes have the new key, they could not read what it wraps.
    expect(await rewrap(rotated)).toMatchObject({ code: 1, err: expect.stringContaining('restart them') });
    expect(await noted(liveEnv(database, [entry], rotated))).toEqual([]);
    expect(await rewrap({ MASTER_KEYS_OLD: OTHER_KEY })).toMatchObject({ code: 1 });
    const asked = async () => (await runScript('doctor.ts', [], liveEnv(database, [entry], rotated) as never)).out;
    expect(await asked()).toMatch(/sealed values left: 1 with the former key/);
    expect(await rewrap(rotated)).toMatchObject({ code: 0, out: expect.stringContaining('1 values were wrapped') });
    // Newer than the two hundred answers that a start looks at, and held by a request.
    const answer = (key: Buffer, n: number) =>
      encrypt(
        createKeyRing(key),
        { table: 'idempotency_keys', column: 'body', row: idOf(n), tenant: 'mer_x' },
        Buffer.from('{}'),
      );
    const rows = Array.from(
      { length: 201 },
      (_, n) => `('\\x${idOf(n)}', 'mer_x', '', '', 200,
      '\\x${answer(n < 200 ? current : former, n).toString('hex')}', now() + ${n} * interval '1 second')`,
    );
    await asOwner(
      database,
      `insert into idempotency_keys (id, merchant_id, request_id, fingerprint, status, body, expires_at) values ${rows.join()}`,
    );
    const holder = await connectOwner(database);
    await holder.query(`begin; select from idempotency_keys where id = '\\x${idOf(200)}' for update`);
    expect(await rewrap(rotated)).toMatchObject({ code: 1, err: expect.stringContaining('1 are still sealed') });
    await holder.query('commit');
    await holder.end();
    expect(await rewrap(rotated)).toMatchObject({ code: 0, out: expect.stringContaining('1 values were wrapped') });
    expect(await asked()).toMatch(/nothing stored is sealed with the former key \w+: it may leave MASTER_KEYS_OLD/);
    expect((await rewrap(rotated)).out).toMatch(/0 values were wrapped[\s\S]*can leave MASTER_KEYS_OLD/);
    const [row] = await asOwner<{ sealed_secret: Buffer }>(database, 'select sealed_secret from second_factors');
    expect(decrypt(createKeyRing(current), place, row!.sealed_secret).toString()).toBe('a secret');
    expect(await noted(liveEnv(database, [entry], rotated))).toEqual([expect.stringContaining('MASTER_KEYS_OLD')]);
    await start(liveEnv(database, [entry], { MASTER_KEY: OTHER_KEY }));
  });

  test('a former key is kept while a process seals by it, also one that stops meanwhile', async () => {
    const database = await newDatabase();
    await start(liveEnv(database, [entry]));
    const ring = createKeyRing(Buffer.from(LIVE_MASTER_KEY, 'hex'));
    const place = { table: 'second_factors', column: 'sealed_secret', row: 'adm_x', tenant: 'adm_x' };
    const sealed = encrypt(ring, place, Buffer.from('a secret')).toString('hex');
    const rotated = liveEnv(database, [entry], { MASTER_KEY: OTHER_KEY, MASTER_KEYS_OLD: LIVE_MASTER_KEY });
    expect(await noted(rotated)).toEqual([expect.stringContaining('MASTER_KEYS_OLD')]);
    const rewrap = () => runScript('keys-rewrap.ts', [], rotated as never);

    // A process that was forgotten seals nothing for hours, and something once its key was taken out of all others.
    const forgotten = ring.current.id.toString('hex');
    await asOwner(database, `insert into sealing_keys (worker, key) values ('forgotten', '${forgotten}')`);
    const told = await rewrap();
    expect([told.code, told.err]).toEqual([
      1,
      expect.stringContaining(`another key while this ran: forgotten (${forgotten})`),
    ]);
    expect(told.out).not.toContain('can leave');
    const { out } = await runScript('doctor.ts', [], rotated as never);
    expect(out).toContain(`the process forgotten still seals with the key ${forgotten}`);

    // It stops while the values are read, and may have sealed one behind that.
    await asOwner(
      database,
      `insert into second_factors (holder_id, sealed_secret, enabled_at, last_step)
         values ('adm_x', '\\x${sealed}', now(), 1);
       create function stop_it() returns trigger language plpgsql as $$
         begin delete from sealing_keys; return null; end $$;
       create trigger stop_it after update on second_factors for each row execute function stop_it()`,
    );
    expect(await rewrap()).toMatchObject({ code: 1, err: expect.stringContaining(`forgotten (${forgotten})`) });
    expect(await asOwner(database, 'select from sealing_keys')).toEqual([]);

    const killed = `insert into sealing_keys values ('forgotten', '${forgotten}', now() - interval '4 minutes')`;
    await asOwner(database, killed);
    expect(await rewrap()).toMatchObject({ code: 0, out: expect.stringContaining('can leave MASTER_KEYS_OLD') });
  });

  test('a database that has no canary yet is proven by the secrets in it', async () => {
    const database = await newDatabase();
    await asOwner(
      database,
      `insert into second_factors (holder_id, sealed_secret, enabled_at, last_step)
         values ('adm_x', decode(repeat('01', 120), 'hex'), now(), 1)`,
    );
    await expect(start(liveEnv(database, [entry]))).rejects.toThrow(/sealed with the key 0101010101010101/);
  });
});

describe('the networks of a database', () => {
  test('a chain keeps its first name when the file calls it otherwise', async () => {
    const database = await newDatabase();
    expect(namesOf(await start(liveEnv(database, [entry])))).toEqual(['base']);
    expect(namesOf(await start(liveEnv(database, [{ ...entry, name: 'base-mainnet' }])))).toEqual(['base']);
    expect(await asOwner(database, 'select name, chain from deployment_names order by name')).toEqual([
      { name: 'base', chain: 'eip155:8453' },
      { name: 'base-mainnet', chain: 'eip155:8453' },
    ]);
  });

  test('a database from before chains were recorded tells by its blocks what it called them', async () => {
    const database = await newDatabase();
    const [genesis, block] = await Promise.all([hashAt('0x0'), hashAt('0x1')]);
    const cursor = (name: string, first: string, hash: string): string =>
      `insert into chain_cursors (network, genesis_hash, height, hash, block_time, confirmed_height, head_height,
         scanned_at) values ('${name}', '${first}', 1, '${hash}', now(), 0, 1, now())`;
    await asOwner(database, cursor('base', genesis, block));
    await asOwner(database, cursor('split', genesis, '0xaa'));
    const renamed = { ...entry, name: 'base-mainnet' };
    const silent = liveEnv(database, [{ ...renamed, rpcUrl: 'http://127.0.0.1:1' }]);
    await expect(start(silent)).rejects.toThrow(/"base", "split", which may be the same chain. Its node cannot tell/);
    await expect(start(liveEnv(database, [{ ...entry, name: 'split' }]))).rejects.toThrow(
      /serves another chain than the one that this database has watched under that name/,
    );
    expect(namesOf(await start(liveEnv(database, [renamed])))).toEqual(['base']);
    expect(await asOwner(database, 'select name, genesis_hash from deployment_networks')).toEqual([
      { name: 'base', genesis_hash: genesis },
    ]);
    // A process of the release before, with the new name: it would credit everything again.
    await expect(asOwner(database, cursor('base-mainnet', genesis, block))).rejects.toThrow(/under another name/);
  });

  test('a name that meant another chain is refused; one whose chain was never seen becomes free', async () => {
    const database = await newDatabase();
    const mistyped = { ...entry, chainId: 10 };
    await expect(start(liveEnv(database, [mistyped]))).rejects.toThrow(
      /serves chain 8453, not 10: correct the RPC URL/,
    );
    // Nobody answers, so the mistake shows later.
    await start(liveEnv(database, [{ ...mistyped, rpcUrl: 'http://127.0.0.1:1' }])).catch(() => undefined);
    await start(liveEnv(database, [entry]));
    expect(await asOwner(database, 'select name, chain from deployment_names')).toEqual([
      { name: 'base', chain: 'eip155:8453' },
    ]);
    await asOwner(database, "update deployment_networks set genesis_hash = '0xaa'");
    const other = liveEnv(database, [{ ...mistyped, rpcUrl: 'http://127.0.0.1:1' }]);
    await expect(start(other)).rejects.toThrow(/calls eip155:10 "base", which is the name of eip155:8453/);
  });

  test('a token that nobody was offered may be corrected', async () => {
    const database = await newDatabase();
    const [first, ...others] = entry.tokens;
    const mistyped = liveEnv(database, [{ ...entry, tokens: [{ ...first, decimals: 12 }, ...others] }]);
    await start(mistyped).catch(() => undefined); // Its contract says otherwise; what was recorded is no obstacle.
    await start(liveEnv(database, [entry]));
    const listed = await asOwner(database, 'select symbol, decimals from deployment_tokens order by symbol');
    expect(listed).toEqual([
      { symbol: 'USDC', decimals: 6 },
      { symbol: 'USDT', decimals: 6 },
    ]);
  });

  test('another treasury for a factory that is known is refused', async () => {
    const database = await newDatabase();
    await start(liveEnv(database, [entry]));
    await expect(start(liveEnv(database, [{ ...entry, treasury: OTHER_ADDRESS }]))).rejects.toThrow(
      /pays the treasury 0x[0-9a-f]{40}, for ever, and KASI_NETWORKS says 0x2222/,
    );
  });

  test('what is recorded stays, also for who owns the tables', async () => {
    const database = await newDatabase();
    await start(liveEnv(database, [entry]));
    await asOwner(database, "update deployment_networks set genesis_hash = '0x1'");
    for (const statement of [
      "update deployment set mode = 'sandbox'",
      "update deployment set id = 'other'",
      'delete from deployment',
      "update deployment_networks set name = 'other'",
      "update deployment_networks set genesis_hash = '0x2'",
      'delete from deployment_networks',
      'delete from deployment_names',
      'delete from deployment_contracts',
      'truncate deployment_tokens',
    ])
      await expect(asOwner(database, statement), statement).rejects.toThrow(/append-only|does not change/);
  });
});
