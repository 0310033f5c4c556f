import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Answer, PASSWORD, type TestService } from '../harness.ts';
import type { AnswerLoser } from '../support/answer-loser.ts';
import { startLossyService } from '../support/lossy-service.ts';
import { turnOnTwoFactor } from '../support/two-factor.ts';

let loser: AnswerLoser;
let service: TestService;
let close: () => Promise<void>;
beforeAll(async () => {
  ({ loser, service, close } = await startLossyService());
});
afterAll(() => close());

/** Asks while the answer to each of the commits is lost in turn, and again where that was refused for now. */
async function askWithout(ask: (time: number) => () => Promise<Answer>): Promise<Answer[]> {
  const answers: Answer[] = [];
  for (let wasLost = true; wasLost; ) {
    const send = ask(answers.length);
    loser.lose('COMMIT', answers.length);
    const first = await send();
    wasLost = loser.end();
    answers.push(first.status === 503 ? await send() : first);
  }
  expect(answers.length).toBeGreaterThan(2);
  return answers;
}

const statusOf = ({ status, text }: Answer) => (status === 200 ? status : text);

test('a login with a code whose commit had no answer gets in, and its code is not refused as used', async () => {
  const { client, email } = await service.registerMerchant();
  const { nextCode } = await turnOnTwoFactor(service, client.auth, PASSWORD);
  const answers = await askWithout(() => {
    const body = { email, password: PASSWORD, otp: nextCode() };
    return () => service.send('POST', '/v1/auth/login', { body });
  });
  expect(answers.map(statusOf)).toEqual(answers.map(() => 200));
});

test('a password that was changed by a commit without an answer is said to be changed', async () => {
  const { client, email, token } = await service.registerMerchant();
  const { nextCode } = await turnOnTwoFactor(service, client.auth, PASSWORD);
  const passwordAt = (time: number): string => (time === 0 ? PASSWORD : `${PASSWORD} ${time}`);
  const answers = await askWithout((time) => {
    const body = { currentPassword: passwordAt(time), newPassword: passwordAt(time + 1), otp: nextCode() };
    return () => service.send('POST', '/v1/auth/password', { body, token });
  });
  expect(answers.map(statusOf)).toEqual(answers.map(() => 200));
  const login = { email, password: passwordAt(answers.length), otp: nextCode() };
  expect((await service.send('POST', '/v1/auth/login', { body: login })).status).toBe(200);
});
