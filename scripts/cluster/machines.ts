import { join } from 'node:path';
import { startTcpProxy, type TcpProxy } from '../lib/tcp-proxy.ts';
import { type Daemon, familyOf, signalAll } from './daemons.ts';

/**
 * How a primary is lost: its server dies and Patroni lives; all of its machine is gone; its server is frozen, and goes
 * on where it stood once another one is the primary; or it runs, cut off from all others. For that nothing passes the
 * proxies before it, and its Patroni is stopped: it hears nothing from etcd, and does not even demote its server.
 */
export const LOSSES = ['server', 'machine', 'frozen', 'cut'] as const;
export type Loss = (typeof LOSSES)[number];

/** What runs on a machine of the database. Others reach its PostgreSQL and Patroni through proxies of ours. */
export type Machine = {
  readonly name: string;
  readonly data: string;
  /** Ports at which others reach Patroni and PostgreSQL. */
  readonly reached: { readonly rest: number; readonly postgres: number };
  readonly proxies: readonly TcpProxy[];
  readonly startPatroni: () => Daemon;
  readonly startEtcd: () => Daemon;
  patroni: Daemon;
  etcd: Daemon;
  /** The processes that are frozen. */
  frozen: readonly number[];
};

export const proxyTo = (port: number): Promise<TcpProxy> => startTcpProxy({ host: '127.0.0.1', port });

/** Loses a machine or its server, without letting either say goodbye. */
export async function lose(machine: Machine, loss: Loss): Promise<void> {
  if (loss === 'cut') {
    for (const proxy of machine.proxies) proxy.mute();
    return machine.patroni.signal('SIGSTOP');
  }
  const family = familyOf(join(machine.data, 'postmaster.pid'));
  if (loss === 'frozen') {
    machine.frozen = family;
    return signalAll(family, 'SIGSTOP');
  }
  // First what would start it again.
  const gone = loss === 'machine' ? Promise.all([machine.patroni.kill(), machine.etcd.kill()]) : Promise.resolve();
  signalAll([...family, ...machine.frozen], 'SIGKILL');
  await gone;
}

/** Brings back what is not brought back by Patroni. What was frozen or cut off still takes itself for the primary. */
export function bringBack(machine: Machine, loss: Loss): void {
  if (loss === 'cut') {
    for (const proxy of machine.proxies) proxy.restore();
    machine.patroni.signal('SIGCONT');
  }
  if (loss === 'frozen') {
    signalAll(machine.frozen, 'SIGCONT');
    machine.frozen = [];
  }
  if (loss === 'machine') {
    machine.etcd = machine.startEtcd();
    machine.patroni = machine.startPatroni();
  }
}
