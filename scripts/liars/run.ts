import { setTimeout as sleep } from 'node:timers/promises';
import type { Client, Payment } from '../../clients/typescript/src/index.ts';
import { createRpc, readHead } from '../../src/sandbox/anvil.ts';
import { type Bought, isGone, type Market } from '../crash/payments/customer.ts';
import { type CrashFigures, type CrashOptions, type CrashScene, runCrash } from '../crash/payments/run.ts';
import type { Endings } from '../crash/stage.ts';
import { type Operator, openOperator } from './operator.ts';
import { createPlay, type Told, untilOver } from './play.ts';
import { startLiar } from './proxy.ts';
import { LIES, type ScriptedLie } from './script.ts';

export type LiarsOptions = Omit<CrashOptions, 'env' | 'meanwhile' | 'nodeUrl'> & {
  /** The real node behind both liars. Its block 0 is at least an hour old. */
  readonly rpcUrl: string;
  /** Leaves out the lies that take long to be named. */
  readonly quick?: boolean;
};

/** What became of one lie, however often it was told. */
export type LieFigures = {
  readonly name: string;
  readonly times: number;
  readonly answers: number;
  readonly kind: string;
  /** The longest time until its incident was open, and until that was over after the last lie. */
  readonly openedAfterMs: number;
  readonly overAfterMs: number;
};

export type LiarsFigures = CrashFigures & { readonly lies: readonly LieFigures[] };

/** An endpoint that failed before rests for up to a minute, and only then can be asked and lie. */
const NAMED_WITHIN_MS = 120_000;
const OLD_MS = 40 * 60_000;

/**
 * Pays through two endpoints that lie in turn, and kills the service meanwhile. Each lie lasts until the API lists an
 * incident that names it, and that incident has to be over when the lies are.
 */
export async function runLiars(options: LiarsOptions, endings: Endings): Promise<LiarsFigures> {
  const { rpcUrl } = options;
  const [first, second] = [await startLiar(rpcUrl), await startLiar(rpcUrl)];
  endings.push(first.close, second.close);
  await bringUpToDate(rpcUrl);
  const faults: string[] = [];
  let lies: readonly LieFigures[] = [];
  const figures = await runCrash(
    {
      ...options,
      nodeUrl: rpcUrl,
      env: { EVM_RPC_URL: `${first.url},${second.url}` },
      meanwhile: async (scene) => {
        const play = await playLies(options, scene, { first, second });
        return async () => {
          const result = await play();
          lies = result.lies;
          faults.push(...result.faults);
          return result.bought;
        };
      },
    },
    endings,
  );
  return { ...figures, lies, faults: [...faults, ...figures.faults] };
}

/** An old beginning, by which stale finality shows, and a present head. */
async function bringUpToDate(rpcUrl: string): Promise<void> {
  const rpc = createRpc(rpcUrl);
  const { timestamp } = await readHead(rpc);
  if (Date.now() - timestamp * 1000 < OLD_MS) throw new Error('the chain is too young for a lie about its finality');
  await rpc('anvil_mine', [1]);
  await rpc('evm_setTime', [Math.floor(Date.now() / 1000)]);
  await rpc('anvil_mine', [1]);
}

type Ended = {
  readonly lies: readonly LieFigures[];
  readonly faults: readonly string[];
  readonly bought: readonly Bought[];
};

async function playLies(
  options: LiarsOptions,
  { market, victim, db, baseUrl }: CrashScene,
  liars: Parameters<typeof createPlay>[0]['liars'],
): Promise<() => Promise<Ended>> {
  const { quick = false, impatient, rpcUrl, progress } = options;
  const decoy = await market.merchant.payments.create({ amount: 5_000, currency: 'USD' });
  const operator = await openOperator(db, baseUrl, market.network.name);
  const play = createPlay({
    liars,
    rpcUrl,
    market,
    operator,
    baseUrl,
    decoy: decoy.cryptoAddress,
    namedWithinMs: NAMED_WITHIN_MS,
    progress,
  });
  const lies = LIES.filter(({ slow }) => !quick || slow === undefined);
  const told: Told[] = [];
  let over = false;
  const playing = (async () => {
    for (let at = 0; at < lies.length || !over; at += 1) {
      const lie = lies[at % lies.length];
      if (lie) told.push(await play.tell(lie));
    }
  })();
  playing.catch(() => undefined); // Thrown at the end.
  return async () => {
    over = true;
    await playing;
    const endedAt = Date.now();
    const faults = await judgeDecoy(market, decoy, play.mine);
    // A new life knows nothing of what endpoints did; an old one forgives in half a minute.
    if (impatient) await victim.killSoon(() => sleep(0));
    await victim.ready();
    for (const { kind, id } of await operator.current()) {
      if (kind === 'payment.vanished') await operator.resolve(id, 'An endpoint invented it; nothing was paid.');
    }
    const verdict = await judgeLies(operator, lies, told);
    await play.end();
    progress(`all lies were over ${Math.round((Date.now() - endedAt) / 1000)} s after the last`);
    return { lies: verdict.lies, faults: [...faults, ...verdict.faults], bought: await play.bought() };
  };
}

/** Each lie was told and named, and its incidents are over. */
async function judgeLies(operator: Operator, lies: readonly ScriptedLie[], told: readonly Told[]) {
  const faults: string[] = [];
  const figures: LieFigures[] = [];
  for (const { name, kind } of lies) {
    const times = told.filter((each) => each.name === name);
    let [openedAfterMs, overAfterMs] = [0, 0];
    for (const { incident, begunAt, endedAt: until } of times) {
      if (incident === undefined) {
        faults.push(`${name}: no incident ${kind} named it from ${begunAt.toISOString()} to ${until.toISOString()}`);
        continue;
      }
      const { resolvedAt, message } = await untilOver(operator, incident);
      if (resolvedAt === null) faults.push(`${name}: its incident is not over: ${message}`);
      openedAfterMs = Math.max(openedAfterMs, Date.parse(incident.openedAt) - begunAt.getTime());
      overAfterMs = Math.max(overAfterMs, Date.parse(resolvedAt ?? new Date().toISOString()) - until.getTime());
    }
    const answers = times.reduce((sum, each) => sum + each.answers, 0);
    if (answers === 0) faults.push(`${name}: nobody was told that lie`);
    figures.push({ name, times: times.length, answers, kind, openedAfterMs, overAfterMs });
  }
  return { lies: figures, faults };
}

const SETTLES_WITHIN_MS = 60_000;
const LOOK_EVERY_MS = 250;

/** What was invented never becomes paid, and nothing of it is left in the end. */
async function judgeDecoy({ merchant }: Market, { id }: Payment, mine: () => Promise<void>): Promise<string[]> {
  for (const until = performance.now() + SETTLES_WITHIN_MS; ; await sleep(LOOK_EVERY_MS)) {
    await mine();
    const found = await readPayment(merchant, id);
    if (found?.status === 'paid') return [`${id} was paid by a transfer that never happened`];
    if (found?.amountReceived === 0) return [];
    if (performance.now() > until) return [`${id} has received ${found?.amountReceived} that never happened`];
  }
}

/** Undefined while the service is away. */
const readPayment = (merchant: Client, id: string): Promise<Payment | undefined> =>
  merchant.payments.get(id).catch((error: unknown) => {
    if (!isGone(error)) throw error;
    return undefined;
  });
