/** Examines a deployment and changes nothing. Exits with 0 if all is well, and with 1 after naming every problem. */
import { examine, presentReport } from './doctor/examine.ts';
import { result, say } from './lib/output.ts';

const report = await examine(process.env);
say(presentReport(report));
const problems = report.filter(({ ok }) => !ok).length;
result({ problems, report });
say(problems === 0 ? 'All is well.' : `${problems} ${problems === 1 ? 'problem' : 'problems'}.`);
process.exitCode = problems === 0 ? 0 : 1;
