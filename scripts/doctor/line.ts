import type { Config } from '../../src/config.ts';
import type { Db } from '../../src/lib/db-types.ts';

/** One line of the report. A problem, and a warning, is a sentence that names the cure. */
export type Line = { readonly ok: boolean; readonly warning?: boolean; readonly text: string };

/** Everything that a check may look at. */
export type Patient = {
  readonly config: Config;
  readonly db: Db;
  /** Of `db`. */
  readonly url: string;
};

export const ok = (text: string): Line => ({ ok: true, text });
/** Not as it should be while the service runs, but as it has to be before it does. */
export const warning = (text: string): Line => ({ ok: true, warning: true, text });
export const problem = (text: string): Line => ({ ok: false, text });
