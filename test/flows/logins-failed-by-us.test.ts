import { expect } from 'vitest';
import { serviceTest } from '../fixture.ts';
import { PASSWORD } from '../harness.ts';
import { connectOwner, urlsOf } from '../support/database.ts';

const test = serviceTest();

test('right passwords that the database fails are no failed logins: there is room again, and the next one gets in', async ({
  service,
}) => {
  const { email } = await service.registerMerchant();
  const owner = await connectOwner(await urlsOf(service.db));
  await owner.query(`
    create function no_room() returns trigger language plpgsql as $$ begin
      raise exception 'could not extend file "base/1/2": No space left on device' using errcode = '53100';
    end $$;
    create trigger no_room before insert on sessions for each row execute function no_room()`);
  const login = () => service.send('POST', '/v1/auth/login', { body: { email, password: PASSWORD } });
  for (let time = 0; time < 8; time += 1) {
    const refused = await login();
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '2']);
  }
  await owner.query('drop trigger no_room on sessions');
  await owner.end();
  const counted = await service.db.selectFrom('login_throttle').select(['failures', 'pending']).execute();
  for (const counter of counted) expect(counter).toEqual({ failures: 0, pending: 0 });
  expect((await login()).status).toBe(200);
});
