import type { AdminRoute, Route } from './contract.ts';
import { feed, sync } from './feed.ts';
import {
  call,
  follow,
  open,
  openBytes,
  openPages,
  openText,
  pages,
  type RoutesIn,
  refine,
  text,
  twin,
} from './operation.ts';
import { begins, changesPassword, ends, exchanges } from './session-methods.ts';

/** The place of each operation of the contract in the client. */
export const surface = {
  auth: {
    /** Register a merchant. The client then acts as this merchant. */
    register: refine(open('POST /v1/auth/register', 'body'), begins),
    /** Log in. The client then acts as this merchant. */
    login: refine(open('POST /v1/auth/login', 'body'), begins),
    /** Refresh a session. The client does it automatically when a token expires. */
    refresh: refine(open('POST /v1/auth/refresh', 'body'), exchanges),
    /** Log out. Afterwards the client holds no tokens. */
    logout: refine(call('POST /v1/auth/logout'), ends),
    /** Change the password. */
    changePassword: refine(call('POST /v1/auth/password', 'body'), changesPassword),
    twoFactor: {
      /** Set up two-factor authentication. */
      setUp: call('POST /v1/auth/two-factor/setup', 'body'),
      /** Enable two-factor authentication. */
      enable: call('POST /v1/auth/two-factor/enable', 'body'),
      /** Disable two-factor authentication. */
      disable: call('POST /v1/auth/two-factor/disable', 'body'),
    },
    sessions: {
      /** List login sessions, one page of them. */
      list: call('GET /v1/auth/sessions', 'query'),
      /** List login sessions, all of them. */
      iterate: pages('GET /v1/auth/sessions'),
      /** End a login session. */
      revoke: call('DELETE /v1/auth/sessions/{id}'),
    },
  },
  merchants: {
    /** Read the profile. */
    get: call('GET /v1/merchants/{id}'),
    /** Change the profile. */
    update: call('PUT /v1/merchants/{id}', 'body'),
  },
  apiKeys: {
    /** Create an API key. */
    create: call('POST /v1/api-keys', 'body'),
    /** List API keys. */
    list: call('GET /v1/api-keys'),
    /** Delete an API key. */
    delete: call('DELETE /v1/api-keys/{id}'),
    /** Rotate an API key. */
    rotate: call('POST /v1/api-keys/{id}/rotate', 'body'),
  },
  paymentLinks: {
    /** Create a payment link. */
    create: call('POST /v1/payment-links', 'body'),
    /** List payment links, one page of them. */
    list: call('GET /v1/payment-links', 'query'),
    /** List payment links, all of them. */
    iterate: pages('GET /v1/payment-links'),
    /** Read a payment link. */
    get: call('GET /v1/payment-links/{id}'),
    /** Change a payment link. */
    update: call('PUT /v1/payment-links/{id}', 'body'),
    /** Delete a payment link. */
    delete: call('DELETE /v1/payment-links/{id}'),
  },
  checkout: {
    sessions: {
      /** Create a checkout session. */
      create: twin('POST /v1/checkout/sessions', 'POST /v1/sdk/checkout/sessions', 'body'),
      /** Read a checkout session. */
      get: call('GET /v1/checkout/sessions/{id}'),
      /** Expire a checkout session. */
      expire: call('POST /v1/checkout/sessions/{id}/expire'),
    },
  },
  payments: {
    /** Create a payment. */
    create: call('POST /v1/payments', 'body'),
    /** List payments, one page of them. */
    list: call('GET /v1/payments', 'query'),
    /** List payments, all of them. */
    iterate: pages('GET /v1/payments'),
    /** Read a payment. */
    get: call('GET /v1/payments/{id}'),
    /** Cancel a payment. */
    cancel: call('POST /v1/payments/{id}/cancel'),
    /** Decide about money that waits. */
    resolve: call('POST /v1/payments/{id}/resolve', 'body'),
    /** Read the story of a payment. */
    timeline: call('GET /v1/payments/{id}/timeline'),
  },
  plans: {
    /** Create a subscription plan. */
    create: call('POST /v1/subscription-plans', 'body'),
    /** List subscription plans, one page of them. */
    list: call('GET /v1/subscription-plans', 'query'),
    /** List subscription plans, all of them. */
    iterate: pages('GET /v1/subscription-plans'),
    /** Read a subscription plan. */
    get: call('GET /v1/subscription-plans/{id}'),
    /** Change a subscription plan. */
    update: call('PUT /v1/subscription-plans/{id}', 'body'),
    /** Subscribe a customer to a plan. */
    subscribe: call('POST /v1/subscription-plans/{id}/subscribe', 'body'),
  },
  subscriptions: {
    /** List subscriptions, one page of them. */
    list: call('GET /v1/subscriptions', 'query'),
    /** List subscriptions, all of them. */
    iterate: pages('GET /v1/subscriptions'),
    /** Read a subscription. */
    get: call('GET /v1/subscriptions/{id}'),
    /** Cancel a subscription. */
    cancel: call('POST /v1/subscriptions/{id}/cancel'),
    /** Retry a failed charge. */
    retry: call('POST /v1/subscriptions/{id}/retry'),
    charges: {
      /** List the charges of a subscription, one page of them. */
      list: call('GET /v1/subscriptions/{id}/charges', 'query'),
      /** List the charges of a subscription, all of them. */
      iterate: pages('GET /v1/subscriptions/{id}/charges'),
    },
  },
  settlements: {
    /** Read the balance. */
    balance: call('GET /v1/settlements/balance'),
    statements: {
      /** List statements, one page of them. */
      list: call('GET /v1/settlements/statements', 'query'),
      /** List statements, all of them. */
      iterate: pages('GET /v1/settlements/statements'),
      /** Read a statement, one page of its movements. */
      get: call('GET /v1/settlements/statements/{month}', 'query'),
      movements: {
        /** Read a statement, all of its movements. */
        iterate: pages('GET /v1/settlements/statements/{month}'),
      },
      /** The statement as CSV, with all movements. */
      csv: text('GET /v1/settlements/statements/{month}/csv'),
    },
    entries: {
      /** List ledger entries, one page of them. */
      list: call('GET /v1/settlements/transactions', 'query'),
      /** List ledger entries, all of them. */
      iterate: pages('GET /v1/settlements/transactions'),
    },
  },
  refunds: {
    /** Give money back. */
    create: call('POST /v1/payments/{id}/refunds', 'body'),
    /** List refunds, one page of them. */
    list: call('GET /v1/refunds', 'query'),
    /** List refunds, all of them. */
    iterate: pages('GET /v1/refunds'),
    /** Read a refund. */
    get: call('GET /v1/refunds/{id}'),
    /** Cancel a refund. */
    cancel: call('POST /v1/refunds/{id}/cancel'),
    /** Make a new claim link. */
    renewClaim: call('POST /v1/refunds/{id}/claim-link', 'body'),
  },
  withdrawals: {
    /** Create a withdrawal. */
    create: call('POST /v1/withdrawals', 'body'),
    /** List withdrawals, one page of them. */
    list: call('GET /v1/withdrawals', 'query'),
    /** List withdrawals, all of them. */
    iterate: pages('GET /v1/withdrawals'),
    /** Ask what a withdrawal costs. */
    quote: call('GET /v1/withdrawals/quote', 'query'),
    /** Read a withdrawal. */
    get: call('GET /v1/withdrawals/{id}'),
    /** Cancel a withdrawal. */
    cancel: call('POST /v1/withdrawals/{id}/cancel'),
  },
  webhooks: {
    /** Test the endpoint. */
    test: call('POST /v1/webhooks/test'),
    /** Recover what was missed. */
    recover: call('POST /v1/webhooks/recover', 'body'),
    endpoint: {
      /** Read the endpoint. */
      get: call('GET /v1/webhooks/endpoint'),
      /** Change the endpoint. */
      update: call('PUT /v1/webhooks/endpoint', 'body'),
    },
    /** Certify the endpoint. */
    certify: call('POST /v1/webhooks/certify'),
    certifications: {
      /** Read a certification. */
      get: call('GET /v1/webhooks/certifications/{id}'),
    },
    /** Find out why a webhook does not verify. */
    verify: call('POST /v1/webhooks/verify', 'body'),
    deliveries: {
      /** List deliveries, one page of them. */
      list: call('GET /v1/webhooks/deliveries', 'query'),
      /** List deliveries, all of them. */
      iterate: pages('GET /v1/webhooks/deliveries'),
      /** Read a delivery. */
      get: call('GET /v1/webhooks/deliveries/{id}'),
      /** Deliver again. */
      redeliver: call('POST /v1/webhooks/deliveries/{id}/redeliver'),
    },
    keys: {
      /** List signing keys. */
      list: call('GET /v1/webhooks/keys'),
      /** Rotate the signing key. */
      rotate: call('POST /v1/webhooks/keys/rotate', 'body'),
    },
  },
  events: {
    /** List events, one piece of the feed. */
    list: call('GET /v1/events', 'query'),
    /** List events, all of them or all behind a position. */
    iterate: feed('GET /v1/events'),
    /** List events, each given to a function in order, with proof that none is missing and none was changed. */
    sync: sync('GET /v1/events'),
    /** Read an event. */
    get: call('GET /v1/events/{id}'),
  },
  auditLogs: {
    /** List your audit log, one page of it. */
    list: call('GET /v1/merchant/audit-logs', 'query'),
    /** List your audit log, all of it. */
    iterate: pages('GET /v1/merchant/audit-logs'),
  },
  public: {
    paymentLinks: {
      /** Read a payment link as a payer. */
      get: open('GET /v1/public/payment-links/by-slug/{slug}'),
      /** Start a payment through a link. */
      startPayment: open('POST /v1/public/payment-links/by-slug/{slug}/payments', 'body'),
    },
    checkout: {
      sessions: {
        /** Read a checkout session as a payer. */
        get: open('GET /v1/public/checkout/sessions/{id}'),
      },
    },
    payments: {
      /** Read a payment as a payer. */
      get: open('GET /v1/public/payments/{id}'),
      /** Choose how to pay. */
      select: open('POST /v1/public/payments/{id}/select', 'body'),
      /** Read what a wallet signs to pay without a network fee. */
      signedTransfer: open('GET /v1/public/payments/{id}/authorizations', 'query'),
      /** Pay by a signed transfer. */
      authorize: open('POST /v1/public/payments/{id}/authorizations', 'body'),
      /** Pay by x402. */
      x402: open('GET /v1/public/payments/{id}/x402'),
      /** Read signed payment instructions. */
      instructions: open('GET /v1/public/payments/{id}/instructions'),
      /** Take money back that is offered. */
      takeRefund: open('POST /v1/public/payments/{id}/refund'),
      /** Follow a payment: its present state, then every change, until you leave the loop. */
      events: follow('GET /v1/public/payments/{id}/events'),
      /** The QR code as SVG. */
      qrSvg: openText('GET /v1/public/payments/{id}/qr.svg'),
      /** The QR code as PNG. */
      qrPng: openBytes('GET /v1/public/payments/{id}/qr.png'),
    },
    refunds: {
      /** Read a refund as its payer. */
      get: open('GET /v1/public/refunds/{token}'),
      /** Say where a refund goes. */
      claim: open('POST /v1/public/refunds/{token}/claim', 'body'),
    },
    subscriptions: {
      /** Read a subscription as a customer. */
      get: open('GET /v1/public/subscriptions/{id}'),
      /** Submit a signed mandate. */
      submitMandate: open('POST /v1/public/subscriptions/{id}/mandate', 'body'),
      /** Cancel a subscription with its wallet. */
      cancel: open('POST /v1/public/subscriptions/{id}/cancel', 'body'),
    },
    plans: {
      /** Read a plan as a customer. */
      get: open('GET /v1/public/subscription-plans/{id}'),
      /** Subscribe to a plan with a wallet. */
      subscribe: open('POST /v1/public/subscription-plans/{id}/subscriptions', 'body'),
    },
    customers: {
      /** Ask for a text to sign. */
      challenge: open('POST /v1/public/wallet-challenges', 'body'),
      /** Let a customer see their subscriptions. */
      begin: open('POST /v1/public/customer-sessions', 'body'),
      /** End a customer's session. */
      end: open('DELETE /v1/public/customer-sessions/{token}'),
      subscriptions: {
        /** List a customer's subscriptions, one page of them. */
        list: open('GET /v1/public/customer-sessions/{token}/subscriptions', 'query'),
        /** List a customer's subscriptions, all of them. */
        iterate: openPages('GET /v1/public/customer-sessions/{token}/subscriptions'),
        /** Try a failed charge now. */
        retry: open('POST /v1/public/customer-sessions/{token}/subscriptions/{id}/retry'),
      },
    },
    merchants: {
      /** Read signing keys as a JWKS. */
      webhookKeys: open('GET /v1/public/merchants/{id}/webhook-keys'),
    },
  },
  sandbox: {
    /** Look around the sandbox. */
    get: open('GET /v1/sandbox'),
    payments: {
      /** Pay a payment with play money. */
      pay: call('POST /v1/sandbox/payments/{id}/pay', 'body'),
      /** Replace a transfer that waits. */
      replace: call('POST /v1/sandbox/payments/{id}/replace', 'body'),
    },
    withdrawals: {
      /** Pay a withdrawal out with play money. */
      pay: call('POST /v1/sandbox/withdrawals/{id}/pay', 'body'),
    },
    refunds: {
      /** Pay a refund out with play money. */
      pay: call('POST /v1/sandbox/refunds/{id}/pay', 'body'),
    },
    wallets: {
      /** Make a funded wallet. */
      create: open('POST /v1/sandbox/wallets', 'body'),
      /** Set what a wallet holds and allows. */
      update: open('PUT /v1/sandbox/wallets/{address}', 'body'),
    },
    plans: {
      /** Subscribe a customer of play. */
      subscribe: call('POST /v1/sandbox/subscription-plans/{id}/subscribe', 'body'),
    },
    subscriptions: {
      /** Agree to a subscription. */
      authorize: call('POST /v1/sandbox/subscriptions/{id}/authorize'),
      /** Revoke a mandate. */
      revoke: call('POST /v1/sandbox/subscriptions/{id}/revoke'),
    },
    chain: {
      /** Mine blocks. */
      mine: open('POST /v1/sandbox/chain/mine', 'body'),
      /** Reorganise the chain. */
      reorg: open('POST /v1/sandbox/chain/reorg', 'body'),
    },
    clock: {
      /** Read the clock. */
      get: open('GET /v1/sandbox/clock'),
      /** Move the clock forward. */
      advance: open('POST /v1/sandbox/clock', 'body'),
    },
  },
};

type Missing = Exclude<Exclude<Route, AdminRoute>, RoutesIn<typeof surface>>;

/** An operation of the contract that has no place above does not compile, and the error names it. */
true satisfies [Missing] extends [never] ? true : Missing;
