import type { Job } from '../ports/job.ts';
import { hasDue, nextDue } from './queries.ts';
import { type SendDeps, sendSigned } from './send.ts';

/** The timed work of signed transfers. It may be killed anywhere and run in several processes at once. */
export const relayJobs = (deps: SendDeps): Job[] => [
  {
    name: 'relays.send',
    cron: '*/2 * * * * *',
    wakeOn: 'kasi_relays',
    hasWork: ({ now }) => hasDue(now),
    run: (run) => sendSigned(deps, run),
    nextDue: () => nextDue(deps.db),
  },
];
