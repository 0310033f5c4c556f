import { pino } from 'pino';
import { type StartOptions, startService, type TestService } from '../harness.ts';
import { type AnswerLoser, createLossyDatabase } from './answer-loser.ts';
import type { TestDatabase } from './database.ts';

/** A service that reaches its database through a loser of answers. */
export type LossyService = {
  readonly database: TestDatabase;
  readonly loser: AnswerLoser;
  readonly service: TestService;
  readonly close: () => Promise<void>;
};

export async function startLossyService(options: StartOptions = {}): Promise<LossyService> {
  const { database, loser } = await createLossyDatabase();
  // What is lost is logged.
  const service = await startService({ ...options, database, logger: pino({ level: 'silent' }) });
  const close = async (): Promise<void> => {
    await service.close();
    await loser.close();
  };
  return { database, loser, service, close };
}
