import { rmSync } from 'node:fs';
import { findFreePort } from '../../src/db/daemon.ts';
import {
  makeDataFolder,
  removeDataFolder,
  type ServiceProcess,
  startServiceProcess,
  untilInterrupted,
} from './service-process.ts';

/** A sandbox, and an empty folder for what is tried on it. */
export type Trials = {
  /** Not ready yet. */
  readonly service: ServiceProcess;
  readonly work: string;
  /** Waits for what is tried, removes everything and ends this process: with 1 when it rejects or is interrupted. */
  readonly end: (tried: Promise<void>) => Promise<never>;
};

/** Starts a sandbox with these settings, for a script that tries programs on it. */
export async function openTrials(env: Readonly<Record<string, string>>): Promise<Trials> {
  const [dataDir, work] = [makeDataFolder(), makeDataFolder()];
  const service = await startServiceProcess({ dataDir, port: await findFreePort(), env });
  const end = async (tried: Promise<void>): Promise<never> => {
    try {
      await untilInterrupted(tried);
    } catch (error) {
      console.error(error);
      process.exitCode = 1;
    }
    await service.stop();
    await removeDataFolder(dataDir);
    rmSync(work, { recursive: true, force: true });
    process.exit();
  };
  return { service, work, end };
}

/** Whether the command line names it by a part of its name, or names nothing. */
export function isWanted({ name }: { readonly name: string }): boolean {
  const wanted = process.argv.slice(2);
  return wanted.length === 0 || wanted.some((part) => name.toLowerCase().includes(part.toLowerCase()));
}
