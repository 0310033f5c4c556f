import { fail } from './connection.ts';

/** Runs a script that needs neither the service's settings nor its database; a Refusal is printed without a stack. */
export async function runCommand(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    fail(error);
  }
}
