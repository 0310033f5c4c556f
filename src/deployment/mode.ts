/** What a deployment is for: play money on a chain of our own, or money. */
export type Mode = 'sandbox' | 'live';

/** What a database contains that tells a sandbox's from a live one. */
export type Evidence = {
  /** A sandbox's clock, wallets, chain, demo merchant or events: no live service writes these. */
  readonly sandbox: boolean;
  /** A chain other than the sandbox's, or an event of live mode. */
  readonly live: boolean;
  /** Anybody has an account, or any chain was watched. */
  readonly used: boolean;
};

/** What may claim a database that says nothing about itself yet: `any` for a new one. */
export type Claimable = 'any' | 'only live' | 'only sandbox';

/**
 * Whose a database may become. Signs of live outweigh signs of a sandbox, because a live database may have been started
 * as a sandbox by mistake; without any sign only live gets a database that was used. See decision
 * deployment/never-towards-sandbox.
 */
export function judgeMode({ sandbox, live, used }: Evidence): Claimable {
  if (live) return 'only live';
  if (sandbox) return 'only sandbox';
  return used ? 'only live' : 'any';
}

/** Why a start in `wanted` is refused, with the cure; null when the database may be had. */
export function findModeProblem(claimable: Claimable, wanted: Mode): string | null {
  if (claimable === 'any' || claimable === `only ${wanted}`) return null;
  return wanted === 'sandbox' ? sandboxOnLive('its content is') : liveOnSandbox('its content is');
}

/** The same for a database that knows its mode. */
export function findModeDifference(recorded: Mode, wanted: Mode): string | null {
  if (recorded === wanted) return null;
  return wanted === 'sandbox' ? sandboxOnLive('it is') : liveOnSandbox('it is');
}

const sandboxOnLive = (why: string): string =>
  `The database is not a sandbox's (${why} that of a live deployment), and KASI_MODE asks for a sandbox: set ` +
  'KASI_MODE=live, or point DATABASE_URL at another database';

const liveOnSandbox = (why: string): string =>
  `The database is a sandbox's (${why} full of play money), and KASI_MODE is live: point DATABASE_URL at another, empty ` +
  'database; a sandbox never becomes live';
