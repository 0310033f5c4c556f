import type { Credentials } from './credentials.ts';
import { waitFor } from './deadline.ts';
import { KasiError } from './errors.ts';

/** What a login session consists of. Keep it like a password. */
export type SessionTokens = {
  readonly token: string;
  /** Null when only an access token is known: then the session ends with it. */
  readonly refreshToken: string | null;
};

/** The login and refresh calls of the service, without credentials of their own. */
type SessionCalls = {
  login(login: Login): Promise<SessionTokens>;
  refresh(refreshToken: string): Promise<SessionTokens>;
};

type Login = { readonly email: string; readonly password: string };

export type SessionOptions = {
  readonly tokens: SessionTokens | null;
  readonly login: Login | null;
  readonly onTokens: (tokens: SessionTokens | null) => void | Promise<void>;
};

export type Session = Credentials & {
  tokens(): SessionTokens | null;
  /** Goes on with the tokens of a session that was begun by hand, null when it was ended; it logs in no more by itself. */
  replace(tokens: SessionTokens | null): Promise<void>;
  /** Remembers the new password for the next login, if it logs in by itself. */
  replacePassword(password: string): void;
  /** Trades `refreshToken` while no other refresh is under way, and adopts the answer if the session still is that one. */
  exchange<T extends SessionTokens>(refreshToken: string, trade: () => Promise<T>): Promise<T>;
};

/**
 * Holds the tokens of one login session. Refresh tokens work once and a used one ends the session, so at most one refresh
 * runs at a time: other calls wait for it, and the one that started it can go away without stopping it.
 */
export function createSession(options: SessionOptions, calls: SessionCalls): Session {
  const holder = createHolder(options);
  const login = createLogin(options.login, calls);
  const turns = createTurns();
  let renewal: Promise<boolean> | null = null;

  /** Whether there are fresh tokens now. Errors other than a refusal are thrown: the session may still be alive. */
  const renewTokens = async (): Promise<boolean> => {
    const refreshToken = holder.tokens()?.refreshToken;
    if (refreshToken != null) {
      try {
        await holder.trade(refreshToken, () => calls.refresh(refreshToken));
        return true;
      } catch (error) {
        if (!isRefusal(error)) throw error;
      }
    }
    if (!login.isKnown()) return false;
    await holder.adopt(await login.logIn());
    return true;
  };

  /** All who need fresh tokens at the same time share one renewal, and its failure too. */
  const renewOnce = (): Promise<boolean> => {
    renewal ??= turns.take(renewTokens).finally(() => {
      renewal = null;
    });
    return renewal;
  };

  return {
    tokens: holder.tokens,
    replace: async (tokens) => {
      login.forget();
      await holder.adopt(tokens);
    },
    replacePassword: login.replacePassword,
    exchange: (refreshToken, call) => turns.take(() => holder.trade(refreshToken, call)),
    authorize: async (request) => {
      if (request.headers.has('authorization')) return;
      const underWay = turns.underWay();
      if (underWay !== null) await waitFor(underWay, request.signal);
      if (holder.tokens() === null && login.isKnown()) await waitFor(renewOnce(), request.signal);
      const held = holder.tokens();
      if (held !== null) request.headers.set('authorization', `Bearer ${held.token}`);
    },
    renew: async (request, refusal) => {
      if (refusal.reason !== 'token_expired') return false;
      // Somebody else may have renewed them while this request was on its way.
      const held = holder.tokens();
      if (held !== null && request.headers.get('authorization') !== `Bearer ${held.token}`) return true;
      return await waitFor(renewOnce(), request.signal);
    },
  };
}

/** The tokens as they are now, and how they become others. */
function createHolder(options: SessionOptions) {
  let held = options.tokens;
  const adopt = async (tokens: SessionTokens | null): Promise<void> => {
    held = tokens === null ? null : { token: tokens.token, refreshToken: tokens.refreshToken };
    await options.onTokens(held);
  };
  const trade = async <T extends SessionTokens>(refreshToken: string, call: () => Promise<T>): Promise<T> => {
    const isOurs = (): boolean => held?.refreshToken === refreshToken;
    try {
      const tokens = await call();
      if (isOurs()) await adopt(tokens);
      return tokens;
    } catch (error) {
      // A refused refresh token is dead for good; sending it again could only look like a theft.
      if (isRefusal(error) && isOurs()) await adopt(null);
      throw error;
    }
  };
  return { tokens: (): SessionTokens | null => held, adopt, trade };
}

/** E-mail address and password, where the caller gave them, so that a session can begin by itself. */
function createLogin(given: Login | null, calls: SessionCalls) {
  let login = given;
  let refused: unknown = null;
  return {
    isKnown: (): boolean => login !== null,
    forget: (): void => {
      login = null;
    },
    replacePassword: (password: string): void => {
      login = login && { ...login, password };
    },
    /** A wrong password is tried once: trying it on every call would lock its owner out. */
    logIn: async (): Promise<SessionTokens> => {
      if (login === null) throw new TypeError('There is nothing to log in with.');
      if (refused !== null) throw refused;
      try {
        return await calls.login(login);
      } catch (error) {
        if (isRefusal(error)) refused = error;
        throw error;
      }
    },
  };
}

/** One thing after the other, whoever asks. */
function createTurns() {
  let flight: Promise<unknown> | null = null;
  /** What is under way, which never fails for those who only wait for it; null when nothing is. */
  const underWay = (): Promise<unknown> | null => flight?.catch(() => undefined) ?? null;
  const take = async <T>(work: () => Promise<T>): Promise<T> => {
    while (flight !== null) await underWay();
    const own = work();
    flight = own;
    try {
      return await own;
    } finally {
      flight = null;
    }
  };
  return { underWay, take };
}

/** The service will not take this token, now or later. */
function isRefusal(error: unknown): boolean {
  return error instanceof KasiError && (error.status === 400 || error.status === 401);
}
