import { createHash, randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { lookUpOn } from '../db/look-ups.ts';
import { after, DAY_MS, HOUR_MS } from '../lib/clock.ts';
import type { Db, Trx } from '../lib/db-types.ts';
import { addressKey } from '../lib/network-address.ts';
import type { AccountHolder } from './sessions.ts';

/** A device is forgotten when nobody logged in with it, or refreshed a session from it, for so long. */
const KEPT_MS = 180 * DAY_MS;
/** Of each kind; the one that was used longest ago goes first. So what a thief can try by old devices has an end. */
const DEVICES_MAX = 20;
const TOKEN_BYTES = 32;

/** What a caller brings besides a password: an address, and perhaps the token of an earlier login. */
export type DeviceHint = { readonly ip: string; readonly deviceToken?: string | undefined };

/**
 * Which of the two belongs to an earlier success of this account. `refreshed`: at this address nobody proved the
 * password, but a session was refreshed. See decision identity/a-refresh-proves-no-password.
 */
export type KnownDevice = { readonly token: string | null; readonly address: boolean; readonly refreshed: boolean };

const UNKNOWN: KnownDevice = { token: null, address: false, refreshed: false };

/** Reads what the account holder has used before. `token` is the digest of the token, when that is known. */
export async function findKnownDevice(
  db: Db | Trx,
  holder: AccountHolder,
  hint: DeviceHint,
  real: Date,
): Promise<KnownDevice> {
  const [address, refreshed] = [addressDevice(hint.ip), refreshedDevice(hint.ip)];
  const token = hint.deviceToken && tokenDevice(hint.deviceToken);
  const wanted = db
    .selectFrom('login_devices')
    .select('device')
    .where('principal_type', '=', holder.type)
    .where('principal_id', '=', holder.id)
    .where('device', 'in', token ? [address, refreshed, token] : [address, refreshed])
    .where('last_used_at', '>', after(real, -KEPT_MS));
  const rows = await lookUpOn(db, wanted);
  const known = new Set(rows.map(({ device }) => device));
  if (known.size === 0) return UNKNOWN;
  return {
    token: token && known.has(token) ? token.slice('token:'.length) : null,
    address: known.has(address),
    refreshed: known.has(refreshed),
  };
}

/**
 * Notes a success: the address, and the device token, which is made unless the holder brought one that is known.
 * Returns the token; of it only the SHA-256 is stored.
 */
export async function rememberDevice(trx: Trx, holder: AccountHolder, hint: DeviceHint, real: Date): Promise<string> {
  const known = hint.deviceToken === undefined ? UNKNOWN : await findKnownDevice(trx, holder, hint, real);
  const deviceToken =
    known.token !== null && hint.deviceToken
      ? hint.deviceToken
      : `dv_${randomBytes(TOKEN_BYTES).toString('base64url')}`;
  await save(trx, holder, [addressDevice(hint.ip), tokenDevice(deviceToken)], real);
  await trx
    .deleteFrom('login_devices')
    .where('principal_type', '=', holder.type)
    .where('principal_id', '=', holder.id)
    .where(
      'device',
      'in',
      sql<string>`(select device from (
        select device, row_number() over (partition by split_part(device, ':', 1), starts_with(device, ${REFRESHED})
                                          order by last_used_at desc, device) as place
          from login_devices where principal_type = ${holder.type} and principal_id = ${holder.id}
      ) as ranked where place > ${DEVICES_MAX})`,
    )
    .execute();
  return deviceToken;
}

/** Notes an address at which the password was proven. */
export const rememberAddress = (trx: Trx, holder: AccountHolder, ip: string, real: Date): Promise<void> =>
  save(trx, holder, [addressDevice(ip)], real);

/**
 * Notes the address of a refresh, at most once an hour, because every refresh comes by here. One that is known by a
 * password stays so.
 */
export async function rememberRefresh(trx: Trx, holder: AccountHolder, ip: string, real: Date): Promise<void> {
  const rows = await trx
    .selectFrom('login_devices')
    .select(['device', 'last_used_at'])
    .where('principal_type', '=', holder.type)
    .where('principal_id', '=', holder.id)
    .where('device', 'in', [addressDevice(ip), refreshedDevice(ip)])
    .where('last_used_at', '>', after(real, -KEPT_MS))
    .execute();
  const known = rows.find(({ device }) => device === addressDevice(ip)) ?? rows[0];
  if (known && known.last_used_at > after(real, -HOUR_MS)) return;
  await save(trx, holder, [known?.device ?? refreshedDevice(ip)], real);
  await sql`
    delete from login_devices
     where principal_type = ${holder.type} and principal_id = ${holder.id} and device in (
       select device from login_devices
        where principal_type = ${holder.type} and principal_id = ${holder.id} and starts_with(device, ${REFRESHED})
        order by last_used_at desc, device offset ${DEVICES_MAX} for update skip locked)`.execute(trx);
}

/** Forgets all devices of the holder: whoever knew the former password may have made them. */
export async function forgetDevices(trx: Trx, holder: AccountHolder): Promise<void> {
  await trx
    .deleteFrom('login_devices')
    .where('principal_type', '=', holder.type)
    .where('principal_id', '=', holder.id)
    .execute();
}

async function save(trx: Trx, holder: AccountHolder, devices: readonly string[], real: Date): Promise<void> {
  const rows = [...devices].sort().map((device) => ({
    principal_type: holder.type,
    principal_id: holder.id,
    device,
    last_used_at: real,
  }));
  await trx
    .insertInto('login_devices')
    .values(rows)
    .onConflict((conflict) =>
      conflict.columns(['principal_type', 'principal_id', 'device']).doUpdateSet({ last_used_at: real }),
    )
    .execute();
}

/** Such a device is an address to the release before, too, but none that it knows. */
const REFRESHED = 'address:refreshed/';

const refreshedDevice = (ip: string): string => `${REFRESHED}${addressKey(ip)}`;

const addressDevice = (ip: string): string => `address:${addressKey(ip)}`;

const tokenDevice = (token: string): string => `token:${createHash('sha256').update(token, 'utf8').digest('hex')}`;

/** Deletes up to `limit` devices that nobody has used for half a year; returns how many. */
export async function deleteOldDevices(db: Db, real: Date, limit: number): Promise<number> {
  const { rows } = await sql<{ device: string }>`
    delete from login_devices where (principal_type, principal_id, device) in (
      select principal_type, principal_id, device from login_devices
       where last_used_at < ${after(real, -KEPT_MS)} order by last_used_at limit ${limit} for update skip locked
    ) returning device`.execute(db);
  return rows.length;
}
