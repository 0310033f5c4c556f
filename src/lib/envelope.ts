import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createSecretKey,
  hkdfSync,
  type KeyObject,
  randomBytes,
} from 'node:crypto';

/**
 * Envelope encryption of secrets at rest, with AES-256-GCM. Each value has its own data key, and a key of the key ring
 * wraps that data key. A new ring key therefore re-wraps 32 bytes per value and never touches the values.
 *
 *     version (1) | id of the ring's key (8)
 *     | nonce (12) | tag (16) | wrapped data key (32)
 *     | nonce (12) | tag (16) | ciphertext
 *
 * Columns named `sealed_…` hold envelopes. The texts `kasi seal …` below go into keys and authentication tags: they are
 * part of the format and never change.
 */
type RingKey = { readonly id: Buffer; readonly key: KeyObject };

/** The key that encrypts, and older keys that may still decrypt. */
export type KeyRing = { readonly current: RingKey; readonly keys: ReadonlyMap<string, RingKey> };

/** Where an envelope is stored. Authenticated with the value: an envelope copied to another place does not decrypt. */
export type Place = {
  readonly table: string;
  readonly column: string;
  /** The row's primary key. */
  readonly row: string;
  /** Id of the row's owner. */
  readonly tenant: string;
};

const VERSION = 1;
const KEY_BYTES = 32;
const KEY_ID_BYTES = 8;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const LENGTH_BYTES = 4;
const WRAP_AT = 1 + KEY_ID_BYTES;
const VALUE_AT = WRAP_AT + NONCE_BYTES + KEY_BYTES + TAG_BYTES;

/**
 * A ring of master keys of 32 bytes each. The wrapping keys, and the ids that each envelope carries, are derived from
 * them with HKDF-SHA-256 and SHA-256. Throws RangeError for a key of another length.
 */
export function createKeyRing(current: Uint8Array, old: readonly Uint8Array[] = []): KeyRing {
  const ring = [current, ...old].map(ringKey);
  return { current: ring[0] as RingKey, keys: new Map(ring.map((key) => [key.id.toString('hex'), key])) };
}

function ringKey(master: Uint8Array): RingKey {
  if (master.length !== KEY_BYTES) throw new RangeError(`a master key has ${KEY_BYTES} bytes, not ${master.length}`);
  const key = Buffer.from(hkdfSync('sha256', master, '', 'kasi seal v1', KEY_BYTES));
  const id = createHash('sha256').update('kasi seal key id\0').update(key).digest().subarray(0, KEY_ID_BYTES);
  return { key: createSecretKey(key), id };
}

/** The id of the key that wraps an envelope, in hex; `KeyRing.keys` has it by that. */
export const keyIdOf = (envelope: Buffer): string => envelope.subarray(1, WRAP_AT).toString('hex');

/** Encrypts `value` for `place`. Two envelopes of one value differ. */
export function encrypt(ring: KeyRing, place: Place, value: Uint8Array): Buffer {
  // One call for all: each costs more than its bytes.
  const fresh = randomBytes(KEY_BYTES + 2 * NONCE_BYTES);
  const [dataKey, rest] = [fresh.subarray(0, KEY_BYTES), fresh.subarray(KEY_BYTES)];
  return Buffer.concat([
    ...wrap(ring.current, place, dataKey, rest.subarray(0, NONCE_BYTES)),
    ...encryptGcm(createSecretKey(dataKey), aad('value', place), value, rest.subarray(NONCE_BYTES)),
  ]);
}

/** Decrypts an envelope of `place`. Throws if either differs by a bit, or if the ring lacks the key. */
export function decrypt(ring: KeyRing, place: Place, stored: Uint8Array): Buffer {
  const envelope = Buffer.from(stored.buffer, stored.byteOffset, stored.length);
  return decryptGcm(createSecretKey(unwrap(ring, place, envelope)), aad('value', place), envelope.subarray(VALUE_AT));
}

/** The envelope wrapped by the ring's current key, or undefined if it already is. Throws as `decrypt` does. */
export function rewrap(ring: KeyRing, place: Place, stored: Uint8Array): Buffer | undefined {
  const envelope = Buffer.from(stored.buffer, stored.byteOffset, stored.length);
  if (envelope.subarray(1, WRAP_AT).equals(ring.current.id)) return undefined;
  const dataKey = unwrap(ring, place, envelope);
  return Buffer.concat([...wrap(ring.current, place, dataKey, randomBytes(NONCE_BYTES)), envelope.subarray(VALUE_AT)]);
}

/** The parts of an envelope before its value. */
const wrap = (by: RingKey, place: Place, dataKey: Buffer, nonce: Buffer): Buffer[] => [
  Buffer.of(VERSION),
  by.id,
  ...encryptGcm(by.key, aad('key', place), dataKey, nonce),
];

function unwrap(ring: KeyRing, place: Place, envelope: Buffer): Buffer {
  if (envelope[0] !== VERSION || envelope.length < VALUE_AT + NONCE_BYTES + TAG_BYTES) {
    throw new Error(`not a sealed value: ${place.table}.${place.column} of ${place.row}`);
  }
  const id = keyIdOf(envelope);
  const by = ring.keys.get(id);
  if (!by) throw new Error(`no master key ${id}, which sealed ${place.table}.${place.column} of ${place.row}`);
  return decryptGcm(by.key, aad('key', place), envelope.subarray(WRAP_AT, VALUE_AT));
}

/**
 * nonce, tag and ciphertext; the nonce is a fresh one. Node is several times faster with a key object than with the
 * key's bytes.
 */
function encryptGcm(key: KeyObject, authenticated: Buffer, value: Uint8Array, nonce: Buffer): Buffer[] {
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(authenticated);
  const ciphertext = cipher.update(value);
  cipher.final(); // Of GCM it has no bytes, but makes the tag.
  return [nonce, cipher.getAuthTag(), ciphertext];
}

function decryptGcm(key: KeyObject, authenticated: Buffer, boxed: Buffer): Buffer {
  const tagEnd = NONCE_BYTES + TAG_BYTES;
  const decipher = createDecipheriv('aes-256-gcm', key, boxed.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES });
  decipher.setAAD(authenticated).setAuthTag(boxed.subarray(NONCE_BYTES, tagEnd));
  return Buffer.concat([decipher.update(boxed.subarray(tagEnd)), decipher.final()]);
}

/** Each part follows its length, so that two places never yield the same bytes. */
function aad(purpose: 'key' | 'value', place: Place): Buffer {
  const parts = [`kasi seal v${VERSION}`, purpose, place.table, place.column, place.row, place.tenant];
  const whole = Buffer.allocUnsafe(parts.reduce((size, part) => size + LENGTH_BYTES + Buffer.byteLength(part), 0));
  let at = 0;
  for (const part of parts) {
    const length = whole.write(part, at + LENGTH_BYTES);
    whole.writeUInt32BE(length, at);
    at += LENGTH_BYTES + length;
  }
  return whole;
}
