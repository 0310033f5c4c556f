import { expect, test } from 'vitest';
import { createListBeat } from '../../src/deployment/list-beat.ts';
import { forgetSealing, listSealingOtherwise, noteSealing } from '../../src/deployment/sealing-keys.ts';
import { startService } from '../harness.ts';
import { connectOwner, createTestDatabase } from '../support/database.ts';
import { TEST_NETWORK } from '../support/payments.ts';
import { countBlocked } from '../support/waiting.ts';

/** A service, and the owner of its tables, which looks at them after it has stopped. */
async function open() {
  const database = await createTestDatabase();
  const service = await startService({ database });
  return { service, owner: await connectOwner(database), drop: database.drop };
}

test('a process that is being stopped counts as one that seals until its last answer is sealed', async () => {
  const { service, owner, drop } = await open();
  const { client } = await service.activeMerchant();
  await owner.query(`
    create function keep_noted() returns trigger language plpgsql as $$
    begin
      if not exists (select from idempotency_keys where status = 201) then raise exception 'it still seals'; end if;
      return old;
    end $$;
    create trigger keep_noted before delete on sealing_keys for each row execute function keep_noted()`);
  await owner.query('begin; lock table events in share mode');
  const created = client.payments.create({ amount: 25, currency: 'USD' }, { idempotencyKey: 'order-1' });
  await expect.poll(() => countBlocked(service.db)).toBe(1);
  const stopped = service.service.stop();
  const refused = () =>
    fetch(service.url).then(
      () => false,
      () => true,
    );
  await expect.poll(refused).toBe(true);
  await owner.query('rollback');
  await Promise.all([created, stopped]);
  expect((await owner.query('select worker from sealing_keys')).rows).toEqual([]);
  await owner.end();
  await drop();
});

test('a process whose key can not be noted notes what it lists all the same', async () => {
  const { service, owner } = await open();
  const { db } = service;
  const told: string[] = [];
  const gone = { ...TEST_NETWORK, name: 'gone' };
  await owner.query(`insert into delisted (network, contract) values ('gone', '')`);
  await owner.query('alter table sealing_keys rename to other_keys');
  const beat = createListBeat({
    ...{ db, networks: [TEST_NETWORK, gone], sealing: { worker: 'beat', key: 'aa' } },
    log: (_, message) => void told.push(message),
  });
  await beat.start();
  await beat.stop();
  expect((await owner.query('select network from delisted')).rows).toEqual([]);
  expect(told).toEqual([expect.stringContaining('which master key this process seals by could not be noted')]);
  await owner.query('alter table other_keys rename to sealing_keys');
  await owner.end();
  await service.close();
});

test('of two processes that are called the same neither hides the other', async () => {
  const { service, owner } = await open();
  const { db } = service;
  const forgotten = { worker: 'host:1', key: 'aa' };
  await noteSealing(db, forgotten);
  const other = { worker: 'host:1', key: 'bb' };
  await noteSealing(db, other);
  await noteSealing(db, other);
  const found = async () => (await listSealingOtherwise(db, 'bb')).filter(({ worker }) => worker === 'host:1');
  expect(await found()).toEqual([forgotten]);
  await forgetSealing(db, other);
  expect(await found()).toEqual([forgotten]);
  await forgetSealing(db, forgotten);
  expect(await found()).toEqual([]);
  await owner.end();
  await service.close();
});
