import { setTimeout as sleep } from 'node:timers/promises';
import { createRpc, readHead } from '../../src/sandbox/anvil.ts';
import { type Bought, buy, type Market } from '../crash/payments/customer.ts';
import { makePlan } from '../crash/payments/plan.ts';
import type { Operator, SeenIncident } from './operator.ts';
import type { Call, LiarProxy } from './proxy.ts';
import type { ScriptedLie } from './script.ts';

export type Liars = { readonly first: LiarProxy; readonly second: LiarProxy };

export type Stage = {
  readonly liars: Liars;
  readonly rpcUrl: string;
  readonly market: Market;
  readonly operator: Operator;
  readonly baseUrl: string;
  readonly decoy: string;
  /** How long a lie may go on unnamed. */
  readonly namedWithinMs: number;
  readonly progress: (text: string) => void;
};

/** A lie that was told. */
export type Told = {
  readonly name: string;
  /** How many answers were lies or none. */
  readonly answers: number;
  readonly begunAt: Date;
  readonly endedAt: Date;
  /** The incident that named it; undefined: none did. */
  readonly incident: SeenIncident | undefined;
};

const FORGIVEN_WITHIN_MS = 150_000;
const LOOK_EVERY_MS = 150;
const LIFE_EVERY_MS = 50;
const SHOP_EVERY_MS = 3_000;
const TURN_EVERY_MS = 8_000;
/** How long a run of a job takes at most. */
const RUN_MAX_MS = 30_000;
/** How long the other endpoint may refuse, so that the watcher comes to the liar. */
const TURN_WITHIN_MS = 8_000;
/** Calldata: a transfer of nothing to an address that is not ours. */
const TRANSFER_OF_NOTHING = `0xa9059cbb${'dead'.padStart(64, '0')}${'0'.repeat(64)}`;

/** Tells lies one after the other; real payments are made and paid during each. */
export function createPlay(stage: Stage) {
  const rpc = createRpc(stage.rpcUrl);
  const life = followLife(stage.baseUrl);
  const bought: Promise<Bought>[] = [];
  let stranger: string | undefined;
  /** Something has to be there to lie about: a block whose bloom names the token, with one on top. */
  const mine = async (): Promise<void> => {
    stranger ??= (await rpc<string[]>('eth_accounts', [])).at(-1);
    const to = stage.market.network.tokens[0]?.contract;
    await rpc('eth_sendTransaction', [{ from: stranger, to, data: TRANSFER_OF_NOTHING }]);
    await rpc('anvil_mine', [1]);
  };
  const shop = (): void => {
    const plan = makePlan(0, 1, stage.market.tokens);
    const purchase = buy(stage.market, { ...plan, arriveMs: 0 });
    purchase.catch(() => undefined); // Thrown at the end.
    bought.push(purchase);
  };
  return {
    tell: (lie: ScriptedLie): Promise<Told> => tell(stage, lie, { rpc, mine, shop, life }),
    bought: () => Promise.all(bought),
    mine,
    end: life.end,
  };
}

type Hands = {
  readonly rpc: ReturnType<typeof createRpc>;
  readonly mine: () => Promise<void>;
  readonly shop: () => void;
  readonly life: ReturnType<typeof followLife>;
};

