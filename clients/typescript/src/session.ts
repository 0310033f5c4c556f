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

/**
 * What proves to the service who calls. The transport knows no more of it, so that another kind of proof, such as a signature
 * over the request, is another object of this type.
 */
export type Credentials = {
  /** Puts the proof on a request that is about to be sent. */
  authorize(request: Request): Promise<void>;
  /** Whether the service, having refused `request` for `refusal`, may accept it with the proof that is there now. */
  renew(request: Request, refusal: KasiError): Promise<boolean>;
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
  let held = options.tokens;
  let login = options.login;
  let refusedLogin: unknown = null;
  let flight: Promise<unknown> | null = null;
  let renewal: Promise<boolean> | null = null;

  const adopt = async (tokens: SessionTokens | null): Promise<void> => {
    held = tokens === null ? null : { token: tokens.token, refreshToken: tokens.refreshToken };
    await options.onTokens(held);
  };

  const alone = async <T>(work: () => Promise<T>): Promise<T> => {
    while (flight !== null) await flight.catch(() => undefined);
    const own = work();
    flight = own;
    try {
      return await own;
    } finally {
      flight = null;
    }
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

  /** A wrong password is tried once: trying it on every call would lock its owner out. */
  const logIn = async (by: Login): Promise<SessionTokens> => {
    if (refusedLogin !== null) throw refusedLogin;
    try {
      return await calls.login(by);
    } catch (error) {
      if (isRefusal(error)) refusedLogin = error;
      throw error;
    }
  };

  /** Whether there are fresh tokens now. Errors other than a refusal are thrown: the session may still be alive. */
  const renewTokens = async (): Promise<boolean> => {
    const refreshToken = held?.refreshToken;
    if (refreshToken != null) {
      try {
        await trade(refreshToken, () => calls.refresh(refreshToken));
        return true;
      } catch (error) {
        if (!isRefusal(error)) throw error;
      }
    }
    if (login === null) return false;
    await adopt(await logIn(login));
    return true;
  };

  /** All who need fresh tokens at the same time share one renewal, and its failure too. */
  const renewOnce = (): Promise<boolean> => {
    renewal ??= alone(renewTokens).finally(() => {
      renewal = null;
    });
    return renewal;
  };

  return {
    tokens: () => held,
    replace: async (tokens) => {
      login = null;
      await adopt(tokens);
    },
    replacePassword: (password) => {
      login = login && { ...login, password };
    },
    exchange: (refreshToken, call) => alone(() => trade(refreshToken, call)),
    authorize: async (request) => {
      if (request.headers.has('authorization')) return;
      if (flight !== null)
        await waitFor(
          flight.catch(() => undefined),
          request.signal,
        );
      if (held === null && login !== null) await waitFor(renewOnce(), request.signal);
      if (held !== null) request.headers.set('authorization', `Bearer ${held.token}`);
    },
    renew: async (request, refusal) => {
      if (refusal.reason !== 'token_expired') return false;
      // Somebody else may have renewed them while this request was on its way.
      if (held !== null && request.headers.get('authorization') !== `Bearer ${held.token}`) return true;
      return await waitFor(renewOnce(), request.signal);
    },
  };
}

/** The service will not take this token, now or later. */
function isRefusal(error: unknown): boolean {
  return error instanceof KasiError && (error.status === 400 || error.status === 401);
}
