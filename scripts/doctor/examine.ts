import { type Config, ConfigError, parseConfig } from '../../src/config.ts';
import { withDatabase } from '../../src/db/database.ts';
import { findEmbeddedPostgres } from '../../src/db/embedded.ts';
import { messageOf } from '../../src/lib/errors.ts';
import { describeFileProblem } from '../../src/lib/file-problem.ts';
import { CHECKS, type DoctorCheck } from './checks.ts';
import { type Line, ok, problem, warning } from './line.ts';

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
  const config = readConfig(env);
  if (config instanceof ConfigError) return named('settings', [problem(config.message)]);
  const { mode, roles, misspelt } = config;
  const settings = named('settings', [ok(`${mode}, as ${roles.join(', ')}`), ...misspelt.map(warning)]);
  const found = findDatabase(config);
  if ('missing' in found) return [...settings, ...named('database', [problem(found.missing)])];
  const { url } = found;
  return withDatabase(url, 'kasi-doctor', async (db) => {
    const report = settings;
    for (const { name, examine: look } of checks) {
      const lines = await look({ config, db, url }).catch((error: unknown) => [problem(messageOf(error))]);
      report.push(...named(name, lines));
      if (name === 'database' && lines.some((line) => !line.ok)) break;
    }
    return report;
  });
}

const named = (check: string, lines: readonly Line[]): ReportLine[] => lines.map((line) => ({ check, ...line }));

function readConfig(env: Readonly<Record<string, string | undefined>>): Config | ConfigError {
  try {
    return parseConfig(env);
  } catch (error) {
    if (error instanceof ConfigError) return error;
    throw error;
  }
}

/** Where the database is, or a sentence that says why that is not known. */
function findDatabase({ databaseUrl, dataDir }: Config): { readonly url: string } | { readonly missing: string } {
  try {
    const url = databaseUrl ?? findEmbeddedPostgres(dataDir)?.url;
    return url ? { url } : { missing: `No database runs for ${dataDir}: start Kasi, or set DATABASE_URL` };
  } catch (error) {
    return { missing: describeFileProblem(error) ?? messageOf(error) };
  }
}

/** The report for a terminal, a line for each finding. */
export const presentReport = (report: readonly ReportLine[]): string =>
  report.map((line) => `${levelOf(line).padEnd(8)} ${line.check.padEnd(10)}  ${line.text}`).join('\n');

const levelOf = ({ ok, warning }: Line): string => (ok ? (warning ? 'WARNING' : 'ok') : 'PROBLEM');
