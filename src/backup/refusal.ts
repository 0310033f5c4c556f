/** A file, a key or a database that can't be used. The message says which, and what to do. */
export class BackupRefusal extends Error {
  override readonly name = 'BackupRefusal';
}
