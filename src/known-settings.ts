/** What the service, and the commands beside it, read of the environment. OpenTelemetry's own settings are not here. */
export const KNOWN_SETTINGS: readonly string[] = [
  'ADMIN_EMAIL',
  'ADMIN_PASSWORD',
  'ALERT_WEBHOOK_URL',
  'BACKUP_KEY',
  'BITCOIN_RPC_URL',
  'CHECKOUT_URL',
  'CORS_ORIGINS',
  'DATABASE_ADMIN_URL',
  'DATABASE_LISTEN_URL',
  'DATABASE_OWNER_URL',
  'DATABASE_READ_URL',
  'DATABASE_URL',
  'DEPLOYMENT_ID',
  'DEPLOY_KEY',
  'EVM_RPC_URL',
  'HMAC_GET_REQUIRE_TIMESTAMP',
  'HOST',
  'KASI_DATA_DIR',
  'KASI_MODE',
  'KASI_NETWORKS',
  'KASI_ROLES',
  'KASI_SANDBOX_PUBLIC',
  'LOG_FORMAT',
  'LOG_LEVEL',
  'MAIL_FROM',
  'MASTER_KEY',
  'MASTER_KEYS_OLD',
  'METRICS_HOST',
  'METRICS_PORT',
  'MIGRATE',
  'OPERATOR_KEY',
  'PORT',
  'PUBLIC_URL',
  'RATE_LIMITS',
  'SMTP_URL',
  'SWEEP_KEY',
  'TRUST_PROXY',
  'WEBHOOK_ALLOWED_PRIVATE_CIDRS',
];

/** Shorter names have too many neighbours that mean something else: HOME is two letters away from HOST. */
const SHORTEST = 8;
/** From this length on two edits are a slip. ETH_RPC_URL, which other programs read, is two away from EVM_RPC_URL. */
const LONG = 12;
/** Of cron, beside MAIL_FROM. */
const OF_OTHERS: ReadonlySet<string> = new Set(['MAILFROM']);

/**
 * A sentence about each name that is not a setting and looks like one: a few edits away from it, or it with more
 * behind, such as SMTP_URL_FILE. A slip in an optional setting is not seen otherwise.
 */
export function findMisspelt(env: Readonly<Record<string, string | undefined>>): string[] {
  return Object.entries(env).flatMap(([name, value]) => {
    if (!value || KNOWN_SETTINGS.includes(name) || OF_OTHERS.has(name)) return [];
    const meant = findMeant(name.toUpperCase());
    return meant === undefined ? [] : [`${name} is no setting of Kasi and is ignored: did you mean ${meant}?`];
  });
}

/** The nearest one; of those that are as near, the longest. */
function findMeant(name: string): string | undefined {
  const near = KNOWN_SETTINGS.filter(({ length }) => length >= SHORTEST)
    .map((known) => ({ known, edits: name.startsWith(`${known}_`) ? 1 : countEdits(name, known) }))
    .filter(({ known, edits }) => edits <= (known.length >= LONG ? 2 : 1));
  return near.sort((a, b) => a.edits - b.edits || b.known.length - a.known.length)[0]?.known;
}

/** How many letters to insert, delete, replace or swap with their neighbour (optimal string alignment). */
function countEdits(from: string, to: string): number {
  const rows: number[][] = [Array.from({ length: to.length + 1 }, (_, at) => at)];
  const at = (row: number, column: number): number => rows[row]?.[column] ?? Number.POSITIVE_INFINITY;
  for (let i = 1; i <= from.length; i += 1) {
    const row = [i];
    rows.push(row);
    for (let j = 1; j <= to.length; j += 1) {
      const isSame = from[i - 1] === to[j - 1];
      const isSwap = i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1];
      const replaced = at(i - 1, j - 1) + (isSame ? 0 : 1);
      row.push(Math.min(at(i - 1, j) + 1, at(i, j - 1) + 1, replaced, isSwap ? at(i - 2, j - 2) + 1 : replaced));
    }
  }
  return at(from.length, to.length);
}
