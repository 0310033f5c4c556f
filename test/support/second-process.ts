import { inject } from 'vitest';
import { type ServiceProcess, startServiceProcess } from '../../scripts/lib/service-process.ts';
import { findFreePort } from '../../src/db/daemon.ts';
import { makeTestFolder } from './run-folder.ts';
import { MASTER_KEY, type SandboxService } from './sandbox-service.ts';

/** Another process of the same installation: the same database, chain and master key. The caller stops it. */
export async function startAnother(sandbox: Pick<SandboxService, 'database' | 'node'>): Promise<ServiceProcess> {
  const process = await startServiceProcess({
    dataDir: makeTestFolder(inject('runFolder')),
    port: await findFreePort(),
    env: {
      DATABASE_URL: sandbox.database.url,
      DATABASE_OWNER_URL: sandbox.database.ownerUrl,
      EVM_RPC_URL: sandbox.node.url,
      MASTER_KEY: MASTER_KEY.toString('hex'),
    },
  });
  await process.ready();
  return process;
}
