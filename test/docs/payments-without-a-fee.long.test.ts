import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, inject } from 'vitest';
import type { Client } from '../../clients/typescript/src/index.ts';
import { sandboxTest } from '../sandbox-fixture.ts';
import { openPayer, type Payer } from '../support/permit2.ts';
import { makeTestFolder } from '../support/run-folder.ts';
import type { SandboxService } from '../support/sandbox-service.ts';
import { blocks, readGuide } from './guide.ts';

const test = sandboxTest();

type View = Awaited<ReturnType<Client['public']['payments']['signedTransfer']>>;
type Example = {
  readonly payWithoutFee: (id: string, choice: object, sign: (data: object) => Promise<string>) => Promise<View>;
};

/** Pays as the guide's example does. */
async function follow({ url }: SandboxService, { payment, account, token }: Payer): Promise<View> {
  const [example = ''] = blocks(readGuide('payments-without-a-fee'), 'ts');
  const program = example
    .replace('http://localhost:3000', url())
    .replace("'@kasi/client'", `'${resolve('clients/typescript/src/index.ts')}'`);
  const file = join(makeTestFolder(inject('runFolder')), 'example.mts');
  writeFileSync(file, program);
  const { payWithoutFee } = (await import(file)) as Example;
  const choice = { network: 'devnet', token, payer: account.address };
  return payWithoutFee(payment.id, choice, (data) => account.signTypedData(data as never));
}

test('the example pays in USDC by one signature', async ({ sandbox, trader }) => {
  const payer = await openPayer(sandbox, trader, { token: 'USDC' });
  expect(await follow(sandbox, payer)).toMatchObject({ status: 'signed', method: 'erc3009' });
  await payer.paid();
});

test('the example says that USDT wants an approval, and pays once it has it', async ({ sandbox, trader }) => {
  const payer = await openPayer(sandbox, trader, { token: 'USDT' });
  expect(await follow(sandbox, payer)).toMatchObject({ status: 'to_approve' });
  await payer.approve();
  expect(await follow(sandbox, payer)).toMatchObject({ status: 'signed', method: 'permit2' });
  await payer.paid();
});

const bridged = sandboxTest({
  network: (network) => ({ ...network, tokens: network.tokens.map(({ authorization: _, ...token }) => token) }),
});

bridged('the example signs an allowance where it has to', async ({ sandbox, trader }) => {
  const payer = await openPayer(sandbox, trader, { token: 'USDC' });
  expect(await follow(sandbox, payer)).toMatchObject({ status: 'signed', method: 'permit2' });
  await payer.paid();
});
