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
 * Secrets at rest: an AES-256-GCM envelope. Every value has a data key of its own, and that key is wrapped by a key of the ring, so
 * that a new ring key re-wraps 32 bytes a value and never touches the values.
 *
 *     version (1) | id of the ring's key (8) | nonce (12) | tag (16) | data key, wrapped (32) | nonce (12) | tag (16) | ciphertext
 */
type RingKey = { readonly id: Buffer; readonly key: KeyObject };

/** The key that seals, and older ones that may still open. */
export type KeyRing = { readonly current: RingKey; readonly keys: ReadonlyMap<string, RingKey> };

/** Where a sealed value stands. It is authenticated with the value: copied to another place, the value does not open. */
export type Place = {
  readonly table: string;
  readonly column: string;
  /** The row's primary key. */
  readonly row: string;
  /** Whose row it is. */
  readonly tenant: string;
};

const VERSION = 1;
const KEY_BYTES = 32;
const KEY_ID_BYTES = 8;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const WRAP_AT = 1 + KEY_ID_BYTES;
const VALUE_AT = WRAP_AT + NONCE_BYTES + KEY_BYTES + TAG_BYTES;

/**
 * A ring of master keys of 32 bytes each, the current one first. What wraps is derived from them (HKDF-SHA-256), and so is the id that
 * stands in every envelope. Throws RangeError for a key of another length.
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

/** The envelope of `value`, to be stored at `place`; never the same twice. */
export function seal(ring: KeyRing, place: Place, value: Uint8Array): Buffer {
  const dataKey = randomBytes(KEY_BYTES);
  return Buffer.concat([
    wrap(ring.current, place, dataKey),
    encrypt(createSecretKey(dataKey), aad('value', place), value),
  ]);
}

/** The value of an envelope that was sealed for `place`. Throws when a bit of either differs or the ring has lost the key. */
export function open(ring: KeyRing, place: Place, sealed: Uint8Array): Buffer {
  const envelope = Buffer.from(sealed.buffer, sealed.byteOffset, sealed.length);
  return decrypt(createSecretKey(unwrap(ring, place, envelope)), aad('value', place), envelope.subarray(VALUE_AT));
}

/** The envelope wrapped by the ring's current key, or undefined when it is already. Throws as `open` does. */
export function rewrap(ring: KeyRing, place: Place, sealed: Uint8Array): Buffer | undefined {
  const envelope = Buffer.from(sealed.buffer, sealed.byteOffset, sealed.length);
  if (envelope.subarray(1, WRAP_AT).equals(ring.current.id)) return undefined;
  const dataKey = unwrap(ring, place, envelope);
  return Buffer.concat([wrap(ring.current, place, dataKey), envelope.subarray(VALUE_AT)]);
}

function wrap(by: RingKey, place: Place, dataKey: Buffer): Buffer {
  const header = Buffer.concat([Buffer.of(VERSION), by.id]);
  return Buffer.concat([header, encrypt(by.key, aad('key', place), dataKey)]);
}

function unwrap(ring: KeyRing, place: Place, envelope: Buffer): Buffer {
  if (envelope[0] !== VERSION || envelope.length < VALUE_AT + NONCE_BYTES + TAG_BYTES) {
    throw new Error(`not a sealed value: ${place.table}.${place.column} of ${place.row}`);
  }
  const id = envelope.subarray(1, WRAP_AT).toString('hex');
  const by = ring.keys.get(id);
  if (!by) throw new Error(`no master key ${id}, which sealed ${place.table}.${place.column} of ${place.row}`);
  return decrypt(by.key, aad('key', place), envelope.subarray(WRAP_AT, VALUE_AT));
}

/** AES-256-GCM with a fresh nonce, as nonce | tag | ciphertext. Node takes a key object several times as fast as the key's bytes. */
function encrypt(key: KeyObject, authenticated: Buffer, value: Uint8Array): Buffer {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(authenticated);
  const ciphertext = Buffer.concat([cipher.update(value), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), ciphertext]);
}

function decrypt(key: KeyObject, authenticated: Buffer, boxed: Buffer): Buffer {
  const tagEnd = NONCE_BYTES + TAG_BYTES;
  const decipher = createDecipheriv('aes-256-gcm', key, boxed.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES });
  decipher.setAAD(authenticated).setAuthTag(boxed.subarray(NONCE_BYTES, tagEnd));
  return Buffer.concat([decipher.update(boxed.subarray(tagEnd)), decipher.final()]);
}

/** Each part with its length before it, so that no two places read the same. */
function aad(purpose: 'key' | 'value', place: Place): Buffer {
  const parts = [`kasi seal v${VERSION}`, purpose, place.table, place.column, place.row, place.tenant];
  return Buffer.concat(
    parts.flatMap((part) => {
      const bytes = Buffer.from(part, 'utf8');
      const length = Buffer.alloc(4);
      length.writeUInt32BE(bytes.length);
      return [length, bytes];
    }),
  );
}
