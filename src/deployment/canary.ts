import { decrypt, encrypt, type KeyRing, type Place, rewrap } from '../lib/envelope.ts';

/** Says nothing: that it can be read proves the key. */
const TEXT = 'This is the master key of this database.';
const PLACE: Place = { table: 'deployment', column: 'sealed_canary', row: 'one', tenant: 'deployment' };

/** A canary of the ring's current key. */
export const sealCanary = (ring: KeyRing): Buffer => encrypt(ring, PLACE, Buffer.from(TEXT));

/** Whether a key of the ring sealed this canary. */
export function opensCanary(ring: KeyRing, sealed: Buffer): boolean {
  try {
    return decrypt(ring, PLACE, sealed).toString() === TEXT;
  } catch {
    return false;
  }
}

/** The canary under the ring's current key; undefined when it is already. Throws when no key of the ring opens it. */
export const rewrapCanary = (ring: KeyRing, sealed: Buffer): Buffer | undefined => rewrap(ring, PLACE, sealed);
