import type { AdminClient } from '../../clients/typescript/src/admin.ts';
import { propose } from '../../test/support/changes.ts';
import { openTestIncident } from '../../test/support/incidents.ts';
import { DESTINATION, secretOf } from '../../test/support/refunds.ts';
import { newHash } from '../../test/support/withdrawals.ts';
import { PASSWORD } from './service.ts';
import { nothing, type Write, withdrawal, write } from './write-kinds.ts';
import type { Shop } from './write-shop.ts';

const REASON = { reason: 'Measured.' } as const;

type Id = { readonly id: string };

const steps = {
  approve: ({ admin }: Shop, { id }: Id) => admin.withdrawals.approve(id, {}),
  process: ({ admin }: Shop, { id }: Id) => admin.withdrawals.process(id, {}),
};

async function approved(shop: Shop): Promise<Id> {
  const made = await withdrawal(shop);
  await steps.approve(shop, made);
  return made;
}

async function processed(shop: Shop): Promise<Id> {
  const made = await approved(shop);
  await steps.process(shop, made);
  return made;
}

/** A refund that waits to be paid. */
async function claimed({ client, anyone, transfer, runJob }: Shop): Promise<Id> {
  const payment = await client.payments.create({ amount: 25, currency: 'USD', acceptedTokens: ['USDT'] });
  await transfer(payment);
  await runJob('payments.apply');
  const refund = await client.refunds.create(payment.id, { amount: 5, reason: 'Sold out.' });
  await anyone.public.refunds.claim(secretOf(refund), { destinationAddress: DESTINATION });
  return refund;
}

const payoutWrites: readonly Write[] = [
  write('approveWithdrawal', withdrawal, steps.approve),
  write('rejectWithdrawal', withdrawal, ({ admin }, { id }) => admin.withdrawals.reject(id, REASON)),
  write('processWithdrawal', approved, steps.process),
  write('completeWithdrawal', processed, ({ admin }, { id }) =>
    admin.withdrawals.complete(id, { txHash: newHash(), notes: 'Sent.' }),
  ),
  write('failWithdrawal', processed, ({ admin }, { id }) => admin.withdrawals.fail(id, REASON)),
  write('askToFailWithdrawal', processed, ({ admin }, { id }) =>
    admin.withdrawals.askToFail(id, { notes: 'Measured.' }),
  ),
  write('processRefund', claimed, ({ admin }, { id }) => admin.refunds.process(id, {})),
  write(
    'completeRefund',
    async (shop) => {
      const refund = await claimed(shop);
      await shop.admin.refunds.process(refund.id, {});
      return refund;
    },
    ({ admin }, { id }) => admin.refunds.complete(id, { txHash: newHash() }),
  ),
  write('completePayouts', processed, ({ admin }, { id }) =>
    admin.payouts.complete({ txHash: newHash(), payoutIds: [id] }),
  ),
  write('failRefund', claimed, ({ admin }, { id }) => admin.refunds.fail(id, REASON)),
  write('exportPayouts', withdrawal, ({ admin, network }) => admin.payouts.export({ network }), { bounded: true }),
];

/** A merchant that has just registered. */
async function newcomer({ anyone, unique }: Shop): Promise<Id> {
  const { merchant } = await anyone.auth.register({
    ...{ businessName: 'Bench', email: `${unique()}@bench.example`, password: PASSWORD },
    ...{ phone: '+94112345678', businessType: 'company' },
  });
  return merchant;
}

const merchantWrites: readonly Write[] = [
  write('approveMerchant', newcomer, ({ admin }, { id }) => admin.merchants.approve(id)),
  write('rejectMerchant', newcomer, ({ admin }, { id }) => admin.merchants.reject(id, REASON)),
  write('terminateMerchant', newcomer, ({ admin }, { id }) => admin.merchants.terminate(id, REASON)),
  write('freezeMerchant', nothing, ({ admin, merchantId }) => admin.merchants.freeze(merchantId, REASON), {
    after: ({ admin, merchantId }) => admin.merchants.unfreeze(merchantId, {}),
  }),
  write(
    'unfreezeMerchant',
    ({ admin, merchantId }) => admin.merchants.freeze(merchantId, REASON),
    ({ admin, merchantId }) => admin.merchants.unfreeze(merchantId, {}),
  ),
];

const role = ({ admin, unique }: Shop) =>
  admin.roles.create({ name: unique(), description: 'Measured.', permissions: ['merchants.view'] });

async function colleague(shop: Shop): Promise<Id & { readonly email: string }> {
  const { id: roleId } = await role(shop);
  const email = `${shop.unique()}@bench.example`;
  const { id } = await shop.admin.users.create({ email, name: 'Bench', password: PASSWORD, roleId });
  return { id, email };
}

async function inactive(shop: Shop): Promise<Id> {
  const made = await colleague(shop);
  await shop.admin.users.deactivate(made.id, {});
  return made;
}

const signedIn = ({ signInAsAdmin, otherAdmin }: Shop): Promise<AdminClient> => signInAsAdmin(otherAdmin);

/** An open incident. */
const incident = ({ db, unique }: Shop) =>
  openTestIncident({ db, clock: { now: () => new Date() } as never }, { subject: unique() });

/** What another administrator wants and has to wait for. */
async function change({ db, admin, otherAdmin }: Shop): Promise<Id> {
  const { data } = await admin.users.list();
  const by = data.find(({ email }) => email === otherAdmin)?.id ?? '';
  return propose({ db, clock: { now: () => new Date() } as never }, by);
}

const supervisionWrites: readonly Write[] = [
  write('acknowledgeIncident', incident, ({ admin }, id) => admin.incidents.acknowledge(id, {})),
  write('resolveIncident', incident, ({ admin }, id) => admin.incidents.resolve(id, { note: 'Measured.' })),
  write('approveChange', change, ({ admin }, { id }) => admin.changes.approve(id, {})),
  write('cancelChange', change, ({ admin }, { id }) => admin.changes.cancel(id, REASON)),
];

const platformWrites: readonly Write[] = [
  write('loginAdmin', nothing, signedIn),
  write('refreshAdminSession', signedIn, (_, own) =>
    own.auth.refresh({ refreshToken: own.tokens()?.refreshToken ?? '' }),
  ),
  write('logoutAdmin', signedIn, (_, own) => own.auth.logout()),
  write('changeAdminPassword', signedIn, (_, own) =>
    own.auth.changePassword({ currentPassword: PASSWORD, newPassword: PASSWORD }),
  ),
  write(
    'updateSettings',
    ({ admin }) => admin.settings.get(),
    ({ admin }, { version, paymentExpiryMinutes }) =>
      admin.settings.update({ version, paymentExpiryMinutes: paymentExpiryMinutes + 1 }),
  ),
  write('createRole', nothing, role),
  write('updateRole', role, ({ admin }, { id }) => admin.roles.update(id, { permissions: ['merchants.freeze'] })),
  write('deleteRole', role, ({ admin }, { id }) => admin.roles.delete(id)),
  write('createAdminUser', nothing, colleague),
  write('updateAdminUser', colleague, ({ admin, unique }, { id }) => admin.users.update(id, { name: unique() })),
  write('deactivateAdminUser', colleague, ({ admin }, { id }) => admin.users.deactivate(id, {})),
  write('activateAdminUser', inactive, ({ admin }, { id }) => admin.users.activate(id, {})),
];

/** What administrators decide. */
export const adminWrites: readonly Write[] = [
  ...payoutWrites,
  ...merchantWrites,
  ...supervisionWrites,
  ...platformWrites,
];
