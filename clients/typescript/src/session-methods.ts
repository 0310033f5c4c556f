import type { SessionTokens } from './session.ts';
import type { Transport } from './transport.ts';

/** Afterwards the client uses the session in the answer, unless it signs with an API key. */
export const begins =
  <A extends readonly unknown[], T extends SessionTokens>(method: (...args: A) => Promise<T>, { session }: Transport) =>
  async (...args: A): Promise<T> => {
    const answer = await method(...args);
    await session?.replace(answer);
    return answer;
  };

/** Afterwards the client holds no tokens. */
export const ends =
  <A extends readonly unknown[], T>(method: (...args: A) => Promise<T>, { session }: Transport) =>
  async (...args: A): Promise<T> => {
    const answer = await method(...args);
    await session?.replace(null);
    return answer;
  };

/** Afterwards the client knows the new password, if it knew the old one. */
export const changesPassword =
  <B extends { newPassword: string }, O, T>(method: (body: B, options?: O) => Promise<T>, { session }: Transport) =>
  async (body: B, options?: O): Promise<T> => {
    const answer = await method(body, options);
    session?.replacePassword(body.newPassword);
    return answer;
  };

/** Never runs at the same time as another refresh, because a refresh token works once. */
export const exchanges =
  <B extends { refreshToken: string }, O, T extends SessionTokens>(
    method: (body: B, options?: O) => Promise<T>,
    { session }: Transport,
  ) =>
  async (body: B, options?: O): Promise<T> =>
    session === null ? method(body, options) : session.exchange(body.refreshToken, () => method(body, options));
