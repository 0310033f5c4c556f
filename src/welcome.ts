import { ensureFirstAdmin } from './admins/first-admin.ts';
import type { Service } from './compose.ts';
import type { Config } from './config.ts';
import { ensureDemoMerchant } from './sandbox/demo-data.ts';
import type { MissingNetwork } from './sandbox/network.ts';

const SANDBOX_ADMIN = 'admin@kasi.example';

/**
 * Creates what a new installation needs (an administrator; in the sandbox also a demo merchant) and returns what to
 * print.
 */
export async function welcome(service: Service, config: Config, missing: readonly MissingNetwork[]): Promise<string> {
  const { platform } = service;
  const wanted = config.admin ?? (config.mode === 'sandbox' ? { email: SANDBOX_ADMIN } : null);
  const admin =
    wanted &&
    (await ensureFirstAdmin({ db: platform.db, passwords: platform.passwords }, wanted, platform.clock.now()));
  const lines = [
    '',
    `Kasi is ready (${config.mode}).`,
    '',
    ...(config.roles.includes('api')
      ? [`  API        ${config.publicUrl}/v1`, `  Docs       ${config.publicUrl}/docs`]
      : []),
  ];
  if (config.mode === 'sandbox') {
    const demo = await ensureDemoMerchant(platform, config);
    lines.push(
      `  Demo link  ${demo.linkUrl}   (open it, pay with the sandbox button)`,
      `  Merchant   ${demo.email}   password ${demo.password}`,
    );
    for (const { network, message } of missing) lines.push(`  Without    ${network}: ${message}`);
  } else if (platform.operator === null)
    lines.push('  No network of KASI_NETWORKS has a collector: no subscriptions are charged.');
  if (admin)
    lines.push(
      `  Admin      ${admin.email}   password ${config.admin ? '(as configured)' : admin.password}   (shown only now)`,
    );
  return `${[...lines, '', 'Ctrl-C stops everything.', ''].join('\n')}\n`;
}
