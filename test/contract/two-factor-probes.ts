import { PASSWORD } from '../harness.ts';
import { codeAt } from '../support/totp.ts';
import type { Probe, ProbeWorld } from './probe-world.ts';

type Account = ProbeWorld['owner']['client']['auth'] | ProbeWorld['admin']['client']['auth'];

/** A secret that is not confirmed yet, and its first code. */
async function pendingCode({ service }: ProbeWorld, { twoFactor }: Account): Promise<{ readonly otp: string }> {
  const { secret } = await twoFactor.setUp({ password: PASSWORD });
  return { otp: codeAt(secret, service.clock.real()) };
}

const setUp = (base: string): Probe => ({
  request: async () => ({ path: `${base}/two-factor/setup`, body: { password: PASSWORD } }),
  foreign: null,
});

const enable = (base: string, of: (world: ProbeWorld) => Account): Probe => ({
  request: async (world) => ({ path: `${base}/two-factor/enable`, body: await pendingCode(world, of(world)) }),
  foreign: null,
});

const disable = (base: string, of: (world: ProbeWorld) => Account): Probe => ({
  request: async (world) => {
    const { recoveryCodes } = await of(world).twoFactor.enable(await pendingCode(world, of(world)));
    return { path: `${base}/two-factor/disable`, body: { password: PASSWORD, otp: recoveryCodes[0] } };
  },
  foreign: null,
});

const owner = (world: ProbeWorld): Account => world.owner.client.auth;

const admin = (world: ProbeWorld): Account => world.admin.client.auth;

export const twoFactorProbes = {
  setupTwoFactor: setUp('/v1/auth'),
  enableTwoFactor: enable('/v1/auth', owner),
  disableTwoFactor: disable('/v1/auth', owner),
  setupAdminTwoFactor: setUp('/v1/admin/auth'),
  enableAdminTwoFactor: enable('/v1/admin/auth', admin),
  disableAdminTwoFactor: disable('/v1/admin/auth', admin),
};

/** Turns two-factor authentication off, whatever earlier probes did. */
export function withoutTwoFactor<K extends string>(probes: Readonly<Record<K, Probe>>): Readonly<Record<K, Probe>> {
  const cleared = Object.entries<Probe>(probes).map(([id, probe]) => {
    const request: Probe['request'] = async (world) => {
      const holders = [world.owner.id, world.admin.id];
      await world.service.db.deleteFrom('second_factors').where('holder_id', 'in', holders).execute();
      return probe.request(world);
    };
    return [id, { ...probe, request }] as const;
  });
  return Object.fromEntries(cleared) as unknown as Record<K, Probe>;
}
