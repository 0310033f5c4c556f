import { ConfigError, parseConfig } from '../../src/config.ts';
import { withDatabase } from '../../src/db/database.ts';
import { findEmbeddedPostgres } from '../../src/db/embedded.ts';
import { messageOf } from '../../src/lib/errors.ts';
import { describeFileProblem } from '../../src/lib/file-problem.ts';
import { CHECKS, type DoctorCheck } from './checks.ts';
import { type Line, ok, warning } from './line.ts';

/** A line with the check that it is from. */
export type ReportLine = Line & { readonly check: string };

/**
 * Examines the deployment that the environment describes: its settings, then all of `checks`. Changes nothing. Stops
 * early only where nothing else can be looked at.
 */
export async function examine(
  env: Readonly<Record<string, string | undefined>>,
  checks: readonly DoctorCheck[] = CHECKS,
): Promise<ReportLine[]> {
  let config: ReturnType<typeof parseConfig>;
  try {
    config = parseConfig(env);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return [{ check: 'settings', ok: false, text: error.message }];
  }
  const { mode, roles, dataDir } = config;
  const settings = [ok(`${mode}, as ${roles.join(', ')}`), ...config.misspelt.map(warning)].map((line) => ({
    check: 'settings',
    ...line,
  }));
  let url = config.databaseUrl;
  let text = `No database runs for ${dataDir}: start Kasi, or set DATABASE_URL`;
  try {
    url ??= findEmbeddedPostgres(dataDir)?.url ?? null;
  } catch (error) {
    text = describeFileProblem(error) ?? messageOf(error);
  }
  if (url === null) return [...settings, { check: 'database', ok: false, text }];
  const found = url;
  return withDatabase(found, 'kasi-doctor', async (db) => {
    const report: ReportLine[] = settings;
    for (const { name, examine: look } of checks) {
      const lines = await look({ config, db, url: found }).catch((error: unknown) => [
        { ok: false, text: messageOf(error) },
      ]);
      report.push(...lines.map((line) => ({ check: name, ...line })));
      if (name === 'database' && lines.some((line) => !line.ok)) break;
    }
    return report;
  });
}

/** The report for a terminal, a line for each finding. */
export const presentReport = (report: readonly ReportLine[]): string =>
  report.map((line) => `${levelOf(line).padEnd(8)} ${line.check.padEnd(10)}  ${line.text}`).join('\n');

const levelOf = ({ ok, warning }: Line): string => (ok ? (warning ? 'WARNING' : 'ok') : 'PROBLEM');
