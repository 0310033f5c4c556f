import type { Credentials } from './credentials.ts';
import { waitFor } from './deadline.ts';
import { KasiError } from './errors.ts';

/** The tokens of a login session. Store them as carefully as a password. */
export type SessionTokens = {
  readonly token: string;
  /** Null when only an access token is known; the session then ends with it. */
  readonly refreshToken: string | null;
};

/** The login and refresh calls of the service, which send no credentials. */
type SessionCalls = {
  login(login: Login): Promise<SessionTokens & { readonly deviceToken?: string }>;
  refresh(refreshToken: string): Promise<SessionTokens>;
};

type Login = { readonly email: string; readonly password: string; readonly deviceToken?: string };

export type SessionOptions = {
  readonly tokens: SessionTokens | null;
  readonly login: Login | null;
  readonly onTokens: ((tokens: SessionTokens | null) => void | Promise<void>) | undefined;
};

export type Session = Credentials & {
  tokens(): SessionTokens | null;
  /** Adopts the tokens of an explicit login, or null after a logout. The client no longer logs in automatically. */
  replace(tokens: SessionTokens | null): Promise<void>;
  /** Remembers the new password for the next automatic login, if there is one. */
  replacePassword(password: string): void;
  /**
   * Trades `refreshToken` while no other refresh is running, and adopts the answer if the session still has this token.
   */
  exchange<T extends SessionTokens>(refreshToken: string, trade: () => Promise<T>): Promise<T>;
};

/**
 * Holds the tokens of one login session. A refresh token works once, and its second use ends the session. So at most
 * one refresh runs at a time: other calls wait for it, and it continues even if the call that started it is aborted.
 */
export function createSession(options: SessionOptions, calls: SessionCalls): Session {
  const holder = createHolder(options);
  const login = createLogin(options.login, calls);
  const turns = createTurns();
  let renewal: Promise<boolean> | null = null;

  /** Whether there are fresh tokens now. Throws errors other than a refusal, because the session may still be alive. */
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

  /** Calls that need fresh tokens at the same time share one renewal, and its failure. */
  const renewOnce = (): Promise<boolean> => {
    renewal ??= turns.take(renewTokens).finally(() => {
      renewal = null;
    });
    return renewal;
  };

  /** Whether a call has nothing to wait for but `onTokens`, which may itself wait for the call. */
  const isAllTold = (): boolean => holder.isTelling() && (holder.tokens() !== null || !login.isKnown());

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
      if (!isAllTold()) await waitFor(turns.underWay(), request.signal);
      if (holder.tokens() === null && login.isKnown()) await waitFor(renewOnce(), request.signal);
      const held = holder.tokens();
      if (held !== null) request.headers.set('authorization', `Bearer ${held.token}`);
    },
    renew: async (request, refusal) => {
      if (refusal.reason !== 'token_expired') return false;
      // Another call may have renewed the tokens while this request was under way.
      const held = holder.tokens();
      if (held !== null && request.headers.get('authorization') !== `Bearer ${held.token}`) return true;
      return !isAllTold() && waitFor(renewOnce(), request.signal);
    },
  };
}

/** Holds the current tokens and replaces them. */
function createHolder(options: SessionOptions) {
  let held = options.tokens;
  /** The calls of `onTokens` under way: one may log in, which calls it again. */
  let telling = 0;
  const adopt = async (tokens: SessionTokens | null): Promise<void> => {
    held = tokens && { token: tokens.token, refreshToken: tokens.refreshToken };
    telling += 1;
    try {
      await options.onTokens?.(held);
    } finally {
      telling -= 1;
    }
  };
  const trade = async <T extends SessionTokens>(refreshToken: string, call: () => Promise<T>): Promise<T> => {
    const isOurs = (): boolean => held?.refreshToken === refreshToken;
    try {
      const tokens = await call();
      if (isOurs()) await adopt(tokens);
      return tokens;
    } catch (error) {
      // A refused refresh token never works again, and sending it again would look like theft.
      if (isRefusal(error) && isOurs()) await adopt(null);
      throw error;
    }
  };
  return { tokens: (): SessionTokens | null => held, isTelling: (): boolean => telling > 0, adopt, trade };
}

/** The e-mail address and password from the caller, for automatic logins. */
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
    /** Tries a wrong password only once: trying it on every call would lock its owner out. */
    logIn: async (): Promise<SessionTokens> => {
      if (login === null || refused !== null) throw refused;
      try {
        const answer = await calls.login(login);
        // The next automatic login is then known, whatever strangers try.
        if (answer.deviceToken !== undefined) login = { ...login, deviceToken: answer.deviceToken };
        return answer;
      } catch (error) {
        if (isRefusal(error)) refused = error;
        throw error;
      }
    },
  };
}

/** Runs one piece of work at a time. */
function createTurns() {
  let flight: Promise<unknown> | null = null;
  /** The end of the current work, which never rejects. */
  const underWay = async (): Promise<unknown> => flight?.catch(() => undefined);
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

/** Whether the service will never accept this token or password. */
function isRefusal(error: unknown): boolean {
  return error instanceof KasiError && (error.status === 400 || error.status === 401);
}
