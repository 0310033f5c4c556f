import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';

/**
 * A name of this process that no other has, for leases and traces. The host's name and the pid are for people: two
 * containers that share their host's network have the same ones, and each would take the other's leases for its own.
 */
export const nameProcess = (): string => `${hostname()}:${process.pid}:${randomBytes(4).toString('hex')}`;
