import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createClient } from '../../clients/typescript/src/index.ts';
import { NEW_VALUE, startGrown } from './grown.ts';
import { shownIn } from './guide.ts';
import { type Compiled, FETCH_GENERATOR, GENERATOR, type Language } from './languages.ts';
import { runShell } from './shell.ts';

/** More than 24 bits of precision hold, and as much as a payment can ask. */
const AMOUNTS = ['25 USD', '131072.01 USD', '99999999.99 LKR'];

const ABOUT = { businessType: 'company', password: 'Str0ng-enough', phone: '+94771234567' } as const;

/** Who uses a client, and what their programs find in the environment. */
type Market = {
  readonly env: Readonly<Record<string, string>>;
  /** The id of a payment of that merchant. */
  readonly paymentId: string;
};

/** A merchant with a key, a token and a payment, for one language: all programs of the guide use the same order. */
async function openMarket(url: string, name: string): Promise<Market> {
  const account = { ...ABOUT, businessName: `${name} Teas`, email: `${name.toLowerCase()}@example.com` };
  const client = createClient({ baseUrl: url, email: account.email, password: account.password });
  // The service closes connections that rest, as they do while a language compiles; a read finds out.
  await fetch(`${url}/readyz`).catch(() => undefined);
  const { token } = await client.auth.register(account);
  const key = await client.apiKeys.create({ name: 'Generated', permissions: ['payments:read', 'payments:write'] });
  const { id } = await client.payments.create({ amount: 131072.01, currency: 'USD' });
  const env = {
    KASI_URL: url,
    KASI_API_KEY: key.apiKey,
    KASI_API_SECRET: key.apiSecret,
    KASI_TOKEN: token,
  };
  return { env, paymentId: id };
}

/**
 * Follows a language's chapter of the guide in an empty folder, compiles the result, and uses it. Returns what it
 * showed. Throws if anything was not as it should be.
 */
export async function tryLanguage(language: Language, url: string, folder: string): Promise<string> {
  const { env, paymentId } = await openMarket(url, language.name);
  const { name, fence, file, check, compile, runProgram, runCheck, takes } = language;
  const { commands, program } = shownIn(name, fence);
  mkdirSync(folder, { recursive: true });
  await runShell(commands, folder, env);
  writeFileSync(join(folder, file), program);
  copyFileSync(join('scripts/generators/checks', check), join(folder, check));
  await runShell(compile, folder, env);

  const said = await runShell(runProgram, folder, env);
  if (!/^http\S+\/checkout\/session\/cs_\w+$/m.test(said)) throw new Error(`The guide's program printed:\n${said}`);

  if (takes) {
    const taken = await runShell(runCheck, folder, { ...env, KASI_AMOUNTS: AMOUNTS.join(',') });
    expectLines(
      taken,
      AMOUNTS.map((amount) => `payment ${amount} paid`),
    );
  }
  const grown = await startGrown(url);
  try {
    const read = await runShell(runCheck, folder, { ...env, KASI_URL: grown.url, KASI_PAYMENT: paymentId });
    expectLines(read, [`payment 131072.01 USD ${NEW_VALUE}`]);
  } finally {
    await grown.close();
  }
  return `compiles, signs, ${takes ? `takes ${AMOUNTS.join(', ')}` : 'asks for money'}, reads what has grown`;
}

function expectLines(output: string, lines: readonly string[]): void {
  const found = output.split('\n').filter((line) => line.startsWith('payment '));
  if (found.join('\n') !== lines.join('\n')) {
    throw new Error(`Instead of\n${lines.join('\n')}\nit printed\n${output}`);
  }
}

/** Fetches OpenAPI Generator once, and returns its path. */
export async function fetchGenerator(folder: string): Promise<string> {
  mkdirSync(folder, { recursive: true });
  await runShell(FETCH_GENERATOR, folder);
  return join(folder, `${GENERATOR}.jar`);
}

/** Generates by another generator, and compiles. */
export async function tryCompiled({ commands }: Compiled, jar: string, folder: string): Promise<string> {
  mkdirSync(folder, { recursive: true });
  await runShell(commands, folder, { JAR: jar, DOCUMENT: resolve('generated/openapi.client.json') });
  return 'compiles';
}
