import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { createConcurrencyLimit } from '../lib/concurrency-limit.ts';
import { invalidField } from '../lib/errors.ts';

const argon2Async = promisify(argon2);

/** Argon2id costs: memory in KiB, passes, lanes. A stored hash names its own costs, so ours can be raised later. */
export type Cost = { readonly memoryKib: number; readonly passes: number; readonly lanes: number };

/** OWASP's first choice for Argon2id: 19 MiB, two passes, one lane. */
const COST: Cost = { memoryKib: 19 * 1024, passes: 2, lanes: 1 };
const SALT_BYTES = 16;
const TAG_BYTES = 32;
const GENERATED_BYTES = 18;
const AT_ONCE = 4;
const QUEUE_MAX = 64;
const LENGTH_MIN = 8;
const LENGTH_MAX = 128;
const STORED = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/;

export type PasswordCheck = {
  readonly ok: boolean;
  /** The password is correct but was hashed with other costs, so it should be hashed again. */
  readonly outdated: boolean;
};

export type Passwords = {
  /** A new hash in PHC form with a random salt. Throws SERVICE_UNAVAILABLE when the queue is full. */
  readonly hash: (password: string) => Promise<string>;
  /**
   * Checks `password` against a stored hash. Without one (unknown e-mail address) it fails after the same time. Throws
   * SERVICE_UNAVAILABLE when the queue is full. `urgent`: before all that strangers wait for.
   */
  readonly verify: (password: string, stored: string | undefined, urgent?: boolean) => Promise<PasswordCheck>;
};

/** Argon2id passwords. At most four hashes are computed at once (19 MiB each); 64 more wait. */
export function createPasswords(cost: Cost = COST): Passwords {
  const limit = createConcurrencyLimit(AT_ONCE, QUEUE_MAX);
  // No password matches it: the tag is random.
  const dummy = presentHash(cost, randomBytes(SALT_BYTES), randomBytes(TAG_BYTES));
  return {
    hash: async (password) => {
      const salt = randomBytes(SALT_BYTES);
      return presentHash(cost, salt, await limit(() => derive(password, salt, cost, TAG_BYTES)));
    },
    verify: async (password, stored, urgent) => {
      const known = parseHash(stored ?? dummy);
      const tag = await limit(() => derive(password, known.salt, known.cost, known.tag.length), urgent);
      const ok = timingSafeEqual(tag, known.tag) && stored !== undefined;
      return { ok, outdated: ok && !sameCost(known.cost, cost) };
    },
  };
}

/** 144 random bits; the suffix only satisfies the rule about kinds of characters. */
export const generatePassword = (): string => `${randomBytes(GENERATED_BYTES).toString('base64url')}-Aa1`;

/** Throws VALIDATION_ERROR about the field `path` unless the password satisfies the rules for new passwords. */
export function requireGoodPassword(path: string, password: string): void {
  const length = [...password.normalize('NFC')].length;
  const good = /[a-z]/.test(password) && /[A-Z]/.test(password) && /[0-9]/.test(password);
  if (length < LENGTH_MIN || length > LENGTH_MAX || !good) {
    throw invalidField(
      path,
      `must have ${LENGTH_MIN} to ${LENGTH_MAX} characters with at least one upper-case letter, one lower-case letter and one digit`,
    );
  }
}

// NFC, so that "é" is the same password from every keyboard (RFC 8265).
const derive = (password: string, salt: Buffer, cost: Cost, tagBytes: number): Promise<Buffer> =>
  argon2Async('argon2id', {
    message: Buffer.from(password.normalize('NFC'), 'utf8'),
    nonce: salt,
    parallelism: cost.lanes,
    tagLength: tagBytes,
    memory: cost.memoryKib,
    passes: cost.passes,
  });

function presentHash(cost: Cost, salt: Buffer, tag: Buffer): string {
  return `$argon2id$v=19$m=${cost.memoryKib},t=${cost.passes},p=${cost.lanes}$${unpadded(salt)}$${unpadded(tag)}`;
}

function parseHash(stored: string): { readonly cost: Cost; readonly salt: Buffer; readonly tag: Buffer } {
  const [, memoryKib, passes, lanes, salt, tag] = STORED.exec(stored) ?? [];
  if (!salt || !tag) throw new Error('A stored password hash has an unknown form.');
  return {
    cost: { memoryKib: Number(memoryKib), passes: Number(passes), lanes: Number(lanes) },
    salt: Buffer.from(salt, 'base64'),
    tag: Buffer.from(tag, 'base64'),
  };
}

const unpadded = (bytes: Buffer): string => bytes.toString('base64').replace(/=+$/, '');

const sameCost = (a: Cost, b: Cost): boolean =>
  a.memoryKib === b.memoryKib && a.passes === b.passes && a.lanes === b.lanes;
