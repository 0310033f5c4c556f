import { messageOf } from './errors.ts';

const NO_ROOM = new Set(['ENOSPC', 'EDQUOT', 'EFBIG']);
const BROKEN = new Set(['EIO', 'EROFS', 'ESTALE']);
const OF_THE_NAME = new Set(['ENOENT', 'ENOTDIR', 'EISDIR', 'EEXIST', 'EACCES', 'EPERM', 'ELOOP', 'ENAMETOOLONG']);

/**
 * What to tell of a file or folder that can not be read or written, in one line; null for any other error, such as that
 * of a program which could not be started, or of a socket.
 */
export function describeFileProblem(error: unknown): string | null {
  const { code = '', path, syscall = '' } = (error ?? {}) as NodeJS.ErrnoException;
  const cure = cureOf(code, path !== undefined && !syscall.startsWith('spawn'));
  return cure === null ? null : `A file or folder can not be used: ${messageOf(error)}. ${cure}`;
}

function cureOf(code: string, isNamed: boolean): string | null {
  if (NO_ROOM.has(code)) return 'Make room on that disk, or name a place on another one.';
  if (BROKEN.has(code)) return 'Look at that disk, or name a place on another one.';
  return isNamed && OF_THE_NAME.has(code) ? 'Name one that this account may use, or give it the right.' : null;
}
