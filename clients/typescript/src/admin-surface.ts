import type { AdminRoute } from './contract.ts';
import { call, open, pages, type RoutesIn, refine } from './operation.ts';
import { begins, changesPassword, ends, exchanges } from './session-methods.ts';

/** The place of each operation for administrators in their client. */
export const adminSurface = {
  auth: {
    /** Log in as an administrator. The client then acts as this administrator. */
    login: refine(open('POST /v1/admin/auth/login', 'body'), begins),
    /** Refresh an administrator's session. The client does it automatically when a token expires. */
    refresh: refine(open('POST /v1/admin/auth/refresh', 'body'), exchanges),
    /** Log out as an administrator. Afterwards the client holds no tokens. */
    logout: refine(call('POST /v1/admin/auth/logout'), ends),
    /** Who am I. */
    me: call('GET /v1/admin/auth/me'),
    /** Change the own password. */
    changePassword: refine(call('POST /v1/admin/auth/password', 'body'), changesPassword),
    twoFactor: {
      /** Set up the own two-factor authentication. */
      setUp: call('POST /v1/admin/auth/two-factor/setup', 'body'),
      /** Enable the own two-factor authentication. */
      enable: call('POST /v1/admin/auth/two-factor/enable', 'body'),
      /** Disable the own two-factor authentication. */
      disable: call('POST /v1/admin/auth/two-factor/disable', 'body'),
    },
  },
  withdrawals: {
    /** List withdrawals of all merchants, one page of them. */
    list: call('GET /v1/admin/withdrawals', 'query'),
    /** List withdrawals of all merchants, all of them. */
    iterate: pages('GET /v1/admin/withdrawals'),
    /** Read a withdrawal of any merchant. */
    get: call('GET /v1/admin/withdrawals/{id}'),
    /** Approve a withdrawal. */
    approve: call('POST /v1/admin/withdrawals/{id}/approve', 'body'),
    /** Reject a withdrawal. */
    reject: call('POST /v1/admin/withdrawals/{id}/reject', 'body'),
    /** Begin to pay a withdrawal. */
    process: call('POST /v1/admin/withdrawals/{id}/process', 'body'),
    /** Ask to give a withdrawal up. */
    askToFail: call('POST /v1/admin/withdrawals/{id}/fail-request', 'body'),
    /** Give a withdrawal up. */
    fail: call('POST /v1/admin/withdrawals/{id}/fail', 'body'),
    /** Complete a withdrawal. */
    complete: call('POST /v1/admin/withdrawals/{id}/complete', 'body'),
  },
  refunds: {
    /** Read a refund of any merchant. */
    get: call('GET /v1/admin/refunds/{id}'),
    /** Begin to pay a refund. */
    process: call('POST /v1/admin/refunds/{id}/process', 'body'),
    /** Complete a refund. */
    complete: call('POST /v1/admin/refunds/{id}/complete', 'body'),
    /** Ask to fail a refund. */
    askToFail: call('POST /v1/admin/refunds/{id}/fail-request', 'body'),
    /** Fail a refund. */
    fail: call('POST /v1/admin/refunds/{id}/fail', 'body'),
  },
  payouts: {
    /** List what waits to be paid, one page of it. */
    list: call('GET /v1/admin/payouts', 'query'),
    /** Begin to pay many payouts. */
    export: call('POST /v1/admin/payouts/export', 'body'),
    /** Complete many payouts with one transaction. */
    complete: call('POST /v1/admin/payouts/complete', 'body'),
    /** List what waits to be paid, all of it. */
    iterate: pages('GET /v1/admin/payouts'),
  },
  settings: {
    /** Read the settings. */
    get: call('GET /v1/admin/settings'),
    /** Change settings. */
    update: call('PUT /v1/admin/settings', 'body'),
  },
  changes: {
    /** List changes that have to wait, one page of them. */
    list: call('GET /v1/admin/changes', 'query'),
    /** List changes that have to wait, all of them. */
    iterate: pages('GET /v1/admin/changes'),
    /** Read a change that has to wait. */
    get: call('GET /v1/admin/changes/{id}'),
    /** Approve a change. */
    approve: call('POST /v1/admin/changes/{id}/approve', 'body'),
    /** Cancel a change. */
    cancel: call('POST /v1/admin/changes/{id}/cancel', 'body'),
  },
  merchants: {
    /** List merchants, one page of them. */
    list: call('GET /v1/admin/merchants', 'query'),
    /** List merchants, all of them. */
    iterate: pages('GET /v1/admin/merchants'),
    /** Read a merchant. */
    get: call('GET /v1/admin/merchants/{id}'),
    /** Approve a merchant. */
    approve: call('POST /v1/admin/merchants/{id}/approve'),
    /** Reject a merchant. */
    reject: call('POST /v1/admin/merchants/{id}/reject', 'body'),
    /** Freeze a merchant. */
    freeze: call('POST /v1/admin/merchants/{id}/freeze', 'body'),
    /** Unfreeze a merchant. */
    unfreeze: call('POST /v1/admin/merchants/{id}/unfreeze', 'body'),
    /** Terminate a merchant. */
    terminate: call('POST /v1/admin/merchants/{id}/terminate', 'body'),
  },
  users: {
    /** List administrators, one page of them. */
    list: call('GET /v1/admin/users', 'query'),
    /** List administrators, all of them. */
    iterate: pages('GET /v1/admin/users'),
    /** Add an administrator. */
    create: call('POST /v1/admin/users', 'body'),
    /** Read an administrator. */
    get: call('GET /v1/admin/users/{id}'),
    /** Change an administrator. */
    update: call('PUT /v1/admin/users/{id}', 'body'),
    /** Activate an administrator. */
    activate: call('POST /v1/admin/users/{id}/activate', 'body'),
    /** Deactivate an administrator. */
    deactivate: call('POST /v1/admin/users/{id}/deactivate', 'body'),
  },
  roles: {
    /** List roles. */
    list: call('GET /v1/admin/roles'),
    /** Create a role. */
    create: call('POST /v1/admin/roles', 'body'),
    /** Read a role. */
    get: call('GET /v1/admin/roles/{id}'),
    /** Change a role. */
    update: call('PUT /v1/admin/roles/{id}', 'body'),
    /** Delete a role. */
    delete: call('DELETE /v1/admin/roles/{id}'),
  },
  permissions: {
    /** List permissions. */
    list: call('GET /v1/admin/permissions'),
  },
  incidents: {
    /** List incidents, one page of them. */
    list: call('GET /v1/admin/incidents', 'query'),
    /** List incidents, all of them. */
    iterate: pages('GET /v1/admin/incidents'),
    /** Read an incident. */
    get: call('GET /v1/admin/incidents/{id}'),
    /** Acknowledge an incident. */
    acknowledge: call('POST /v1/admin/incidents/{id}/acknowledge', 'body'),
    /** Try again what an incident is about. */
    retry: call('POST /v1/admin/incidents/{id}/retry'),
    /** Resolve an incident. */
    resolve: call('POST /v1/admin/incidents/{id}/resolve', 'body'),
  },
  alerts: {
    /** Read where alerts go. */
    get: call('GET /v1/admin/alerts'),
  },
  auditLogs: {
    /** List the audit log, one page of it. */
    list: call('GET /v1/audit-logs', 'query'),
    /** List the audit log, all of it. */
    iterate: pages('GET /v1/audit-logs'),
    /** Read an entry of the audit log. */
    get: call('GET /v1/audit-logs/{id}'),
  },
};

type Missing = Exclude<AdminRoute, RoutesIn<typeof adminSurface>>;

/** An operation for administrators that has no place above does not compile, and the error names it. */
true satisfies [Missing] extends [never] ? true : Missing;