async function tell(stage: Stage, lie: ScriptedLie, { rpc, mine, shop, life }: Hands): Promise<Told> {
  const { liars, operator, decoy, namedWithinMs, progress } = stage;
  const liar = liars[lie.by];
  await untilForgiven(stage, lie);
  const token = stage.market.network.tokens[0]?.contract ?? '';
  const scene = { head: (await readHead(rpc)).height, token, decoy };
  let answers = 0;
  const count = <T>(told: T): T => {
    if (told !== undefined) answers += 1;
    return told;
  };
  // A job that began before the lie dates what it then meets with its own beginning.
  const since = new Date(Date.now() - RUN_MAX_MS);
  const before = new Set((await operator.opened(since)).map(({ id }) => id));
  const begunAt = new Date();
  let [turnedIn, turnAtMs, shopAtMs] = [-1, 0, 0];
  let incident: SeenIncident | undefined;
  for (const until = performance.now() + namedWithinMs; performance.now() < until; await sleep(LOOK_EVERY_MS)) {
    // Again and again: a service that starts may count one before it is lied to, and an idle one reads rarely.
    if (performance.now() > shopAtMs) {
      shopAtMs = performance.now() + SHOP_EVERY_MS;
      shop();
    }
    // Again after a while: whatever failed meanwhile may have turned the watcher away.
    if (lie.watched && life.isUp() && (turnedIn !== life.number() || performance.now() > turnAtMs)) {
      const now = life.number();
      if (await turnTo(liars, lie.by, mine)) turnedIn = now;
      turnAtMs = performance.now() + TURN_EVERY_MS;
    }
    // A service that starts is spared: the sandbox wants its node then.
    liar.lie((call) => (life.isUp() ? count(lie.lie?.(call, scene)) : undefined));
    liar.fail((calls) => (life.isUp() ? count(lie.fail?.(calls)) : undefined));
    await mine();
    incident = (await operator.opened(since)).find((each) => !before.has(each.id) && isAbout(stage, lie, each));
    if (incident) break;
  }
  liar.honest();
  progress(`${lie.name}: ${incident ? incident.message : 'no incident'}`);
  return { name: lie.name, answers, begunAt, endedAt: new Date(), incident };
}

const hostOf = ({ url }: LiarProxy): string => new URL(url).host;

/** Whether an incident names this lie: its kind, its words, and the host of who told it. */
function isAbout({ liars }: Stage, { kind, says, by }: ScriptedLie, incident: SeenIncident): boolean {
  const { message } = incident;
  // An invention is named by the one that does not show it.
  return incident.kind === kind && says.test(message) && message.includes(hostOf(liars[by]));
}

/** While an incident about the liar is open, it is hardly asked, and a new lie would be counted with the old one. */
async function untilForgiven({ liars, operator }: Stage, { kind, by }: ScriptedLie): Promise<void> {
  const isNamed = (each: SeenIncident): boolean =>
    each.kind === 'chain.endpoint' ? each.subject.includes(hostOf(liars[by])) : each.kind === kind;
  for (const until = performance.now() + FORGIVEN_WITHIN_MS; performance.now() < until; await sleep(LOOK_EVERY_MS)) {
    if (!(await operator.current()).some(isNamed)) return;
  }
}

/** What only the watcher of a busy network asks one endpoint: all that it knows, in one block. */
const isWatching = ({ method, params }: Call): boolean => {
  const { topics, blockHash } = (params[0] ?? {}) as { topics?: readonly unknown[]; blockHash?: string };
  return method === 'eth_getLogs' && blockHash !== undefined && topics?.length === 1;
};

/** Has the other endpoint refuse the watcher until it asks this one, where it stays; whether it does. */
async function turnTo(liars: Liars, by: keyof Liars, mine: () => Promise<void>): Promise<boolean> {
  const [liar, other] = [liars[by], liars[by === 'first' ? 'second' : 'first']];
  let turned = false;
  liar.lie((call) => {
    turned ||= isWatching(call);
    return undefined;
  });
  other.fail((calls) => (!turned && calls.some(isWatching) ? { status: 503 } : undefined));
  const until = performance.now() + TURN_WITHIN_MS;
  for (; !turned && performance.now() < until; await sleep(LOOK_EVERY_MS)) await mine();
  other.honest();
  return turned;
}

/** Whether the service is up, and which of its lives this is. */
function followLife(baseUrl: string) {
  let [up, lives, ended] = [true, 0, false];
  const following = (async () => {
    for (; !ended; await sleep(LIFE_EVERY_MS)) {
      const now = await fetch(`${baseUrl}/readyz`, { signal: AbortSignal.timeout(2_000) }).then(
        ({ ok }) => ok,
        () => false,
      );
      if (now && !up) lives += 1;
      up = now;
    }
  })();
  return {
    isUp: () => up,
    number: () => lives,
    end: async () => {
      ended = true;
      await following;
    },
  };
}

/** Waits until an incident is over; how it was found at last. */
export async function untilOver(operator: Operator, { id }: SeenIncident): Promise<SeenIncident> {
  for (const until = performance.now() + FORGIVEN_WITHIN_MS; ; await sleep(LOOK_EVERY_MS)) {
    const found = await operator.get(id);
    if (found.resolvedAt !== null || performance.now() > until) return found;
  }
}
