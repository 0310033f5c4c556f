import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { type Answer, PASSWORD, type TestService } from '../harness.ts';
import { createKey, sendSigned } from './signing.ts';

/** Who pays, reads and logs in until told to stop, and what they were answered that they should not be. */
export type Visitors = {
  /** Resolves once a few more payments have been made. */
  readonly untilMore: () => Promise<void>;
  /** The ids of all payments made, sorted, and the odd answers. */
  readonly stop: () => Promise<{ readonly made: string[]; readonly odd: string[] }>;
};

export async function visit(service: TestService): Promise<Visitors> {
  const merchant = await service.activeMerchant();
  const { token, email } = merchant;
  const key = await createKey(service, merchant);
  const [made, odd] = [new Set<string>(), [] as string[]];
  let isOver = false;
  const noted = (answer: Answer): Answer => {
    const { status, headers, text } = answer;
    if (status >= 300 && !(status === 503 && headers.has('retry-after'))) odd.push(`${status} ${text}`);
    return answer;
  };
  const ask: TestService['send'] = async (...request) => noted(await service.send(...request));
  /** Under one key until there is an answer, as a client does. */
  const pay = async (send: (idempotencyKey: string) => Promise<Answer>): Promise<void> => {
    const idempotencyKey = randomUUID();
    let answer = await send(idempotencyKey);
    for (; answer.status !== 201; answer = await send(idempotencyKey)) await sleep(20);
    made.add((answer.body as { id: string }).id);
  };
  const body = { amount: 3, currency: 'USD' };
  const byToken = (idempotencyKey: string): Promise<Answer> =>
    ask('POST', '/v1/payments', { token, headers: { 'idempotency-key': idempotencyKey }, body });
  const bySignature = async (idempotencyKey: string): Promise<Answer> =>
    noted(
      await sendSigned(service, key, {
        ...{ method: 'POST', target: '/v1/payments', body: JSON.stringify(body), idempotencyKey },
      }),
    );
  const look = async (): Promise<void> => {
    await ask('GET', '/v1/payments', { token });
    await ask('POST', '/v1/auth/login', { body: { email, password: PASSWORD } });
    await sleep(150); // 600 logins are allowed a minute.
  };
  const again = async (visitOnce: () => Promise<void>): Promise<void> => {
    while (!isOver) await visitOnce();
  };
  const visitors = [again(() => pay(byToken)), again(() => pay(bySignature)), again(look)];
  return {
    untilMore: async (): Promise<void> => {
      const { size } = made;
      await expect.poll(() => made.size, { timeout: 60_000 }).toBeGreaterThan(size + 10);
    },
    stop: async () => {
      isOver = true;
      await Promise.all(visitors);
      return { made: [...made].sort(), odd };
    },
  };
}
