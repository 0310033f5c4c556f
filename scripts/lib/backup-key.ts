import { parseBackupKey } from '../../src/config.ts';
import { createKeyRing, type KeyRing } from '../../src/lib/envelope.ts';
import { Refusal } from './connection.ts';

/** BACKUP_KEY, which must not be a master key. Throws ConfigError or Refusal. */
export function readBackupKey(masters: readonly Buffer[]): KeyRing {
  const key = parseBackupKey(process.env);
  if (masters.some((master) => master.equals(key))) {
    throw new Refusal('BACKUP_KEY is a master key: make it a key of its own (openssl rand -hex 32).');
  }
  return createKeyRing(key);
}
