import type { Tally } from './load.ts';
import { LOSSES, type Loss } from './machines.ts';
import type { ClusterFigures } from './run.ts';

/** The figures of a run, for a terminal. */
export const describeFigures = ({ failovers, tallies, ...figures }: ClusterFigures): string => `\
Failovers   ${failovers.length}: ${LOSSES.map((loss) => describeLoss(loss, failovers)).join('; ')}
Payments    ${figures.acknowledged} acknowledged, ${figures.paid} of them paid on the chain
Unanswered  ${figures.unanswered} calls ended with an error; ${figures.doneUnseen} of them were done all the same, and
            repeated under their keys all have one effect
${tallies.map(describeTally).join('\n')}`;

function describeLoss(loss: Loss, failovers: ClusterFigures['failovers']): string {
  const seconds = failovers.filter((each) => each.loss === loss).map(({ ms }) => ms / 1000);
  if (seconds.length === 0) return `none ${loss}`;
  const sorted = seconds.toSorted((a, b) => a - b);
  const median = sorted[Math.floor((sorted.length - 1) / 2)] as number;
  return `${sorted.length} ${loss}, p50 ${median.toFixed(1)} s, longest ${(sorted.at(-1) as number).toFixed(1)} s`;
}

function describeTally({ manner, calls, errors }: Tally): string {
  const count = [...errors.values()].reduce((sum, each) => sum + each, 0);
  const codes = [...errors].map(([code, each]) => `${each} ${code}`).join(', ');
  return `Errors      ${manner}: ${count} of ${calls} calls${codes === '' ? '' : ` (${codes})`}`;
}
