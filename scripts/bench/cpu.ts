import { readFile } from 'node:fs/promises';
import pg from 'pg';
import { listChildren } from '../lib/children.ts';
import { median } from './figure.ts';

/** /proc counts hundredths of a second, whatever the kernel's own clock does. */
const TICK_MS = 10;

/** What a load did. */
export type Load = { readonly requests: number; readonly perSecond: number };

/** What one request costs: CPU time of Node.js and of PostgreSQL, in microseconds. */
export type Cost = { readonly perSecond: number; readonly nodeUs: number; readonly databaseUs: number };

type Times = { readonly parent: number; readonly ownMs: number; readonly endedChildrenMs: number };

async function readTimes(pid: number): Promise<Times> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
  // The program's name is in brackets and may hold anything; the fields behind it begin with the third.
  const fields = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number);
  const [, parent = Number.NaN] = fields;
  const [user, system, childrenUser, childrenSystem] = fields.slice(11, 15) as [number, number, number, number];
  return {
    parent,
    ownMs: (user + system) * TICK_MS,
    endedChildrenMs: (childrenUser + childrenSystem) * TICK_MS,
  };
}

/** CPU time that a process has used so far, in its own code and in the kernel (Linux). */
export const readCpuMs = async (pid: number): Promise<number> => (await readTimes(pid)).ownMs;

/** The server process that starts a backend for each connection. The database has to run on this machine. */
export async function findPostmaster(databaseUrl: string): Promise<number> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
    return (await readTimes(rows[0]?.pid ?? Number.NaN)).parent;
  } finally {
    await client.end();
  }
}

/** CPU time of a whole PostgreSQL server so far: the postmaster and its children, those that have ended included. */
async function readDatabaseCpuMs(postmaster: number): Promise<number> {
  for (;;) {
    const children = listChildren(postmaster);
    const { ownMs, endedChildrenMs } = await readTimes(postmaster);
    const living = await Promise.all(children.map((pid) => readCpuMs(pid).catch(() => undefined)));
    // One that ended meanwhile may be in neither, and then all that it ever used would be missing.
    if (living.every((ms) => ms !== undefined)) return living.reduce((sum, ms) => sum + ms, ownMs + endedChildrenMs);
  }
}

/** Runs a load and returns what each of its requests cost the process that answers them, and the database. */
export async function costOf(node: number, postmaster: number, run: () => Promise<Load>): Promise<Cost> {
  const read = () => Promise.all([readCpuMs(node), readDatabaseCpuMs(postmaster)]);
  const [nodeBefore, databaseBefore] = await read();
  const { requests, perSecond } = await run();
  const [nodeAfter, databaseAfter] = await read();
  const perRequest = (ms: number): number => (ms * 1000) / requests;
  return {
    perSecond,
    nodeUs: perRequest(nodeAfter - nodeBefore),
    databaseUs: perRequest(databaseAfter - databaseBefore),
  };
}

/** All that one request costs. */
export const totalUs = ({ nodeUs, databaseUs }: Cost): number => nodeUs + databaseUs;

/** Two loads in turn, so that noise hits both. The first round warms up and may last longer. */
export async function costInTurn(
  rounds: number,
  ours: (isWarmUp: boolean) => Promise<Cost>,
  theirs: (isWarmUp: boolean) => Promise<Cost>,
): Promise<{ readonly us: Cost; readonly them: Cost; readonly ratio: (of: (cost: Cost) => number) => number }> {
  const costs: { readonly us: Cost; readonly them: Cost }[] = [];
  for (let round = 0; round <= rounds; round += 1) {
    const isWarmUp = round === 0;
    // Who goes first changes, too.
    const early = round % 2 === 0 ? await theirs(isWarmUp) : undefined;
    const us = await ours(isWarmUp);
    const them = early ?? (await theirs(isWarmUp));
    if (!isWarmUp) costs.push({ us, them });
  }
  return {
    us: medianCost(costs.map(({ us }) => us)),
    them: medianCost(costs.map(({ them }) => them)),
    ratio: (of) => median(costs.map(({ us, them }) => of(us) / of(them))),
  };
}

/** The middle of each measure. */
export const medianCost = (costs: readonly Cost[]): Cost => ({
  perSecond: median(costs.map(({ perSecond }) => perSecond)),
  nodeUs: median(costs.map(({ nodeUs }) => nodeUs)),
  databaseUs: median(costs.map(({ databaseUs }) => databaseUs)),
});

/** A cost as a figure's detail shows it. */
export const inWords = ({ perSecond, nodeUs, databaseUs }: Cost): string =>
  `${Math.round(perSecond)} a second (CPU: ${Math.round(nodeUs)} µs Node, ${Math.round(databaseUs)} µs PostgreSQL)`;
