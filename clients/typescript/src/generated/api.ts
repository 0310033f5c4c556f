// Written by `npm run generate` from openapi/; never edited.

export interface paths {
    "/v1/admin/alerts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read where alerts go
         * @description Where the platform sends an alert when an incident opens, the key that verifies alerts, and whether they arrive.
         *
         *     The role of the administrator needs the permission `incidents.view`.
         */
        get: operations["getAlertChannel"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/admin/auth/login": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Log in as an administrator
         * @description Starts a login session of at most twelve hours. A wrong e-mail address, a wrong password and a deactivated account give the same answer. With two-factor authentication on, the right password alone gets a 401 with `reason: otp_required`: send the same again with a code as `otp`. After five failures in a row from one address or device the account answers 429 there for a while. Send the `deviceToken` of an earlier login, and failures of strangers never make you wait.
         */
        post: operations["loginAdmin"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/admin/auth/logout": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Log out as an administrator
         * @description Ends the session that asks. Its access and refresh tokens stop working at once.
         *
         *     Every administrator may call it, for their own account.
         */
        post: operations["logoutAdmin"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/admin/auth/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Who am I
         * @description The administrator that is logged in, and what their role allows at present.
         *
         *     Every administrator may call it, for their own account.
         */
        get: operations["getOwnAdmin"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/admin/auth/password": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Change the own password
         * @description Sets a new password and ends all other sessions. The session that asks goes on. With two-factor authentication on, a code has to come along as `otp`.
         *
         *     Every administrator may call it, for their own account.
         */
        post: operations["changeAdminPassword"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/admin/auth/refresh": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Refresh an administrator's session
         * @description Trades a refresh token for a new access token and a new refresh token. Each refresh token works once: using an old one again ends the session, because somebody may have stolen it. A session ends after twelve hours in any case.
         */
        post: operations["refreshAdminSession"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/admin/auth/two-factor/disable": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Disable the own two-factor authentication
         * @description Turns it off by the password and a code of the authenticator app, or a recovery code. The secret and the recovery codes are worth nothing afterwards. All other sessions end.
         *
         *     Every administrator may call it, for their own account.
         */
        post: operations["disableAdminTwoFactor"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/admin/auth/two-factor/enable": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Enable the own two-factor authentication
         * @description Turns it on by the first code of the secret that was set up, and shows the recovery codes. From now on logging in needs a code. All other sessions end.
         *
         *     Every administrator may call it, for their own account.
         */
        post: operations["enableAdminTwoFactor"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/admin/auth/two-factor/setup": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Set up the own two-factor authentication
         * @description Makes a secret for an authenticator app. Nothing changes until the first code comes back to `POST /v1/admin/auth/two-factor/enable`; setting up again replaces a secret that still waits.
         *
         *     Every administrator may call it, for their own account.
         */
        post: operations["setupAdminTwoFactor"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/admin/changes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List changes that have to wait
         * @description What was proposed that touches where money goes: settings, permissions of roles, and administrators. Newest first, what is over included.
         *
         *     The role of the administrator needs the permission `settings.view`.
         */
        get: operations["listChanges"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/admin/changes/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a change that has to wait
         * @description One change, with who proposed it, who has to agree, and when it takes effect.
         *
         *     The role of the administrator needs the permission `settings.view`.
         */
        get: operations["getChange"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/admin/changes/{id}/approve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Approve a change
         * @description Approves a `proposed` change, which takes effect when it is due. The administrator who proposed it can't approve it, nor can an account that may belong to the same person.
         *
         *     The role of the administrator needs the permission `settings.update`.
         */
        post: operations["approveChange"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/admin/changes/{id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel a change
         * @description Ends a change that has not taken effect. Every administrator with `settings.update` can cancel any change, and no code is needed, so that objecting is easy.
         *
         *     The role of the administrator needs the permission `settings.update`.
         */
        post: operations["cancelChange"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/admin/incidents": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List incidents
         * @description What needs an operator's eyes, newest first. The chapter "Incidents" describes each kind.
         *
         *     The role of the administrator needs the permission `incidents.view`.
         */
        get: operations["listIncidents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/admin/incidents/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read an incident
         * @description One incident with what it means, what it touches and what to do about it.
         *
         *     The role of the administrator needs the permission `incidents.view`.
         */
        get: operations["getIncident"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/admin/incidents/{id}/acknowledge": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Acknowledge an incident
         * @description Marks the incident as seen (`open` → `acknowledged`), so that two administrators don't work on it. Acknowledging it again keeps the first administrator's name; a new note replaces the old one.
         *
         *     The role of the administrator needs the permission `incidents.manage`.
         */
        post: operations["acknowledgeIncident"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/admin/incidents/{id}/resolve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Resolve an incident
         * @description Says that it is over, with a note of what it was. For most kinds the service sees the end by itself; where the cause lasts, it opens another incident. While a change waits (`settings.change_pending`), or codes are locked (`identity.codes_locked`), their incident is not resolved by hand.
         *
         *     The role of the administrator needs the permission `incidents.manage`.
         */
        post: operations["resolveIncident"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/admin/incidents/{id}/retry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Try again what an incident is about
         * @description Tries again what failed, in place of changing the database by hand: transfers and events that are parked are taken up at once. `retry` of the incident says what that does. The incident stays as it is until the service sees that it is over.
         *
         *     The role of the administrator needs the permission `incidents.manage`.
         */
        post: operations["retryIncident"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/admin/merchants": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List merchants
         * @description All merchants, newest first, those in one state, or those that a search finds.
         *
         *     The role of the administrator needs the permission `merchants.view`.
         */
        get: operations["adminListMerchants"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/admin/merchants/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a merchant
         * @description The profile of a merchant, why it is in its state, and what has come together on its account.
         *
         *     The role of the administrator needs the permission `merchants.view`.
         */
        get: operations["adminGetMerchant"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/admin/merchants/{id}/approve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Approve a merchant
         * @description Lets a merchant that waits for its verification collect payments and withdraw (`pending_verification` → `active`). The merchant hears of it by `merchant.status_changed`.
         *
         *     The role of the administrator needs the permission `merchants.approve`.
         */
        post: operations["approveMerchant"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/admin/merchants/{id}/freeze": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Freeze a merchant
         * @description Stops a merchant from creating, collecting and withdrawing (`active` → `frozen`). It can log in and read; what payers still send is credited. The merchant hears of it by `merchant.status_changed`.
         *
         *     The role of the administrator needs the permission `merchants.freeze`.
         */
        post: operations["freezeMerchant"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/admin/merchants/{id}/reject": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Reject a merchant
         * @description Refuses a merchant that waits for its verification (`pending_verification` → `rejected`). It asks for another review by changing its profile. The merchant hears of it by `merchant.status_changed`.
         *
         *     The role of the administrator needs the permission `merchants.reject`.
         */
        post: operations["rejectMerchant"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/admin/merchants/{id}/terminate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Terminate a merchant
         * @description Closes the account of a merchant for good, from any state (→ `terminated`). Its sessions end and its API keys are revoked; what it has stays in the ledger. The merchant hears of it by `merchant.status_changed`.
         *
         *     The role of the administrator needs the permission `merchants.terminate`.
         */
        post: operations["terminateMerchant"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/admin/merchants/{id}/unfreeze": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Unfreeze a merchant
         * @description Lets a frozen merchant go on as before (`frozen` → `active`). The merchant hears of it by `merchant.status_changed`.
         *
         *     The role of the administrator needs the permission `merchants.freeze`.
         */
        post: operations["unfreezeMerchant"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/admin/payouts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List what waits to be paid
         * @description Withdrawals and refunds that can be paid or are being paid, the longest waiting first.
         *
         *     The role of the administrator needs the permission `withdrawals.view`.
         */
        get: operations["listPayouts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/admin/payouts/complete": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Complete many payouts with one transaction
         * @description Records one transaction as what paid up to 100 withdrawals and refunds of one network, each by a transfer of its own. The chain is asked about each, and each is completed or refused by itself, as if it were completed alone; what was not completed is named with its reason. Repeating the call changes nothing. Needs the setting `verifyPayoutOnChain`: where no chain is asked, a transaction pays one payout.
         *
         *     The role of the administrator needs the permission `withdrawals.manage`.
         */
        post: operations["completePayouts"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/admin/payouts/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Begin to pay many payouts
         * @description Marks what waits on a network as `processing`, by you, and returns it as a table (CSV) and, for EVM networks, as a file that the Transaction Builder of a Safe reads, or for Bitcoin as an unsigned transaction (PSBT, BIP174), so that one transaction signed elsewhere pays all. Without `payoutIds` it is what nobody has begun to pay, at most 100, the longest waiting first: so nothing is handed out twice unless it is named. A transaction of Bitcoin that is drafted again spends every coin of the one before, so that only one of them can be mined. Coins of EVM networks are in the file, but each is completed only with a transaction of its own.
         *
         *     The role of the administrator needs the permission `withdrawals.manage`.
         */
        post: operations["exportPayouts"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/admin/permissions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List permissions
         * @description The catalogue of what a role can allow.
         *
         *     The role of the administrator needs the permission `roles.view`.
         */
        get: operations["listPermissions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/admin/refunds/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a refund of any merchant
         * @description One refund, with what is needed to pay it.
         *
         *     The role of the administrator needs the permission `withdrawals.view`.
         */
        get: operations["adminGetRefund"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/admin/refunds/{id}/complete": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Complete a refund
         * @description Records the transaction that paid a `pending` or `processing` refund. With the setting `verifyPayoutOnChain` the chain is asked first, as for a withdrawal: the transaction must have succeeded after the address was named, be confirmed, come from one of the `payoutWallets` if there are any, and have brought all of `tokenAmount`. A transaction may pay many payouts, each of its transfers one. From the setting `fourEyesThreshold` on somebody else has to complete it than who began to pay it.
         *
         *     The role of the administrator needs the permission `withdrawals.manage`.
         */
        post: operations["completeRefund"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/admin/refunds/{id}/fail": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Fail a refund
         * @description Ends a refund that can not be paid: its money is where it was. Fail one in `processing` only if nothing was sent.
         *
         *     The role of the administrator needs the permission `withdrawals.manage`.
         */
        post: operations["failRefund"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/admin/refunds/{id}/process": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Begin to pay a refund
         * @description Says that a `pending` refund is being paid: its address does not change any more, and nobody pays it a second time.
         *
         *     The role of the administrator needs the permission `withdrawals.manage`.
         */
        post: operations["processRefund"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/admin/roles": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List roles
         * @description All roles, newest first, with what each of them allows.
         *
         *     The role of the administrator needs the permission `roles.view`.
         */
        get: operations["listRoles"];
        put?: never;
        /**
         * Create a role
         * @description Makes a role of permissions that you hold yourself.
         *
         *     The role of the administrator needs the permission `roles.manage`.
         */
        post: operations["createRole"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/admin/roles/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a role
         * @description Reads one role.
         *
         *     The role of the administrator needs the permission `roles.view`.
         */
        get: operations["getRole"];
        /**
         * Change a role
         * @description Changes the fields that you send and leaves the others as they are; `permissions` replaces the whole list. Everybody who has the role is bound by it from their next request on. Nobody changes their own role, or one that holds, before or afterwards, what they lack. super_admin stays as it is.
         *
         *     Adding or removing `withdrawals.manage`, `users.manage`, `roles.manage` or `settings.update` asks for a code (`otp`). Where one is added on a live platform, the list changes when the change has taken effect that `GET /v1/admin/changes` shows.
         *
         *     The role of the administrator needs the permission `roles.manage`.
         */
        put: operations["updateRole"];
        post?: never;
        /**
         * Delete a role
         * @description Deletes a role that nobody has, not even a deactivated administrator.
         *
         *     The role of the administrator needs the permission `roles.manage`.
         */
        delete: operations["deleteRole"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/admin/settings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the settings
         * @description The settings of the platform as they are in force, and their version.
         *
         *     The role of the administrator needs the permission `settings.view`.
         */
        get: operations["getSettings"];
        /**
         * Change settings
         * @description Changes the settings that are sent, if `version` is the one in force; every process follows within a second. What was agreed before stays: payments keep the fee, tolerance and expiry with which they were made, withdrawals their fee.
         *
         *     Whatever moves, delays or stops money needs a code (`otp`), which is everything but `webhookRetentionDays` and `auditRetentionDays`. What touches where money goes also waits for `changeDelayHours`, on a live platform for another administrator's approval, too, where there is one who can give it; until then it stands in `pendingChanges`: `offRampAddress`, `payoutWallets`, `withdrawalFees`, `verifyPayoutOnChain` turned off, `fourEyesThreshold` raised or removed, `changeDelayHours` changed, `confirmations` lowered or removed, `manualRates` set, `rateSpreadBps` lowered, and `withdrawalMax`, `withdrawalDailyMax`, `withdrawalMaxOpen`, `paymentToleranceBps` or `paymentToleranceMax` raised. What tightens takes effect at once.
         *
         *     The role of the administrator needs the permission `settings.update`.
         */
        put: operations["updateSettings"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/admin/users": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List administrators
         * @description Everybody who runs the platform, newest first, deactivated ones included.
         *
         *     The role of the administrator needs the permission `users.view`.
         */
        get: operations["listAdminUsers"];
        put?: never;
        /**
         * Add an administrator
         * @description Adds an administrator, who can log in at once with the password that you tell them. You can only give a role whose permissions you hold yourself.
         *
         *     A role with `withdrawals.manage`, `users.manage`, `roles.manage` or `settings.update` asks for a code (`otp`). On a live platform the administrator is `deactivated` until the change has taken effect that `GET /v1/admin/changes` shows.
         *
         *     The role of the administrator needs the permission `users.manage`.
         */
        post: operations["createAdminUser"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/admin/users/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read an administrator
         * @description Reads one administrator.
         *
         *     The role of the administrator needs the permission `users.view`.
         */
        get: operations["getAdminUser"];
        /**
         * Change an administrator
         * @description Changes the fields that you send and leaves the others as they are. A new password ends all sessions of that administrator. Nobody changes their own role, gives a role whose permissions they lack, or changes somebody whose role holds what they lack.
         *
         *     Giving a role that moves money or rights needs a code (`otp`), and so does taking one away. On a live platform the role is given when its change, which `GET /v1/admin/changes` shows, takes effect. Changing the password or e-mail address of an administrator with such a role needs a code, too.
         *
         *     The role of the administrator needs the permission `users.manage`.
         */
        put: operations["updateAdminUser"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/admin/users/{id}/activate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Activate an administrator
         * @description Lets a deactivated administrator log in again. One who is active stays so. An administrator whose role moves money or rights needs a code (`otp`), and on a live platform stays `deactivated` until the change has taken effect that `GET /v1/admin/changes` shows.
         *
         *     The role of the administrator needs the permission `users.manage`.
         */
        post: operations["activateAdminUser"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/admin/users/{id}/deactivate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Deactivate an administrator
         * @description Ends all sessions of an administrator, who can not log in any more. One who is deactivated stays so. Nobody deactivates themselves, and one active super_admin always remains. An administrator whose role moves money or rights is deactivated with a code (`otp`): a stolen session alone stops nobody who could object.
         *
         *     The role of the administrator needs the permission `users.manage`.
         */
        post: operations["deactivateAdminUser"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/admin/withdrawals": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List withdrawals of all merchants
         * @description The withdrawals of all merchants, newest first.
         *
         *     The role of the administrator needs the permission `withdrawals.view`.
         */
        get: operations["adminListWithdrawals"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/admin/withdrawals/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a withdrawal of any merchant
         * @description A withdrawal with its merchant, its bank account and who decided what. The account number is whole only for those who may manage withdrawals.
         *
         *     The role of the administrator needs the permission `withdrawals.view`.
         */
        get: operations["adminGetWithdrawal"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/admin/withdrawals/{id}/approve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Approve a withdrawal
         * @description Lets a `pending` withdrawal be paid. For `bank`, the address that its crypto leg goes to is settled here.
         *
         *     The role of the administrator needs the permission `withdrawals.manage`.
         */
        post: operations["approveWithdrawal"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/admin/withdrawals/{id}/complete": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Complete a withdrawal
         * @description Records the transaction that paid an `approved` or `processing` withdrawal. With the setting `verifyPayoutOnChain`, on a network that the platform watches, the chain is asked first: the transaction must have succeeded after the approval, be confirmed, come from one of the `payoutWallets` if there are any, and have brought at least `netAmount` to the destination. A transaction may pay many payouts, each of its transfers one. Where the network or token is no longer listed, nothing is asked: then another person than the approver has to complete it, with `notes`, whatever the amount.
         *
         *     The role of the administrator needs the permission `withdrawals.manage`.
         */
        post: operations["completeWithdrawal"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/admin/withdrawals/{id}/fail": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Give a withdrawal up
         * @description Says that an `approved` or `processing` withdrawal could not be paid. The whole amount goes back to the merchant's balance: be sure that no transaction of it is under way.
         *
         *     The role of the administrator needs the permission `withdrawals.manage`.
         */
        post: operations["failWithdrawal"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/admin/withdrawals/{id}/process": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Begin to pay a withdrawal
         * @description Says that an `approved` withdrawal is being paid, so that nobody pays it a second time. Never back from here by itself.
         *
         *     The role of the administrator needs the permission `withdrawals.manage`.
         */
        post: operations["processWithdrawal"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/admin/withdrawals/{id}/reject": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Reject a withdrawal
         * @description Refuses a `pending` withdrawal. The whole amount goes back to the merchant's balance, and the merchant reads the reason.
         *
         *     The role of the administrator needs the permission `withdrawals.manage`.
         */
        post: operations["rejectWithdrawal"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/api-keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List API keys
         * @description The keys that work, newest first, at most 20. Deleted and expired ones are not shown, secrets never.
         */
        get: operations["listApiKeys"];
        put?: never;
        /**
         * Create an API key
         * @description Makes a key and its secret for one of your servers. The secret is in this answer and nowhere else: store it where the server finds it. A merchant has at most 20 keys that work.
         */
        post: operations["createApiKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/api-keys/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Delete an API key
         * @description Revokes the key for good. Requests that it signs are refused from now on.
         */
        delete: operations["deleteApiKey"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/api-keys/{id}/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Rotate an API key
         * @description Makes a new key with the same name, scopes, addresses and expiry. The old one goes on working for `overlapHours`, so that you can change your servers one after the other. The body may be left out.
         */
        post: operations["rotateApiKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/audit-logs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the audit log
         * @description Everything that anybody did on the platform, or tried and was refused, newest first.
         *
         *     The role of the administrator needs the permission `audit_logs.view`.
         */
        get: operations["listAuditLogs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/audit-logs/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read an entry of the audit log
         * @description One entry with all that is known of it.
         *
         *     The role of the administrator needs the permission `audit_logs.view`.
         */
        get: operations["getAuditLog"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/login": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Log in
         * @description Starts a login session. A wrong e-mail address, a wrong password and a closed account give the same answer. With two-factor authentication on, the right password alone gets a 401 with `reason: otp_required`: send the same again with a code as `otp`. After five failures in a row from one address or device the account answers 429 there for a while. Send the `deviceToken` of an earlier login, and failures of strangers never make you wait.
         */
        post: operations["loginMerchant"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/logout": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Log out
         * @description Ends the session that asks. Its access and refresh tokens stop working at once.
         */
        post: operations["logoutMerchant"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/password": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Change the password
         * @description Sets a new password and ends all other sessions. The session that asks goes on. With two-factor authentication on, a code has to come along as `otp`.
         */
        post: operations["changeMerchantPassword"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/refresh": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Refresh a session
         * @description Trades a refresh token for a new access token and a new refresh token. Each refresh token works once: using an old one again ends the session, because somebody may have stolen it. Run one refresh at a time. A session ends after 30 days without a refresh and after 90 days in any case.
         */
        post: operations["refreshMerchantSession"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/register": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Register a merchant
         * @description Creates a merchant in `pending_verification` and logs it in. In the sandbox such a merchant can collect payments at once; elsewhere somebody approves it first.
         */
        post: operations["registerMerchant"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List login sessions
         * @description Every session of the merchant that is alive, newest first.
         */
        get: operations["listMerchantSessions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/sessions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * End a login session
         * @description Ends one session, for example on a lost device. Its tokens stop working at once.
         */
        delete: operations["revokeMerchantSession"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/two-factor/disable": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Disable two-factor authentication
         * @description Turns it off by the password and a code of the authenticator app, or a recovery code. The secret and the recovery codes are worth nothing afterwards. All other sessions end.
         */
        post: operations["disableTwoFactor"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/two-factor/enable": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Enable two-factor authentication
         * @description Turns it on by the first code of the secret that was set up, and shows the recovery codes. From now on logging in, changing `walletAddress` and withdrawing need a code. All other sessions end.
         */
        post: operations["enableTwoFactor"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/two-factor/setup": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Set up two-factor authentication
         * @description Makes a secret for an authenticator app. Nothing changes until the first code comes back to `POST /v1/auth/two-factor/enable`; setting up again replaces a secret that still waits.
         */
        post: operations["setupTwoFactor"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/checkout/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a checkout session
         * @description Creates a session and its payment. Redirect the customer to `checkoutUrl`; they come back to `successUrl` or `cancelUrl` with `session_id` in the query. Fulfil the order when the webhook `checkout.session.completed` or `payment.completed` arrives, not when the customer comes back.
         */
        post: operations["createCheckoutSession"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/checkout/sessions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a checkout session
         * @description Reads one of your checkout sessions.
         *
         *     An API key needs the scope `payments:read`.
         */
        get: operations["getCheckoutSession"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/checkout/sessions/{id}/expire": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Expire a checkout session
         * @description Closes an open session and cancels its payment, for example because the goods are sold out. It takes no body.
         *
         *     An API key needs the scope `payments:write`.
         */
        post: operations["expireCheckoutSession"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List events
         * @description Everything that was announced to you, oldest first and without gaps, whether or not a webhook brought it. Read on from the last `position` that you have. An event is here within about a second.
         *
         *     An API key needs the scope `webhooks:manage`.
         */
        get: operations["listEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/events/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read an event
         * @description One event as it was announced. Its position and hashes are null until it is in the feed, about a second.
         *
         *     An API key needs the scope `webhooks:manage`.
         */
        get: operations["getEvent"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/merchant/audit-logs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List your audit log
         * @description Everything that was done to what is yours, newest first, by whomever: you, your API keys, administrators, payers and jobs. What was tried and refused is there too.
         */
        get: operations["listMerchantAuditLogs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/merchants/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the profile
         * @description Reads the merchant's own profile.
         */
        get: operations["getMerchant"];
        /**
         * Change the profile
         * @description Changes the fields that you send and leaves the others as they are. An empty object changes nothing. `webhookUrl` is where your webhook events go from now on. With two-factor authentication on, another `walletAddress` needs a code as `otp`.
         */
        put: operations["updateMerchant"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/payment-links": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List payment links
         * @description Your payment links, newest first.
         *
         *     An API key needs the scope `links:manage`.
         */
        get: operations["listPaymentLinks"];
        put?: never;
        /**
         * Create a payment link
         * @description Creates a link that you can share. Everyone who opens it can start a payment of their own.
         *
         *     An API key needs the scope `links:manage`.
         */
        post: operations["createPaymentLink"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/payment-links/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a payment link
         * @description Reads one of your payment links with what it has collected.
         *
         *     An API key needs the scope `links:manage`.
         */
        get: operations["getPaymentLink"];
        /**
         * Change a payment link
         * @description Changes the fields that you send and leaves the others as they are. An empty object changes nothing. Payments that were started keep the terms under which they were started.
         *
         *     An API key needs the scope `links:manage`.
         */
        put: operations["updatePaymentLink"];
        post?: never;
        /**
         * Delete a payment link
         * @description Deletes the link for good and frees its slug. Payments that were started stay payable and stay in your list.
         *
         *     An API key needs the scope `links:manage`.
         */
        delete: operations["deletePaymentLink"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/payments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List payments
         * @description Your payments, newest first, whatever they were started through. What payers began through your links and nobody paid is removed 30 days after it ended, and then counts in no `total`.
         *
         *     An API key needs the scope `payments:read`.
         */
        get: operations["listPayments"];
        put?: never;
        /**
         * Create a payment
         * @description Creates a payment directly. Show its `options` on a page of your own, or send the payer to `checkoutUrl`. The exchange rate is locked now.
         *
         *     An API key needs the scope `payments:write`.
         */
        post: operations["createPayment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/payments/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a payment
         * @description Reads one of your payments in full.
         *
         *     An API key needs the scope `payments:read`.
         */
        get: operations["getPayment"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/payments/{id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel a payment
         * @description Ends a payment that is `initiated` or `pending`: it becomes `expired` with `reason: cancelled`. Money that still arrives waits for your decision, see `resolvePayment`. The payment of a subscription can't be cancelled: cancel the subscription. It takes no body.
         *
         *     An API key needs the scope `payments:write`.
         */
        post: operations["cancelPayment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/payments/{id}/refunds": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Give money back
         * @description Gives back what a payment brought, all of it or a part, in the token that was paid and at the payment's locked rate. What waits for a decision is given back first, then what you were credited; the platform keeps its fee. The money is held at once. Your payer says by the link in `claimUrl` where it shall go, unless you name a `destinationAddress`. When two-factor authentication is on it wants an `otp`, except from a signed request.
         *
         *     An API key needs the scope `settlements:write`.
         */
        post: operations["createRefund"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/payments/{id}/resolve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Decide about money that waits
         * @description Money that came late, in a wrong token, short, or on top of what was asked is never lost: it waits, `exception` says why, and this call decides. `accept` takes it into your available balance, `refund` gives it back to its payer.
         *
         *     An API key needs the scope `payments:write`.
         */
        post: operations["resolvePayment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/payments/{id}/timeline": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the story of a payment
         * @description What happened to a payment and when, oldest first, in plain words.
         *
         *     An API key needs the scope `payments:read`.
         */
        get: operations["getPaymentTimeline"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/public/checkout/sessions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a checkout session as a payer
         * @description What the hosted page shows of a session. It needs no credentials.
         */
        get: operations["getPublicCheckoutSession"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/public/customer-sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Let a customer see their subscriptions
         * @description Begins a session of half an hour for a wallet that has signed the text of a challenge with `purpose: sign_in`. Its token shows the wallet's subscriptions at all merchants of this platform, on the networks where the wallet has proven itself, and can have a failed charge tried again. It can not subscribe, cancel or pay.
         */
        post: operations["createCustomerSession"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/public/customer-sessions/{token}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * End a customer's session
         * @description Ends the session at once. Its token proves nothing any more.
         */
        delete: operations["endCustomerSession"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/public/customer-sessions/{token}/subscriptions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List a customer's subscriptions
         * @description The subscriptions of the session's wallet, newest first, those that are over too, each with its newest charges. `merchantOf` narrows them to the merchant of one plan.
         */
        get: operations["listCustomerSubscriptions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/public/customer-sessions/{token}/subscriptions/{id}/retry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Try a failed charge now
         * @description Has the charge of a `past_due` subscription tried at once, for a customer who has filled the wallet or raised the allowance. It takes no more than was agreed, and one that is on its way already is not sent twice, so pressing again does no harm.
         */
        post: operations["retryCustomerSubscription"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/public/merchants/{id}/webhook-keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read signing keys as a JWKS
         * @description The same keys as a JSON Web Key Set, public, for verifiers that fetch keys by themselves. May be cached for 5 minutes.
         */
        get: operations["getMerchantWebhookKeys"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/public/payment-links/by-slug/{slug}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a payment link as a payer
         * @description What the page behind the link shows. It needs no credentials.
         */
        get: operations["getPublicPaymentLink"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/public/payment-links/by-slug/{slug}/payments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Start a payment through a link
         * @description Makes a payment of its own for one payer, with an address that nobody else gets. The body may be left out, unless the link has `customFields` that have to be answered. A payment that was started stays payable until its own `expiresAt`, whatever happens to the link, and until then has a place of a link with `maxPayments`: 15 minutes at most. Of such a link one address starts at most as many payments as the limit `place_hold` says.
         */
        post: operations["startPaymentLinkPayment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/public/payments/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a payment as a payer
         * @description What the hosted page shows of a payment. It needs no credentials; the id is the secret.
         */
        get: operations["getPublicPayment"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/public/payments/{id}/authorizations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read what a wallet signs to pay without a network fee
         * @description The transfer that a wallet may sign instead of sending it, and what became of it. It needs no credentials; the payment's id is the secret.
         */
        get: operations["getSignedTransfer"];
        put?: never;
        /**
         * Pay by a signed transfer
         * @description Takes a wallet's signature over `typedData` and brings the transfer to the chain, which costs the payer nothing. The payment is paid once the chain has the transfer, as by any other. Sending the same signature again changes nothing.
         */
        post: operations["submitAuthorization"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/public/payments/{id}/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Follow a payment
         * @description Server-sent events. The present state comes at once, then one message for every change; a comment line every 15
         *     seconds keeps the connection alive. After 15 minutes at most it ends; connect again as long as you want to know,
         *     since money may arrive late too. Nothing is missed, because every connection begins with the whole state. Read it
         *     with `EventSource`, which connects again by itself. One address may hold 32 streams, and gets a 429 for more.
         *
         *     ```
         *     event: payment
         *     data: {"id":"pay_01jggfnds9e9gt3f3v5s7k2m4n","status":"confirming",…}
         *     ```
         *
         *     `data` is what `getPublicPayment` returns, on one line.
         */
        get: operations["streamPublicPayment"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/public/payments/{id}/instructions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read signed payment instructions
         * @description Where this payment is to be paid now, and how much, signed by the key of its merchant, so that anybody can verify that nothing on the way has swapped the address. See *Verify the address*. Only what may be paid at this moment is signed. It needs no credentials; the payment's id is the secret.
         */
        get: operations["getPaymentInstructions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/public/payments/{id}/qr.png": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The QR code as PNG
         * @description The QR code of the payment's `paymentUri`, 512 pixels wide. `qrCodeUrl` points here.
         */
        get: operations["getPaymentQrPng"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/public/payments/{id}/qr.svg": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The QR code as SVG
         * @description The QR code of the payment's `paymentUri`, sharp at any size.
         */
        get: operations["getPaymentQrSvg"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/public/payments/{id}/refund": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Take money back that is offered
         * @description Makes the refund that the payment's `refundOffer` describes, and a link by which it is claimed. Until it is claimed, the offer can be taken again: that makes a new link, and the former one stops working.
         */
        post: operations["takeRefundOffer"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/public/payments/{id}/select": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Choose how to pay
         * @description Chooses one of the payment's `options`. The payer may choose again until money has been seen. An option that is not offered is a 400, and one that is `unavailable` a 503.
         */
        post: operations["selectPaymentOption"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/public/payments/{id}/x402": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Pay by x402
         * @description The invoice for programs that pay by themselves, in version 2 of the protocol x402. Without `payment-signature` the answer is 402, and its header `payment-required` says what to sign: a transfer of the scheme `exact` for every option of the payment whose token takes signed transfers, by ERC-3009 or by Permit2. With it the transfer is brought to the chain as by *Pay by a signed transfer*, and the answer comes when a block has it, or after 15 seconds. Any client of x402 can pay so; see *Payments by machines*. It needs no credentials; the payment's id is the secret.
         */
        get: operations["payByX402"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/public/refunds/{token}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a refund as its payer
         * @description What the holder of a claim link may know. The link is the only credential.
         */
        get: operations["getPublicRefund"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/public/refunds/{token}/claim": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Say where a refund goes
         * @description Sets the address that a refund is paid to. It can be changed until somebody begins to pay it. The link is the only credential; with a `signature` of the wallet that paid, the address is that wallet's, and nobody else can change it any more.
         */
        post: operations["claimRefund"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/public/subscription-plans/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a plan as a customer
         * @description What the hosted page of a plan shows before anybody has subscribed. It needs no credentials. A plan that takes nobody new is shown, too, with `active: false`.
         */
        get: operations["getPublicPlan"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/public/subscription-plans/{id}/subscriptions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Subscribe to a plan with a wallet
         * @description Subscribes the customer themselves, whose wallet has signed the text of a challenge with `purpose: subscribe`. Nothing can be charged before they have agreed at `url`, and who does not agree in time is cancelled, also in a trial. A wallet that subscribes to the plan already gets the subscription that it has, with `isNew: false`. The merchant hears of a new one by `subscription.created`; name and e-mail are what the customer typed, and nobody has checked them.
         */
        post: operations["subscribeByWallet"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/public/subscriptions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a subscription as a customer
         * @description What the hosted page shows of a subscription, and what a wallet has to sign for it. It needs no credentials; the id is the secret.
         */
        get: operations["getPublicSubscription"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/public/subscriptions/{id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel a subscription with its wallet
         * @description Ends the subscription as the merchant's own cancellation does, for a customer whose wallet has signed the text of a challenge with `purpose: cancel`. It costs no gas. What was paid holds until `currentPeriodEnd`, and nothing more is charged. To take the permission back from the chain as well, the wallet revokes the mandate there.
         */
        post: operations["cancelByWallet"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/public/subscriptions/{id}/mandate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Submit a signed mandate
         * @description Takes the customer's signature over `typedData` and brings it to the chain, which costs the customer nothing. The mandate stands once the chain has taken it: then `mandateStatus` is `active`. Sending the same signature again changes nothing. A customer can also send the mandate to the chain himself; then nothing has to be submitted. Where `agreeBy` is `transaction`, that is the only way left.
         */
        post: operations["submitMandate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/public/wallet-challenges": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Ask for a text to sign
         * @description Makes a text (EIP-4361) by whose signature a wallet proves that it is its owner's will to subscribe to one plan, to cancel one subscription, or to see its own. The text names the site, what it is for and until when it holds, and is good for one use.
         */
        post: operations["createWalletChallenge"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/refunds": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List refunds
         * @description Your refunds, newest first.
         *
         *     An API key needs the scope `settlements:read`.
         */
        get: operations["listRefunds"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/refunds/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a refund
         * @description One of your refunds. It does not show `claimUrl` again.
         *
         *     An API key needs the scope `settlements:read`.
         */
        get: operations["getRefund"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/refunds/{id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel a refund
         * @description Takes a refund back that its payer has not claimed: the money is where it was before. It takes no body. What the payer has claimed is promised to them, and only an administrator can stop it.
         *
         *     An API key needs the scope `settlements:write`.
         */
        post: operations["cancelRefund"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/refunds/{id}/claim-link": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Make a new claim link
         * @description Makes a new `claimUrl` for a refund that waits to be claimed, and the former one stops working: for a link that was lost, or that somebody else got. When two-factor authentication is on it wants an `otp`, except from a signed request.
         *
         *     An API key needs the scope `settlements:write`.
         */
        post: operations["renewRefundClaim"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sandbox": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Look around the sandbox
         * @description The networks, nodes, contracts and test tokens of this sandbox, and which of its networks could not start.
         */
        get: operations["getSandbox"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sandbox/chain/mine": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Mine blocks
         * @description Mines blocks on a test chain, for example to confirm a payment. On `regtest` the first of them holds all that waits in the pool.
         */
        post: operations["mineSandboxBlocks"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sandbox/chain/reorg": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Reorganise the chain
         * @description Replaces the newest blocks of a test chain by others, with or without their transactions, as real chains sometimes do. The new branch is as long as the old one, and on `regtest` a block longer.
         */
        post: operations["reorgSandboxChain"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sandbox/clock": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the clock
         * @description What the business clock shows. It decides when payments, links and sessions expire.
         */
        get: operations["getSandboxClock"];
        put?: never;
        /**
         * Move the clock forward
         * @description Moves the business clock and the test chain's time forward and does on the way what falls due, as if the time had passed. It never goes back. One call works for at most 20 seconds: when so much falls due that `now` in the answer is before the time you asked for, ask again with `to`.
         */
        post: operations["advanceSandboxClock"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sandbox/payments/{id}/pay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Pay a payment with play money
         * @description Sends a real transfer on a test chain to the payment's address, as a payer's wallet would. The service then sees it as it sees any other. The body may be left out.
         */
        post: operations["paySandboxPayment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sandbox/payments/{id}/replace": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Replace a transfer that waits
         * @description Replaces a transfer in bitcoins that `POST /v1/sandbox/payments/{id}/pay` left in the pool (`confirm: false`), as payers' wallets do to pay a higher fee, and as thieves do to take a payment back.
         */
        post: operations["replaceSandboxTransfer"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sandbox/refunds/{id}/pay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Pay a refund out with play money
         * @description Sends a real transfer to the address of a claimed refund, as whoever pays the platform's refunds would. An administrator then completes the refund with its `txHash`, and the chain is checked as anywhere. Every call sends again. The body may be left out.
         */
        post: operations["paySandboxRefund"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sandbox/subscription-plans/{id}/subscribe": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Subscribe a customer of play
         * @description Makes a funded wallet, subscribes it to your plan and agrees with it, as a customer does on the page behind `authorizeUrl`: the wallet lets the subscription contract take the token and signs the mandate, which the service then brings to the chain. The answer comes when the mandate stands. The body may be left out.
         */
        post: operations["subscribeSandboxCustomer"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sandbox/subscriptions/{id}/authorize": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Agree to a subscription
         * @description Lets the subscription's wallet agree, as its owner does on the page behind `authorizeUrl`: it allows the subscription contract to take the token, as much as the page recommends, and signs the mandate, which the service then brings to the chain. The answer comes when the mandate stands. Once it does, only the allowance is given anew; after a revocation the wallet agrees to a new mandate.
         */
        post: operations["authorizeSandboxSubscription"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sandbox/subscriptions/{id}/revoke": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Revoke a mandate
         * @description Lets the subscription's wallet revoke its mandate on the chain, as a customer can at any time, with or without your page. From then on nothing can be taken by it. The answer comes when the service has seen it.
         */
        post: operations["revokeSandboxMandate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sandbox/wallets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Make a funded wallet
         * @description Makes a new wallet on the test chain with test tokens and coin for fees. The sandbox remembers its key, so that it can act for this wallet later: change what it holds (`PUT /v1/sandbox/wallets/{address}`) and agree to a subscription (`POST /v1/sandbox/subscriptions/{id}/authorize`). The body may be left out.
         */
        post: operations["createSandboxWallet"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sandbox/wallets/{address}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Set what a wallet holds and allows
         * @description Sets how much of a token a wallet of the sandbox holds, or how much of it the subscription contract may take, by real transactions on the test chain. So you play a customer whose wallet is empty, or has been filled again. What you leave out stays as it is; `{}` changes nothing and shows the wallet.
         */
        put: operations["updateSandboxWallet"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sandbox/withdrawals/{id}/pay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Pay a withdrawal out with play money
         * @description Sends a real transfer on the test chain to the destination of an approved withdrawal, as whoever pays the platform's withdrawals would. An administrator then completes the withdrawal with its `txHash`, and the chain is checked as anywhere. Every call sends again. The body may be left out.
         */
        post: operations["paySandboxWithdrawal"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sdk/checkout/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a checkout session, signed
         * @description Creates a session and its payment, like `POST /v1/checkout/sessions`, but for your servers: with an API key in place of an access token. Redirect the customer to `checkoutUrl`; they come back to `successUrl` or `cancelUrl` with `session_id` in the query. Fulfil the order when the webhook `checkout.session.completed` or `payment.completed` arrives, not when the customer comes back.
         *
         *     An API key needs the scope `payments:write`.
         */
        post: operations["createSdkCheckoutSession"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/settlements/balance": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the balance
         * @description What is available, what is still confirming, and what you have earned in all.
         *
         *     An API key needs the scope `settlements:read`.
         */
        get: operations["getSettlementBalance"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/settlements/statements": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List statements
         * @description The months in which something was booked, newest first, each with what you had before and after.
         *
         *     An API key needs the scope `settlements:read`.
         */
        get: operations["listStatements"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/settlements/statements/{month}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a statement
         * @description A month of your ledger: what each account held before, every movement, totals by cause, and what each held after. It adds up to the millionth of a dollar, and the closing of a month is the opening of the next. Read `/v1/settlements/statements/{month}/csv` for all movements in one file.
         *
         *     An API key needs the scope `settlements:read`.
         */
        get: operations["getStatement"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/settlements/statements/{month}/csv": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The statement as CSV
         * @description A month of your ledger as a table by RFC 4180, in UTF-8: a line of names, the line `opening`, a line for each movement, and the line `closing`, whose `value` and `fee` are sums. Every column of `opening` and the movements adds up to that of `closing`. A text that a spreadsheet would take for a formula has an apostrophe in front.
         *
         *     An API key needs the scope `settlements:read`.
         */
        get: operations["getStatementCsv"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/settlements/transactions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List ledger entries
         * @description Every movement behind the balance, newest first, to the millionth of a dollar.
         *
         *     An API key needs the scope `settlements:read`.
         */
        get: operations["listLedgerEntries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/subscription-plans": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List subscription plans
         * @description Your plans, newest first, with the number of their active subscribers.
         *
         *     An API key needs the scope `subscriptions:manage`.
         */
        get: operations["listPlans"];
        put?: never;
        /**
         * Create a subscription plan
         * @description Creates a plan that customers can subscribe to. It takes subscribers at once.
         *
         *     An API key needs the scope `subscriptions:manage`.
         */
        post: operations["createPlan"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/subscription-plans/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a subscription plan
         * @description Reads one of your plans.
         *
         *     An API key needs the scope `subscriptions:manage`.
         */
        get: operations["getPlan"];
        /**
         * Change a subscription plan
         * @description Changes the fields that you send and leaves the others as they are. An empty object changes nothing. While somebody subscribes, who has agreed to what the plan charges, only `name`, `description`, `trialDays` and `active` can change. For other terms, switch the plan off and create another.
         *
         *     An API key needs the scope `subscriptions:manage`.
         */
        put: operations["updatePlan"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/subscription-plans/{id}/subscribe": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Subscribe a customer to a plan
         * @description Subscribes a customer. Nothing can be charged before they have agreed with their wallet: send them to `authorizeUrl`. A trial begins at once. Without one the first charge follows as soon as the customer has agreed.
         *
         *     An API key needs the scope `subscriptions:manage`.
         */
        post: operations["subscribeToPlan"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/subscriptions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List subscriptions
         * @description Your customers' subscriptions, newest first.
         *
         *     An API key needs the scope `subscriptions:manage`.
         */
        get: operations["listSubscriptions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/subscriptions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a subscription
         * @description Reads one of your customers' subscriptions.
         *
         *     An API key needs the scope `subscriptions:manage`.
         */
        get: operations["getSubscription"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/subscriptions/{id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel a subscription
         * @description Ends a subscription: nothing more is charged, and the customer keeps what was paid until `currentPeriodEnd`. It takes no body. A charge that is on its way to the chain is waited for: when it succeeds, it still counts, and `subscription.cancelled` comes after it.
         *
         *     An API key needs the scope `subscriptions:manage`.
         */
        post: operations["cancelSubscription"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/subscriptions/{id}/charges": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the charges of a subscription
         * @description What the subscription owed for each period and what became of it, the newest period first, with every try.
         *
         *     An API key needs the scope `subscriptions:manage`.
         */
        get: operations["listCharges"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/subscriptions/{id}/retry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Retry a failed charge
         * @description Has the charge of a `past_due` subscription tried again now, besides the tries that are planned. It takes no body. What comes of it is told by `subscription.renewed` or `subscription.charge_failed`; where it fails for the same reason as before, only the `attempts` of the charge show that.
         *
         *     An API key needs the scope `subscriptions:manage`.
         */
        post: operations["retrySubscription"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/certifications/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a certification
         * @description How your endpoint did, check by check. While it is `running`, the checks fill in one after the other. Your 50 newest are kept.
         *
         *     An API key needs the scope `webhooks:manage`.
         */
        get: operations["getWebhookCertification"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/certify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Certify the endpoint
         * @description Tries your endpoint with what a handler meets in time: a genuine event, a duplicate, two out of order, bad signatures, an old timestamp, an unknown type, a slow body and an oversized one. It takes a minute at most and goes on after this answer: read the certification until its `status` is no longer `running`. Every check says in plain words what was expected, what came, and what to change. The events are of simulated payments (`metadata.simulated`) and stand in no list. It takes no body.
         *
         *     An API key needs the scope `webhooks:manage`.
         */
        post: operations["certifyWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List deliveries
         * @description What was sent to your endpoint and what came of it, newest first.
         *
         *     An API key needs the scope `webhooks:manage`.
         */
        get: operations["listWebhookDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/deliveries/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a delivery
         * @description One delivery with every attempt, what your endpoint answered to each, and the bytes that were sent.
         *
         *     An API key needs the scope `webhooks:manage`.
         */
        get: operations["getWebhookDelivery"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/deliveries/{id}/redeliver": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Deliver again
         * @description Makes a new delivery of the same event, with the same `webhook-id` and the same body, whatever became of the first one. It goes to the URL that is set now, with all its attempts, also when the type is not among those that you want.
         *
         *     An API key needs the scope `webhooks:manage`.
         */
        post: operations["redeliverWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/endpoint": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the endpoint
         * @description Where your events go, which of them, and, when none do, why. Without a URL it is disabled and all else is null.
         *
         *     An API key needs the scope `webhooks:manage`.
         */
        get: operations["getWebhookEndpoint"];
        /**
         * Change the endpoint
         * @description Changes the fields that you send and leaves the others as they are. The URL is the `webhookUrl` of your merchant: a change here is a change there. Another URL enables the endpoint, whatever had disabled it. What you disable yourself, no successful test enables again.
         *
         *     An API key needs the scope `webhooks:manage`.
         */
        put: operations["updateWebhookEndpoint"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List signing keys
         * @description The public keys that your webhooks are signed with, to verify them.
         *
         *     An API key needs the scope `webhooks:manage`.
         */
        get: operations["listWebhookKeys"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/keys/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Rotate the signing key
         * @description Makes a new key, which signs at once. Older keys sign along until their time is over, so that receivers can change over in between. The body may be left out.
         *
         *     An API key needs the scope `webhooks:manage`.
         */
        post: operations["rotateWebhookKeys"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/recover": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Recover what was missed
         * @description Makes a delivery for every event since a time that your endpoint wants and that neither reached it nor is still on its way: what happened while it was disabled, not set, or failing. Oldest first, at most 1,000 a call; while `more` is true, call again with `next` as `since`. It reaches as far back as deliveries are kept, which is 60 days unless the platform says otherwise.
         *
         *     An API key needs the scope `webhooks:manage`.
         */
        post: operations["recoverWebhooks"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Test the endpoint
         * @description Sends one simulated `payment.completed` event, really signed, to your webhook URL and waits for the answer. An endpoint that fails is still a 200, with `success: false`. A success enables an endpoint that was disabled because it failed or answered 410. It takes no body.
         *
         *     An API key needs the scope `webhooks:manage`.
         */
        post: operations["testWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/verify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Find out why a webhook does not verify
         * @description Takes the headers and the body of a webhook as your server received them and says whether they verify and, if not, which check failed and why: a header that is missing, bytes that a parser has changed, a key that is not yours or has ended, or a clock that is wrong. An aid for finding faults: in your handler verify with your keys, without asking us.
         *
         *     An API key needs the scope `webhooks:manage`.
         */
        post: operations["verifyWebhookRequest"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/withdrawals": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List withdrawals
         * @description Your withdrawals, newest first.
         *
         *     An API key needs the scope `settlements:read`.
         */
        get: operations["listWithdrawals"];
        put?: never;
        /**
         * Create a withdrawal
         * @description Asks for money to be paid out. The whole amount leaves `availableBalance` at once and is held until the withdrawal is paid, refused or cancelled. When two-factor authentication is on it wants an `otp`, except from a signed request that pays to the `walletAddress` of your profile.
         *
         *     An API key needs the scope `settlements:write`.
         */
        post: operations["createWithdrawal"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/withdrawals/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a withdrawal
         * @description One of your withdrawals.
         *
         *     An API key needs the scope `settlements:read`.
         */
        get: operations["getWithdrawal"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/withdrawals/{id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel a withdrawal
         * @description Takes a withdrawal back that nobody has looked at yet: it becomes `rejected` with `statusReason: cancelled`, and the money is in your balance again. It takes no body.
         *
         *     An API key needs the scope `settlements:write`.
         */
        post: operations["cancelWithdrawal"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/withdrawals/quote": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Ask what a withdrawal costs
         * @description The fee of a withdrawal and what would arrive, with your balance and the limits as they are now. Nothing is held.
         *
         *     An API key needs the scope `settlements:read`.
         */
        get: operations["quoteWithdrawal"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface webhooks {
    "api_key.created": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * api_key.created
         * @description An API key was made, or made anew by rotating another.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["ApiKeyCreatedEvent"];
                };
            };
            responses: {
                /** @description Received. Anything else, or nothing within 15 seconds, is tried again. */
                "2XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "api_key.revoked": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * api_key.revoked
         * @description An API key was deleted or replaced at once and works no more.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["ApiKeyRevokedEvent"];
                };
            };
            responses: {
                /** @description Received. Anything else, or nothing within 15 seconds, is tried again. */
                "2XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "checkout.session.completed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * checkout.session.completed
         * @description The payment of the session is paid.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["CheckoutSessionCompletedEvent"];
                };
            };
            responses: {
                /** @description Received. Anything else, or nothing within 15 seconds, is tried again. */
                "2XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "checkout.session.expired": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * checkout.session.expired
         * @description The session ended without being paid.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["CheckoutSessionExpiredEvent"];
                };
            };
            responses: {
                /** @description Received. Anything else, or nothing within 15 seconds, is tried again. */
                "2XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "merchant.status_changed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * merchant.status_changed
         * @description Your merchant was approved, rejected, frozen, unfrozen or closed.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["MerchantStatusChangedEvent"];
                };
            };
            responses: {
                /** @description Received. Anything else, or nothing within 15 seconds, is tried again. */
                "2XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "payment_link.created": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * payment_link.created
         * @description A payment link was created.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["PaymentLinkCreatedEvent"];
                };
            };
            responses: {
                /** @description Received. Anything else, or nothing within 15 seconds, is tried again. */
                "2XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "payment_link.expired": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * payment_link.expired
         * @description The time of a payment link ran out.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["PaymentLinkExpiredEvent"];
                };
            };
            responses: {
                /** @description Received. Anything else, or nothing within 15 seconds, is tried again. */
                "2XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "payment_link.updated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * payment_link.updated
         * @description A payment link was changed, switched on or switched off.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["PaymentLinkUpdatedEvent"];
                };
            };
            responses: {
                /** @description Received. Anything else, or nothing within 15 seconds, is tried again. */
                "2XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "payment.completed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * payment.completed
         * @description Enough money is confirmed: the payment is paid and credited. Fulfil the order now.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["PaymentCompletedEvent"];
                };
            };
            responses: {
                /** @description Received. Anything else, or nothing within 15 seconds, is tried again. */
                "2XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "payment.confirming": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * payment.confirming
         * @description Enough money was seen on the chain; its confirmations are awaited.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["PaymentConfirmingEvent"];
                };
            };
            responses: {
                /** @description Received. Anything else, or nothing within 15 seconds, is tried again. */
                "2XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "payment.created": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * payment.created
         * @description A payment was created.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["PaymentCreatedEvent"];
                };
            };
            responses: {
                /** @description Received. Anything else, or nothing within 15 seconds, is tried again. */
                "2XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "payment.exception": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * payment.exception
         * @description Money arrived that the payment can not take by itself: late, too much or in a wrong token. It waits for `resolvePayment`.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["PaymentExceptionEvent"];
                };
            };
            responses: {
                /** @description Received. Anything else, or nothing within 15 seconds, is tried again. */
                "2XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "payment.expired": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * payment.expired
         * @description The time ran out, or the merchant cancelled. `reason` and `exception` say more.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["PaymentExpiredEvent"];
                };
            };
            responses: {
                /** @description Received. Anything else, or nothing within 15 seconds, is tried again. */
                "2XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "payment.failed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * payment.failed
         * @description What was seen on the chain never confirmed.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["PaymentFailedEvent"];
                };
            };
            responses: {
                /** @description Received. Anything else, or nothing within 15 seconds, is tried again. */
                "2XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "payment.pending": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * payment.pending
         * @description The payer chose a token, or sent less than is needed.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["PaymentPendingEvent"];
                };
            };
            responses: {
                /** @description Received. Anything else, or nothing within 15 seconds, is tried again. */
                "2XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "payment.reversed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * payment.reversed
         * @description The chain undid a payment that was paid already. It stays `paid`; its amount was taken back from your balance.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["PaymentReversedEvent"];
                };
            };
            responses: {
                /** @description Received. Anything else, or nothing within 15 seconds, is tried again. */
                "2XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "payment.reverted": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * payment.reverted
         * @description The chain undid a transfer before it was confirmed; the payment is pending again.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["PaymentRevertedEvent"];
                };
            };
            responses: {
                /** @description Received. Anything else, or nothing within 15 seconds, is tried again. */
                "2XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "refund.cancelled": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * refund.cancelled
         * @description A refund was taken back, and its money is where it was.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["RefundCancelledEvent"];
                };
            };
            responses: {
                /** @description Received. Anything else, or nothing within 15 seconds, is tried again. */
                "2XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "refund.completed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * refund.completed
         * @description A refund is paid.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["RefundCompletedEvent"];
                };
            };
            responses: {
                /** @description Received. Anything else, or nothing within 15 seconds, is tried again. */
                "2XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "refund.created": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * refund.created
         * @description A refund was made, and its money is held.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["RefundCreatedEvent"];
                };
            };
            responses: {
                /** @description Received. Anything else, or nothing within 15 seconds, is tried again. */
                "2XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "refund.failed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * refund.failed
         * @description A refund could not be paid, and its money is where it was.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["RefundFailedEvent"];
                };
            };
            responses: {
                /** @description Received. Anything else, or nothing within 15 seconds, is tried again. */
                "2XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "refund.pending": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * refund.pending
         * @description It is known where a refund goes, or that has changed.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["RefundPendingEvent"];
                };
            };
            responses: {
                /** @description Received. Anything else, or nothing within 15 seconds, is tried again. */
                "2XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "refund.processing": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * refund.processing
         * @description A refund is being paid.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["RefundProcessingEvent"];
                };
            };
            responses: {
                /** @description Received. Anything else, or nothing within 15 seconds, is tried again. */
                "2XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "refund.reverted": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * refund.reverted
         * @description The chain took the payout of a refund back. It is paid anew, or fails.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["RefundRevertedEvent"];
                };
            };
            responses: {
                /** @description Received. Anything else, or nothing within 15 seconds, is tried again. */
                "2XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "subscription.activated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * subscription.activated
         * @description The first charge of a subscription is paid.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["SubscriptionActivatedEvent"];
                };
            };
            responses: {
                /** @description Received. Anything else, or nothing within 15 seconds, is tried again. */
                "2XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "subscription.cancelled": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * subscription.cancelled
         * @description A subscription was cancelled; `cancelReason` says why. Nothing more is charged.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["SubscriptionCancelledEvent"];
                };
            };
            responses: {
                /** @description Received. Anything else, or nothing within 15 seconds, is tried again. */
                "2XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "subscription.charge_failed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * subscription.charge_failed
         * @description A charge failed; `failureCode` says why and `nextRetryAt` when it is tried again. A try between two scheduled ones (the wallet got some money, or you asked for it) that fails for the same reason as the one before is listed with the charge and not announced.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["SubscriptionChargeFailedEvent"];
                };
            };
            responses: {
                /** @description Received. Anything else, or nothing within 15 seconds, is tried again. */
                "2XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "subscription.charge_recovered": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * subscription.charge_recovered
         * @description A charge that a reorganised chain had taken back has succeeded again, and its money is in your balance. The period that it pays for was counted before, so nothing else about the subscription changes; one that was `past_due` because of it is `active` again.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["SubscriptionChargeRecoveredEvent"];
                };
            };
            responses: {
                /** @description Received. Anything else, or nothing within 15 seconds, is tried again. */
                "2XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "subscription.charge_reversed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * subscription.charge_reversed
         * @description A reorganised chain took back a charge that had succeeded, and its payment has announced `payment.reversed`. It is collected again by itself, once, unless the subscription has ended; `reversedAt` of the charge tells which one it is. Nothing has to be done. `subscription.charge_recovered` follows when the money is back, and `subscription.charge_failed` when the wallet no longer pays.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["SubscriptionChargeReversedEvent"];
                };
            };
            responses: {
                /** @description Received. Anything else, or nothing within 15 seconds, is tried again. */
                "2XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "subscription.created": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * subscription.created
         * @description A customer was subscribed to a plan, and has to agree.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["SubscriptionCreatedEvent"];
                };
            };
            responses: {
                /** @description Received. Anything else, or nothing within 15 seconds, is tried again. */
                "2XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "subscription.expired": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * subscription.expired
         * @description The last period of a cancelled subscription is over.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["SubscriptionExpiredEvent"];
                };
            };
            responses: {
                /** @description Received. Anything else, or nothing within 15 seconds, is tried again. */
                "2XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "subscription.past_due": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * subscription.past_due
         * @description A subscription became `past_due`, because a charge failed.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["SubscriptionPastDueEvent"];
                };
            };
            responses: {
                /** @description Received. Anything else, or nothing within 15 seconds, is tried again. */
                "2XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "subscription.paused": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * subscription.paused
         * @description Charging paused, because the network or token of the subscription is no longer listed. It goes on by itself when it is listed again.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["SubscriptionPausedEvent"];
                };
            };
            responses: {
                /** @description Received. Anything else, or nothing within 15 seconds, is tried again. */
                "2XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "subscription.renewed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * subscription.renewed
         * @description The charge of a further period is paid.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["SubscriptionRenewedEvent"];
                };
            };
            responses: {
                /** @description Received. Anything else, or nothing within 15 seconds, is tried again. */
                "2XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "subscription.trial_will_end": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * subscription.trial_will_end
         * @description A trial ends in three days; then the first charge is due.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["SubscriptionTrialWillEndEvent"];
                };
            };
            responses: {
                /** @description Received. Anything else, or nothing within 15 seconds, is tried again. */
                "2XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "webhook.endpoint_disabled": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * webhook.endpoint_disabled
         * @description Your endpoint was disabled, because it answered 410 or because it did nothing but fail for 120 hours. No webhook brings this event, since there is nowhere left to send it; it stands in the event feed.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["WebhookEndpointDisabledEvent"];
                };
            };
            responses: {
                /** @description Never asked for. This event is read from the feed. */
                "2XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "withdrawal.approved": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * withdrawal.approved
         * @description A withdrawal was approved and will be paid.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["WithdrawalApprovedEvent"];
                };
            };
            responses: {
                /** @description Received. Anything else, or nothing within 15 seconds, is tried again. */
                "2XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "withdrawal.completed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * withdrawal.completed
         * @description A withdrawal is paid.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["WithdrawalCompletedEvent"];
                };
            };
            responses: {
                /** @description Received. Anything else, or nothing within 15 seconds, is tried again. */
                "2XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "withdrawal.created": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * withdrawal.created
         * @description A withdrawal was asked for, and its money is held.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["WithdrawalCreatedEvent"];
                };
            };
            responses: {
                /** @description Received. Anything else, or nothing within 15 seconds, is tried again. */
                "2XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "withdrawal.failed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * withdrawal.failed
         * @description An approved withdrawal could not be paid; its money is back in the balance.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["WithdrawalFailedEvent"];
                };
            };
            responses: {
                /** @description Received. Anything else, or nothing within 15 seconds, is tried again. */
                "2XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "withdrawal.processing": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * withdrawal.processing
         * @description A withdrawal is being paid.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["WithdrawalProcessingEvent"];
                };
            };
            responses: {
                /** @description Received. Anything else, or nothing within 15 seconds, is tried again. */
                "2XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "withdrawal.rejected": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * withdrawal.rejected
         * @description A withdrawal was refused or cancelled; its money is back in the balance.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["WithdrawalRejectedEvent"];
                };
            };
            responses: {
                /** @description Received. Anything else, or nothing within 15 seconds, is tried again. */
                "2XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "withdrawal.reverted": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * withdrawal.reverted
         * @description The chain took back the transaction that had paid a withdrawal, which will be paid again.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["WithdrawalRevertedEvent"];
                };
            };
            responses: {
                /** @description Received. Anything else, or nothing within 15 seconds, is tried again. */
                "2XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface components {
    schemas: {
        /** @description An amount for each account of your ledger, and their sum. US dollars, decimal strings with 6 decimals. */
        AccountAmounts: {
            /**
             * @description What you can withdraw.
             * @example 1250.500000
             */
            available: string;
            /**
             * @description What you owe, zero or negative in a balance.
             * @example 0.000000
             */
            debt: string;
            /**
             * @description What open withdrawals and refunds hold.
             * @example 250.000000
             */
            hold: string;
            /**
             * @description Payments that are confirming.
             * @example 25.000000
             */
            pending: string;
            /**
             * @description What waits for its payment to be complete, or for your decision.
             * @example 12.000000
             */
            suspense: string;
            /**
             * @description All of them together.
             * @example 1537.500000
             */
            total: string;
        };
        /** @description What others should know of it. */
        AcknowledgeIncidentRequest: {
            /**
             * Format: text
             * @description What you have found so far, or what you are about to do.
             * @example The provider of the node knows of it.
             */
            note?: string;
        };
        /** @description An entry of the platform's audit log, as administrators see it. */
        AdminAuditLogEntry: {
            /**
             * @description What was done, as `<resource>.<verb>`. New actions may appear at any time.
             * @example payment_link.create
             */
            action: string;
            /**
             * @description The id of whoever did it; for `system` a word such as `payer`, or empty.
             * @example mer_01jgges3h8v2n6x0c4b7k9m5qw
             */
            actorId: string;
            actorType: components["schemas"]["AuditActorType"];
            /**
             * @description The SHA-256 over its place, the hash of the entry before and all of this entry, 64 hexadecimal digits; null as long as `sequence` is.
             * @example cff8a02f29078bf8c7ce81928b45fda5715741b98027944fb0b84f726dc6c87f
             */
            hash: string | null;
            /**
             * @description The id of the entry.
             * @example log_01jggfnds9e9gt3f3v5s7k2m4n
             */
            id: string;
            /**
             * @description The address that the request came from; empty for jobs.
             * @example 203.0.113.9
             */
            ipAddress: string;
            /**
             * @description The merchant to whom the resource belongs, null where it is the platform's.
             * @example mer_01jgges3h8v2n6x0c4b7k9m5qw
             */
            merchantId: string | null;
            /**
             * @description What else there is to know of this action, for example the old and the new status. Never a secret.
             * @example {
             *       "keyName": "Web shop"
             *     }
             */
            metadata: {
                [key: string]: unknown;
            };
            /**
             * @description The `X-Request-Id` of the request, empty for jobs.
             * @example req-8f14e45fceea
             */
            requestId: string;
            /**
             * @description The id of what it was done to, empty where it has none.
             * @example plink_01jggfa4w7q1z8c5v2b9n3m6ke
             */
            resourceId: string;
            /**
             * @description The kind of what it was done to, the first part of `action`.
             * @example payment_link
             */
            resourceType: string;
            /**
             * @description Its place in the platform's chain of entries, about a second after it was written, and null before.
             * @example 1042
             */
            sequence: number | null;
            /**
             * Format: date-time
             * @description When it was done.
             * @example 2026-01-02T03:11:42.117Z
             */
            timestamp: string;
            /**
             * @description What the caller called itself; empty where `ipAddress` is.
             * @example Mozilla/5.0
             */
            userAgent: string;
        };
        /** @description A page of the platform's audit log. */
        AdminAuditLogEntryList: {
            /** @description The entries, newest first. */
            data: components["schemas"]["AdminAuditLogEntry"][];
            pagination: components["schemas"]["Pagination"];
        };
        /** @description An administrator and the tokens of a new login session. */
        AdminAuthResult: {
            admin: components["schemas"]["OwnAdmin"];
            /**
             * @description Keep it, and send it with later logins: it says that this device has logged in before, so that failed logins of strangers do not make it wait. It proves nothing else. A new password makes it worthless.
             * @example dv_Yx2mZ9wKq4vT7sB1nE8yH3uJ6dG0fCaLpRiOqXkYtWc
             */
            deviceToken: string;
            /**
             * @description Seconds until the access token expires.
             * @example 600
             */
            expiresIn: number;
            /**
             * @description Trade it for a new pair of tokens when the access token expires. It works once.
             * @example rt_9mZ1xK4vQ7sT2wB5nE8yH3uJ6dG0fCaLpRiOqXkYtWc
             */
            refreshToken: string;
            /**
             * @description The access token. Send it as `Authorization: Bearer <token>`.
             * @example eyJhbGciOiJIUzI1NiIsInR5cCI6ImF0K2p3dCJ9.eyJzdWIiOiJhZG1fMDEifQ.c2lnbmF0dXJl
             */
            token: string;
        };
        /** @description A merchant as administrators see it. */
        AdminMerchant: {
            /**
             * @description How many of its API keys work.
             * @example 1
             */
            apiKeyCount: number;
            balance: components["schemas"]["SettlementBalance"];
            /**
             * @description Your colour on the pages of payers; null for the platform's.
             * @example #8a1f4b
             */
            brandColor: string | null;
            /**
             * @description The legal name of the business. Payers see it.
             * @example Ceylon Tea House
             */
            businessName: string;
            businessType: components["schemas"]["BusinessType"];
            /**
             * Format: date-time
             * @description When the merchant registered.
             * @example 2026-01-02T03:02:11.004Z
             */
            createdAt: string;
            /**
             * Format: email
             * @description The e-mail address to log in with, in lower case.
             * @example owner@teahouse.example
             */
            email: string;
            /**
             * @description The websites whose pages may show the checkout in a frame, each as its origin. Empty: none may.
             * @example [
             *       "https://teahouse.example"
             *     ]
             */
            embedOrigins: string[];
            /**
             * @description The id of the merchant.
             * @example mer_01jggf3t6he2nb5w8c4y7z9m1k
             */
            id: string;
            /**
             * Format: date-time
             * @description When the last of them was paid; null while none was.
             * @example 2026-01-05T10:12:44.310Z
             */
            lastPaidAt: string | null;
            /**
             * Format: uri
             * @description Your logo on the pages of payers, a PNG whose address changes with it; null when there is none.
             * @example http://localhost:3000/checkout/logo/4b1f0c6de2b94375c1a7e09f5d3b2846.png
             */
            logoUrl: string | null;
            /**
             * @description How many of them were paid.
             * @example 9
             */
            paidCount: number;
            /**
             * @description How many payments it has asked for, whatever became of them.
             * @example 12
             */
            paymentCount: number;
            /**
             * @description How much less than the asked amount still counts as paid, in basis points (50 is 0.5 %); null means the platform's default.
             * @example 50
             */
            paymentToleranceBps: number | null;
            /**
             * @description The phone number in E.164 form.
             * @example +94771234567
             */
            phone: string;
            /**
             * Format: money
             * @description The least worth in US dollars that is offered so; less waits for a decision.
             * @example 1
             */
            refundOfferMinimum: number;
            /**
             * @description For which exceptions the page of a payment that is over offers its payer the money back that waits for a decision. Whoever has the address of that page may then take it. Empty: only the merchant gives money back.
             * @example [
             *       "overpaid",
             *       "late"
             *     ]
             */
            refundOffers: components["schemas"]["RefundOfferException"][];
            /**
             * @description Whether payers who left an e-mail address get receipts by mail, where the platform sends any.
             * @example true
             */
            sendReceipts: boolean;
            status: components["schemas"]["MerchantStatus"];
            /**
             * @description Why it is rejected, frozen or terminated, as an administrator wrote it; null otherwise.
             * @example Many payers dispute what they bought.
             */
            statusReason: string | null;
            /**
             * Format: email
             * @description Where payers write to when they need help. Payers see it; null when there is none.
             * @example help@teahouse.example
             */
            supportEmail: string | null;
            /**
             * Format: text
             * @description A page that helps payers. Payers see it; null when there is none.
             * @example https://teahouse.example/help
             */
            supportUrl: string | null;
            /**
             * @description Whether logging in needs a one-time code.
             * @example false
             */
            twoFactorEnabled: boolean;
            /**
             * Format: date-time
             * @description When its profile or its state last changed.
             * @example 2026-01-02T03:02:11.004Z
             */
            updatedAt: string;
            /**
             * @description Where its own money goes by default when it withdraws in crypto; null while it has set none.
             * @example 0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed
             */
            walletAddress: string | null;
            /**
             * @description Where webhook events are sent; null while it has set none.
             * @example https://teahouse.example/hooks/kasi
             */
            webhookUrl: string | null;
            /**
             * Format: text
             * @description The merchant's website. Payers see it; null when there is none.
             * @example https://teahouse.example
             */
            website: string | null;
        };
        /** @description A page of merchants. */
        AdminMerchantList: {
            /** @description The merchants, newest first. */
            data: components["schemas"]["AdminMerchantSummary"][];
            pagination: components["schemas"]["Pagination"];
        };
        /** @description A merchant as administrators see it in lists. */
        AdminMerchantSummary: {
            /**
             * @description The legal name of the business. Payers see it.
             * @example Ceylon Tea House
             */
            businessName: string;
            businessType: components["schemas"]["BusinessType"];
            /**
             * Format: date-time
             * @description When the merchant registered.
             * @example 2026-01-02T03:02:11.004Z
             */
            createdAt: string;
            /**
             * Format: email
             * @description The e-mail address to log in with, in lower case.
             * @example owner@teahouse.example
             */
            email: string;
            /**
             * @description The id of the merchant.
             * @example mer_01jggf3t6he2nb5w8c4y7z9m1k
             */
            id: string;
            /**
             * @description The phone number in E.164 form.
             * @example +94771234567
             */
            phone: string;
            status: components["schemas"]["MerchantStatus"];
            /**
             * @description Why it is rejected, frozen or terminated, as an administrator wrote it; null otherwise.
             * @example Many payers dispute what they bought.
             */
            statusReason: string | null;
            /**
             * Format: date-time
             * @description When its profile or its state last changed.
             * @example 2026-01-02T03:02:11.004Z
             */
            updatedAt: string;
        };
        /** @description A refund with what administrators need to pay it. */
        AdminRefund: {
            /**
             * Format: money
             * @description What is given back, in the payment's currency and at its locked rate, rounded down.
             * @example 10
             */
            amount: number;
            /**
             * @description Who named the address; null while nobody has.
             * @example payer
             * @enum {string|null}
             */
            claimedBy: "merchant" | "payer" | null;
            /**
             * Format: date-time
             * @description When you made it.
             * @example 2026-01-02T03:04:05.006Z
             */
            createdAt: string;
            currency: components["schemas"]["Currency"];
            /**
             * @description Where it goes; null until that is known.
             * @example null
             */
            destinationAddress: string | null;
            /**
             * @description Whether the wallet that paid has signed for the address.
             * @example false
             */
            destinationProven: boolean;
            /**
             * Format: date-time
             * @description When it became `completed`, `cancelled` or `failed`; null before.
             * @example null
             */
            finishedAt: string | null;
            /**
             * @description The id of the refund.
             * @example rfd_01jggm5r8e3t6y9b2d4f7h0k1n
             */
            id: string;
            /**
             * @description Whose payment it gives back.
             * @example mer_01jggf3t6he2nb5w8c4y7z9m1k
             */
            merchantId: string;
            /**
             * @description The name of that merchant.
             * @example Ceylon Tea House
             */
            merchantName: string;
            /**
             * @description The network that it is sent on, which is the one that it was paid on.
             * @example devnet
             */
            network: string;
            /**
             * @description The latest note of an administrator.
             * @example null
             */
            notes: string | null;
            /**
             * @description Whether the payer took it from the payment's page, where your rules offered it.
             * @example false
             */
            offered: boolean;
            /**
             * @description The payment that it gives back.
             * @example pay_01jggfnds9e9gt3f3v5s7k2m4n
             */
            paymentId: string;
            /**
             * @description The administrator who began to pay it.
             * @example null
             */
            processedBy: string | null;
            /**
             * @description Why it is given back, in your words. The payer reads it.
             * @example Only a part of the price arrived.
             */
            reason: string;
            status: components["schemas"]["RefundStatus"];
            /**
             * @description Why it failed, in plain words; null otherwise.
             * @example null
             */
            statusMessage: string | null;
            /** @description The token that is sent, which is the one that was paid. */
            token: components["schemas"]["Token"];
            /**
             * @description What is sent, a decimal string in `token`.
             * @example 10.000000
             */
            tokenAmount: string;
            /**
             * @description The transaction that paid it; null until it is `completed`.
             * @example null
             */
            txHash: string | null;
            /**
             * @description Whether the chain showed the payout when it was completed; null before.
             * @example null
             */
            txVerified: boolean | null;
            /**
             * Format: money
             * @description What the ledger holds for it, in US dollars, rounded down.
             * @example 10
             */
            worth: number;
        };
        /** @description A fresh pair of tokens. */
        AdminTokens: {
            /**
             * @description Seconds until the access token expires.
             * @example 600
             */
            expiresIn: number;
            /**
             * @description The new refresh token. The one that you sent no longer works.
             * @example rt_Qw3eRt5yUi7oPa9sDf1gHj2kLz4xCv6bNm8qWe0rTyU
             */
            refreshToken: string;
            /**
             * @description The new access token.
             * @example eyJhbGciOiJIUzI1NiIsInR5cCI6ImF0K2p3dCJ9.eyJzdWIiOiJhZG1fMDEifQ.c2lnbmF0dXJl
             */
            token: string;
        };
        /** @description An administrator. */
        AdminUser: {
            /**
             * Format: date-time
             * @description When they were added.
             * @example 2026-01-02T03:02:11.004Z
             */
            createdAt: string;
            /**
             * @description The e-mail address that they log in with, in lower case.
             * @example nimali@kasi.example
             */
            email: string;
            /**
             * @description The id of the administrator.
             * @example adm_01jggf4b9xe6kd2r7t0w3y5h8a
             */
            id: string;
            /**
             * @description The name that colleagues know.
             * @example Nimali Fernando
             */
            name: string;
            role: components["schemas"]["RoleReference"];
            status: components["schemas"]["AdminUserStatus"];
            /**
             * Format: date-time
             * @description When they were last changed.
             * @example 2026-01-06T10:00:00.000Z
             */
            updatedAt: string;
        };
        /** @description An administrator who was just added. */
        AdminUserCreated: {
            /**
             * Format: date-time
             * @description When they were added.
             * @example 2026-01-02T03:02:11.004Z
             */
            createdAt: string;
            /**
             * @description The e-mail address that they log in with, in lower case.
             * @example nimali@kasi.example
             */
            email: string;
            /**
             * @description The id of the administrator.
             * @example adm_01jggf4b9xe6kd2r7t0w3y5h8a
             */
            id: string;
            /**
             * @description The name that colleagues know.
             * @example Nimali Fernando
             */
            name: string;
            role: components["schemas"]["RoleReference"];
            status: components["schemas"]["AdminUserStatus"];
        };
        /** @description A page of administrators. */
        AdminUserList: {
            /** @description The administrators, newest first. */
            data: components["schemas"]["AdminUserSummary"][];
            pagination: components["schemas"]["Pagination"];
        };
        /**
         * @description A deactivated administrator can no longer log in; their sessions have ended.
         * @enum {string}
         */
        AdminUserStatus: "active" | "deactivated";
        /** @description An administrator's state after it was set. */
        AdminUserStatusChange: {
            /**
             * @description The id of the administrator.
             * @example adm_01jggf4b9xe6kd2r7t0w3y5h8a
             */
            id: string;
            /**
             * @description What that means, in words for people.
             * @example The administrator can log in.
             */
            message: string;
            status: components["schemas"]["AdminUserStatus"];
        };
        /** @description An administrator as lists show them. */
        AdminUserSummary: {
            /**
             * Format: date-time
             * @description When they were added.
             * @example 2026-01-02T03:02:11.004Z
             */
            createdAt: string;
            /**
             * @description The e-mail address that they log in with, in lower case.
             * @example nimali@kasi.example
             */
            email: string;
            /**
             * @description The id of the administrator.
             * @example adm_01jggf4b9xe6kd2r7t0w3y5h8a
             */
            id: string;
            /**
             * Format: date-time
             * @description When they last logged in; null when they never have.
             * @example 2026-01-05T08:14:31.220Z
             */
            lastLoginAt: string | null;
            /**
             * @description The name that colleagues know.
             * @example Nimali Fernando
             */
            name: string;
            role: components["schemas"]["RoleReference"];
            status: components["schemas"]["AdminUserStatus"];
        };
        /** @description A withdrawal with everything that administrators know of it. */
        AdminWithdrawal: {
            /**
             * @description What left the merchant's balance, in US dollars, a decimal string with 2 decimals.
             * @example 250.00
             */
            amount: string;
            /**
             * @description The number of the bank account, whole for those who may manage withdrawals and masked but for its last four characters for others; null for `crypto`.
             * @example null
             */
            bankAccountNumber: string | null;
            /**
             * @description The branch of the bank; null for `crypto`.
             * @example null
             */
            bankBranch: string | null;
            /**
             * @description The name of the bank; null for `crypto`.
             * @example null
             */
            bankName: string | null;
            /**
             * @description Whether it was `rejected` by its merchant.
             * @example false
             */
            cancelled: boolean;
            /**
             * Format: date-time
             * @description When it ended, in whatever way; null before.
             * @example null
             */
            closedAt: string | null;
            /**
             * @description The administrator who completed, rejected or failed it; null before, and when its merchant cancelled it.
             * @example null
             */
            closedBy: string | null;
            /**
             * Format: date-time
             * @description When it became `completed`; null otherwise.
             * @example null
             */
            completedAt: string | null;
            currency: components["schemas"]["WithdrawalToken"];
            /**
             * @description Where the crypto goes. For `bank` it is the platform's `offRampAddress` as it was at the approval; null before, and when none is set.
             * @example 0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed
             */
            destinationAddress: string | null;
            /**
             * @description What the platform keeps of it.
             * @example 1.00
             */
            fee: string;
            /**
             * @description The id of the withdrawal.
             * @example wd_01jggk4x7c2m9q5s8v1y3b6d0f
             */
            id: string;
            /**
             * @description Whose money it is.
             * @example mer_01jggf3t6he2nb5w8c4y7z9m1k
             */
            merchantId: string;
            /**
             * @description The business name of the merchant.
             * @example Ceylon Tea House
             */
            merchantName: string;
            /** @description The state of the merchant now. Only an `active` one is paid. */
            merchantStatus: components["schemas"]["MerchantStatus"];
            method: components["schemas"]["WithdrawalMethod"];
            /**
             * @description What has to arrive at the destination.
             * @example 249.00
             */
            netAmount: string;
            /**
             * @description The network that it is paid on.
             * @example devnet
             */
            network: string;
            /**
             * @description The latest note of an administrator, for administrators only.
             * @example null
             */
            notes: string | null;
            /**
             * Format: date-time
             * @description When somebody began to pay it; null if nobody said so.
             * @example null
             */
            processingAt: string | null;
            /**
             * @description Why it was rejected or failed, as the merchant reads it.
             * @example null
             */
            reason: string | null;
            /**
             * @description The bank's reference of the payment, in capitals; null until it is paid, and where a transaction on chain paid it.
             * @example null
             */
            reference: string | null;
            /**
             * Format: date-time
             * @description When the merchant asked for it.
             * @example 2026-01-02T03:04:05.006Z
             */
            requestedAt: string;
            /**
             * @description How many payouts of it were taken back by the chain after it was `completed`.
             * @example 0
             */
            reverts: number;
            /**
             * Format: date-time
             * @description When it was approved or rejected; null before, and when its merchant cancelled it.
             * @example null
             */
            reviewedAt: string | null;
            /**
             * @description The administrator who approved or rejected it; null before, and when its merchant cancelled it.
             * @example null
             */
            reviewedBy: string | null;
            status: components["schemas"]["AdminWithdrawalStatus"];
            /**
             * @description The height of the block that the payout was found in; null until then, and where the chain was not asked.
             * @example null
             */
            txBlock: number | null;
            /**
             * Format: date-time
             * @description When the payout was seen in a block that is final; null until then. Until then a reorg may take it back.
             * @example null
             */
            txFinalAt: string | null;
            /**
             * @description The transaction that paid it, or the bank's `reference`; null until it is `completed`.
             * @example null
             */
            txHash: string | null;
            /**
             * @description Whether the chain was asked and agreed before it was called `completed`; null until then.
             * @example null
             */
            txVerified: boolean | null;
            /**
             * Format: date-time
             * @description When it last changed.
             * @example 2026-01-02T03:04:05.006Z
             */
            updatedAt: string;
        };
        /** @description A page of withdrawals. */
        AdminWithdrawalList: {
            /** @description The withdrawals, newest first. */
            data: components["schemas"]["AdminWithdrawalSummary"][];
            pagination: components["schemas"]["Pagination"];
        };
        /**
         * @description The state of a withdrawal.
         *
         *     ```
         *     pending ──▶ approved ──▶ processing ──▶ completed
         *        │           │  └───────────│─────────────▲
         *        ▼           └──▶ failed ◀──┘
         *     rejected
         *     ```
         *
         *     - `pending`: it waits for a decision.
         *     - `approved`: it may be paid.
         *     - `processing`: somebody is paying it. One that was `completed` comes back here when the chain takes its payout back.
         *     - `completed`: it is paid, by the transaction in `txHash`.
         *     - `rejected`: it was refused, or cancelled by its merchant. The money is back in the merchant's balance.
         *     - `failed`: it was approved and could not be paid. The money is back in the merchant's balance.
         * @example pending
         * @enum {string}
         */
        AdminWithdrawalStatus: "pending" | "approved" | "rejected" | "processing" | "completed" | "failed";
        /** @description A withdrawal as lists for administrators show it. */
        AdminWithdrawalSummary: {
            /**
             * @description What left the merchant's balance, in US dollars, a decimal string with 2 decimals.
             * @example 250.00
             */
            amount: string;
            currency: components["schemas"]["WithdrawalToken"];
            /**
             * @description Where the crypto goes. For `bank` it is the platform's `offRampAddress` as it was at the approval; null before, and when none is set.
             * @example 0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed
             */
            destinationAddress: string | null;
            /**
             * @description The id of the withdrawal.
             * @example wd_01jggk4x7c2m9q5s8v1y3b6d0f
             */
            id: string;
            /**
             * @description Whose money it is.
             * @example mer_01jggf3t6he2nb5w8c4y7z9m1k
             */
            merchantId: string;
            /**
             * @description The business name of the merchant.
             * @example Ceylon Tea House
             */
            merchantName: string;
            method: components["schemas"]["WithdrawalMethod"];
            /**
             * @description The network that it is paid on.
             * @example devnet
             */
            network: string;
            /**
             * @description The latest note of an administrator, for administrators only.
             * @example null
             */
            notes: string | null;
            /**
             * @description The bank's reference of the payment, in capitals; null until it is paid, and where a transaction on chain paid it.
             * @example null
             */
            reference: string | null;
            /**
             * Format: date-time
             * @description When the merchant asked for it.
             * @example 2026-01-02T03:04:05.006Z
             */
            requestedAt: string;
            /**
             * @description The administrator who approved or rejected it; null before, and when its merchant cancelled it.
             * @example null
             */
            reviewedBy: string | null;
            status: components["schemas"]["AdminWithdrawalStatus"];
            /**
             * @description The transaction that paid it, or the bank's `reference`; null until it is `completed`.
             * @example null
             */
            txHash: string | null;
            /**
             * Format: date-time
             * @description When it last changed.
             * @example 2026-01-02T03:04:05.006Z
             */
            updatedAt: string;
        };
        /** @description How far to move the clock, either by `seconds` or `to` a time. It only goes forward. */
        AdvanceSandboxClockRequest: {
            /**
             * @description How many seconds to go forward, at most ten years.
             * @example 3600
             */
            seconds?: number;
            /**
             * Format: date-time
             * @description The time to go to, not before the present one.
             * @example 2035-01-02T04:04:05.006Z
             */
            to?: string;
        };
        /**
         * @description How the customer's wallet agrees to `mandate`.
         *
         *     - `signature`: it signs `typedData`, and we bring that to the chain; that costs the customer nothing.
         *     - `transaction`: it sends `authorize(mandate)` to `collector` from `walletAddress`, and pays the network's fee for it. So it
         *       is once the chain has refused what the wallet had signed: no other signature of this mandate is brought there.
         *
         *     Such a transaction counts at any time, also while a signature would do. A new mandate begins with `signature` again.
         * @enum {string}
         */
        AgreementMethod: "signature" | "transaction";
        /** @description Where the platform sends its alerts, and how that is going. */
        AlertChannel: {
            /**
             * @description Scheme and host of `ALERT_WEBHOOK_URL`, as the process that answers is configured; null when alerts are sent nowhere. The path stays secret.
             * @example https://alerts.example
             */
            destination: string | null;
            /**
             * Format: date-time
             * @description When an alert last arrived; null when none did.
             * @example 2026-01-02T03:04:06.006Z
             */
            lastDeliveredAt: string | null;
            /**
             * @description Why the last attempt of an alert that is waiting failed; null when none failed.
             * @example null
             */
            lastFailure: string | null;
            /**
             * @description The key that verifies alerts, like a merchant's webhooks: an Ed25519 public key with the prefix `whpk_`. It follows from the master key and changes with it.
             * @example whpk_lC2yvQp3GJTf3hTz0Ekf9hQn0mYF9x2nqzOZ0l2bX2k=
             */
            publicKey: string;
            /**
             * @description How many alerts are on their way, the failing ones included.
             * @example 0
             */
            waiting: number;
        };
        /** @description A key for your servers. The secret that belongs to it was shown once, when it was made. */
        ApiKey: {
            /**
             * @description The addresses that it may be used from, as addresses or CIDR ranges; none means from everywhere.
             * @example [
             *       "203.0.113.0/24"
             *     ]
             */
            allowedIps: string[];
            /**
             * @description The public value, sent in the header `X-API-Key`.
             * @example pk_sandbox_7d1e5c90b3f84a26a8c2f6e1d4b70953
             */
            apiKey: string;
            /**
             * Format: date-time
             * @description When it was made.
             * @example 2026-01-02T03:04:05.006Z
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When it stops working by itself; null means never.
             * @example 2027-01-02T03:04:05.006Z
             */
            expiresAt: string | null;
            /**
             * @description The id of the key, by which it is deleted and rotated.
             * @example key_01jggfq2m6b8t4x0r5d9c3v7hk
             */
            id: string;
            /**
             * Format: date-time
             * @description When it was last used, to the minute; null if never.
             * @example 2026-01-02T03:11:00.000Z
             */
            lastUsedAt: string | null;
            /**
             * @description What you call it.
             * @example Web shop
             */
            name: string;
            /**
             * @description What the key may do.
             * @example [
             *       "payments:read",
             *       "payments:write"
             *     ]
             */
            permissions: components["schemas"]["ApiKeyScope"][];
        };
        /** @description A new key with its secret. Store the secret now, it is never shown again. */
        ApiKeyCreated: {
            /**
             * @description The addresses that it may be used from, as addresses or CIDR ranges; none means from everywhere.
             * @example [
             *       "203.0.113.0/24"
             *     ]
             */
            allowedIps: string[];
            /**
             * @description The public value, sent in the header `X-API-Key`.
             * @example pk_sandbox_7d1e5c90b3f84a26a8c2f6e1d4b70953
             */
            apiKey: string;
            /**
             * @description The secret that signs requests. It is in this answer and nowhere else, ever; keep it like a password.
             * @example sk_sandbox_4f9c2b7e8a1d0356c9e4b2f7a8d1e03b4f9c2b7e8a1d0356c9e4b2f7a8d1e03b
             */
            apiSecret: string;
            /**
             * Format: date-time
             * @description When it was made.
             * @example 2026-01-02T03:04:05.006Z
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When it stops working by itself; null means never.
             * @example 2027-01-02T03:04:05.006Z
             */
            expiresAt: string | null;
            /**
             * @description The id of the key, by which it is deleted and rotated.
             * @example key_01jggfq2m6b8t4x0r5d9c3v7hk
             */
            id: string;
            /**
             * @description What you call it.
             * @example Web shop
             */
            name: string;
            /**
             * @description What the key may do.
             * @example [
             *       "payments:read",
             *       "payments:write"
             *     ]
             */
            permissions: components["schemas"]["ApiKeyScope"][];
        };
        /** @description An API key was made, or made anew by rotating another. */
        ApiKeyCreatedEvent: components["schemas"]["EventEnvelope"] & {
            /** @description The key as it was made, without its secret. */
            data: components["schemas"]["ApiKey"];
            /**
             * @description The type of the event.
             * @constant
             */
            type: "api_key.created";
        };
        /** @description Your API keys. */
        ApiKeyList: {
            /** @description The keys that work, newest first. */
            data: components["schemas"]["ApiKey"][];
        };
        /** @description An API key was deleted or replaced at once and works no more. */
        ApiKeyRevokedEvent: components["schemas"]["EventEnvelope"] & {
            /** @description The key as it was when it was revoked. */
            data: components["schemas"]["ApiKey"];
            /**
             * @description The type of the event.
             * @constant
             */
            type: "api_key.revoked";
        };
        /**
         * @description What an API key may do. `payments:read` reads payments and checkout sessions, `payments:write` creates and decides about them, `settlements:read` reads the balance and the ledger, `settlements:write` asks for withdrawals, `webhooks:manage` is for everything about webhooks. Only a key that was made with them may do more: `links:manage` makes and changes payment links, `subscriptions:manage` plans and subscriptions.
         * @enum {string}
         */
        ApiKeyScope: "payments:read" | "payments:write" | "settlements:read" | "settlements:write" | "webhooks:manage" | "links:manage" | "subscriptions:manage";
        /** @description The approver's own second-factor code. */
        ApproveChangeRequest: {
            /**
             * Format: text
             * @description A code of the authenticator app or a recovery code. Needed when two-factor authentication is on, ignored otherwise.
             * @example 492039
             */
            otp?: string;
        };
        /** @description What there is to say about it. */
        ApproveWithdrawalRequest: {
            /**
             * Format: text
             * @description A note for administrators. An empty or blank one leaves the note before.
             * @example Account checked with the bank.
             */
            notes?: string;
        };
        /**
         * @description Who did it: `admin`, an administrator of the platform; `merchant`, the merchant itself, by a session or an API key; `system`, nobody of these: a job, a payer, or somebody who did not prove who they are.
         * @enum {string}
         */
        AuditActorType: "admin" | "merchant" | "system";
        /** @description Something that was done, or tried and refused. Entries are never changed or removed. */
        AuditLogEntry: {
            /**
             * @description What was done, as `<resource>.<verb>`. New actions may appear at any time.
             * @example payment_link.create
             */
            action: string;
            /**
             * @description The id of whoever did it; for `system` a word such as `payer`, or empty.
             * @example mer_01jgges3h8v2n6x0c4b7k9m5qw
             */
            actorId: string;
            actorType: components["schemas"]["AuditActorType"];
            /**
             * @description The SHA-256 over its place, the hash of the entry before and all of this entry, 64 hexadecimal digits; null as long as `sequence` is.
             * @example cff8a02f29078bf8c7ce81928b45fda5715741b98027944fb0b84f726dc6c87f
             */
            hash: string | null;
            /**
             * @description The id of the entry.
             * @example log_01jggfnds9e9gt3f3v5s7k2m4n
             */
            id: string;
            /**
             * @description The address that the request came from; empty for jobs, and for administrators where merchants read it.
             * @example 203.0.113.9
             */
            ipAddress: string;
            /**
             * @description What else there is to know of this action, for example the old and the new status. Never a secret.
             * @example {
             *       "keyName": "Web shop"
             *     }
             */
            metadata: {
                [key: string]: unknown;
            };
            /**
             * @description The `X-Request-Id` of the request, empty for jobs.
             * @example req-8f14e45fceea
             */
            requestId: string;
            /**
             * @description The id of what it was done to, empty where it has none.
             * @example plink_01jggfa4w7q1z8c5v2b9n3m6ke
             */
            resourceId: string;
            /**
             * @description The kind of what it was done to, the first part of `action`.
             * @example payment_link
             */
            resourceType: string;
            /**
             * @description Its place in the platform's chain of entries, about a second after it was written, and null before.
             * @example 1042
             */
            sequence: number | null;
            /**
             * Format: date-time
             * @description When it was done.
             * @example 2026-01-02T03:11:42.117Z
             */
            timestamp: string;
            /**
             * @description What the caller called itself; empty where `ipAddress` is.
             * @example Mozilla/5.0
             */
            userAgent: string;
        };
        /** @description A page of the audit log. */
        AuditLogEntryList: {
            /** @description The entries, newest first. */
            data: components["schemas"]["AuditLogEntry"][];
            pagination: components["schemas"]["Pagination"];
        };
        /** @description The fee of a payout to a bank account. */
        BankWithdrawalFee: {
            /**
             * @description Hundredths of a percent of the amount, rounded up to cents.
             * @example 50
             */
            bps: number;
            /**
             * @description At least this, in US dollars.
             * @example 5.00
             */
            min: string;
        };
        /** @description The fee of a payout to a bank account. */
        BankWithdrawalFeeInput: {
            /**
             * @description Hundredths of a percent of the amount, rounded up to cents.
             * @example 50
             */
            bps: number;
            /**
             * @description At least this, in US dollars.
             * @example 5.00
             */
            min: string;
        };
        /**
         * @description The legal form of the business.
         * @enum {string}
         */
        BusinessType: "individual" | "company" | "nonprofit";
        /** @description The proof that the wallet's owner wants to cancel. */
        CancelByWalletRequest: {
            /**
             * @description The id of the challenge whose text was signed.
             * @example wch_01jggm9h3k5n7q9s1v3x5z7b9d
             */
            challengeId: string;
            /**
             * @description The wallet's signature of the text (`personal_sign`), as 0x and hexadecimal digits. Wallets that are contracts sign by ERC-1271.
             * @example 0x6bd1f2f0cd2b5a1e5d3a7bb0e9f4c86d21a0c7e4f35b98d60217ea4c5b9d8f301c2e4a6b8d0f2143658799abcdef0123456789fedcba98765432100fedcba9871b
             */
            signature: string;
        };
        /** @description Why it is cancelled. */
        CancelChangeRequest: {
            /**
             * Format: text
             * @description Why, for the other administrators to read. Spaces alone are refused.
             * @example This is not the address of our off-ramp.
             */
            reason: string;
        };
        /**
         * @description What a signed text is good for.
         *
         *     - `subscribe`: to subscribe the wallet to the plan `planId`.
         *     - `sign_in`: to see the wallet's subscriptions.
         *     - `cancel`: to cancel the subscription `subscriptionId`.
         * @example sign_in
         * @enum {string}
         */
        ChallengePurpose: "subscribe" | "sign_in" | "cancel";
        /** @description The old password and the new one. */
        ChangeAdminPasswordRequest: {
            /**
             * Format: text
             * @description The password that is valid now.
             * @example Str0ng-enough
             */
            currentPassword: string;
            /**
             * Format: text
             * @description 8 to 128 characters with at least one upper-case letter, one lower-case letter and one digit.
             * @example Even-str0nger
             */
            newPassword: string;
            /**
             * Format: text
             * @description A code of the authenticator app or a recovery code. Needed when two-factor authentication is on, ignored otherwise.
             * @example 492039
             */
            otp?: string;
        };
        /** @description The caller's own second-factor code. */
        ChangeAdminStatusRequest: {
            /**
             * Format: text
             * @description A code of the authenticator app or a recovery code. Needed when two-factor authentication is on and the administrator's role moves money or rights; ignored otherwise.
             * @example 492039
             */
            otp?: string;
        };
        /**
         * @description What a change is about.
         *
         *     - `settings`: the settings of the platform.
         *     - `role`: the permissions of a role.
         *     - `admin`: the role of an administrator, or a new administrator.
         * @example settings
         * @enum {string}
         */
        ChangeKind: "settings" | "role" | "admin";
        /** @description A page of changes. */
        ChangeList: {
            /** @description The changes, newest first. */
            data: components["schemas"]["GuardedChange"][];
            pagination: components["schemas"]["Pagination"];
        };
        /** @description The old password and the new one. */
        ChangeMerchantPasswordRequest: {
            /**
             * Format: text
             * @description The password that is valid now.
             * @example Str0ng-enough
             */
            currentPassword: string;
            /**
             * Format: text
             * @description 8 to 128 characters with at least one upper-case letter, one lower-case letter and one digit.
             * @example Even-str0nger
             */
            newPassword: string;
            /**
             * Format: text
             * @description A code of the authenticator app or a recovery code. Needed when two-factor authentication is on, ignored otherwise.
             * @example 492039
             */
            otp?: string;
        };
        /**
         * @description The state of a change that has to wait.
         *
         *     ```
         *     proposed ──▶ approved ──▶ in_effect
         *        │  └─────────│───▶ cancelled
         *        ▼            └────────▲
         *     expired
         *     ```
         *
         *     - `proposed`: another administrator has to approve it.
         *     - `approved`: it needs no further approval and takes effect when it is due.
         *     - `in_effect`: it has taken effect.
         *     - `cancelled`: an administrator cancelled it, or the service found that it can't take effect any more; `reason` says why.
         *     - `expired`: it was not approved in time.
         * @example approved
         * @enum {string}
         */
        ChangeStatus: "proposed" | "approved" | "in_effect" | "cancelled" | "expired";
        /** @description What a subscription owes for one period, and what became of it. */
        Charge: {
            /**
             * Format: money
             * @description What is charged, in `currency`.
             * @example 25
             */
            amount: number;
            /** @description The tries, newest first, at most 20. */
            attempts: components["schemas"]["ChargeAttempt"][];
            /**
             * Format: date-time
             * @description When the charge was made.
             * @example 2026-01-16T03:04:05.106Z
             */
            createdAt: string;
            currency: components["schemas"]["Currency"];
            /**
             * Format: date-time
             * @description When it is to be collected, null unless it is `due`.
             * @example null
             */
            dueAt: string | null;
            /**
             * Format: date-time
             * @description Until when it has to wait, because the mandate allows no more before. null when it does not wait.
             * @example null
             */
            earliestChargeAt: string | null;
            /** @description Why the last try failed, null when it did not. */
            failureCode: components["schemas"]["ChargeFailureCode"];
            /**
             * @description The id of the charge.
             * @example chg_01jggmbw4y6a8c0e2g5j7m9q1s
             */
            id: string;
            /**
             * @description The network that it is collected on.
             * @example devnet
             */
            network: string;
            /**
             * @description The number of the period, counted from 1. All tries of a charge have the same, and the chain takes each only once.
             * @example 1
             */
            number: number;
            /**
             * @description Its payment, null until it is collected.
             * @example pay_01jggfnds9e9gt3f3v5s7k2m4n
             */
            paymentId: string | null;
            /**
             * Format: date-time
             * @description When that period ends.
             * @example 2026-02-16T03:04:05.006Z
             */
            periodEnd: string;
            /**
             * Format: date-time
             * @description When the period begins that it pays for.
             * @example 2026-01-16T03:04:05.006Z
             */
            periodStart: string;
            /**
             * Format: date-time
             * @description When a reorganised chain took its money back after it had succeeded. null when that never happened, and once it has succeeded again.
             * @example null
             */
            reversedAt: string | null;
            status: components["schemas"]["ChargeStatus"];
            /**
             * @description The subscription that it belongs to.
             * @example sub_01jggm8d2f5h7k9m1p3r6t8v0x
             */
            subscriptionId: string;
            token: components["schemas"]["SubscriptionToken"];
            /**
             * @description What is taken, a decimal string in `token`; null until it is collected for the first time.
             * @example 25.000000
             */
            tokenAmount: string | null;
            /**
             * @description The transaction that collected it, null until then.
             * @example 0x8a1f0c6de2b94375c1a7e09f5d3b2846a0e7c9d14f6b83520d9e1c7a4b5f6038
             */
            txHash: string | null;
        };
        /** @description One try to collect a charge. */
        ChargeAttempt: {
            /**
             * Format: date-time
             * @description When it was made.
             * @example 2026-01-16T03:04:08.112Z
             */
            at: string;
            failureCode: components["schemas"]["ChargeFailureCode"];
            outcome: components["schemas"]["ChargeOutcome"];
            /**
             * @description The transaction that it was made by, null when none was sent.
             * @example 0x8a1f0c6de2b94375c1a7e09f5d3b2846a0e7c9d14f6b83520d9e1c7a4b5f6038
             */
            txHash: string | null;
        };
        /**
         * @description Why a charge failed, null when it did not.
         *
         *     - `mandate_missing`: the customer has not agreed, or to less than is charged now.
         *     - `mandate_revoked`: the customer has withdrawn the mandate, or its time is over.
         *     - `insufficient_balance`: the wallet does not hold enough.
         *     - `insufficient_allowance`: the token does not let the collector take enough.
         *     - `token_blocked`: the token's contract refuses to move money of this wallet.
         *     - `network_unavailable`: the network could not be reached.
         *     - `gas_too_dear`: the network's gas costs too much for so small a charge at present. It waits and is tried again every
         *       five minutes.
         * @example null
         * @enum {string|null}
         */
        ChargeFailureCode: "mandate_missing" | "mandate_revoked" | "insufficient_balance" | "insufficient_allowance" | "token_blocked" | "network_unavailable" | "gas_too_dear" | null;
        /** @description A page of charges. */
        ChargeList: {
            /** @description The charges, newest first. */
            data: components["schemas"]["Charge"][];
            pagination: components["schemas"]["Pagination"];
        };
        /**
         * @description What became of one try.
         *
         *     - `sent`: it is on its way to the chain.
         *     - `collected`: the money was taken.
         *     - `failed`: it was refused, see `failureCode`.
         *     - `deferred`: it was put off, because the mandate allows no more for now or the network could not be reached. That uses up
         *       no retry.
         *     - `lost`: its transaction never came about, or the chain took it back. The charge is sent again.
         * @enum {string}
         */
        ChargeOutcome: "sent" | "collected" | "failed" | "deferred" | "lost";
        /**
         * @description The state of a charge.
         *
         *     - `due`: it is to be collected, see `dueAt`.
         *     - `sending`: it is on its way to the chain.
         *     - `confirming`: it was collected, and its payment waits for the network to confirm.
         *     - `succeeded`: its payment is paid.
         *     - `failed`: the last try failed. While the subscription is `past_due` it is tried again.
         *     - `void`: its period went by without it, and nothing was taken for it.
         * @enum {string}
         */
        ChargeStatus: "due" | "sending" | "confirming" | "succeeded" | "failed" | "void";
        /** @description A checkout session, as its merchant sees it. Its payment has the details. */
        CheckoutSession: {
            /**
             * Format: money
             * @description The amount to pay, in `currency`.
             * @example 49.99
             */
            amount: number;
            /**
             * Format: uri
             * @description Where the customer goes when they turn back, as you gave it.
             * @example https://shop.example/cart
             */
            cancelUrl: string;
            /**
             * Format: uri
             * @description The hosted page.
             * @example http://localhost:3000/checkout/session/cs_01jggfq7w3e8yt1b4n6m9p2s5d
             */
            checkoutUrl: string;
            /**
             * Format: date-time
             * @description When the session was created.
             * @example 2026-01-02T03:04:05.006Z
             */
            createdAt: string;
            currency: components["schemas"]["Currency"];
            /**
             * Format: date-time
             * @description Until when the session can be paid.
             * @example 2026-01-02T05:04:05.006Z
             */
            expiresAt: string;
            /**
             * @description The id of the session.
             * @example cs_01jggfq7w3e8yt1b4n6m9p2s5d
             */
            id: string;
            metadata: components["schemas"]["Metadata"];
            /**
             * @description The payment of this session.
             * @example pay_01jggfnds9e9gt3f3v5s7k2m4n
             */
            paymentId: string;
            status: components["schemas"]["CheckoutSessionStatus"];
            /**
             * Format: uri
             * @description Where the customer goes after paying, as you gave it.
             * @example https://shop.example/thanks
             */
            successUrl: string;
        };
        /** @description The payment of the session is paid. */
        CheckoutSessionCompletedEvent: components["schemas"]["EventEnvelope"] & {
            /** @description The checkout session as it was when the event happened. */
            data: components["schemas"]["CheckoutSession"];
            /**
             * @description The type of the event.
             * @constant
             */
            type: "checkout.session.completed";
        };
        /** @description A new checkout session. */
        CheckoutSessionCreated: {
            /**
             * Format: uri
             * @description The hosted page. Redirect the customer there.
             * @example http://localhost:3000/checkout/session/cs_01jggfq7w3e8yt1b4n6m9p2s5d
             */
            checkoutUrl: string;
            /**
             * Format: date-time
             * @description Until when the session can be paid.
             * @example 2026-01-02T05:04:05.006Z
             */
            expiresAt: string;
            /**
             * @description The id of the session, under the name that it has everywhere else.
             * @example cs_01jggfq7w3e8yt1b4n6m9p2s5d
             */
            id: string;
            /**
             * @description The payment of the session, which webhooks are about.
             * @example pay_01jggfnds9e9gt3f3v5s7k2m4n
             */
            paymentId: string;
            /**
             * @description The id of the session.
             * @example cs_01jggfq7w3e8yt1b4n6m9p2s5d
             */
            sessionId: string;
        };
        /** @description The session ended without being paid. */
        CheckoutSessionExpiredEvent: components["schemas"]["EventEnvelope"] & {
            /** @description The checkout session as it was when the event happened. */
            data: components["schemas"]["CheckoutSession"];
            /**
             * @description The type of the event.
             * @constant
             */
            type: "checkout.session.expired";
        };
        /**
         * @description The state of a checkout session.
         *
         *     - `open`: the customer can pay.
         *     - `completed`: its payment is paid.
         *     - `expired`: its time ran out, or you expired it.
         * @enum {string}
         */
        CheckoutSessionStatus: "open" | "completed" | "expired";
        /** @description Where the money shall go. */
        ClaimRefundRequest: {
            /**
             * @description An address of the refund's network that is the payer's own. An exchange's address will do when it is one for deposits of that token on that network; the address that a withdrawal of an exchange came from will not.
             * @example 0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed
             */
            destinationAddress: string;
            /**
             * @description The signature of `wallet.message` by the wallet that paid, whose address is then `destinationAddress`. Without it the address is whatever the holder of the link says.
             * @example 0x6bd1f2f0cd2b5a1e5d3a7bb0e9f4c86d21a0c7e4f35b98d60217ea4c5b9d8f301c2e4a6b8d0f2143658799abcdef0123456789fedcba98765432100fedcba9871b
             */
            signature?: string;
        };
        /** @description What a transaction completed, and what it did not. */
        CompletedPayouts: {
            /** @description What this transaction has completed, now or before. */
            completed: string[];
            /** @description What is not completed. */
            refused: components["schemas"]["RefusedPayout"][];
        };
        /** @description A transaction, and what it paid. */
        CompletePayoutsRequest: {
            /**
             * Format: text
             * @description A note on each of them, for other administrators.
             * @example Payout run of 2 January.
             */
            notes?: string;
            /**
             * @description The withdrawals and refunds that it paid.
             * @example [
             *       "wd_01jggk4x7c2m9q5s8v1y3b6d0f",
             *       "rfd_01jggm5r8e3t6y9b2d4f7h0k1n"
             *     ]
             */
            payoutIds: string[];
            /**
             * @description The transaction that paid them, as its network writes hashes.
             * @example 0x8d3f0c1b7a59e246d80b35fa91c7e264f0a1d5b83c96e7f2041a8b5d6c3e9f70
             */
            txHash: string;
        };
        /** @description What paid the refund. */
        CompleteRefundRequest: {
            /**
             * Format: text
             * @description A note for other administrators.
             * @example Payout run of 2 January.
             */
            notes?: string;
            /**
             * @description The transaction that paid it, as its network writes hashes.
             * @example 0x5e0c94d1b7a8f36250d9e4c7183ab6f20c5d7e91a4b83f6072c1d95e8a3b4f16
             */
            txHash: string;
        };
        /** @description The transaction that paid it. */
        CompleteWithdrawalRequest: {
            /**
             * Format: text
             * @description A note for administrators. An empty or blank one leaves the note before. Needed where the network is no longer listed.
             * @example Sent from the payout wallet.
             */
            notes?: string;
            /**
             * Format: text
             * @description The hash of the transaction, 0x and 64 hexadecimal digits on EVM networks. For a withdrawal to a bank account that no transfer on chain leads to, the bank's reference, 4 to 64 characters, or such a hash.
             * @example 0x8d3f0c1b7a59e246d80b35fa91c7e264f0a1d5b83c96e7f2041a8b5d6c3e9f70
             */
            txHash: string;
        };
        /** @description Who to add, and what they may do. */
        CreateAdminUserRequest: {
            /**
             * Format: email
             * @description The e-mail address to log in with, unique among administrators whatever its case.
             * @example nimali@kasi.example
             */
            email: string;
            /**
             * Format: text
             * @description The name that colleagues know.
             * @example Nimali Fernando
             */
            name: string;
            /**
             * Format: text
             * @description A code of the authenticator app or a recovery code. Needed when two-factor authentication is on and the role moves money or rights; ignored otherwise.
             * @example 492039
             */
            otp?: string;
            /**
             * Format: text
             * @description 8 to 128 characters with at least one upper-case letter, one lower-case letter and one digit.
             * @example Str0ng-enough
             */
            password: string;
            /**
             * Format: text
             * @description The id of the role, from `GET /v1/admin/roles`.
             * @example role_00000000000000000000000002
             */
            roleId: string;
        };
        /** @description What the key is for, and what it may do. */
        CreateApiKeyRequest: {
            /**
             * @description The addresses that it may be used from, up to 20 addresses or CIDR ranges. Left out or empty, from everywhere.
             * @example [
             *       "203.0.113.0/24"
             *     ]
             */
            allowedIps?: string[];
            /**
             * @description When the key stops working by itself, a date-time in the future with its offset. `""` or null means never.
             * @example 2035-01-02T03:04:05Z
             */
            expiresAt?: string | null;
            /**
             * Format: text
             * @description What you call it, for example the system that will use it.
             * @example Web shop
             */
            name: string;
            /**
             * @description What the key may do, at least one scope. Left out, everything but `links:manage` and `subscriptions:manage`.
             * @example [
             *       "payments:read",
             *       "payments:write"
             *     ]
             */
            permissions?: components["schemas"]["ApiKeyScope"][];
        };
        /** @description What the customer is to pay, and where they go afterwards. */
        CreateCheckoutSessionRequest: {
            /**
             * Format: money
             * @description More than 0, at most 1,000,000.00 USD or 300,000,000.00 LKR, with at most 2 decimals.
             * @example 49.99
             */
            amount: number;
            /**
             * Format: uri
             * @description Where the customer goes when they turn back. The same rules as for `successUrl`.
             * @example https://shop.example/cart
             */
            cancelUrl: string;
            currency: components["schemas"]["Currency"];
            /**
             * Format: email
             * @description Where the payer can be reached.
             * @example nimal@example.org
             */
            customerEmail?: string | null;
            /**
             * Format: text
             * @description What it is for. The payer sees it.
             * @example Order A-1001
             */
            description?: string | null;
            /**
             * @description How long the session can be paid.
             * @default 120
             * @example 120
             */
            expiresInMinutes?: number;
            /** @description The lines that the payer sees: goods, shipping, taxes, discounts. They add up to `amount`. With `metadata` at most 8 KiB of JSON. */
            items?: components["schemas"]["LineItemInput"][];
            locale?: components["schemas"]["Locale"];
            metadata?: components["schemas"]["MetadataInput"];
            /**
             * Format: uri
             * @description Where the customer goes after paying: an http or https URL without user name or password. `session_id` is added to its query, the rest stays as it is.
             * @example https://shop.example/thanks
             */
            successUrl: string;
        };
        /** @description The proof of a wallet. */
        CreateCustomerSessionRequest: {
            /**
             * @description The id of the challenge whose text was signed.
             * @example wch_01jggm9h3k5n7q9s1v3x5z7b9d
             */
            challengeId: string;
            /**
             * @description The wallet's signature of the text (`personal_sign`), as 0x and hexadecimal digits. Wallets that are contracts sign by ERC-1271.
             * @example 0x6bd1f2f0cd2b5a1e5d3a7bb0e9f4c86d21a0c7e4f35b98d60217ea4c5b9d8f301c2e4a6b8d0f2143658799abcdef0123456789fedcba98765432100fedcba9871b
             */
            signature: string;
        };
        /** @description A refund, with the link by which its payer claims it. */
        CreatedRefund: {
            /**
             * Format: money
             * @description What is given back, in the payment's currency and at its locked rate, rounded down.
             * @example 10
             */
            amount: number;
            /**
             * Format: uri
             * @description Send it to your payer: whoever has it says where the money goes. It is shown only now, and a new one can be made. Null when you named a `destinationAddress`.
             * @example http://localhost:3000/checkout/refund/4nK0w2dYt7Qx1sVb9ZpLr6JmHc3GfEaU8oTiXyW5qDk
             */
            claimUrl: string | null;
            /**
             * Format: date-time
             * @description When you made it.
             * @example 2026-01-02T03:04:05.006Z
             */
            createdAt: string;
            currency: components["schemas"]["Currency"];
            /**
             * @description Where it goes; null until that is known.
             * @example null
             */
            destinationAddress: string | null;
            /**
             * Format: date-time
             * @description When it became `completed`, `cancelled` or `failed`; null before.
             * @example null
             */
            finishedAt: string | null;
            /**
             * @description The id of the refund.
             * @example rfd_01jggm5r8e3t6y9b2d4f7h0k1n
             */
            id: string;
            /**
             * @description The network that it is sent on, which is the one that it was paid on.
             * @example devnet
             */
            network: string;
            /**
             * @description Whether the payer took it from the payment's page, where your rules offered it.
             * @example false
             */
            offered: boolean;
            /**
             * @description The payment that it gives back.
             * @example pay_01jggfnds9e9gt3f3v5s7k2m4n
             */
            paymentId: string;
            /**
             * @description Why it is given back, in your words. The payer reads it.
             * @example Only a part of the price arrived.
             */
            reason: string;
            status: components["schemas"]["RefundStatus"];
            /**
             * @description Why it failed, in plain words; null otherwise.
             * @example null
             */
            statusMessage: string | null;
            /** @description The token that is sent, which is the one that was paid. */
            token: components["schemas"]["Token"];
            /**
             * @description What is sent, a decimal string in `token`.
             * @example 10.000000
             */
            tokenAmount: string;
            /**
             * @description The transaction that paid it; null until it is `completed`.
             * @example null
             */
            txHash: string | null;
        };
        /** @description A new payment link. */
        CreatePaymentLinkRequest: {
            /**
             * @description The tokens that payers may choose from, as far as they are enabled; at least one has to be. All of them when you leave it out: those that are enabled later are offered then.
             * @example [
             *       "USDT",
             *       "USDC"
             *     ]
             */
            acceptedTokens?: components["schemas"]["Token"][];
            /**
             * Format: money
             * @description What one payment costs in USD, more than 0 and at most 1,000,000.00, with at most 2 decimals.
             * @example 25
             */
            amount: number;
            /**
             * @description Only `USD`.
             * @default USD
             * @enum {string}
             */
            currency?: "USD";
            /** @description What every payer is asked, at most five questions. Their answers come with the payment. The lines, fields and `thankYou` of a link have at most 8 KiB of JSON together, where four bytes count for every character that a payer may write. */
            customFields?: components["schemas"]["CustomFieldInput"][];
            /**
             * Format: text
             * @description More about it.
             * @example Three hours
             * @example tea and cake included.
             */
            description?: string | null;
            /**
             * @description When the link stops taking payments, a date-time in the future with its offset. `""` or null means never.
             * @example 2035-06-30T18:00:00Z
             */
            expiresAt?: string | null;
            /** @description The lines that every payer sees: goods, shipping, taxes, discounts. They add up to `amount`. Not together with `payerAmount`. At most 8 KiB of JSON. */
            items?: components["schemas"]["LineItemInput"][];
            /**
             * @description How many payments the link takes, open ones included, 1 to 1,000,000. Null, or nothing, for as many as people make.
             * @example 12
             */
            maxPayments?: number | null;
            /** @description Lets every payer choose what they pay, between two amounts; `amount` is then what the page suggests, and lies between them. Without it everybody pays `amount`. */
            payerAmount?: components["schemas"]["PayerAmountInput"];
            /**
             * @description The last part of the address: 3 to 64 lower-case letters, digits and hyphens, with no hyphen at either end. Generated when you leave it out. Free again after the link is deleted.
             * @example spring-workshop
             */
            slug?: string;
            /**
             * Format: text
             * @description What a payer reads once they have paid, on the page and on the receipt; lines are kept. Null or `""` for nothing.
             * @example See you on Saturday at 3 pm.
             *     Bring an apron.
             */
            thankYou?: string | null;
            /**
             * Format: text
             * @description Where a button on that page leads, an https URL without user name or password. Null or `""` for no button.
             * @example https://shop.example/workshop
             */
            thankYouUrl?: string | null;
            /**
             * Format: text
             * @description What is sold, the headline of the page.
             * @example Spring tea workshop
             */
            title: string;
        };
        /** @description A payment without a link or a session, for a checkout page of your own. */
        CreatePaymentRequest: {
            /**
             * @description The tokens that the payer may choose from. Every enabled one when you leave it out.
             * @example [
             *       "USDT",
             *       "USDC"
             *     ]
             */
            acceptedTokens?: components["schemas"]["Token"][];
            /**
             * Format: money
             * @description More than 0, at most 1,000,000.00 USD or 300,000,000.00 LKR, with at most 2 decimals.
             * @example 25
             */
            amount: number;
            currency: components["schemas"]["Currency"];
            /**
             * Format: email
             * @description Where the payer can be reached.
             * @example nimal@example.org
             */
            customerEmail?: string | null;
            /**
             * Format: text
             * @description What it is for. The payer sees it.
             * @example Invoice 2026-014
             */
            description?: string | null;
            /**
             * @description How long the payer has to pay. An hour when you leave it out, unless the platform has set another time.
             * @example 60
             */
            expiresInMinutes?: number;
            /** @description The lines that the payer sees: goods, shipping, taxes, discounts. They add up to `amount`. With `metadata` at most 8 KiB of JSON. */
            items?: components["schemas"]["LineItemInput"][];
            locale?: components["schemas"]["Locale"];
            metadata?: components["schemas"]["MetadataInput"];
        };
        /** @description A new subscription plan. */
        CreatePlanRequest: {
            /**
             * Format: money
             * @description What is charged in every interval, more than 0, at most 1,000,000.00 USD or 300,000,000.00 LKR, with at most 2 decimals.
             * @example 25
             */
            amount: number;
            currency: components["schemas"]["Currency"];
            /**
             * Format: text
             * @description More about it. Customers read it when they agree.
             * @example A parcel of fresh tea every month.
             */
            description?: string | null;
            interval: components["schemas"]["SubscriptionInterval"];
            /**
             * Format: text
             * @description What is sold.
             * @example Tea club
             */
            name: string;
            /**
             * Format: text
             * @description The network that they pay on. The first one that can collect when you leave it out.
             * @example devnet
             */
            network?: string;
            /** @description The stablecoin that customers pay in, `USDT` when you leave it out. */
            token?: components["schemas"]["SubscriptionToken"];
            /**
             * @description How many days a new subscriber pays nothing, 0 to 730.
             * @default 0
             * @example 14
             */
            trialDays?: number;
        };
        /** @description What to give back. It goes in a token that was paid, on the network where it was paid. Where a payment was paid in several, `token` and `network` say in which; without them it is the one of which most is left. */
        CreateRefundRequest: {
            /**
             * @description How much, in the payment's currency with at most 2 decimals; `surplus`: what came beyond what was asked; `all`: everything that is left.
             * @example 10
             * @example surplus
             */
            amount: number | ("surplus" | "all");
            /**
             * @description Where it shall go, an address of that network, when your payer told you. Without it the payer says so themselves by `claimUrl`. Never take the address that a payment came from unasked: an exchange does not find money that is sent back there.
             * @example 0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed
             */
            destinationAddress?: string;
            /**
             * Format: text
             * @description The network to give it back on, one that it was paid on.
             * @example devnet
             */
            network?: string;
            /**
             * Format: text
             * @description The one-time code or a recovery code, needed in a session when two-factor authentication is on; ignored otherwise.
             * @example 492039
             */
            otp?: string;
            /**
             * Format: text
             * @description Why, in plain words for your payer.
             * @example Only a part of the price arrived.
             */
            reason: string;
            /** @description The token to give back, one that was paid. */
            token?: components["schemas"]["Token"];
        };
        /** @description A role to be. */
        CreateRoleRequest: {
            /**
             * Format: text
             * @description What the role is for.
             * @example Reviews withdrawals and sends the money.
             */
            description: string;
            /**
             * @description A unique name of 1 to 120 characters, lower-case letters and digits in words joined by underscores.
             * @example payout_clerk
             */
            name: string;
            /**
             * @description Everything that the role allows, each of it held by your own role.
             * @example [
             *       "merchants.view",
             *       "withdrawals.view",
             *       "withdrawals.manage"
             *     ]
             */
            permissions: components["schemas"]["Permission"][];
        };
        /** @description What the wallet gets. Everything is optional. */
        CreateSandboxWalletRequest: {
            /**
             * @description How much it gets of each test token; 0 makes an empty wallet. Coin for fees it always gets.
             * @default 10000
             */
            amount?: components["schemas"]["SandboxTokenAmount"];
        };
        /** @description What a wallet wants to prove. */
        CreateWalletChallengeRequest: {
            /**
             * Format: text
             * @description The plan to subscribe to; only with `subscribe`.
             * @example plan_01jggm5v7c1x4z8b2n6q9s3w0e
             */
            planId?: string;
            purpose: components["schemas"]["ChallengePurpose"];
            /**
             * Format: text
             * @description The subscription to cancel; only with `cancel`.
             * @example sub_01jggm8d2f5h7k9m1p3r6t8v0x
             */
            subscriptionId?: string;
            /**
             * @description The wallet that signs: 0x and 40 hexadecimal digits, with a right EIP-55 checksum when the case is mixed.
             * @example 0x70997970C51812dc3A010C7d01b50e0d17dc79C8
             */
            walletAddress: string;
        };
        /** @description What to take out, and where it goes: for `crypto` to `destinationAddress`, for `bank` to the account of `bankAccountNumber`, `bankName` and `bankBranch`, all three. Fields of the other method are refused. */
        CreateWithdrawalRequest: {
            /**
             * Format: money
             * @description What leaves your balance, in US dollars with at most 2 decimals. The fee is a part of it.
             * @example 250
             */
            amount: number;
            /**
             * @description The number of the bank account or its IBAN, at least 6 letters and digits, with single spaces or hyphens between them.
             * @example 0072 3456 7890
             */
            bankAccountNumber?: string;
            /**
             * Format: text
             * @description The branch of the bank, by name or code.
             * @example Kandy
             */
            bankBranch?: string;
            /**
             * Format: text
             * @description The name of the bank.
             * @example Bank of Ceylon
             */
            bankName?: string;
            /** @description The stablecoin to pay in, `USDT` when you leave it out. */
            currency?: components["schemas"]["WithdrawalToken"];
            /**
             * @description The wallet that it goes to, an address of `network`: for EVM networks 0x and 40 hexadecimal digits, with a right EIP-55 checksum when the case is mixed. An address of Bitcoin is refused, because no dollars are there. The `walletAddress` of your profile when you leave it out.
             * @example 0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed
             */
            destinationAddress?: string;
            method: components["schemas"]["WithdrawalMethod"];
            /**
             * Format: text
             * @description The network to pay on. The first one of the platform that has dollar tokens when you leave it out.
             * @example devnet
             */
            network?: string;
            /**
             * Format: text
             * @description The one-time code or a recovery code, needed when two-factor authentication is on; ignored otherwise.
             * @example 492039
             */
            otp?: string;
        };
        /**
         * @description The fiat currency of an amount.
         * @enum {string}
         */
        Currency: "USD" | "LKR";
        /** @description A charge that was paid, or is being confirmed. */
        CustomerCharge: {
            /**
             * Format: money
             * @description What was asked, in `currency`.
             * @example 25
             */
            amount: number;
            currency: components["schemas"]["Currency"];
            /**
             * @description The number of its period.
             * @example 1
             */
            number: number;
            /**
             * Format: date-time
             * @description When that period ends.
             * @example 2026-02-16T03:04:05.006Z
             */
            periodEnd: string;
            /**
             * Format: date-time
             * @description When the period begins that it pays for.
             * @example 2026-01-16T03:04:05.006Z
             */
            periodStart: string;
            /**
             * Format: uri
             * @description The receipt of its payment.
             * @example https://pay.example/checkout/receipt/pay_01jggfnds9e9gt3f3v5s7k2m4n
             */
            receiptUrl: string;
            status: components["schemas"]["ChargeStatus"];
            token: components["schemas"]["SubscriptionToken"];
            /**
             * @description What was taken in the token, null where that is not known.
             * @example 25.000000
             */
            tokenAmount: string | null;
        };
        /** @description A customer's session. */
        CustomerSession: {
            /**
             * Format: date-time
             * @description When the session ends.
             * @example 2026-01-02T03:34:05.006Z
             */
            expiresAt: string;
            /**
             * @description Where it has: everywhere for a wallet with a key, on the networks whose contract has agreed for one that is a contract.
             * @example [
             *       "devnet"
             *     ]
             */
            networks: string[];
            /**
             * @description The token. It is stored here only as a hash.
             * @example 9vXk2mQ4rT6yB8nD0fH3jL5pS7uW1zC-aEgIkMoQsUw
             */
            token: string;
            /**
             * @description The wallet that has proven itself.
             * @example 0x70997970C51812dc3A010C7d01b50e0d17dc79C8
             */
            walletAddress: string;
        };
        /** @description What is left of a session. */
        CustomerSessionEnded: {
            /**
             * @description The wallet whose session it was.
             * @example 0x70997970C51812dc3A010C7d01b50e0d17dc79C8
             */
            walletAddress: string;
        };
        /** @description A subscription as the customer's own list shows it. */
        CustomerSubscription: {
            /**
             * Format: money
             * @description What is charged in every interval, in `currency`.
             * @example 25
             */
            amount: number;
            cancelReason: components["schemas"]["SubscriptionCancelReason"];
            /** @description The newest charges that were paid, newest first, twelve at most. */
            charges: components["schemas"]["CustomerCharge"][];
            currency: components["schemas"]["Currency"];
            /**
             * Format: date-time
             * @description When the present period ends.
             * @example 2026-02-16T03:04:05.006Z
             */
            currentPeriodEnd: string;
            /** @description Why the last try to charge failed, null when it did not. */
            failureCode: components["schemas"]["ChargeFailureCode"];
            /**
             * @description The id of the subscription.
             * @example sub_01jggm8d2f5h7k9m1p3r6t8v0x
             */
            id: string;
            interval: components["schemas"]["SubscriptionInterval"];
            /**
             * @description Whether a failed charge can be tried at once.
             * @example false
             */
            isRetryable: boolean;
            mandateStatus: components["schemas"]["MandateStatus"];
            merchantBrand: components["schemas"]["MerchantBrand"];
            merchantContact: components["schemas"]["MerchantContact"];
            /**
             * @description Who is paid.
             * @example Ceylon Tea House
             */
            merchantName: string;
            /**
             * @description The network that it is charged on.
             * @example devnet
             */
            network: string;
            /**
             * Format: date-time
             * @description When the wallet is charged next, or a failed charge is tried again; null when nothing is planned.
             * @example 2026-02-16T03:04:05.006Z
             */
            nextChargeAt: string | null;
            /**
             * @description What is sold.
             * @example Tea club
             */
            planName: string;
            status: components["schemas"]["SubscriptionStatus"];
            token: components["schemas"]["SubscriptionToken"];
            /**
             * Format: date-time
             * @description When the trial ends or ended, null without one.
             * @example null
             */
            trialEnd: string | null;
            /**
             * Format: uri
             * @description Its own page.
             * @example https://pay.example/checkout/subscription/sub_01jggm8d2f5h7k9m1p3r6t8v0x
             */
            url: string;
            /**
             * @description The wallet that pays.
             * @example 0x70997970C51812dc3A010C7d01b50e0d17dc79C8
             */
            walletAddress: string;
        };
        /** @description One page of a customer's subscriptions. */
        CustomerSubscriptionList: {
            /**
             * Format: date-time
             * @description When the session ends.
             * @example 2026-01-02T03:34:05.006Z
             */
            expiresAt: string;
            pagination: components["schemas"]["Pagination"];
            /** @description The subscriptions, newest first. */
            subscriptions: components["schemas"]["CustomerSubscription"][];
            /**
             * @description The wallet whose they are.
             * @example 0x70997970C51812dc3A010C7d01b50e0d17dc79C8
             */
            walletAddress: string;
        };
        /** @description A question that every payer of the link answers. */
        CustomField: {
            /**
             * @description By which the answer is found, unique within the link.
             * @example size
             */
            key: string;
            kind: components["schemas"]["CustomFieldKind"];
            /**
             * @description What the payer reads beside the field.
             * @example Size of your apron
             */
            label: string;
            /**
             * @description Of a `number`, the most; null where any will do, and for other kinds.
             * @example 6
             */
            maximum: number | null;
            /**
             * @description Of a `text`, how many characters it may have; null for other kinds.
             * @example 60
             */
            maxLength: number | null;
            /**
             * @description Of a `number`, the least; null where any will do, and for other kinds.
             * @example 1
             */
            minimum: number | null;
            /**
             * @description Of a `choice`, what there is to choose from; empty for other kinds.
             * @example [
             *       "Small",
             *       "Medium",
             *       "Large"
             *     ]
             */
            options: string[];
            /**
             * @description Whether a payer has to answer.
             * @example true
             */
            required: boolean;
        };
        /** @description What a payer answered to a question of a payment link. */
        CustomFieldAnswer: {
            /**
             * @description The answer, a string for a `text` or a `choice`, a whole number for a `number`.
             * @example Medium
             */
            answer: string | number;
            /**
             * @description The key of the field.
             * @example size
             */
            key: string;
            /**
             * @description What the payer read beside the field.
             * @example Size of your apron
             */
            label: string;
        };
        /**
         * @description The payer's answers, by the `key` of the field: a string for a `text` or a `choice`, a whole number for a `number`. Leave out what is not answered.
         * @example {
         *       "size": "Medium",
         *       "seats": 2
         *     }
         */
        CustomFieldAnswers: {
            [key: string]: string | number;
        };
        /** @description A question that every payer of the link answers. */
        CustomFieldInput: {
            /**
             * @description By which you find the answer, unique within the link: a lower-case letter, then letters, digits and `_`, at most 40 characters.
             * @example size
             */
            key: string;
            kind: components["schemas"]["CustomFieldKind"];
            /**
             * Format: name
             * @description What the payer reads beside the field, one line without spaces around it.
             * @example Size of your apron
             */
            label: string;
            /**
             * @description Of a `number`, the most; any when you leave it out.
             * @example 6
             */
            maximum?: number;
            /**
             * @description Of a `text`, how many characters it may have; 100 when you leave it out.
             * @example 60
             */
            maxLength?: number;
            /**
             * @description Of a `number`, the least; any when you leave it out.
             * @example 1
             */
            minimum?: number;
            /**
             * @description Of a `choice`, what there is to choose from, in this order.
             * @example [
             *       "Small",
             *       "Medium",
             *       "Large"
             *     ]
             */
            options?: string[];
            /**
             * @description Whether a payer has to answer.
             * @default false
             * @example true
             */
            required?: boolean;
        };
        /**
         * @description What a payer fills in.
         *
         *     - `text`: a line of text, at most `maxLength` characters.
         *     - `number`: a whole number from `minimum` to `maximum`.
         *     - `choice`: one of `options`.
         * @enum {string}
         */
        CustomFieldKind: "text" | "number" | "choice";
        /** @description Both factors, for the last time. */
        DisableTwoFactorRequest: {
            /**
             * Format: text
             * @description A code of the authenticator app, or a recovery code.
             * @example 492039
             */
            otp: string;
            /**
             * Format: text
             * @description Your password.
             * @example Str0ng-enough
             */
            password: string;
        };
        /** @description About what an amount comes to in another currency, for people to read. Nothing is asked or paid by it. */
        DisplayAmount: {
            /**
             * Format: money
             * @description The amount at this rate, rounded to cents.
             * @example 7500
             */
            amount: number;
            /** @description The currency that it is shown in. */
            currency: components["schemas"]["Currency"];
            rate: components["schemas"]["DisplayRate"];
        };
        /** @description The rate by which an amount is shown in another currency. */
        DisplayRate: {
            /**
             * Format: date-time
             * @description When it was valid.
             * @example 2026-01-02T03:04:05.006Z
             */
            quotedAt: string;
            /**
             * @description Where the rate comes from.
             * @example fixed
             */
            source: string;
            /**
             * @description How many units of that currency make one US dollar, a decimal string.
             * @example 300
             */
            value: string;
        };
        /** @description The proof that the authenticator app has the secret. */
        EnableTwoFactorRequest: {
            /**
             * Format: text
             * @description The code that the app shows now.
             * @example 492039
             */
            otp: string;
        };
        /**
         * @description The machine-readable kind of an error. One code always comes with one HTTP status, a status may have several codes.
         * @enum {string}
         */
        ErrorCode: "VALIDATION_ERROR" | "UNAUTHORIZED" | "FORBIDDEN" | "NOT_FOUND" | "METHOD_NOT_ALLOWED" | "PAYLOAD_TOO_LARGE" | "UNSUPPORTED_MEDIA_TYPE" | "PAYMENT_REQUIRED" | "CONFLICT" | "INSUFFICIENT_BALANCE" | "IDEMPOTENCY_IN_PROGRESS" | "EXPIRED" | "DISABLED" | "IDEMPOTENCY_KEY_REUSED" | "RATE_LIMITED" | "INTERNAL_ERROR" | "SERVICE_UNAVAILABLE" | "RATE_UNAVAILABLE";
        /** @description What went wrong. */
        ErrorDetail: {
            code: components["schemas"]["ErrorCode"];
            /** @description For `VALIDATION_ERROR`, every part of the request that has to change. */
            fields?: components["schemas"]["ErrorField"][];
            /**
             * @description What went wrong and what to change, for the developer who reads it. The wording may change, the code will not.
             * @example The amount must be greater than 0.
             */
            message: string;
            /**
             * @description A finer code where one `code` has several causes, for example `token_expired` or `merchant_not_active`. New reasons may appear at any time.
             * @example token_expired
             */
            reason?: string;
            /**
             * @description The id of this request, also in the `X-Request-Id` header. Quote it when you ask for help.
             * @example req-8f14e45fceea
             */
            requestId: string;
        };
        /** @description One thing in the request that is wrong. */
        ErrorField: {
            /**
             * @description What is wrong with it and what would be right.
             * @example must be greater than 0
             */
            message: string;
            /**
             * @description Where it is, for example `amount` or `metadata.orderId`; a query or path parameter goes by its name.
             * @example amount
             */
            path: string;
        };
        /** @description The body of every answer that is not a success, on every path. */
        ErrorResponse: {
            error: components["schemas"]["ErrorDetail"];
        };
        /** @description What every event carries around its `type` and `data`. */
        EventEnvelope: {
            /**
             * @description The id of the event, the same in every attempt and redelivery. Remember it to handle an event once.
             * @example evt_01jggfnrx4f1zc8v5b2n7m0q3e
             */
            id: string;
            /**
             * @description False in the sandbox, where money is play money.
             * @example false
             */
            livemode: boolean;
            /**
             * @description The merchant that it happened to.
             * @example mer_01jggf3t6he2nb5w8c4y7z9m1k
             */
            merchantId: string;
            /**
             * @description Counts the events of one resource. Events may arrive out of order; ignore one whose number is below the last that you handled.
             * @example 4
             */
            sequence: number;
            /**
             * Format: date-time
             * @description When it happened.
             * @example 2026-01-02T03:11:42.117Z
             */
            timestamp: string;
        };
        /**
         * @description The type of an event. New types may appear at any time; answer 2xx to those that you do not know.
         * @enum {string}
         */
        EventType: "payment.created" | "payment.pending" | "payment.confirming" | "payment.completed" | "payment.failed" | "payment.expired" | "payment.exception" | "payment.reverted" | "payment.reversed" | "checkout.session.completed" | "checkout.session.expired" | "payment_link.created" | "payment_link.updated" | "payment_link.expired" | "subscription.created" | "subscription.trial_will_end" | "subscription.activated" | "subscription.renewed" | "subscription.charge_failed" | "subscription.charge_reversed" | "subscription.charge_recovered" | "subscription.past_due" | "subscription.paused" | "subscription.cancelled" | "subscription.expired" | "withdrawal.created" | "withdrawal.approved" | "withdrawal.rejected" | "withdrawal.processing" | "withdrawal.completed" | "withdrawal.failed" | "withdrawal.reverted" | "refund.created" | "refund.pending" | "refund.processing" | "refund.completed" | "refund.cancelled" | "refund.failed" | "refund.reverted" | "merchant.status_changed" | "api_key.created" | "api_key.revoked" | "webhook.endpoint_disabled";
        /** @description What to pay. */
        ExportPayoutsRequest: {
            /**
             * @description The fee of a transaction of Bitcoin, in satoshis a virtual byte. What the node advises when it is missing.
             * @example 12
             */
            feeRate?: number;
            /**
             * Format: text
             * @description The network to pay on, one that is listed.
             * @example devnet
             */
            network: string;
            /**
             * @description Only these, also when they are `processing` already, as after a file was lost. Be sure that no transaction pays them.
             * @example [
             *       "wd_01jggk4x7c2m9q5s8v1y3b6d0f",
             *       "rfd_01jggm5r8e3t6y9b2d4f7h0k1n"
             *     ]
             */
            payoutIds?: string[];
        };
        /** @description Why it fails. */
        FailRefundRequest: {
            /**
             * Format: text
             * @description Why it can't be paid, for the merchant.
             * @example The network refuses that address.
             */
            reason: string;
        };
        /** @description Why it can not be paid. */
        FailWithdrawalRequest: {
            /**
             * Format: text
             * @description Why, for the merchant to read. Spaces alone are refused.
             * @example The bank sent the money back.
             */
            reason: string;
        };
        /** @description Why the merchant is frozen. */
        FreezeMerchantRequest: {
            /**
             * Format: text
             * @description Why. The merchant reads it.
             * @example Many payers dispute what they bought.
             */
            reason: string;
        };
        /** @description A change that touches where money goes. It waits, so that everybody can see it and object. */
        GuardedChange: {
            /**
             * Format: date-time
             * @description When it was approved.
             * @example 2026-01-02T04:00:00.000Z
             */
            approvedAt: string | null;
            /**
             * @description The administrator who approved it.
             * @example adm_01jggf9r2td5qm8xk3v7w1y6cz
             */
            approvedBy: string | null;
            /**
             * @description By field, what it was when the change was proposed (`from`) and what it is to be (`to`).
             * @example {
             *       "fourEyesThreshold": {
             *         "from": "1000.00",
             *         "to": "5000.00"
             *       }
             *     }
             */
            changes: {
                [key: string]: unknown;
            };
            /**
             * Format: date-time
             * @description It takes effect then, or with its approval if that comes later.
             * @example 2026-01-03T03:04:05.678Z
             */
            dueAt: string;
            /**
             * Format: date-time
             * @description When it took effect, was cancelled or expired.
             * @example null
             */
            endedAt: string | null;
            /**
             * @description The administrator who cancelled it; null when the service did.
             * @example null
             */
            endedBy: string | null;
            /**
             * Format: date-time
             * @description Until then it can be approved.
             * @example 2026-01-10T03:04:05.678Z
             */
            expiresAt: string;
            /**
             * @description The id of the change.
             * @example gch_01jggk4x7c2m9q5s8v1y3b6d0f
             */
            id: string;
            kind: components["schemas"]["ChangeKind"];
            /** @description Whether another administrator has to approve it. That is so where there is one who can. */
            needsApproval: boolean;
            /**
             * Format: date-time
             * @description When it was proposed.
             * @example 2026-01-02T03:04:05.678Z
             */
            proposedAt: string;
            /**
             * @description The administrator who proposed it.
             * @example adm_01jggf4b9xe6kd2r7t0w3y5h8a
             */
            proposedBy: string;
            /**
             * @description Why it was cancelled.
             * @example null
             */
            reason: string | null;
            status: components["schemas"]["ChangeStatus"];
            /**
             * @description The role or the administrator that it is about; `platform` for settings.
             * @example platform
             */
            subjectId: string;
        };
        /** @description An incident with what it means, what it touches and what to do. */
        Incident: {
            /**
             * Format: date-time
             * @description When an administrator acknowledged it; null before.
             * @example null
             */
            acknowledgedAt: string | null;
            /**
             * @description The administrator who acknowledged it; null before.
             * @example null
             */
            acknowledgedBy: string | null;
            /**
             * @description What to do.
             * @example Mend the cause. Then try it again.
             */
            action: string;
            /**
             * Format: date-time
             * @description When it was put into an alert; null when no alert has told of it.
             * @example 2026-01-02T03:04:05.506Z
             */
            alertedAt: string | null;
            /**
             * @description How often it was seen since it opened, at most once a minute.
             * @example 3
             */
            count: number;
            /**
             * @description More about it, such as the findings of a reconciliation; mostly empty.
             * @example {}
             */
            detail: {
                [key: string]: unknown;
            };
            /**
             * @description What it touches while it lasts, and what it doesn't.
             * @example What arrived is stored and not credited. Other payments are not delayed.
             */
            effect: string;
            /**
             * @description What ends it, and whether the service sees that by itself.
             * @example It is resolved when the parked transfers are counted.
             */
            end: string;
            /**
             * @description The id of the incident.
             * @example inc_00000000000000000000000042
             */
            id: string;
            /**
             * @description What has happened, one of the kinds in the chapter "Incidents". New versions bring new kinds.
             * @example payment.parked
             */
            kind: string;
            /**
             * Format: date-time
             * @description When it was last seen.
             * @example 2026-01-02T04:04:05.006Z
             */
            lastSeenAt: string;
            /**
             * @description What an incident of this kind means.
             * @example Booking what arrived for one payment fails whenever it is tried alone.
             */
            meaning: string;
            /**
             * @description What happened, for the operator.
             * @example numeric field overflow
             */
            message: string;
            /**
             * @description The network that it concerns; null when it concerns none, or none in particular.
             * @example null
             */
            network: string | null;
            /**
             * @description What the administrator wrote who resolved it, else who acknowledged it.
             * @example null
             */
            note: string | null;
            /**
             * Format: date-time
             * @description When it opened.
             * @example 2026-01-02T03:04:05.006Z
             */
            openedAt: string;
            /**
             * Format: date-time
             * @description When it was over; null before.
             * @example null
             */
            resolvedAt: string | null;
            /**
             * @description The administrator who resolved it; null when it is not over, and when the service saw its end.
             * @example null
             */
            resolvedBy: string | null;
            /**
             * @description What `subject` names, such as `payment`, `network` or `operator_transaction`.
             * @example payment
             */
            resourceType: string;
            /**
             * @description What trying again does; null when nothing of this kind can be tried again.
             * @example The parked transfers are counted at once.
             */
            retry: string | null;
            severity: components["schemas"]["IncidentSeverity"];
            status: components["schemas"]["IncidentStatus"];
            /**
             * @description What it is about; an id, a network, or a pair of currencies. At most one incident of a kind and subject is not resolved.
             * @example pay_01jggfnds9e9gt3f3v5s7k2m4n
             */
            subject: string;
            /**
             * @description The kind in a few words.
             * @example Transfers to a payment can not be counted
             */
            title: string;
        };
        /** @description A page of incidents. */
        IncidentList: {
            /** @description The incidents, newest first. */
            data: components["schemas"]["IncidentSummary"][];
            pagination: components["schemas"]["Pagination"];
        };
        /**
         * @description `critical`: money or a whole network is concerned, look now. `warning`: look today.
         * @enum {string}
         */
        IncidentSeverity: "critical" | "warning";
        /**
         * @description `open`: no administrator has looked at it. `acknowledged`: an administrator has seen it, and it is not over. `resolved`: it is over; the same thing may open another one later.
         * @enum {string}
         */
        IncidentStatus: "open" | "acknowledged" | "resolved";
        /** @description An incident as lists show it. */
        IncidentSummary: {
            /**
             * Format: date-time
             * @description When an administrator acknowledged it; null before.
             * @example null
             */
            acknowledgedAt: string | null;
            /**
             * @description How often it was seen since it opened, at most once a minute.
             * @example 3
             */
            count: number;
            /**
             * @description The id of the incident.
             * @example inc_00000000000000000000000042
             */
            id: string;
            /**
             * @description What has happened, one of the kinds in the chapter "Incidents". New versions bring new kinds.
             * @example payment.parked
             */
            kind: string;
            /**
             * Format: date-time
             * @description When it was last seen.
             * @example 2026-01-02T04:04:05.006Z
             */
            lastSeenAt: string;
            /**
             * @description What happened, for the operator.
             * @example numeric field overflow
             */
            message: string;
            /**
             * @description The network that it concerns; null when it concerns none, or none in particular.
             * @example null
             */
            network: string | null;
            /**
             * Format: date-time
             * @description When it opened.
             * @example 2026-01-02T03:04:05.006Z
             */
            openedAt: string;
            /**
             * Format: date-time
             * @description When it was over; null before.
             * @example null
             */
            resolvedAt: string | null;
            /**
             * @description What `subject` names, such as `payment`, `network` or `operator_transaction`.
             * @example payment
             */
            resourceType: string;
            severity: components["schemas"]["IncidentSeverity"];
            status: components["schemas"]["IncidentStatus"];
            /**
             * @description What it is about; an id, a network, or a pair of currencies. At most one incident of a kind and subject is not resolved.
             * @example pay_01jggfnds9e9gt3f3v5s7k2m4n
             */
            subject: string;
            /**
             * @description The kind in a few words.
             * @example Transfers to a payment can not be counted
             */
            title: string;
        };
        /** @description An Ed25519 public key as a JSON Web Key (RFC 8037). */
        JsonWebKey: {
            /**
             * @description The algorithm.
             * @enum {string}
             */
            alg: "EdDSA";
            /**
             * @description The curve.
             * @enum {string}
             */
            crv: "Ed25519";
            /**
             * @description The thumbprint of the key (RFC 7638).
             * @example 1IG2tMH7J2wbJZnOf8LJzQitKf7LMvoAElsuDMVM54Y
             */
            kid: string;
            /**
             * @description The key type.
             * @enum {string}
             */
            kty: "OKP";
            /**
             * @description The key is for signatures.
             * @enum {string}
             */
            use: "sig";
            /**
             * @description The 32 bytes of the public key in base64url.
             * @example A6EHv_POEL4dcN0Y50vAmWfk1jCbpQ1fHdyGZBJVMbg
             */
            x: string;
        };
        /** @description The public keys of a merchant as a JSON Web Key Set (RFC 7517). */
        JsonWebKeySet: {
            /** @description The keys, newest first. */
            keys: components["schemas"]["JsonWebKey"][];
        };
        /**
         * @description An account of your ledger.
         *
         *     - `pending`: payments that are confirming
         *     - `available`: what you can withdraw
         *     - `hold`: what an open withdrawal holds
         *     - `suspense`: money that waits, for confirmation of the payment or for your decision
         *     - `debt`: what you owe
         * @enum {string}
         */
        LedgerAccount: "pending" | "available" | "hold" | "suspense" | "debt";
        /** @description One movement on one of your accounts. Entries are never changed or removed. */
        LedgerEntry: {
            account: components["schemas"]["LedgerAccount"];
            /**
             * @description How much the account changed, a decimal string with 6 decimals, negative when it went down.
             * @example 25.000000
             */
            amount: string;
            /**
             * Format: date-time
             * @description When it was booked.
             * @example 2026-01-02T03:11:42.117Z
             */
            createdAt: string;
            /**
             * @description The currency of the ledger.
             * @enum {string}
             */
            currency: "USD";
            /**
             * @description The id of the entry.
             * @example je_01jggfpx2ce3wr6t9y1k4h7d0s-available
             */
            id: string;
            /**
             * @description The booking that it belongs to. Entries of one booking share it.
             * @example je_01jggfpx2ce3wr6t9y1k4h7d0s
             */
            journalId: string;
            /**
             * @description What was booked, for example `payment.moved`. New kinds may appear at any time.
             * @example payment.moved
             */
            kind: string;
            /**
             * @description The payment that it is about, null when it is about something else.
             * @example pay_01jggfnds9e9gt3f3v5s7k2m4n
             */
            paymentId: string | null;
            /**
             * @description The withdrawal that it is about, null when it is about something else.
             * @example null
             */
            withdrawalId: string | null;
        };
        /** @description A page of ledger entries. */
        LedgerEntryList: {
            /** @description The entries, newest first. */
            data: components["schemas"]["LedgerEntry"][];
            pagination: components["schemas"]["Pagination"];
        };
        /** @description A line of what a payment is for, as the payer sees it. */
        LineItem: {
            /**
             * @description What it is.
             * @example Ceylon black tea
             * @example 250 g
             */
            name: string;
            /**
             * @description How many of it.
             * @example 2
             */
            quantity: number;
            /**
             * Format: money
             * @description What one of it costs, in the payment's currency. Less than 0 for a discount.
             * @example 12.5
             */
            unitAmount: number;
        };
        /** @description A line of what a payment is for. */
        LineItemInput: {
            /**
             * Format: name
             * @description What it is, on one line. The payer sees it.
             * @example Ceylon black tea
             * @example 250 g
             */
            name: string;
            /**
             * @description How many of it.
             * @default 1
             * @example 2
             */
            quantity?: number;
            /**
             * Format: money
             * @description What one of it costs, in the payment's currency, with at most 2 decimals. Less than 0 for a discount.
             * @example 12.5
             */
            unitAmount: number;
        };
        /**
         * @description The language in which the payer gets a receipt by e-mail, if they have read none of the payment's pages: what they read there wins.
         *     English when you leave it out.
         *
         *     - `en`: English.
         *     - `es`: Spanish.
         *     - `fr`: French.
         *     - `si`: Sinhala.
         *     - `ta`: Tamil.
         * @example si
         * @enum {string|null}
         */
        Locale: "en" | "es" | "fr" | "si" | "ta" | null;
        /** @description The credentials of an administrator. */
        LoginAdminRequest: {
            /**
             * @description The `deviceToken` of an earlier login. With it, failed logins of strangers do not make you wait. One that is unknown is ignored.
             * @example dv_Yx2mZ9wKq4vT7sB1nE8yH3uJ6dG0fCaLpRiOqXkYtWc
             */
            deviceToken?: string;
            /**
             * Format: email
             * @description The e-mail address of the administrator.
             * @example asha@kasi.example
             */
            email: string;
            /**
             * Format: text
             * @description The one-time code or a recovery code, when two-factor authentication is on; ignored otherwise.
             * @example 492039
             */
            otp?: string;
            /**
             * Format: text
             * @description The password.
             * @example Str0ng-enough
             */
            password: string;
        };
        /** @description The credentials of a merchant. */
        LoginMerchantRequest: {
            /**
             * @description The `deviceToken` of an earlier login. With it, failed logins of strangers do not make you wait. One that is unknown is ignored.
             * @example dv_Yx2mZ9wKq4vT7sB1nE8yH3uJ6dG0fCaLpRiOqXkYtWc
             */
            deviceToken?: string;
            /**
             * Format: email
             * @description The e-mail address of the merchant.
             * @example owner@teahouse.example
             */
            email: string;
            /**
             * Format: text
             * @description The one-time code or a recovery code, when two-factor authentication is on; ignored otherwise.
             * @example 492039
             */
            otp?: string;
            /**
             * Format: text
             * @description The password.
             * @example Str0ng-enough
             */
            password: string;
        };
        /** @description What the customer agrees to, as the collector's contract knows it: amounts in base units of the token, times in seconds since 1970. */
        Mandate: {
            /**
             * @description How many windows that were not used are kept for later.
             * @example 1
             */
            carry: number;
            /**
             * @description The first second in which nothing may be taken any more.
             * @example 2084065445
             */
            end: number;
            /**
             * @description Its name on the chain, the EIP-712 hash of what follows.
             * @example 0x3f1a9d0c7b6e5842f1d0c9b8a7968574635241302f1e0d9c8b7a695847362514
             */
            id: string;
            /**
             * @description The most that may be taken in one window, in base units of the token.
             * @example 25000000
             */
            maxPerPeriod: string;
            /**
             * @description The wallet that pays.
             * @example 0x70997970C51812dc3A010C7d01b50e0d17dc79C8
             */
            payer: string;
            /**
             * @description How long a window is, in seconds.
             * @example 2419200
             */
            period: number;
            /**
             * @description What it is for: the first 28 bytes of keccak256 of the id of the subscription, and in the last four the number of the first charge. No charge may have a number that runs ahead of the windows begun since.
             * @example 0x9c2e4f6a8b0d1c3e5f7091a2b3c4d5e6f708192a3b4c5d6e7f8091a200000001
             */
            ref: string;
            /**
             * @description When the first window begins.
             * @example 1768529045
             */
            start: number;
            /**
             * @description The contract of the token.
             * @example 0x5FbDB2315678afecb367f032d93F642f64180aa3
             */
            token: string;
        };
        /** @description The mandate without its id, in the spelling that wallets sign. */
        MandateMessage: {
            /**
             * @description How many windows that were not used are kept for later.
             * @example 1
             */
            carry: number;
            /**
             * @description The first second in which nothing may be taken any more.
             * @example 2084065445
             */
            end: number;
            /**
             * @description The most that may be taken in one window, in base units of the token.
             * @example 25000000
             */
            maxPerPeriod: string;
            /**
             * @description The wallet that pays.
             * @example 0x70997970c51812dc3a010c7d01b50e0d17dc79c8
             */
            payer: string;
            /**
             * @description How long a window is, in seconds.
             * @example 2419200
             */
            period: number;
            /**
             * @description What it is for: the first 28 bytes of keccak256 of the id of the subscription, and in the last four the number of the first charge. No charge may have a number that runs ahead of the windows begun since.
             * @example 0x9c2e4f6a8b0d1c3e5f7091a2b3c4d5e6f708192a3b4c5d6e7f8091a200000001
             */
            ref: string;
            /**
             * @description When the first window begins.
             * @example 1768529045
             */
            start: number;
            /**
             * @description The contract of the token.
             * @example 0x5fbdb2315678afecb367f032d93f642f64180aa3
             */
            token: string;
        };
        /**
         * @description What the chain knows of the customer's mandate, without which nothing can be charged.
         *
         *     - `pending`: the customer has not agreed yet. Send them to `authorizeUrl`.
         *     - `active`: it stands.
         *     - `revoked`: the customer has withdrawn it.
         *     - `expired`: the time for which it was given is over.
         * @enum {string}
         */
        MandateStatus: "pending" | "active" | "revoked" | "expired";
        /** @description What the mandate allows at most, for words that people understand. */
        MandateTerms: {
            /**
             * Format: date-time
             * @description Nothing is taken before.
             * @example 2026-01-16T02:04:05.000Z
             */
            from: string;
            /**
             * @description The most that can ever be taken within one window, with what was kept of windows before, a decimal string in the token.
             * @example 50.000000
             */
            mostAtOnce: string;
            /**
             * @description The most that can be taken from the first to the last day, a decimal string in the token.
             * @example 3275.000000
             */
            mostInAll: string;
            /**
             * @description The most that is taken in each window on the average, a decimal string in the token.
             * @example 25.000000
             */
            mostPerCharge: string;
            /**
             * Format: date-time
             * @description Nothing is taken from then on.
             * @example 2036-01-16T03:04:05.000Z
             */
            until: string;
            /**
             * @description How many days a window has.
             * @example 28
             */
            windowDays: number;
        };
        /** @description What the customer's wallet is to sign, the second parameter of `eth_signTypedData_v4` (EIP-712): pass it on as it is. null when nothing is to be signed. */
        MandateTypedData: {
            domain: components["schemas"]["TypedDataDomain"];
            message: components["schemas"]["MandateMessage"];
            /**
             * @description The type of `message`.
             * @example Mandate
             */
            primaryType: string;
            /** @description The types of the fields. */
            types: {
                [key: string]: components["schemas"]["TypedDataField"][];
            };
        } | null;
        /** @description A merchant, as the merchant sees itself. */
        Merchant: {
            /**
             * @description Your colour on the pages of payers; null for the platform's.
             * @example #8a1f4b
             */
            brandColor: string | null;
            /**
             * @description The legal name of the business. Payers see it.
             * @example Ceylon Tea House
             */
            businessName: string;
            businessType: components["schemas"]["BusinessType"];
            /**
             * Format: date-time
             * @description When the merchant registered.
             * @example 2026-01-02T03:02:11.004Z
             */
            createdAt: string;
            /**
             * Format: email
             * @description The e-mail address to log in with, in lower case.
             * @example owner@teahouse.example
             */
            email: string;
            /**
             * @description The websites whose pages may show the checkout in a frame, each as its origin. Empty: none may.
             * @example [
             *       "https://teahouse.example"
             *     ]
             */
            embedOrigins: string[];
            /**
             * @description The id of the merchant.
             * @example mer_01jggf3t6he2nb5w8c4y7z9m1k
             */
            id: string;
            /**
             * Format: uri
             * @description Your logo on the pages of payers, a PNG whose address changes with it; null when there is none.
             * @example http://localhost:3000/checkout/logo/4b1f0c6de2b94375c1a7e09f5d3b2846.png
             */
            logoUrl: string | null;
            /**
             * @description How much less than the asked amount still counts as paid, in basis points (50 is 0.5 %); null means the platform's default.
             * @example 50
             */
            paymentToleranceBps: number | null;
            /**
             * @description The phone number in E.164 form.
             * @example +94771234567
             */
            phone: string;
            /**
             * Format: money
             * @description The least worth in US dollars that is offered so; less waits for your decision.
             * @example 1
             */
            refundOfferMinimum: number;
            /**
             * @description For which exceptions the page of a payment that is over offers its payer the money back that waits for your decision. Whoever has the address of that page may then take it. Empty: only you give money back.
             * @example [
             *       "overpaid",
             *       "late"
             *     ]
             */
            refundOffers: components["schemas"]["RefundOfferException"][];
            /**
             * @description Whether payers who left an e-mail address get receipts by mail, where the platform sends any.
             * @example true
             */
            sendReceipts: boolean;
            status: components["schemas"]["MerchantStatus"];
            /**
             * @description Why you are rejected, frozen or terminated, as an administrator wrote it; null otherwise.
             * @example The certificate of registration is not readable.
             */
            statusReason: string | null;
            /**
             * Format: email
             * @description Where payers write to when they need help. Payers see it; null when there is none.
             * @example help@teahouse.example
             */
            supportEmail: string | null;
            /**
             * Format: text
             * @description A page that helps payers. Payers see it; null when there is none.
             * @example https://teahouse.example/help
             */
            supportUrl: string | null;
            /**
             * @description Whether logging in needs a one-time code.
             * @example false
             */
            twoFactorEnabled: boolean;
            /**
             * Format: date-time
             * @description When the profile last changed.
             * @example 2026-01-02T03:02:11.004Z
             */
            updatedAt: string;
            /**
             * @description Where your own money goes by default when you withdraw in crypto, if it is an address of the network that you withdraw on; null while you have set none.
             * @example 0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed
             */
            walletAddress: string | null;
            /**
             * @description Where webhook events are sent; null while you have set none.
             * @example https://teahouse.example/hooks/kasi
             */
            webhookUrl: string | null;
            /**
             * Format: text
             * @description The merchant's website. Payers see it; null when there is none.
             * @example https://teahouse.example
             */
            website: string | null;
        };
        /** @description A merchant and the tokens of a new login session. */
        MerchantAuthResult: {
            /**
             * @description Keep it, and send it with later logins: it says that this device has logged in before, so that failed logins of strangers do not make it wait. It proves nothing else. A new password makes it worthless.
             * @example dv_Yx2mZ9wKq4vT7sB1nE8yH3uJ6dG0fCaLpRiOqXkYtWc
             */
            deviceToken: string;
            /**
             * @description Seconds until the access token expires.
             * @example 900
             */
            expiresIn: number;
            merchant: components["schemas"]["Merchant"];
            /**
             * @description Trade it for a new pair of tokens when the access token expires. It works once.
             * @example rt_9mZ1xK4vQ7sT2wB5nE8yH3uJ6dG0fCaLpRiOqXkYtWc
             */
            refreshToken: string;
            /**
             * @description The access token. Send it as `Authorization: Bearer <token>`.
             * @example eyJhbGciOiJIUzI1NiIsInR5cCI6ImF0K2p3dCJ9.eyJzdWIiOiJtZXJfMDEifQ.c2lnbmF0dXJl
             */
            token: string;
        };
        /** @description What payers recognize the merchant by. */
        MerchantBrand: {
            /**
             * @description Its colour; null for the platform's. Pages darken or lighten it where it could not be read otherwise.
             * @example #8a1f4b
             */
            color: string | null;
            /**
             * Format: uri
             * @description Its logo, a PNG of at most 256 pixels a side whose address changes with it; null when there is none.
             * @example http://localhost:3000/checkout/logo/4b1f0c6de2b94375c1a7e09f5d3b2846.png
             */
            logoUrl: string | null;
        };
        /** @description How payers reach the merchant. */
        MerchantContact: {
            /**
             * @description Where to write to; null when the merchant has not said.
             * @example help@teahouse.example
             */
            email: string | null;
            /**
             * @description A page that helps; null when the merchant has not said.
             * @example https://teahouse.example/help
             */
            url: string | null;
            /**
             * @description The merchant's website; null when the merchant has not said.
             * @example https://teahouse.example
             */
            website: string | null;
        };
        /** @description A login session of the merchant. */
        MerchantSession: {
            /**
             * Format: date-time
             * @description When the session began.
             * @example 2026-01-02T03:02:11.004Z
             */
            createdAt: string;
            /**
             * @description Whether this is the session that asks.
             * @example true
             */
            current: boolean;
            /**
             * Format: date-time
             * @description When the session ends unless it is refreshed before.
             * @example 2026-02-01T03:17:12.480Z
             */
            expiresAt: string;
            /**
             * @description The id of the session.
             * @example ses_01jggf4b9xe6kd2r7t0w3y5h8a
             */
            id: string;
            /**
             * @description The address that logged in.
             * @example 203.0.113.7
             */
            ipAddress: string;
            /**
             * Format: date-time
             * @description When the session was begun or last refreshed.
             * @example 2026-01-02T03:17:12.480Z
             */
            lastUsedAt: string;
            /**
             * @description The program that logged in, as it names itself.
             * @example Mozilla/5.0 (X11; Linux x86_64)
             */
            userAgent: string;
        };
        /** @description A page of login sessions. */
        MerchantSessionList: {
            /** @description The sessions that are alive, newest first. */
            data: components["schemas"]["MerchantSession"][];
            pagination: components["schemas"]["Pagination"];
        };
        /**
         * @description The state of the merchant.
         *
         *     | status | log in and read | create links and sessions | collect payments |
         *     |---|---|---|---|
         *     | `pending_verification` | yes | yes | in the sandbox |
         *     | `active` | yes | yes | yes |
         *     | `rejected` | yes | no | no |
         *     | `frozen` | yes | no | no; money that still arrives is credited |
         *     | `terminated` | no | no | no |
         * @enum {string}
         */
        MerchantStatus: "pending_verification" | "active" | "rejected" | "frozen" | "terminated";
        /** @description A merchant's state after it was changed. */
        MerchantStatusChange: {
            /**
             * @description The id of the merchant.
             * @example mer_01jggf3t6he2nb5w8c4y7z9m1k
             */
            id: string;
            /**
             * @description What that means, in words for people.
             * @example The merchant is approved.
             */
            message: string;
            status: components["schemas"]["MerchantStatus"];
        };
        /** @description Your merchant was approved, rejected, frozen, unfrozen or closed. */
        MerchantStatusChangedEvent: components["schemas"]["EventEnvelope"] & {
            /** @description The merchant as it was when the event happened. */
            data: components["schemas"]["Merchant"];
            /**
             * @description The type of the event.
             * @constant
             */
            type: "merchant.status_changed";
        };
        /** @description A fresh pair of tokens. */
        MerchantTokens: {
            /**
             * @description Seconds until the access token expires.
             * @example 900
             */
            expiresIn: number;
            /**
             * @description The new refresh token. The one that you sent no longer works.
             * @example rt_Qw3eRt5yUi7oPa9sDf1gHj2kLz4xCv6bNm8qWe0rTyU
             */
            refreshToken: string;
            /**
             * @description The new access token.
             * @example eyJhbGciOiJIUzI1NiIsInR5cCI6ImF0K2p3dCJ9.eyJzdWIiOiJtZXJfMDEifQ.c2lnbmF0dXJl
             */
            token: string;
        };
        /** @description A plain confirmation. */
        MessageResponse: {
            /**
             * @description What was done, in words for people.
             * @example Payment link deleted.
             */
            message: string;
        };
        /**
         * @description The key-value data that you attached, returned exactly as you sent it. `{}` when you attached none.
         * @example {
         *       "orderId": "A-1001"
         *     }
         */
        Metadata: {
            [key: string]: unknown;
        };
        /**
         * @description Your own key-value data: at most 50 keys of 1 to 64 characters; each value a string of at most 500 characters, a number or a boolean; 8 KiB of JSON in all. Comes back in reads and in webhook events, never in public views.
         * @example {
         *       "orderId": "A-1001"
         *     }
         */
        MetadataInput: {
            [key: string]: string | number | boolean;
        };
        /** @description How many blocks to mine. */
        MineSandboxBlocksRequest: {
            /**
             * @description The number of blocks.
             * @example 2
             */
            blocks: number;
            network?: components["schemas"]["SandboxNetworkName"];
        };
        /** @description An administrator as they see themselves. */
        OwnAdmin: {
            /**
             * @description The e-mail address that they log in with.
             * @example asha@kasi.example
             */
            email: string;
            /**
             * @description The id of the administrator.
             * @example adm_01jggf4b9xe6kd2r7t0w3y5h8a
             */
            id: string;
            /**
             * @description The name that colleagues know.
             * @example Asha Perera
             */
            name: string;
            /** @description Everything that the role allows at present. */
            permissions: components["schemas"]["Permission"][];
            role: components["schemas"]["RoleReference"];
            /** @description Whether a login asks for a one-time code. */
            twoFactorEnabled: boolean;
        };
        /** @description Where a list page stands in the whole list. */
        Pagination: {
            /**
             * @description The most items on a page.
             * @example 20
             */
            limit: number;
            /**
             * @description The page that you asked for, counted from 1.
             * @example 1
             */
            page: number;
            /**
             * @description All items that match the filter.
             * @example 1
             */
            total: number;
            /**
             * @description The number of pages, 0 when nothing matches.
             * @example 1
             */
            totalPages: number;
        };
        /** @description The amounts between which payers choose, in USD. */
        PayerAmount: {
            /**
             * Format: money
             * @description The most.
             * @example 500
             */
            max: number;
            /**
             * Format: money
             * @description The least.
             * @example 5
             */
            min: number;
        };
        /** @description The amounts between which payers choose, in USD. */
        PayerAmountInput: {
            /**
             * Format: money
             * @description The most, with at most 2 decimals.
             * @example 500
             */
            max: number;
            /**
             * Format: money
             * @description The least, with at most 2 decimals.
             * @example 5
             */
            min: number;
        };
        /** @description A payment with everything that its merchant may know. */
        Payment: {
            /**
             * Format: money
             * @description What was asked, in `currency`.
             * @example 25
             */
            amount: number;
            /**
             * Format: money
             * @description What is still missing, in `currency`, rounded up; 0 when enough has been seen.
             * @example 0
             */
            amountDue: number;
            /**
             * Format: money
             * @description The worth of what has been seen at the locked rate, confirmed or not, in `currency`, rounded down.
             * @example 25
             */
            amountReceived: number;
            /**
             * Format: money
             * @description What of it was given back or is on its way back to the payer, in `currency`, rounded down.
             * @example 0
             */
            amountRefunded: number;
            /**
             * @description The charge of that subscription, null for others.
             * @example null
             */
            chargeId: string | null;
            /**
             * Format: uri
             * @description The hosted page where the payer can pay.
             * @example http://localhost:3000/checkout/payment/pay_01jggfnds9e9gt3f3v5s7k2m4n
             */
            checkoutUrl: string;
            confirmations: components["schemas"]["PaymentConfirmations"];
            /**
             * Format: date-time
             * @description When it was created.
             * @example 2026-01-02T03:04:05.006Z
             */
            createdAt: string;
            /**
             * @description Where to pay with the chosen option. Empty while the payment is open and no option is left, or the chosen one is `unavailable`.
             * @example 0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb
             */
            cryptoAddress: string;
            /**
             * @description The USDT equivalent of `amount` at the locked rate, 6 decimals, rounded up.
             * @example 25.000000
             */
            cryptoAmount: string;
            currency: components["schemas"]["Currency"];
            /**
             * Format: email
             * @description Where the payer can be reached, null when they did not say.
             * @example nimal@example.org
             */
            customerEmail: string | null;
            /** @description What the payer answered to the questions of a payment link, in their order, without those that were left open; empty for other payments. */
            customFields: components["schemas"]["CustomFieldAnswer"][];
            /**
             * @description What it is for; null when nobody said. For a link, its title at the time.
             * @example Spring tea workshop
             */
            description: string | null;
            exception: components["schemas"]["PaymentException"];
            /**
             * Format: date-time
             * @description Until when the payer has to pay.
             * @example 2026-01-02T04:04:05.006Z
             */
            expiresAt: string;
            /**
             * @description The id of the payment.
             * @example pay_01jggfnds9e9gt3f3v5s7k2m4n
             */
            id: string;
            /** @description The lines that add up to `amount`; empty when nobody listed any. */
            items: components["schemas"]["LineItem"][];
            metadata: components["schemas"]["Metadata"];
            /**
             * @description The network of the chosen option.
             * @example devnet
             */
            network: string;
            /** @description Every way to pay, USDT first. Leaves out networks and coins that are no longer listed, while the payment is open. */
            options: components["schemas"]["PaymentOption"][];
            /**
             * Format: date-time
             * @description When it became `paid`, null before.
             * @example 2026-01-02T03:11:42.117Z
             */
            paidAt: string | null;
            /**
             * @description The payment link that it was started through, null for others.
             * @example plink_01jggfm2k8f4rs7a0d3h6x9c5v
             */
            paymentLinkId: string | null;
            /**
             * @description What a wallet understands when it scans the QR code (EIP-681 or BIP 21), for the chosen option. While only a part has arrived it asks for the rest. Empty when `cryptoAddress` is.
             * @example ethereum:0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359@31337/transfer?address=0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb&uint256=25000000
             */
            paymentUri: string;
            /**
             * Format: uri
             * @description A PNG of the QR code of `paymentUri`.
             * @example http://localhost:3000/v1/public/payments/pay_01jggfnds9e9gt3f3v5s7k2m4n/qr.png
             */
            qrCodeUrl: string;
            rate: components["schemas"]["PaymentRate"];
            reason: components["schemas"]["PaymentReason"];
            /**
             * @description The checkout session that it belongs to, null for others.
             * @example null
             */
            sessionId: string | null;
            status: components["schemas"]["PaymentStatus"];
            /**
             * @description The subscription that it was collected for, null for others.
             * @example null
             */
            subscriptionId: string | null;
            /** @description The token that the payer chose; until they choose, and when the network of their choice is no longer listed while the payment is open, the first option's. */
            token: components["schemas"]["Token"];
            /**
             * @description What the chosen option asks, a decimal string in `token`.
             * @example 25.000000
             */
            tokenAmount: string;
            /**
             * @description What is still missing, a decimal string in `token`; zero when enough has been seen.
             * @example 0.000000
             */
            tokenAmountDue: string;
            /** @description The transfers that reached the address, newest first, at most 20. */
            transactions: components["schemas"]["PaymentTransaction"][];
            /**
             * @description The hash of the first transfer that counted, null until one is detected.
             * @example 0x8a1f0c6de2b94375c1a7e09f5d3b2846a0e7c9d14f6b83520d9e1c7a4b5f6038
             */
            txHash: string | null;
        };
        /** @description Enough money is confirmed: the payment is paid and credited. Fulfil the order now. */
        PaymentCompletedEvent: components["schemas"]["EventEnvelope"] & {
            /** @description The payment as it was when the event happened. */
            data: components["schemas"]["Payment"];
            /**
             * @description The type of the event.
             * @constant
             */
            type: "payment.completed";
        };
        /** @description How far the confirmation of a payment is. */
        PaymentConfirmations: {
            /**
             * @description The confirmations that are waited for.
             * @example 2
             */
            required: number;
            /**
             * @description The confirmations of the youngest transfer that is needed, 0 while too little has arrived.
             * @example 2
             */
            seen: number;
        };
        /** @description Enough money was seen on the chain; its confirmations are awaited. */
        PaymentConfirmingEvent: components["schemas"]["EventEnvelope"] & {
            /** @description The payment as it was when the event happened. */
            data: components["schemas"]["Payment"];
            /**
             * @description The type of the event.
             * @constant
             */
            type: "payment.confirming";
        };
        /** @description A payment was created. */
        PaymentCreatedEvent: components["schemas"]["EventEnvelope"] & {
            /** @description The payment as it was when the event happened. */
            data: components["schemas"]["Payment"];
            /**
             * @description The type of the event.
             * @constant
             */
            type: "payment.created";
        };
        /** @description A payment with what was given back of it. */
        PaymentDetail: components["schemas"]["Payment"] & {
            /** @description What was given back of it, newest first, at most 20; `GET /v1/refunds` lists all. */
            refunds: components["schemas"]["Refund"][];
        };
        /**
         * @description What is unusual about the money, null when nothing is.
         *
         *     - `underpaid`: less arrived than was needed.
         *     - `overpaid`: more arrived than was asked. The surplus waits for your decision.
         *     - `late`: money arrived after `expiresAt`.
         *     - `wrong_token`: a token arrived that this payment does not accept, or not on that network. `astray` of the transfer says which.
         * @example null
         * @enum {string|null}
         */
        PaymentException: "underpaid" | "overpaid" | "late" | "wrong_token" | null;
        /** @description Money arrived that the payment can not take by itself: late, too much or in a wrong token. It waits for `resolvePayment`. */
        PaymentExceptionEvent: components["schemas"]["EventEnvelope"] & {
            /** @description The payment as it was when the event happened. */
            data: components["schemas"]["Payment"];
            /**
             * @description The type of the event.
             * @constant
             */
            type: "payment.exception";
        };
        /** @description The time ran out, or the merchant cancelled. `reason` and `exception` say more. */
        PaymentExpiredEvent: components["schemas"]["EventEnvelope"] & {
            /** @description The payment as it was when the event happened. */
            data: components["schemas"]["Payment"];
            /**
             * @description The type of the event.
             * @constant
             */
            type: "payment.expired";
        };
        /** @description What was seen on the chain never confirmed. */
        PaymentFailedEvent: components["schemas"]["EventEnvelope"] & {
            /** @description The payment as it was when the event happened. */
            data: components["schemas"]["Payment"];
            /**
             * @description The type of the event.
             * @constant
             */
            type: "payment.failed";
        };
        /** @description What is signed about how a payment is to be paid. */
        PaymentInstructions: {
            /**
             * @description Where to send it.
             * @example 0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb
             */
            address: string;
            /**
             * @description How much is still to be sent, a decimal string in `token`.
             * @example 25.000000
             */
            amount: string;
            /**
             * @description The chain id of an EVM network, null for others.
             * @example 31337
             */
            chainId: number | null;
            /**
             * @description The contract of the token, null for a native coin.
             * @example 0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359
             */
            contract: string | null;
            /**
             * @description How many decimals the token has on this network.
             * @example 6
             */
            decimals: number;
            /**
             * Format: date-time
             * @description Until when the payer has to pay.
             * @example 2026-01-02T04:04:05.006Z
             */
            expiresAt: string;
            /**
             * Format: date-time
             * @description Until when the amount holds; of a coin the end of its quote, else `expiresAt`.
             * @example 2026-01-02T04:04:05.006Z
             */
            holdsUntil: string;
            /**
             * Format: date-time
             * @description When this was signed, by the clock of the other times; in the sandbox you can move it.
             * @example 2026-01-02T03:04:05.006Z
             */
            issuedAt: string;
            /**
             * @description False in the sandbox, where money is play money.
             * @example false
             */
            livemode: boolean;
            /**
             * @description The merchant that is paid, whose key signs.
             * @example mer_01jggf3t6he2nb5w8c4y7z9m1k
             */
            merchantId: string;
            /**
             * @description The merchant's name.
             * @example Ceylon Tea House
             */
            merchantName: string;
            /**
             * @description The network of the option that the payer chose.
             * @example devnet
             */
            network: string;
            /**
             * @description The payment.
             * @example pay_01jggfnds9e9gt3f3v5s7k2m4n
             */
            paymentId: string;
            /** @description The token or coin to send. */
            token: components["schemas"]["Token"];
            /**
             * @description 1. A verifier refuses versions that it does not know.
             * @example 1
             */
            version: number;
        };
        /** @description A shareable page that asks for one amount, as often as people open it. */
        PaymentLink: {
            /**
             * @description The tokens that payers may choose from, as far as they are enabled.
             * @example [
             *       "USDT",
             *       "USDC"
             *     ]
             */
            acceptedTokens: components["schemas"]["Token"][];
            /**
             * Format: money
             * @description What one payment costs, in USD.
             * @example 25
             */
            amount: number;
            /**
             * Format: date-time
             * @description When the link was created.
             * @example 2026-01-02T03:04:05.006Z
             */
            createdAt: string;
            /**
             * @description Links are priced in USD.
             * @enum {string}
             */
            currency: "USD";
            /** @description What every payer is asked; empty for nothing. */
            customFields: components["schemas"]["CustomField"][];
            /**
             * @description More about it; null when there is none.
             * @example Three hours
             * @example tea and cake included.
             */
            description: string | null;
            /**
             * Format: date-time
             * @description When the link stops taking payments; null when it never does.
             * @example 2026-06-30T18:00:00.000Z
             */
            expiresAt: string | null;
            /**
             * @description The id of the link.
             * @example plink_01jggfm2k8f4rs7a0d3h6x9c5v
             */
            id: string;
            /** @description The lines that add up to `amount`; empty when nobody listed any. */
            items: components["schemas"]["LineItem"][];
            /**
             * @description How many payments the link takes, open ones included; null for as many as people make.
             * @example 12
             */
            maxPayments: number | null;
            /**
             * @description The merchant that collects.
             * @example mer_01jggf3t6he2nb5w8c4y7z9m1k
             */
            merchantId: string;
            /** @description The amounts between which payers choose, around `amount`; null when everybody pays `amount`. */
            payerAmount: components["schemas"]["PayerAmount"] | null;
            /**
             * @description How many payments were paid.
             * @example 3
             */
            paymentCount: number;
            /**
             * @description The last part of the link's address.
             * @example spring-workshop
             */
            slug: string;
            status: components["schemas"]["PaymentLinkStatus"];
            /**
             * @description What a payer reads once they have paid; null for nothing.
             * @example See you on Saturday at 3 pm.
             *     Bring an apron.
             */
            thankYou: string | null;
            /**
             * Format: uri
             * @description Where a button on that page leads; null for no button.
             * @example https://shop.example/workshop
             */
            thankYouUrl: string | null;
            /**
             * @description What is sold, the headline of the page.
             * @example Spring tea workshop
             */
            title: string;
            /**
             * Format: money
             * @description The asked amounts of all paid payments together, in USD.
             * @example 75
             */
            totalPaid: number;
            /**
             * Format: date-time
             * @description When you last changed the link.
             * @example 2026-01-02T03:04:05.006Z
             */
            updatedAt: string;
            /**
             * Format: uri
             * @description The address to share.
             * @example http://localhost:3000/checkout/pay/spring-workshop
             */
            url: string;
        };
        /** @description A payment link was created. */
        PaymentLinkCreatedEvent: components["schemas"]["EventEnvelope"] & {
            /** @description The payment link as it was when the event happened. */
            data: components["schemas"]["PaymentLink"];
            /**
             * @description The type of the event.
             * @constant
             */
            type: "payment_link.created";
        };
        /** @description The time of a payment link ran out. */
        PaymentLinkExpiredEvent: components["schemas"]["EventEnvelope"] & {
            /** @description The payment link as it was when the event happened. */
            data: components["schemas"]["PaymentLink"];
            /**
             * @description The type of the event.
             * @constant
             */
            type: "payment_link.expired";
        };
        /** @description A page of payment links. */
        PaymentLinkList: {
            /** @description The links, newest first. */
            data: components["schemas"]["PaymentLinkSummary"][];
            pagination: components["schemas"]["Pagination"];
        };
        /**
         * @description The state of a payment link.
         *
         *     - `active`: it can be paid.
         *     - `expired`: its `expiresAt` has passed. A later `expiresAt` makes it active again.
         *     - `disabled`: you switched it off. `status: active` switches it on again.
         * @enum {string}
         */
        PaymentLinkStatus: "active" | "expired" | "disabled";
        /** @description A payment link as lists show it. */
        PaymentLinkSummary: {
            /**
             * Format: money
             * @description What one payment costs, in USD.
             * @example 25
             */
            amount: number;
            /**
             * Format: date-time
             * @description When the link was created.
             * @example 2026-01-02T03:04:05.006Z
             */
            createdAt: string;
            /**
             * @description Links are priced in USD.
             * @enum {string}
             */
            currency: "USD";
            /**
             * Format: date-time
             * @description When the link stops taking payments; null when it never does.
             * @example 2026-06-30T18:00:00.000Z
             */
            expiresAt: string | null;
            /**
             * @description The id of the link.
             * @example plink_01jggfm2k8f4rs7a0d3h6x9c5v
             */
            id: string;
            /**
             * @description How many payments the link takes, open ones included; null for as many as people make.
             * @example 12
             */
            maxPayments: number | null;
            /**
             * @description How many payments were paid.
             * @example 3
             */
            paymentCount: number;
            /**
             * @description The last part of the link's address.
             * @example spring-workshop
             */
            slug: string;
            status: components["schemas"]["PaymentLinkStatus"];
            /**
             * @description What is sold.
             * @example Spring tea workshop
             */
            title: string;
            /**
             * Format: money
             * @description The asked amounts of all paid payments together, in USD.
             * @example 75
             */
            totalPaid: number;
            /**
             * Format: uri
             * @description The address to share.
             * @example http://localhost:3000/checkout/pay/spring-workshop
             */
            url: string;
        };
        /** @description A payment link was changed, switched on or switched off. */
        PaymentLinkUpdatedEvent: components["schemas"]["EventEnvelope"] & {
            /** @description The payment link as it was when the event happened. */
            data: components["schemas"]["PaymentLink"];
            /**
             * @description The type of the event.
             * @constant
             */
            type: "payment_link.updated";
        };
        /** @description A page of payments. */
        PaymentList: {
            pagination: components["schemas"]["Pagination"];
            /** @description The payments, newest first. */
            payments: components["schemas"]["PaymentSummary"][];
        };
        /** @description One way to pay a payment, a token or a coin on a network. */
        PaymentOption: {
            /**
             * @description Where to send it. The address belongs to this payment alone.
             * @example 0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb
             */
            address: string;
            /**
             * @description How much of the token to send, a decimal string; of ETH and BTC with eight decimals.
             * @example 25.000000
             */
            amount: string;
            /**
             * @description The chain id of an EVM network, null for others.
             * @example 31337
             */
            chainId: number | null;
            /**
             * @description The contract of the token, null for a native coin.
             * @example 0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359
             */
            contract: string | null;
            /**
             * @description How many decimals the token has on this network.
             * @example 6
             */
            decimals: number;
            /**
             * @description The network, for example `ethereum`, `base` or, in the sandbox, `devnet`.
             * @example devnet
             */
            network: string;
            /**
             * @description What a wallet understands when it scans the QR code (EIP-681 or BIP 21).
             * @example ethereum:0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359@31337/transfer?address=0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb&uint256=25000000
             */
            paymentUri: string;
            /** @description By what a coin comes to its amount; null for USDT and USDC, which count a dollar. */
            quote: components["schemas"]["PaymentQuote"] | null;
            token: components["schemas"]["Token"];
            /**
             * @description Whether nothing can be paid this way at present, because there has been no reliable rate since its quote ended. Choose another option, or wait.
             * @example false
             */
            unavailable: boolean;
        };
        /** @description The payer chose a token, or sent less than is needed. */
        PaymentPendingEvent: components["schemas"]["EventEnvelope"] & {
            /** @description The payment as it was when the event happened. */
            data: components["schemas"]["Payment"];
            /**
             * @description The type of the event.
             * @constant
             */
            type: "payment.pending";
        };
        /** @description By what an option in ETH or BTC comes to its amount. It holds for a quarter of an hour and is renewed while the payment is open; who sent the amount of the one before has paid by that. */
        PaymentQuote: {
            /**
             * Format: date-time
             * @description Until when the amount holds. The next one replaces it then.
             * @example 2026-01-02T03:19:05.006Z
             */
            expiresAt: string;
            /**
             * Format: date-time
             * @description When the rate was valid on the market.
             * @example 2026-01-02T03:04:01.000Z
             */
            quotedAt: string;
            /**
             * @description How many US dollars one coin counts, a decimal string: what is asked, divided by the amount, which is rounded up to eight decimals.
             * @example 59999.88000023
             */
            rate: string;
            /**
             * @description Where the rate came from.
             * @example median of a, b, c
             */
            source: string;
        };
        /** @description The exchange rate that was locked when the payment was quoted. */
        PaymentRate: {
            /**
             * Format: date-time
             * @description When it was valid.
             * @example 2026-01-02T03:04:05.006Z
             */
            quotedAt: string;
            /**
             * @description Where the rate came from.
             * @example fixed
             */
            source: string;
            /**
             * @description How many units of the payment's currency make one US dollar, a decimal string.
             * @example 1
             */
            value: string;
        };
        /**
         * @description Why the payment ended without being paid, null when there is nothing to say.
         *
         *     - `cancelled`: the merchant cancelled it, with `expired`.
         *     - `not_confirmed`: what was seen never confirmed, with `failed`.
         * @example null
         * @enum {string|null}
         */
        PaymentReason: "cancelled" | "not_confirmed" | null;
        /** @description The chain undid a payment that was paid already. It stays `paid`; its amount was taken back from your balance. */
        PaymentReversedEvent: components["schemas"]["EventEnvelope"] & {
            /** @description The payment as it was when the event happened. */
            data: components["schemas"]["Payment"];
            /**
             * @description The type of the event.
             * @constant
             */
            type: "payment.reversed";
        };
        /** @description The chain undid a transfer before it was confirmed; the payment is pending again. */
        PaymentRevertedEvent: components["schemas"]["EventEnvelope"] & {
            /** @description The payment as it was when the event happened. */
            data: components["schemas"]["Payment"];
            /**
             * @description The type of the event.
             * @constant
             */
            type: "payment.reverted";
        };
        /**
         * @description The state of a payment.
         *
         *     ```
         *     initiated ──▶ pending ──▶ confirming ──▶ paid
         *         │            │            │
         *         └─▶ expired ◀┘            └─▶ failed
         *     ```
         *
         *     - `initiated`: nobody has done anything yet.
         *     - `pending`: the payer chose a token, or sent less than is needed.
         *     - `confirming`: enough was seen on the chain; its confirmations are awaited. Back to `pending` when the chain undoes it.
         *     - `paid`: enough is confirmed. The money is yours.
         *     - `failed`: what was seen never confirmed within 24 hours.
         *     - `expired`: the time ran out, or you cancelled. On to `confirming` when stablecoins reach the amount within 24 hours.
         * @enum {string}
         */
        PaymentStatus: "initiated" | "pending" | "confirming" | "paid" | "failed" | "expired";
        /** @description A payment as lists show it. */
        PaymentSummary: {
            /**
             * Format: money
             * @description What was asked, in `currency`.
             * @example 25
             */
            amount: number;
            /**
             * Format: date-time
             * @description When it was created.
             * @example 2026-01-02T03:04:05.006Z
             */
            createdAt: string;
            /**
             * @description The USDT equivalent of `amount` at the locked rate, 6 decimals, rounded up.
             * @example 25.000000
             */
            cryptoAmount: string;
            currency: components["schemas"]["Currency"];
            /**
             * Format: email
             * @description Where the payer can be reached, null when they did not say.
             * @example nimal@example.org
             */
            customerEmail: string | null;
            /**
             * @description What it is for; null when nobody said.
             * @example Spring tea workshop
             */
            description: string | null;
            exception: components["schemas"]["PaymentException"];
            /**
             * @description The id of the payment.
             * @example pay_01jggfnds9e9gt3f3v5s7k2m4n
             */
            id: string;
            /**
             * Format: date-time
             * @description When it became `paid`, null before.
             * @example 2026-01-02T03:11:42.117Z
             */
            paidAt: string | null;
            reason: components["schemas"]["PaymentReason"];
            status: components["schemas"]["PaymentStatus"];
        };
        /** @description The story of a payment. */
        PaymentTimeline: {
            /** @description What happened, oldest first. */
            data: components["schemas"]["PaymentTimelineEntry"][];
        };
        /** @description Something that happened to a payment. */
        PaymentTimelineEntry: {
            /**
             * Format: date-time
             * @description When it happened.
             * @example 2026-01-02T03:11:40.512Z
             */
            at: string;
            /** @description The state of the payment from then on, null when the step did not change it. */
            status: components["schemas"]["PaymentStatus"] | null;
            /**
             * @description The same in plain words.
             * @example 25.000000 USDT were seen on devnet. 1 more confirmation is awaited.
             */
            text: string;
            /**
             * @description The transaction that it was about, if any.
             * @example 0x8a1f0c6de2b94375c1a7e09f5d3b2846a0e7c9d14f6b83520d9e1c7a4b5f6038
             */
            txHash: string | null;
            /**
             * @description What kind of thing it was: an event type such as `payment.confirming`, or a finer step such as `transfer.seen`. New kinds may appear at any time.
             * @example payment.confirming
             */
            type: string;
        };
        /** @description A transfer on the chain that reached the address of the payment. */
        PaymentTransaction: {
            /**
             * @description How much arrived, a decimal string.
             * @example 25.000000
             */
            amount: string;
            /**
             * @description Why the payment does not need it; null when it does.
             *
             *     - `token`: the payment does not take this token.
             *     - `network`: the payment takes this token, but not on this network.
             *     - `again`: enough had come before. Whoever paid twice shows here.
             *     - `closed`: it came after `expiresAt`, or the payment was cancelled, and that did not change.
             *
             *     The first two never count in `amountReceived`. The money is in your suspense: accept it by `resolve`, or give it
             *     back by a refund, which goes out in this token on this network.
             * @example null
             * @enum {string|null}
             */
            astray: "token" | "network" | "again" | "closed" | null;
            /**
             * @description The number of its block, 0 while it waits for one.
             * @example 1042
             */
            block: number;
            /**
             * Format: date-time
             * @description The time of its block; while it waits for one, when it was first seen.
             * @example 2026-01-02T03:11:40.000Z
             */
            blockTime: string;
            /**
             * @description How many blocks confirm it, its own included; 0 while it waits for one.
             * @example 2
             */
            confirmations: number;
            /**
             * @description The hash of the transaction. Where `internal` is true no hash is known, and it starts with `internal:`.
             * @example 0x8a1f0c6de2b94375c1a7e09f5d3b2846a0e7c9d14f6b83520d9e1c7a4b5f6038
             */
            hash: string;
            /**
             * @description Whether a contract sent it, in a transaction that is not known by itself. Explorers list it among the internal transactions of the address.
             * @example false
             */
            internal: boolean;
            /**
             * @description The network that it happened on.
             * @example devnet
             */
            network: string;
            token: components["schemas"]["Token"];
            /**
             * Format: money
             * @description What it is worth in the payment's `currency` at its locked rate, rounded down, whether it counts or not.
             * @example 25
             */
            value: number;
            /** @description What it counts in US dollars; null for USDT and USDC, which count a dollar. */
            worth: components["schemas"]["TransferWorth"] | null;
        };
        /** @description Money that waits to be sent, for a withdrawal or a refund. */
        Payout: {
            /**
             * @description For how long that is.
             * @example 3600
             */
            ageSeconds: number;
            /**
             * Format: date-time
             * @description When it was asked for.
             * @example 2026-01-02T03:04:05.006Z
             */
            createdAt: string;
            /**
             * @description Where to send it; null for a bank account.
             * @example 0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed
             */
            destinationAddress: string | null;
            /**
             * @description The id of the withdrawal or the refund.
             * @example rfd_01jggm5r8e3t6y9b2d4f7h0k1n
             */
            id: string;
            /**
             * @description What it is.
             * @example refund
             * @enum {string}
             */
            kind: "withdrawal" | "refund";
            /**
             * @description Whose money it is.
             * @example mer_01jggf3t6he2nb5w8c4y7z9m1k
             */
            merchantId: string;
            /**
             * @description The name of that merchant.
             * @example Ceylon Tea House
             */
            merchantName: string;
            /** @description Only what belongs to an `active` merchant can be paid. */
            merchantStatus: components["schemas"]["MerchantStatus"];
            /**
             * @description The network to send it on.
             * @example devnet
             */
            network: string;
            /**
             * @description `approved` (a withdrawal) and `pending` (a refund) can be paid; `processing` is being paid.
             * @example pending
             * @enum {string}
             */
            status: "approved" | "pending" | "processing";
            /**
             * @description The token to send.
             * @example USDT
             */
            token: string;
            /**
             * @description How much to send, a decimal string in `token`.
             * @example 10.000000
             */
            tokenAmount: string;
            /**
             * Format: date-time
             * @description Since when it could be paid.
             * @example 2026-01-02T03:04:05.006Z
             */
            waitingSince: string;
            /**
             * Format: money
             * @description What it is in the ledger, in US dollars, without the fee of a withdrawal.
             * @example 10
             */
            worth: number;
        };
        /** @description What is to be paid on a network. */
        PayoutExport: {
            /**
             * @description A table of `payouts` with a header: `id`, `kind`, `network`, `token`, `contract`, `destination`, `amount`, `units` (base units), separated by commas, lines ended by CR LF (RFC 4180).
             * @example id,kind,network,token,contract,destination,amount,units
             */
            csv: string;
            /**
             * @description The network.
             * @example devnet
             */
            network: string;
            /** @description What is to be paid, all of it `processing`. */
            payouts: components["schemas"]["Payout"][];
            /** @description An unsigned transaction that pays all, on a network of Bitcoin; null elsewhere, and when `payouts` is empty. */
            psbt: components["schemas"]["PsbtFile"] | null;
            /** @description What is not in the files, and why. */
            refused: components["schemas"]["RefusedPayout"][];
            /** @description A batch for the Transaction Builder of a Safe; null for networks without Safes, and when `payouts` is empty. */
            safe: components["schemas"]["SafeBatch"] | null;
        };
        /** @description A page of payouts. */
        PayoutList: {
            pagination: components["schemas"]["Pagination"];
            /** @description The payouts, the longest waiting first. */
            payouts: components["schemas"]["Payout"][];
        };
        /** @description How to pay. Everything is optional. */
        PaySandboxPaymentRequest: {
            /**
             * @description How much of the token to send, a decimal string greater than zero with no more decimals than the token has. What is due when you leave it out. Send less or more to try an underpaid or overpaid payment.
             * @example 24.500000
             */
            amount?: string;
            /**
             * @description Whether to mine the blocks that confirm the transfer at once. With false only the block with the transfer is mined, and it stays unconfirmed until other blocks follow, for example by `POST /v1/sandbox/chain/mine`. In bitcoins not even that block is mined: the transaction waits in the pool.
             * @default true
             * @example true
             */
            confirm?: boolean;
            /**
             * Format: text
             * @description The network to pay on. The one of the payment's option for the token when you leave it out.
             * @example devnet
             */
            network?: string;
            /** @description The token to pay with. The payment's chosen one when you leave it out. */
            token?: components["schemas"]["Token"];
        };
        /** @description How to pay it out. Everything is optional. */
        PaySandboxRefundRequest: {
            /**
             * @description How much of the token to send, a decimal string greater than zero with no more decimals than the token has. The `tokenAmount` of the refund when you leave it out.
             * @example 9.000000
             */
            amount?: string;
            /**
             * @description Whether to mine the blocks that confirm the transfer at once. With false it stays unconfirmed.
             * @default true
             * @example true
             */
            confirm?: boolean;
        };
        /** @description How to pay it out. Everything is optional. */
        PaySandboxWithdrawalRequest: {
            /**
             * @description How much of the token to send, a decimal string greater than zero with no more decimals than the token has. The `netAmount` of the withdrawal when you leave it out.
             * @example 249.000000
             */
            amount?: string;
            /**
             * @description Whether to mine the blocks that confirm the transfer at once. With false only the block with the transfer is mined, and it stays unconfirmed until other blocks follow, for example by `POST /v1/sandbox/chain/mine`.
             * @default true
             * @example true
             */
            confirm?: boolean;
            /** @description The token to send. The one of the withdrawal when you leave it out. */
            token?: components["schemas"]["Token"];
        };
        /**
         * @description What a role can allow. Every operation for administrators names the one that it needs.
         * @enum {string}
         */
        Permission: "merchants.view" | "merchants.approve" | "merchants.reject" | "merchants.freeze" | "merchants.terminate" | "withdrawals.view" | "withdrawals.manage" | "settings.view" | "settings.update" | "users.view" | "users.manage" | "roles.view" | "roles.manage" | "audit_logs.view" | "incidents.view" | "incidents.manage";
        /** @description A permission and what it allows. */
        PermissionEntry: {
            /**
             * @description What it allows, in words.
             * @example See merchants and their profiles.
             */
            description: string;
            name: components["schemas"]["Permission"];
        };
        /** @description The catalogue of permissions. */
        PermissionList: {
            /** @description Every permission that there is. */
            data: components["schemas"]["PermissionEntry"][];
        };
        /** @description An allowance that the wallet signs besides the transfer (ERC-2612), because Permit2 may not move its tokens yet. It is of just the transfer's amount, and as short. */
        PermitToSign: {
            /**
             * @description The number of the allowance, which the token counts for each wallet. Send it back with the signature.
             * @example 0
             */
            nonce: string;
            /** @description What the wallet signs by `eth_signTypedData_v4`, EIP-712 data of the type `Permit`. */
            typedData: {
                [key: string]: unknown;
            };
        };
        /** @description What customers subscribe to, an amount that comes again and again. */
        Plan: {
            /**
             * @description Whether the plan takes new subscribers. Those that it has go on either way.
             * @example true
             */
            active: boolean;
            /**
             * Format: money
             * @description What is charged in every interval, in `currency`.
             * @example 25
             */
            amount: number;
            /**
             * Format: date-time
             * @description When the plan was created.
             * @example 2026-01-02T03:04:05.006Z
             */
            createdAt: string;
            currency: components["schemas"]["Currency"];
            /**
             * @description More about it, for the page on which customers agree; null when there is none.
             * @example A parcel of fresh tea every month.
             */
            description: string | null;
            /**
             * @description The id of the plan.
             * @example plan_01jggm5v7c1x4z8b2n6q9s3w0e
             */
            id: string;
            interval: components["schemas"]["SubscriptionInterval"];
            /**
             * @description What is sold.
             * @example Tea club
             */
            name: string;
            /**
             * @description The network that the plan is charged on.
             * @example devnet
             */
            network: string;
            /**
             * @description How many subscriptions of the plan are `active`.
             * @example 12
             */
            subscriberCount: number;
            token: components["schemas"]["SubscriptionToken"];
            /**
             * @description How many days a new subscriber pays nothing.
             * @example 14
             */
            trialDays: number;
            /**
             * Format: uri
             * @description The page of the plan, where customers subscribe with their own wallet. Share it as it is.
             * @example https://pay.example/checkout/plan/plan_01jggm5v7c1x4z8b2n6q9s3w0e
             */
            url: string;
        };
        /** @description A page of subscription plans. */
        PlanList: {
            pagination: components["schemas"]["Pagination"];
            /** @description The plans, newest first. */
            plans: components["schemas"]["Plan"][];
        };
        /** @description The subscription of a wallet to a plan. */
        PlanSubscription: {
            /**
             * @description The id of the subscription.
             * @example sub_01jggm8d2f5h7k9m1p3r6t8v0x
             */
            id: string;
            /**
             * @description False for a wallet that subscribed to the plan before.
             * @example true
             */
            isNew: boolean;
            /**
             * Format: uri
             * @description The page on which the customer agrees, and sees it afterwards.
             * @example https://pay.example/checkout/subscription/sub_01jggm8d2f5h7k9m1p3r6t8v0x
             */
            url: string;
        };
        /** @description What the platform's owners can change while it runs. Every process follows within a second. */
        PlatformSettings: {
            /** @description Whether merchants may collect before they are approved. */
            allowPendingMerchantsToCollect: boolean;
            /**
             * @description How long entries of the audit log are kept. Always null, for ever, at present.
             * @example null
             */
            auditRetentionDays: number | null;
            /**
             * @description How long a change that touches where money goes is announced before it takes effect.
             * @example 24
             */
            changeDelayHours: number;
            /** @description How deep a block must lie to be counted on, by network, where that is deeper than its configuration says: of the two the stricter counts. It counts for blocks that are looked at from now on. */
            confirmations: {
                [key: string]: number;
            };
            /**
             * @description From this amount on, whoever completes a withdrawal must not be who approved it. Null asks that of none.
             * @example 1000.00
             */
            fourEyesThreshold: string | null;
            /**
             * @description How long after its deadline a payment is still taken, as late.
             * @example 24
             */
            lateWindowHours: number;
            /**
             * @description How long a subscription without a trial waits for the customer to agree, before it is cancelled.
             * @example 72
             */
            mandateDeadlineHours: number;
            /** @description Units of a currency in one US dollar, by pair. They win over every source. */
            manualRates: {
                [key: string]: string;
            };
            /**
             * @description Where the crypto of bank withdrawals is sent. Null when that happens elsewhere.
             * @example 0x70997970C51812dc3A010C7d01b50e0d17dc79C8
             */
            offRampAddress: string | null;
            /**
             * @description How long a payment waits for the payer unless it says otherwise.
             * @example 60
             */
            paymentExpiryMinutes: number;
            /**
             * @description The platform's fee on payments, in hundredths of a percent.
             * @example 50
             */
            paymentFeeBps: number;
            /**
             * @description By how much less than asked a payment may bring and still be paid, in hundredths of a percent. Merchants may set their own.
             * @example 50
             */
            paymentToleranceBps: number;
            /**
             * @description The most that the tolerance comes to, in US dollars.
             * @example 0.50
             */
            paymentToleranceMax: string;
            /** @description Addresses that payouts must come from. With none, any transfer to the destination that fits and is no older than the approval counts as the payout, whoever sent it: on a live platform, name yours. */
            payoutWallets: string[];
            /** @description Changes of settings that wait for their approval or their time, oldest first. */
            pendingChanges: components["schemas"]["GuardedChange"][];
            /**
             * @description By how much less than on the market ETH and BTC count when a payment is quoted in them, in hundredths of a percent. It covers what a price moves while a quote holds.
             * @example 50
             */
            rateSpreadBps: number;
            /**
             * @description How many signed transfers we send for one merchant within 24 hours. Of one wallet we take 10.
             * @example 200
             */
            relayDailyMax: number;
            /**
             * @description From this worth on, in US dollars, we bring transfers that payers have signed to the chain and pay for that. Null turns it off.
             * @example 5.00
             */
            relayMinAmount: string | null;
            /**
             * Format: date-time
             * @description When the settings were last changed; null when they never were.
             * @example 2026-01-02T03:04:05.678Z
             */
            updatedAt: string | null;
            /** @description Whether a crypto withdrawal is complete only when the chain says so, on every network that we watch. */
            verifyPayoutOnChain: boolean;
            /**
             * @description Counts the changes. Send it back with a change, so that nobody overwrites what they have not seen.
             * @example 7
             */
            version: number;
            /**
             * @description How long what was sent to webhook endpoints is kept. Events stay.
             * @example 60
             */
            webhookRetentionDays: number;
            /**
             * @description The most that a merchant can withdraw within a UTC day.
             * @example 50000.00
             */
            withdrawalDailyMax: string;
            withdrawalFees: components["schemas"]["WithdrawalFees"];
            /**
             * @description The most that a merchant can withdraw at once.
             * @example 10000.00
             */
            withdrawalMax: string;
            /**
             * @description How many withdrawals of a merchant may wait or be on their way at once.
             * @example 5
             */
            withdrawalMaxOpen: number;
            /**
             * @description The least that a merchant can withdraw at once, before the fee, in US dollars.
             * @example 10.00
             */
            withdrawalMin: string;
        };
        /** @description What to note. */
        ProcessRefundRequest: {
            /**
             * Format: text
             * @description A note for other administrators.
             * @example Payout run of 2 January.
             */
            notes?: string;
        };
        /** @description What there is to say about it. */
        ProcessWithdrawalRequest: {
            /**
             * Format: text
             * @description A note for administrators. An empty or blank one leaves the note before.
             * @example Payout run of 2 January.
             */
            notes?: string;
        };
        /** @description A transaction of Bitcoin that nobody has signed. */
        PsbtFile: {
            /**
             * @description The fee, in the network's coin.
             * @example 0.00000282
             */
            fee: string;
            /**
             * @description The fee in satoshis a virtual byte.
             * @example 2
             */
            feeRate: number;
            /**
             * @description The transaction by BIP174, in base64, for your wallet to sign.
             * @example cHNidP8BAAoCAAAAAAAAAAAAAA==
             */
            psbt: string;
            /**
             * @description The hash that it has when it is signed as it is.
             * @example 7f1c2a9be04d6358a1b7c0e9d2f4836a5b6c7d8e9f0a1b2c3d4e5f60718293a4
             */
            txHash: string;
        };
        /** @description What a payer may know about a checkout session. */
        PublicCheckoutSession: {
            /**
             * Format: money
             * @description The amount to pay, in `currency`.
             * @example 49.99
             */
            amount: number;
            /**
             * Format: uri
             * @description Where the customer goes when they turn back. The page adds `session_id` to its query.
             * @example https://shop.example/cart
             */
            cancelUrl: string;
            /**
             * Format: uri
             * @description The hosted page.
             * @example http://localhost:3000/checkout/session/cs_01jggfq7w3e8yt1b4n6m9p2s5d
             */
            checkoutUrl: string;
            currency: components["schemas"]["Currency"];
            /**
             * Format: date-time
             * @description Until when the session can be paid.
             * @example 2026-01-02T05:04:05.006Z
             */
            expiresAt: string;
            /**
             * @description The id of the session.
             * @example cs_01jggfq7w3e8yt1b4n6m9p2s5d
             */
            id: string;
            /**
             * @description False in the sandbox, where money is play money.
             * @example false
             */
            livemode: boolean;
            /**
             * @description Who asks for the money.
             * @example Ceylon Tea House
             */
            merchantName: string;
            /**
             * @description The payment of this session. Read it at `/v1/public/payments/{id}`.
             * @example pay_01jggfnds9e9gt3f3v5s7k2m4n
             */
            paymentId: string;
            status: components["schemas"]["CheckoutSessionStatus"];
            /**
             * Format: uri
             * @description Where the customer goes after paying. The page adds `session_id` to its query.
             * @example https://shop.example/thanks
             */
            successUrl: string;
        };
        /** @description What a payer may know about a payment. It never shows `metadata`, `customerEmail` or `customFields`. */
        PublicPayment: {
            /**
             * Format: money
             * @description What is asked, in `currency`.
             * @example 25
             */
            amount: number;
            /**
             * Format: money
             * @description What is still missing, in `currency`, rounded up; 0 when enough has been seen.
             * @example 0
             */
            amountDue: number;
            /**
             * Format: money
             * @description The worth of what has been seen at the locked rate, confirmed or not, in `currency`, rounded down.
             * @example 25
             */
            amountReceived: number;
            /**
             * Format: money
             * @description What of it was given back or is on its way back, in `currency`, rounded down.
             * @example 0
             */
            amountRefunded: number;
            /**
             * Format: uri
             * @description Where a checkout session sends the payer when they turn back, null for other payments.
             * @example https://shop.example/cart
             */
            cancelUrl: string | null;
            confirmations: components["schemas"]["PaymentConfirmations"];
            /**
             * @description Where to pay with the chosen option. Empty when no option is left, because nobody would see the money, and while the chosen one is `unavailable`.
             * @example 0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb
             */
            cryptoAddress: string;
            /**
             * @description The USDT equivalent of `amount` at the locked rate, 6 decimals, rounded up.
             * @example 25.000000
             */
            cryptoAmount: string;
            currency: components["schemas"]["Currency"];
            /**
             * @description What it is for; null when nobody said.
             * @example Spring tea workshop
             */
            description: string | null;
            /**
             * @description The websites whose pages may show this page in a frame, each as its origin. Empty when none may.
             * @example [
             *       "https://teahouse.example"
             *     ]
             */
            embedOrigins: string[];
            exception: components["schemas"]["PaymentException"];
            /**
             * Format: date-time
             * @description Until when the payer has to pay.
             * @example 2026-01-02T04:04:05.006Z
             */
            expiresAt: string;
            /**
             * @description The id of the payment.
             * @example pay_01jggfnds9e9gt3f3v5s7k2m4n
             */
            id: string;
            /** @description The lines that add up to `amount`; empty when nobody listed any. */
            items: components["schemas"]["LineItem"][];
            /**
             * @description False in the sandbox, where money is play money.
             * @example false
             */
            livemode: boolean;
            merchantBrand: components["schemas"]["MerchantBrand"];
            merchantContact: components["schemas"]["MerchantContact"];
            /**
             * @description Who asks for the money.
             * @example Ceylon Tea House
             */
            merchantName: string;
            /**
             * @description The network of the chosen option.
             * @example devnet
             */
            network: string;
            /** @description Every way to pay, USDT first. Leaves out networks and coins that are no longer listed. */
            options: components["schemas"]["PaymentOption"][];
            /**
             * Format: date-time
             * @description When it became `paid`, null before.
             * @example 2026-01-02T03:11:42.117Z
             */
            paidAt: string | null;
            /**
             * @description What a wallet understands when it scans the QR code (EIP-681 or BIP 21), for the chosen option. While only a part has arrived it asks for the rest. Empty when `cryptoAddress` is.
             * @example ethereum:0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359@31337/transfer?address=0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb&uint256=25000000
             */
            paymentUri: string;
            /**
             * Format: uri
             * @description A PNG of the QR code of `paymentUri`.
             * @example http://localhost:3000/v1/public/payments/pay_01jggfnds9e9gt3f3v5s7k2m4n/qr.png
             */
            qrCodeUrl: string;
            rate: components["schemas"]["PaymentRate"];
            reason: components["schemas"]["PaymentReason"];
            /** @description Money that the merchant's rules give back to whoever takes it with `POST /v1/public/payments/{id}/refund`; null when there is none. */
            refundOffer: components["schemas"]["RefundOffer"] | null;
            /** @description Transfers to the address that were seen waiting for a block and are gone, newest first, at most 5. Nothing of them counts. Only networks whose transfers are seen before their block have such, like `bitcoin`. */
            replaced: components["schemas"]["ReplacedTransfer"][];
            /**
             * @description The checkout session that it belongs to, null for others.
             * @example cs_01jggfq7w3e8yt1b4n6m9p2s5d
             */
            sessionId: string | null;
            status: components["schemas"]["PaymentStatus"];
            /**
             * Format: uri
             * @description Where a checkout session sends the payer after paying, null for other payments.
             * @example https://shop.example/thanks
             */
            successUrl: string | null;
            /**
             * @description What the merchant says to whoever has paid through a link; null before it is paid, and when they say nothing.
             * @example See you on Saturday at 3 pm.
             *     Bring an apron.
             */
            thankYou: string | null;
            /**
             * Format: uri
             * @description Where the merchant leads whoever has paid through a link; null before it is paid, and when there is nowhere.
             * @example https://shop.example/workshop
             */
            thankYouUrl: string | null;
            /** @description The token that the payer chose; until they choose, and when the network of their choice is no longer listed while the payment is open, the first option's. */
            token: components["schemas"]["Token"];
            /**
             * @description What the chosen option asks, a decimal string in `token`.
             * @example 25.000000
             */
            tokenAmount: string;
            /**
             * @description What is still missing, a decimal string in `token`; zero when enough has been seen.
             * @example 0.000000
             */
            tokenAmountDue: string;
            /** @description The transfers that reached the address, newest first, at most 20. */
            transactions: components["schemas"]["PaymentTransaction"][];
        };
        /** @description What a payer may know about a payment link. */
        PublicPaymentLink: {
            /**
             * @description The tokens that the payer may choose from, as far as they are enabled.
             * @example [
             *       "USDT",
             *       "USDC"
             *     ]
             */
            acceptedTokens: components["schemas"]["Token"][];
            /**
             * Format: money
             * @description What it costs, in USD.
             * @example 25
             */
            amount: number;
            /**
             * @description Links are priced in USD.
             * @enum {string}
             */
            currency: "USD";
            /** @description What the payer is asked; empty for nothing. */
            customFields: components["schemas"]["CustomField"][];
            /**
             * @description More about it; null when there is none.
             * @example Three hours
             * @example tea and cake included.
             */
            description: string | null;
            /** @description About what `amount` is in rupees, for payers who think in them; null while there is no reliable rate. */
            displayAmount: components["schemas"]["DisplayAmount"] | null;
            /**
             * @description The websites whose pages may show this page in a frame, each as its origin. Empty when none may.
             * @example [
             *       "https://teahouse.example"
             *     ]
             */
            embedOrigins: string[];
            /**
             * Format: date-time
             * @description When the link stops taking payments; null when it never does.
             * @example 2026-06-30T18:00:00.000Z
             */
            expiresAt: string | null;
            /**
             * @description The id of the link.
             * @example plink_01jggfm2k8f4rs7a0d3h6x9c5v
             */
            id: string;
            /** @description The lines that add up to `amount`; empty when nobody listed any. */
            items: components["schemas"]["LineItem"][];
            /**
             * @description False in the sandbox, where money is play money.
             * @example false
             */
            livemode: boolean;
            /**
             * @description How many payments the link takes; null for as many as people make.
             * @example 12
             */
            maxPayments: number | null;
            merchantBrand: components["schemas"]["MerchantBrand"];
            /**
             * @description Who asks for the money.
             * @example Ceylon Tea House
             */
            merchantName: string;
            /** @description The amounts between which payers choose, around `amount`; null when everybody pays `amount`. */
            payerAmount: components["schemas"]["PayerAmount"] | null;
            /**
             * @description How many can be started now; null without `maxPayments`. At 0 no payment starts.
             * @example 9
             */
            paymentsLeft: number | null;
            /**
             * @description How many were started and are neither paid nor over; null without `maxPayments`. Each may still give its place back.
             * @example 1
             */
            paymentsOpen: number | null;
            /**
             * @description The last part of the link's address.
             * @example spring-workshop
             */
            slug: string;
            status: components["schemas"]["PaymentLinkStatus"];
            /**
             * @description What is sold.
             * @example Spring tea workshop
             */
            title: string;
            /**
             * Format: uri
             * @description The address of the page.
             * @example http://localhost:3000/checkout/pay/spring-workshop
             */
            url: string;
        };
        /** @description What everybody may know about a plan. */
        PublicPlan: {
            /**
             * @description Whether one can subscribe now. False, too, while the merchant may not collect or the network is not offered.
             * @example true
             */
            active: boolean;
            /**
             * Format: money
             * @description What is charged in every interval, in `currency`.
             * @example 25
             */
            amount: number;
            /**
             * @description The chain id of that network; null where it is not offered at present.
             * @example 31337
             */
            chainId: number | null;
            currency: components["schemas"]["Currency"];
            /**
             * @description More about it; null when there is none.
             * @example A parcel of fresh tea every month.
             */
            description: string | null;
            /**
             * @description The id of the plan.
             * @example plan_01jggm5v7c1x4z8b2n6q9s3w0e
             */
            id: string;
            interval: components["schemas"]["SubscriptionInterval"];
            /**
             * @description False in the sandbox, where money is play money.
             * @example false
             */
            livemode: boolean;
            merchantBrand: components["schemas"]["MerchantBrand"];
            merchantContact: components["schemas"]["MerchantContact"];
            /**
             * @description Who asks for the money.
             * @example Ceylon Tea House
             */
            merchantName: string;
            /**
             * @description What is sold.
             * @example Tea club
             */
            name: string;
            /**
             * @description The network that it is charged on.
             * @example devnet
             */
            network: string;
            token: components["schemas"]["SubscriptionToken"];
            /**
             * @description How many days a new subscriber pays nothing.
             * @example 14
             */
            trialDays: number;
        };
        /** @description What a payer may know about a refund. */
        PublicRefund: {
            /**
             * Format: money
             * @description What is given back, in `currency`.
             * @example 10
             */
            amount: number;
            /**
             * Format: date-time
             * @description When it was made.
             * @example 2026-01-02T03:04:05.006Z
             */
            createdAt: string;
            currency: components["schemas"]["Currency"];
            /**
             * @description Where it goes; null until somebody said so.
             * @example null
             */
            destinationAddress: string | null;
            /**
             * @description Whether that can still be said or changed.
             * @example true
             */
            isChangeable: boolean;
            /**
             * @description Whether the wallet that paid has signed for that address. Then only that wallet can change it.
             * @example false
             */
            isProven: boolean;
            /**
             * @description False in the sandbox, where money is play money.
             * @example false
             */
            livemode: boolean;
            merchantBrand: components["schemas"]["MerchantBrand"];
            merchantContact: components["schemas"]["MerchantContact"];
            /**
             * @description Who gives the money back.
             * @example Ceylon Tea House
             */
            merchantName: string;
            /**
             * @description The network that it is sent on.
             * @example devnet
             */
            network: string;
            /**
             * Format: money
             * @description What that payment asked, in `currency`.
             * @example 25
             */
            paymentAmount: number;
            /**
             * @description The payment that it gives back.
             * @example pay_01jggfnds9e9gt3f3v5s7k2m4n
             */
            paymentId: string;
            /**
             * @description Why, in the merchant's words.
             * @example Only a part of the price arrived.
             */
            reason: string;
            status: components["schemas"]["RefundStatus"];
            /** @description The token that is sent. */
            token: components["schemas"]["Token"];
            /**
             * @description What is sent, a decimal string in `token`.
             * @example 10.000000
             */
            tokenAmount: string;
            /**
             * @description The transaction that paid it; null before.
             * @example null
             */
            txHash: string | null;
            /** @description The wallet that paid the most of it, which may claim it by a signature; null where none is known, such as for Bitcoin, and once nothing can be changed. An exchange's wallet can't sign for its customers. */
            wallet: components["schemas"]["RefundWallet"] | null;
        };
        /** @description What a customer may know about a subscription. It never shows `customerEmail` or `customerName`. */
        PublicSubscription: {
            agreeBy: components["schemas"]["AgreementMethod"];
            allowance: components["schemas"]["TokenAllowance"];
            /**
             * Format: money
             * @description What is charged in every interval, in `currency`.
             * @example 25
             */
            amount: number;
            cancelReason: components["schemas"]["SubscriptionCancelReason"];
            /**
             * @description The chain id of that network.
             * @example 31337
             */
            chainId: number;
            /**
             * @description The contract that collects, which the wallet allows to take the token.
             * @example 0xe7f1725E7734CE288F8367e1Bb143E90bb3F0512
             */
            collector: string;
            currency: components["schemas"]["Currency"];
            /**
             * Format: date-time
             * @description When the present period ends.
             * @example 2026-01-16T03:04:05.006Z
             */
            currentPeriodEnd: string;
            /**
             * @description More about it; null when there is none.
             * @example A parcel of fresh tea every month.
             */
            description: string | null;
            /** @description Why the last try to charge failed, null when it did not. */
            failureCode: components["schemas"]["ChargeFailureCode"];
            /**
             * Format: date-time
             * @description When the first charge is or was due. Once it has passed, a charge follows as soon as the customer agrees.
             * @example 2026-01-16T03:04:05.006Z
             */
            firstChargeAt: string;
            /**
             * @description The id of the subscription.
             * @example sub_01jggm8d2f5h7k9m1p3r6t8v0x
             */
            id: string;
            interval: components["schemas"]["SubscriptionInterval"];
            /**
             * @description False in the sandbox, where money is play money.
             * @example false
             */
            livemode: boolean;
            mandate: components["schemas"]["Mandate"];
            mandateStatus: components["schemas"]["MandateStatus"];
            merchantBrand: components["schemas"]["MerchantBrand"];
            merchantContact: components["schemas"]["MerchantContact"];
            /**
             * @description Who asks for the money.
             * @example Ceylon Tea House
             */
            merchantName: string;
            /**
             * @description The network that it is charged on.
             * @example devnet
             */
            network: string;
            /**
             * Format: date-time
             * @description When the wallet is charged next, for a new period or again for one that failed. null when nothing more will be charged, while a first charge waits for the customer to agree, and while the merchant may not collect.
             * @example 2026-01-16T03:04:05.006Z
             */
            nextChargeAt: string | null;
            /**
             * @description What is sold.
             * @example Tea club
             */
            planName: string;
            status: components["schemas"]["SubscriptionStatus"];
            /**
             * Format: date-time
             * @description Since when a signature waits for the chain to take it, null when none was sent for this mandate.
             * @example null
             */
            submittedAt: string | null;
            terms: components["schemas"]["MandateTerms"];
            token: components["schemas"]["SubscriptionToken"];
            /**
             * @description The contract of the token.
             * @example 0x5FbDB2315678afecb367f032d93F642f64180aa3
             */
            tokenContract: string;
            /**
             * @description How many decimals the token has.
             * @example 6
             */
            tokenDecimals: number;
            /**
             * Format: date-time
             * @description When the trial ends or ended, null without one.
             * @example 2026-01-16T03:04:05.006Z
             */
            trialEnd: string | null;
            typedData: components["schemas"]["MandateTypedData"];
            /**
             * @description The wallet that pays, and that has to agree.
             * @example 0x70997970C51812dc3A010C7d01b50e0d17dc79C8
             */
            walletAddress: string;
        };
        /** @description An event as it was announced, and its place in your feed once it has one. */
        RecordedEvent: {
            /**
             * @description The event as JSON text, the same bytes that a webhook carries. The hash is over exactly these, so parse it afterwards. Empty when the event is `pruned`.
             * @example {"id":"evt_01jggfnrx4f1zc8v5b2n7m0q3e","type":"payment.completed"}
             */
            body: string;
            /**
             * Format: date-time
             * @description When it happened.
             * @example 2026-01-02T03:11:42.117Z
             */
            createdAt: string;
            /**
             * @description The SHA-256 over its place, `previousHash` and `body`, 64 hexadecimal digits; null as long as it has no place.
             * @example cff8a02f29078bf8c7ce81928b45fda5715741b98027944fb0b84f726dc6c87f
             */
            hash: string | null;
            /**
             * @description The id of the event, the same that a webhook carries. Remember it to handle an event once.
             * @example evt_01jggfnrx4f1zc8v5b2n7m0q3e
             */
            id: string;
            /**
             * @description Its place in your feed, counted from 1 without gaps; null for about a second.
             * @example 4
             */
            position: number | null;
            /**
             * @description The `hash` of the event before, 64 hexadecimal digits; zeros for the first; null as long as it has no place.
             * @example fccfc0ba21c4ef19755deaf97b0f212b471d60f12a0c99ae23f5a316e2bf8150
             */
            previousHash: string | null;
            /**
             * @description True when the event is about a payment of a link that nobody paid and that was removed 30 days after it ended. Its `body` is gone, so its `hash` can't be computed any more; the chain goes on with it.
             * @example false
             */
            pruned: boolean;
            type: components["schemas"]["EventType"];
        };
        /** @description From when on events are sent again. */
        RecoverWebhooksRequest: {
            /**
             * Format: date-time
             * @description Events that happened then or later, a date-time with its offset.
             * @example 2026-01-02T00:00:00Z
             */
            since: string;
        };
        /** @description The refresh token to trade in. */
        RefreshAdminSessionRequest: {
            /**
             * Format: text
             * @description The newest refresh token of the session. Each works once.
             * @example rt_9mZ1xK4vQ7sT2wB5nE8yH3uJ6dG0fCaLpRiOqXkYtWc
             */
            refreshToken: string;
        };
        /** @description The refresh token to trade in. */
        RefreshMerchantSessionRequest: {
            /**
             * Format: text
             * @description The newest refresh token of the session. Each works once.
             * @example rt_9mZ1xK4vQ7sT2wB5nE8yH3uJ6dG0fCaLpRiOqXkYtWc
             */
            refreshToken: string;
        };
        /** @description Money of a payment that goes back to its payer. */
        Refund: {
            /**
             * Format: money
             * @description What is given back, in the payment's currency and at its locked rate, rounded down.
             * @example 10
             */
            amount: number;
            /**
             * Format: date-time
             * @description When you made it.
             * @example 2026-01-02T03:04:05.006Z
             */
            createdAt: string;
            currency: components["schemas"]["Currency"];
            /**
             * @description Where it goes; null until that is known.
             * @example null
             */
            destinationAddress: string | null;
            /**
             * Format: date-time
             * @description When it became `completed`, `cancelled` or `failed`; null before.
             * @example null
             */
            finishedAt: string | null;
            /**
             * @description The id of the refund.
             * @example rfd_01jggm5r8e3t6y9b2d4f7h0k1n
             */
            id: string;
            /**
             * @description The network that it is sent on, which is the one that it was paid on.
             * @example devnet
             */
            network: string;
            /**
             * @description Whether the payer took it from the payment's page, where your rules offered it.
             * @example false
             */
            offered: boolean;
            /**
             * @description The payment that it gives back.
             * @example pay_01jggfnds9e9gt3f3v5s7k2m4n
             */
            paymentId: string;
            /**
             * @description Why it is given back, in your words. The payer reads it.
             * @example Only a part of the price arrived.
             */
            reason: string;
            status: components["schemas"]["RefundStatus"];
            /**
             * @description Why it failed, in plain words; null otherwise.
             * @example null
             */
            statusMessage: string | null;
            /** @description The token that is sent, which is the one that was paid. */
            token: components["schemas"]["Token"];
            /**
             * @description What is sent, a decimal string in `token`.
             * @example 10.000000
             */
            tokenAmount: string;
            /**
             * @description The transaction that paid it; null until it is `completed`.
             * @example null
             */
            txHash: string | null;
        };
        /** @description A refund was taken back, and its money is where it was. */
        RefundCancelledEvent: components["schemas"]["EventEnvelope"] & {
            /** @description The refund as it was when the event happened. */
            data: components["schemas"]["Refund"];
            /**
             * @description The type of the event.
             * @constant
             */
            type: "refund.cancelled";
        };
        /** @description A refund is paid. */
        RefundCompletedEvent: components["schemas"]["EventEnvelope"] & {
            /** @description The refund as it was when the event happened. */
            data: components["schemas"]["Refund"];
            /**
             * @description The type of the event.
             * @constant
             */
            type: "refund.completed";
        };
        /** @description A refund was made, and its money is held. */
        RefundCreatedEvent: components["schemas"]["EventEnvelope"] & {
            /** @description The refund as it was when the event happened. */
            data: components["schemas"]["Refund"];
            /**
             * @description The type of the event.
             * @constant
             */
            type: "refund.created";
        };
        /** @description A refund could not be paid, and its money is where it was. */
        RefundFailedEvent: components["schemas"]["EventEnvelope"] & {
            /** @description The refund as it was when the event happened. */
            data: components["schemas"]["Refund"];
            /**
             * @description The type of the event.
             * @constant
             */
            type: "refund.failed";
        };
        /** @description A page of refunds. */
        RefundList: {
            pagination: components["schemas"]["Pagination"];
            /** @description The refunds, newest first. */
            refunds: components["schemas"]["Refund"][];
        };
        /** @description Money of a payment that its payer may have back at once. */
        RefundOffer: {
            /**
             * Format: money
             * @description What comes back, in `currency` and at the payment's locked rate, rounded down.
             * @example 2
             */
            amount: number;
            currency: components["schemas"]["Currency"];
            /**
             * @description The network that it is sent on.
             * @example devnet
             */
            network: string;
            /** @description The token that is sent, which is the one that was paid. */
            token: components["schemas"]["Token"];
            /**
             * @description What is sent, a decimal string in `token`.
             * @example 2.000000
             */
            tokenAmount: string;
        };
        /**
         * @description An exception for which a payment's page may offer the money back.
         * @example overpaid
         * @enum {string}
         */
        RefundOfferException: "underpaid" | "overpaid" | "late" | "wrong_token";
        /** @description It is known where a refund goes, or that has changed. */
        RefundPendingEvent: components["schemas"]["EventEnvelope"] & {
            /** @description The refund as it was when the event happened. */
            data: components["schemas"]["Refund"];
            /**
             * @description The type of the event.
             * @constant
             */
            type: "refund.pending";
        };
        /** @description A refund is being paid. */
        RefundProcessingEvent: components["schemas"]["EventEnvelope"] & {
            /** @description The refund as it was when the event happened. */
            data: components["schemas"]["Refund"];
            /**
             * @description The type of the event.
             * @constant
             */
            type: "refund.processing";
        };
        /** @description The chain took the payout of a refund back. It is paid anew, or fails. */
        RefundRevertedEvent: components["schemas"]["EventEnvelope"] & {
            /** @description The refund as it was when the event happened. */
            data: components["schemas"]["Refund"];
            /**
             * @description The type of the event.
             * @constant
             */
            type: "refund.reverted";
        };
        /**
         * @description The state of a refund.
         *
         *     ```
         *     awaiting_claim ──▶ pending ──▶ processing ──▶ completed
         *           │               │            │
         *           └───────┬───────┴────────────┤
         *                   ▼                    ▼
         *               cancelled             failed
         *     ```
         *
         *     - `awaiting_claim`: the money is held until the payer says where it shall go, by the link in `claimUrl`.
         *     - `pending`: it is known where it goes, and it waits to be paid.
         *     - `processing`: it is being paid, so its address does not change any more.
         *     - `completed`: it is paid. In the rare case that the chain takes the payout back it is `processing` again.
         *     - `cancelled`: you took it back. The money is where it was.
         *     - `failed`: it could not be paid (`statusMessage` says why). The money is where it was.
         * @example awaiting_claim
         * @enum {string}
         */
        RefundStatus: "awaiting_claim" | "pending" | "processing" | "completed" | "cancelled" | "failed";
        /** @description A wallet that paid, and what it signs to get a refund. */
        RefundWallet: {
            /**
             * @description Its address.
             * @example 0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed
             */
            address: string;
            /**
             * @description What it signs to have the money sent there (EIP-191, or ERC-1271 for a wallet that is a contract).
             * @example Send my refund to this wallet.
             *
             *     Refund: rfd_01jggm5r8e3t6y9b2d4f7h0k1n
             */
            message: string;
        };
        /** @description A payout, and why nothing happened to it. */
        RefusedPayout: {
            /**
             * @description The error's code, as if it had been asked for alone.
             * @example CONFLICT
             */
            code: string;
            /**
             * @description The id of the withdrawal or the refund.
             * @example rfd_01jggm5r8e3t6y9b2d4f7h0k1n
             */
            id: string;
            /**
             * @description What is wrong, and the cure.
             * @example This refund is cancelled; to complete it
             * @example it must be pending or processing.
             */
            message: string;
            /**
             * @description The error's reason, if it has one.
             * @example payout_wrong_destination
             */
            reason: string | null;
        };
        /** @description What a new merchant tells about itself. */
        RegisterMerchantRequest: {
            /**
             * Format: text
             * @description The legal name of the business. Payers see it.
             * @example Ceylon Tea House
             */
            businessName: string;
            businessType: components["schemas"]["BusinessType"];
            /**
             * Format: email
             * @description The e-mail address to log in with, unique on the platform whatever its case.
             * @example owner@teahouse.example
             */
            email: string;
            /**
             * Format: text
             * @description 8 to 128 characters with at least one upper-case letter, one lower-case letter and one digit.
             * @example Str0ng-enough
             */
            password: string;
            /**
             * @description The phone number in international form, starting with `+` and the country code. Stored in E.164 form.
             * @example +94771234567
             */
            phone: string;
        };
        /** @description Why the merchant is rejected. */
        RejectMerchantRequest: {
            /**
             * Format: text
             * @description What is wrong and what would cure it. The merchant reads it.
             * @example The certificate of registration is not readable.
             */
            reason: string;
        };
        /** @description Why it is refused. */
        RejectWithdrawalRequest: {
            /**
             * Format: text
             * @description Why, for the merchant to read. Spaces alone are refused.
             * @example The account does not belong to the business.
             */
            reason: string;
        };
        /**
         * @description Why a signed transfer was not sent.
         *
         *     - `balance`: the wallet holds less of the token than the transfer moves.
         *     - `spent`: the token has executed or called off a transfer with this number already.
         *     - `changed`: the payment asks for another amount now, or for none.
         *     - `too_late`: the payment's deadline came before it could be sent.
         *     - `token`: the token refuses the transfer.
         *     - `allowance`: Permit2 may not move so much of the wallet's tokens: it was not approved, or the approval was withdrawn.
         *     - `wallet`: the wallet has code, which Permit2 or the token would ask, or a transfer that it had signed failed on the chain within 24 hours. Such wallets pay by a transfer.
         * @example balance
         * @enum {string}
         */
        RelayReason: "balance" | "spent" | "changed" | "too_late" | "token" | "allowance" | "wallet";
        /**
         * @description The state of a signed transfer.
         *
         *     ```
         *     to_approve ─▶ to_sign ──▶ signed ──▶ sent ──▶ done
         *                      ▲          │          └─────▶ reverted
         *                      └── refused ◀┘
         *     ```
         *
         *     - `to_approve`: the token takes no signed allowances, and the wallet has not let Permit2 move it yet. It has to approve Permit2 by a
         *       transaction of its own first, which costs a fee once; the contract is `typedData.domain.verifyingContract`.
         *     - `to_sign`: the wallet has signed nothing yet.
         *     - `signed`: the signature is stored and will be brought to the chain.
         *     - `sent`: our transaction is on its way.
         *     - `done`: our transaction is confirmed.
         *     - `reverted`: the chain refused our transaction. Nothing more is sent for this payment; the payer pays by a transfer.
         *     - `refused`: it was not sent, and `reason` says why. The wallet can sign again.
         * @example to_sign
         * @enum {string}
         */
        RelayStatus: "to_approve" | "to_sign" | "signed" | "sent" | "done" | "reverted" | "refused";
        /** @description The code of the second factor, where one is needed. */
        RenewRefundClaimRequest: {
            /**
             * Format: text
             * @description The one-time code or a recovery code, needed in a session when two-factor authentication is on; ignored otherwise.
             * @example 492039
             */
            otp?: string;
        };
        /** @description How much of the chain to replace. */
        ReorgSandboxChainRequest: {
            /**
             * @description How many of the newest blocks to replace.
             * @example 2
             */
            depth: number;
            /**
             * @description Whether the transactions of the replaced blocks are in the new ones too. With false they are gone.
             * @default true
             * @example false
             */
            keepTransactions?: boolean;
            network?: components["schemas"]["SandboxNetworkName"];
        };
        /** @description A transfer that was seen and that the network took back: while it waited for a block, because its sender replaced it or because no block took it, or together with the block that held it. */
        ReplacedTransfer: {
            /**
             * Format: date-time
             * @description When it had been seen for the first time.
             * @example 2026-01-02T03:11:40.000Z
             */
            at: string;
            /**
             * @description The hash of the transaction that spends the same money now; null when there is none, or none is known. It need not pay this payment.
             * @example c0ffee0b7a5d4e3f2a1b0c9d8e7f6a5b4c3d2e1f0a9b8c7d6e5f4a3b2c1d0e9f
             */
            by: string | null;
            /**
             * @description The hash of the transaction that is gone.
             * @example 7f1c2a9be04d6358a1b7c0e9d2f4836a5b6c7d8e9f0a1b2c3d4e5f60718293a4
             */
            hash: string;
            /**
             * @description The network where it was.
             * @example bitcoin
             */
            network: string;
            /**
             * @description Whether a block had held it that is gone. It may come in another one.
             * @example false
             */
            undone: boolean;
        };
        /** @description What is to become of a transfer that waits in the pool. */
        ReplaceSandboxTransferRequest: {
            /**
             * @description `same_address`: a transaction that pays miners more, and the payment the same. `other_address`: one that pays miners more, and somebody else instead of the payment. `double_spend`: one in a block that is mined at once, which spends the same coins elsewhere. `nothing`: the pool drops the transaction, as nodes do with one that nobody mines.
             * @example same_address
             * @enum {string}
             */
            by: "same_address" | "other_address" | "double_spend" | "nothing";
            /**
             * @description The transaction. The newest one that waits and pays this payment when you leave it out.
             * @example 4a5e1e4baab89f3a32518a88c31bc87f618f76673e2cc77ab2127b7afdeda33b
             */
            txHash?: string;
        };
        /** @description A payment after a decision, with the refunds that the decision made. */
        ResolvedPayment: components["schemas"]["Payment"] & {
            /** @description What goes back, with the links by which it is claimed; empty for `accept`. */
            refundsMade: components["schemas"]["CreatedRefund"][];
        };
        /** @description Why it is over. */
        ResolveIncidentRequest: {
            /**
             * Format: text
             * @description What it was, and what you did about it.
             * @example The merchant was told; the network waits for 30 confirmations now.
             */
            note: string;
        };
        /** @description What to do with the money that waits. */
        ResolvePaymentRequest: {
            /**
             * @description `accept` takes the money into your available balance. `refund` gives all that waits back to its payer, in a refund for each token; with an API key it also needs the scope `settlements:write`.
             * @enum {string}
             */
            action: "accept" | "refund";
            /**
             * Format: text
             * @description The one-time code or a recovery code, needed for `refund` in a session when two-factor authentication is on; ignored otherwise.
             * @example 492039
             */
            otp?: string;
            /**
             * Format: text
             * @description Why it goes back, in plain words for your payer; needed for `refund`, ignored otherwise.
             * @example Only a part of the price arrived.
             */
            reason?: string;
        };
        /** @description What a group of administrators may do. */
        Role: {
            /**
             * Format: date-time
             * @description When the role was made.
             * @example 2026-01-02T03:02:11.004Z
             */
            createdAt: string;
            /**
             * @description What the role is for.
             * @example Reviews withdrawals and sends the money.
             */
            description: string;
            /**
             * @description The id of the role.
             * @example role_01jggf4b9xe6kd2r7t0w3y5h8a
             */
            id: string;
            /**
             * @description The name of the role, unique, in lower case with underscores.
             * @example payout_clerk
             */
            name: string;
            /** @description Everything that the role allows. super_admin allows everything that there is. */
            permissions: components["schemas"]["Permission"][];
            /**
             * Format: date-time
             * @description When the role was last changed.
             * @example 2026-01-02T03:02:11.004Z
             */
            updatedAt: string;
        };
        /** @description All roles. */
        RoleList: {
            /** @description The roles, newest first. */
            data: components["schemas"]["Role"][];
        };
        /** @description The role of an administrator. */
        RoleReference: {
            /**
             * @description The id of the role.
             * @example role_01jggf4b9xe6kd2r7t0w3y5h8a
             */
            id: string;
            /**
             * @description The name of the role.
             * @example support_agent
             */
            name: string;
        };
        /** @description How long the old key goes on working beside the new one. */
        RotateApiKeyRequest: {
            /**
             * @description From 0 (it stops now) to 168 hours, 24 when left out. A key that would expire earlier still does.
             * @default 24
             * @example 24
             */
            overlapHours?: number;
        };
        /** @description How long the old keys sign along. */
        RotateWebhookKeysRequest: {
            /**
             * @description How long the key that is active now signs along with the new one, 0 to 604800 seconds (a week), a day when left out. With 0 every old key ends at once, also those that are retiring already.
             * @default 86400
             * @example 86400
             */
            gracePeriodSeconds?: number;
        };
        /** @description Transactions for the Transaction Builder of a Safe, version 1.0 of its file. */
        SafeBatch: {
            /**
             * @description The chain, as a decimal number.
             * @example 8453
             */
            chainId: string;
            /**
             * @description When it was made, in milliseconds since 1970.
             * @example 1767323045006
             */
            createdAt: number;
            meta: components["schemas"]["SafeBatchMeta"];
            /** @description One for each payout, in their order. */
            transactions: components["schemas"]["SafeTransaction"][];
            /**
             * @description The version of the file.
             * @example 1.0
             * @enum {string}
             */
            version: "1.0";
        };
        /** @description What the file is. */
        SafeBatchMeta: {
            /**
             * @description What is in it.
             * @example 2 payouts, exported 2026-01-02T03:04:05.006Z
             */
            description: string;
            /**
             * @description Its name.
             * @example Payouts on base
             */
            name: string;
        };
        /** @description A transaction of a Safe. */
        SafeTransaction: {
            /**
             * @description The call of the token's contract, `0x` for the coin.
             * @example 0xa9059cbb0000000000000000000000005aaeb6053f3e94c9b9a09f33669435e7ef1beaed0000000000000000000000000000000000000000000000000000000000989680
             */
            data: string;
            /**
             * @description The token's contract, or where the coin goes.
             * @example 0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913
             */
            to: string;
            /**
             * @description Base units of the chain's coin.
             * @example 0
             */
            value: string;
        };
        /** @description The newest block of a test chain. */
        SandboxChainHead: {
            /**
             * @description Its hash.
             * @example 0x3c5b0f9a7e1d4826b8c2f6a09d7e5134c8b1a2f3e4d5c6b7a8990112233445d6
             */
            blockHash: string;
            /**
             * @description The number of the block.
             * @example 1044
             */
            blockNumber: number;
            /**
             * Format: date-time
             * @description Its time.
             * @example 2026-01-02T03:11:44.000Z
             */
            blockTime: string;
            /**
             * @description The network.
             * @example devnet
             */
            network: string;
        };
        /** @description The business clock, which decides expiry. */
        SandboxClock: {
            /**
             * Format: date-time
             * @description What the business clock shows.
             * @example 2026-01-02T04:04:05.006Z
             */
            now: string;
            /**
             * @description How far it is ahead of the real clock, in milliseconds.
             * @example 3600000
             */
            offsetMs: number;
        };
        /** @description A customer of play, with their wallet. */
        SandboxCustomer: {
            subscription: components["schemas"]["Subscription"];
            wallet: components["schemas"]["SandboxWallet"];
        };
        /** @description What the sandbox is made of. */
        SandboxInfo: {
            /** @description The test networks that could not start; everything else works without them. */
            missing: components["schemas"]["SandboxMissingNetwork"][];
            /**
             * @description The well-known test phrase of the networks' rich accounts. Never use it with real money.
             * @example test test test test test test test test test test test junk
             */
            mnemonic: string;
            /** @description The test networks. */
            networks: components["schemas"]["SandboxNetwork"][];
        };
        /** @description A test network that could not start. */
        SandboxMissingNetwork: {
            /**
             * @description Why, and what helps.
             * @example bcoin is not installed: run npm ci.
             */
            message: string;
            /**
             * @description The name of the network.
             * @example regtest
             */
            network: string;
        };
        /** @description A test network and the contracts on it. */
        SandboxNetwork: {
            /**
             * @description The chain id of an EVM network, null for others.
             * @example 31337
             */
            chainId: number | null;
            /**
             * @description The contract that collects recurring payments, null when there is none.
             * @example 0xc167dc5088afa9Eba0680d350bA934C28661c09f
             */
            collector: string | null;
            /**
             * @description How many confirmations payments wait for.
             * @example 2
             */
            confirmations: number;
            /**
             * @description The contract that deposit addresses derive from, null where they derive from a key.
             * @example 0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB
             */
            factory: string | null;
            /**
             * @description The name of the network.
             * @example devnet
             */
            network: string;
            /**
             * Format: uri
             * @description Where its node listens. Point a wallet at it. A Bitcoin node asks for user and password, which are in the data folder of the sandbox.
             * @example http://127.0.0.1:8545
             */
            rpcUrl: string;
            /** @description The tokens that can be paid with. */
            tokens: components["schemas"]["SandboxToken"][];
            /**
             * @description The only address that deposits can be swept to, null where they stay in a wallet.
             * @example 0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed
             */
            treasury: string | null;
        };
        /**
         * Format: text
         * @description The network to do it on, one of those that `GET /v1/sandbox` lists; `devnet` when you leave it out.
         * @example devnet
         */
        SandboxNetworkName: string;
        /** @description A payout that the sandbox made on its chain. */
        SandboxPayout: {
            /**
             * @description How much was sent, a decimal string.
             * @example 249.000000
             */
            amount: string;
            /**
             * @description The number of the block with the transfer.
             * @example 1042
             */
            block: number;
            /**
             * @description The wallet that paid, the same for every payout.
             * @example 0x23618e81E3f5cdF7f54C3d65f7FBc0aBf5B21E8f
             */
            from: string;
            /**
             * @description The network that it happened on.
             * @example devnet
             */
            network: string;
            /**
             * @description The destination of the withdrawal.
             * @example 0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed
             */
            to: string;
            token: components["schemas"]["Token"];
            /**
             * @description The hash of the transaction, with which the withdrawal is completed.
             * @example 0x8a1f0c6de2b94375c1a7e09f5d3b2846a0e7c9d14f6b83520d9e1c7a4b5f6038
             */
            txHash: string;
            /**
             * @description The withdrawal that it is for.
             * @example wd_01jggk4x7c2m9q5s8v1y3b6d0f
             */
            withdrawalId: string;
        };
        /** @description A payout that the sandbox made on its chain. */
        SandboxRefundPayout: {
            /**
             * @description How much was sent, a decimal string.
             * @example 249.000000
             */
            amount: string;
            /**
             * @description The number of the block with the transfer.
             * @example 1042
             */
            block: number;
            /**
             * @description The wallet that paid, the same for every payout.
             * @example 0x23618e81E3f5cdF7f54C3d65f7FBc0aBf5B21E8f
             */
            from: string;
            /**
             * @description The network that it happened on.
             * @example devnet
             */
            network: string;
            /**
             * @description The refund that it is for.
             * @example rfd_01jggm5r8e3t6y9b2d4f7h0k1n
             */
            refundId: string;
            /**
             * @description The destination of the refund.
             * @example 0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed
             */
            to: string;
            token: components["schemas"]["Token"];
            /**
             * @description The hash of the transaction, with which the refund is completed.
             * @example 0x8a1f0c6de2b94375c1a7e09f5d3b2846a0e7c9d14f6b83520d9e1c7a4b5f6038
             */
            txHash: string;
        };
        /** @description What became of a transfer that waited in the pool. */
        SandboxReplacement: {
            /**
             * @description The number of the block with that transaction, 0 when there is none or it waits in the pool.
             * @example 0
             */
            block: number;
            /**
             * @description The network that it happened on.
             * @example regtest
             */
            network: string;
            /**
             * @description The payment that it paid.
             * @example pay_01jggfnds9e9gt3f3v5s7k2m4n
             */
            paymentId: string;
            /**
             * @description The transaction that is gone.
             * @example 4a5e1e4baab89f3a32518a88c31bc87f618f76673e2cc77ab2127b7afdeda33b
             */
            replacedTxHash: string;
            /**
             * @description The transaction in its place, null when there is none.
             * @example 0e3e2357e806b6cdb1f70b54c3a3a17b6714ee1f0e68bebb44a74b1efd512098
             */
            txHash: string | null;
        };
        /** @description A test token. */
        SandboxToken: {
            /**
             * @description Its contract, null for a native coin.
             * @example 0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359
             */
            contract: string | null;
            /**
             * @description How many decimals it has.
             * @example 6
             */
            decimals: number;
            token: components["schemas"]["Token"];
        };
        /**
         * @description An amount of a test token, a decimal string with no more decimals than the token has.
         * @example 25.000000
         */
        SandboxTokenAmount: string;
        /** @description A transfer that the sandbox made on its chain. */
        SandboxTransfer: {
            /**
             * @description How much was sent, a decimal string.
             * @example 25.000000
             */
            amount: string;
            /**
             * @description The number of the block with the transfer, 0 while it waits in the pool.
             * @example 1042
             */
            block: number;
            /**
             * @description The wallet that paid.
             * @example 0x70997970C51812dc3A010C7d01b50e0d17dc79C8
             */
            from: string;
            /**
             * @description The network that it happened on.
             * @example devnet
             */
            network: string;
            /**
             * @description The payment that was paid.
             * @example pay_01jggfnds9e9gt3f3v5s7k2m4n
             */
            paymentId: string;
            /**
             * @description The address that was paid.
             * @example 0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb
             */
            to: string;
            token: components["schemas"]["Token"];
            /**
             * @description The hash of the transaction.
             * @example 0x8a1f0c6de2b94375c1a7e09f5d3b2846a0e7c9d14f6b83520d9e1c7a4b5f6038
             */
            txHash: string;
        };
        /** @description A new test wallet with play money in it. */
        SandboxWallet: {
            /**
             * @description Its address.
             * @example 0x70997970C51812dc3A010C7d01b50e0d17dc79C8
             */
            address: string;
            /** @description What it holds, the coin for fees included. */
            balances: components["schemas"]["SandboxWalletBalance"][];
            /**
             * @description The network that it was funded on.
             * @example devnet
             */
            network: string;
            /**
             * @description Its private key, to import into any wallet. It is shown only here.
             * @example 0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d
             */
            privateKey: string;
        };
        /** @description What a test wallet holds of one token. */
        SandboxWalletBalance: {
            /**
             * @description How much, a decimal string.
             * @example 10000.000000
             */
            amount: string;
            /**
             * @description The contract of the token, null for a native coin.
             * @example 0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359
             */
            contract: string | null;
            token: components["schemas"]["Token"];
        };
        /** @description A wallet that the sandbox has made, as the chain knows it now. */
        SandboxWalletState: {
            /**
             * @description Its address.
             * @example 0x70997970C51812dc3A010C7d01b50e0d17dc79C8
             */
            address: string;
            /**
             * @description How much of the token the subscription contract may still take, whatever the mandates say.
             * @example 325.000000
             */
            allowance: string;
            /**
             * @description How much of the token it holds, a decimal string.
             * @example 10000.000000
             */
            balance: string;
            /**
             * @description The network that it is on.
             * @example devnet
             */
            network: string;
            /** @description The token that `balance` and `allowance` count. */
            token: components["schemas"]["Token"];
        };
        /** @description An event in your feed. */
        SealedEvent: {
            /**
             * @description The event as JSON text, the same bytes that a webhook carries. The hash is over exactly these, so parse it afterwards. Empty when the event is `pruned`.
             * @example {"id":"evt_01jggfnrx4f1zc8v5b2n7m0q3e","type":"payment.completed"}
             */
            body: string;
            /**
             * Format: date-time
             * @description When it happened.
             * @example 2026-01-02T03:11:42.117Z
             */
            createdAt: string;
            /**
             * @description The SHA-256 over its place, `previousHash` and `body`, 64 hexadecimal digits.
             * @example cff8a02f29078bf8c7ce81928b45fda5715741b98027944fb0b84f726dc6c87f
             */
            hash: string;
            /**
             * @description The id of the event, the same that a webhook carries. Remember it to handle an event once.
             * @example evt_01jggfnrx4f1zc8v5b2n7m0q3e
             */
            id: string;
            /**
             * @description Its place in your feed, counted from 1 without gaps.
             * @example 4
             */
            position: number;
            /**
             * @description The `hash` of the event before, 64 hexadecimal digits; zeros for the first.
             * @example fccfc0ba21c4ef19755deaf97b0f212b471d60f12a0c99ae23f5a316e2bf8150
             */
            previousHash: string;
            /**
             * @description True when the event is about a payment of a link that nobody paid and that was removed 30 days after it ended. Its `body` is gone, so its `hash` can't be computed any more; the chain goes on with it.
             * @example false
             */
            pruned: boolean;
            type: components["schemas"]["EventType"];
        };
        /** @description A piece of the feed. */
        SealedEventList: {
            /** @description The events, oldest first, each with the position after the one before. */
            data: components["schemas"]["SealedEvent"][];
            /**
             * @description Whether there are more behind the last of them already.
             * @example false
             */
            hasMore: boolean;
        };
        /** @description The option that the payer chose, one of the payment's `options`. */
        SelectPaymentOptionRequest: {
            /**
             * Format: text
             * @description The network of the option.
             * @example devnet
             */
            network: string;
            token: components["schemas"]["Token"];
        };
        /** @description What you have, in US dollars, rounded down to cents. */
        SettlementBalance: {
            /**
             * Format: money
             * @description What you can withdraw, which is confirmed payments less withdrawals that are open or completed. Never below 0.
             * @example 1250.5
             */
            availableBalance: number;
            /**
             * @description The currency of the balance.
             * @enum {string}
             */
            currency: "USD";
            /**
             * Format: money
             * @description What your open withdrawals hold.
             * @example 250
             */
            heldBalance: number;
            /**
             * Format: money
             * @description What you owe after a confirmed payment was undone by its chain; later payments repay it first. 0 almost always.
             * @example 0
             */
            owed: number;
            /**
             * Format: money
             * @description Payments that are still confirming on the chain.
             * @example 25
             */
            pendingBalance: number;
            /**
             * Format: money
             * @description What arrived for your payments and waits for its payment to be complete, or for your decision.
             * @example 12
             */
            suspense: number;
            /**
             * Format: money
             * @description Everything that was ever confirmed, before fees, less what was reversed.
             * @example 1400.75
             */
            totalEarned: number;
        };
        /** @description Who asks, once more. */
        SetUpTwoFactorRequest: {
            /**
             * Format: text
             * @description Your password, so that nobody who finds a session open can lock you out of your account.
             * @example Str0ng-enough
             */
            password: string;
        };
        /** @description Instructions for a payment with the signature of its merchant's key. */
        SignedInstructions: {
            /**
             * @description A short form of the instructions for people to compare: 80 bits of their hash in four groups of four. It changes with the address, the amount, the token, the network and the deadline, and not with `issuedAt`.
             * @example H3R8-JEXQ-AE5E-7C82
             */
            code: string;
            instructions: components["schemas"]["PaymentInstructions"];
            /**
             * @description The instructions as a compact JWS (RFC 7515): `alg` is `EdDSA`, `typ` is `kasi-payment-instructions+jws`, and `kid` is `keyId`. Its payload is `instructions` as JSON.
             * @example eyJhbGciOiJFZERTQSIsInR5cCI6Imthc2ktcGF5bWVudC1pbnN0cnVjdGlvbnMrandzIn0.e30.c2lnbmF0dXJl
             */
            jws: string;
            /**
             * @description The key that signed, by its thumbprint (RFC 7638), as in the merchant's key set.
             * @example ouTabGTOmRDWFXkxQzGlQPjm5Zc3gbr9gRdX5q7gk9o
             */
            keyId: string;
            /**
             * Format: uri
             * @description The merchant's key set (JWKS). Keep your own copy of the keys to verify without trusting the network.
             * @example http://localhost:3000/v1/public/merchants/mer_01jggf3t6he2nb5w8c4y7z9m1k/webhook-keys
             */
            keysUrl: string;
            /**
             * Format: uri
             * @description The page on which people compare address and code on another device.
             * @example http://localhost:3000/checkout/verify/pay_01jggfnds9e9gt3f3v5s7k2m4n
             */
            verifyUrl: string;
        };
        /** @description The allowance that the wallet has signed, where `permit` asked for one. */
        SignedPermit: {
            /**
             * @description The `nonce` that `permit` had.
             * @example 0
             */
            nonce: string;
            /**
             * @description What `eth_signTypedData_v4` gave for its `typedData`.
             * @example 0x2f1c9d3e8b7a6f5e4d3c2b1a0918273645546372819a0b1c2d3e4f5061728394051627384950a1b2c3d4e5f60718293a4b5c6d7e8f90011223344556677889901c
             */
            signature: string;
        };
        /** @description A transfer that the payer's wallet signs and we bring to the chain, so that the payer needs none of the network's coin. */
        SignedTransfer: {
            /**
             * @description How much of the token it moves, all that the payment still asks for.
             * @example 15.000000
             */
            amount: string;
            method: components["schemas"]["SignMethod"];
            /**
             * @description The network of the transfer.
             * @example devnet
             */
            network: string;
            /**
             * @description The wallet that signs.
             * @example 0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed
             */
            payer: string;
            /**
             * @description The payment that it pays.
             * @example pay_01jggfnds9e9gt3f3v5s7k2m4n
             */
            paymentId: string;
            /** @description What the wallet signs besides; null where the one signature is enough. */
            permit: components["schemas"]["PermitToSign"] | null;
            /** @description Why it was `refused`; null otherwise. */
            reason: components["schemas"]["RelayReason"] | null;
            /**
             * @description Where the money goes, the payment's own address. The signature is good for no other.
             * @example 0x70997970C51812dc3A010C7d01b50e0d17dc79C8
             */
            recipient: string;
            status: components["schemas"]["RelayStatus"];
            token: components["schemas"]["Token"];
            /**
             * @description Our transaction that carries it; null while there is none.
             * @example null
             */
            transactionHash: string | null;
            /** @description What the wallet signs by `eth_signTypedData_v4`: EIP-712 data of the type `TransferWithAuthorization` (ERC-3009), or of `PermitWitnessTransferFrom` (Permit2), whose witness names the recipient. */
            typedData: {
                [key: string]: unknown;
            };
            /**
             * Format: date-time
             * @description Until then the signature is good, the payment's deadline.
             * @example 2026-01-02T04:04:05.000Z
             */
            validBefore: string;
        };
        /**
         * @description By which contract a signed transfer is made.
         *
         *     - `erc3009`: by the token's own. One signature is enough.
         *     - `permit2`: by [Permit2](https://github.com/Uniswap/permit2), which moves any token whose holder has approved it. A wallet that has not
         *       signs an allowance besides, where the token takes one (ERC-2612); otherwise it has to approve by a transaction first.
         * @example erc3009
         * @enum {string}
         */
        SignMethod: "erc3009" | "permit2";
        /** @description What the payer tells. Everything is optional, but what the link's `customFields` require. */
        StartPaymentLinkPaymentRequest: {
            /**
             * Format: money
             * @description What the payer chose to pay, in USD, on a link with `payerAmount`. Without it they pay the link's `amount`.
             * @example 25
             */
            amount?: number;
            /**
             * Format: email
             * @description Where the merchant can reach the payer.
             * @example nimal@example.org
             */
            customerEmail?: string | null;
            customFields?: components["schemas"]["CustomFieldAnswers"];
        };
        /** @description A month of your ledger with its movements. */
        Statement: {
            /** @description What each account held when the month ended; of the current month, what it holds now. */
            closing: components["schemas"]["AccountAmounts"];
            /**
             * @description The currency of the ledger.
             * @enum {string}
             */
            currency: "USD";
            /**
             * @description Whether the month is over and nothing of it changes any more, which is so an hour after its end.
             * @example true
             */
            final: boolean;
            /**
             * @description The id of the statement, which is its month.
             * @example 2026-01
             */
            id: string;
            /**
             * @description The month, by UTC.
             * @example 2026-01
             */
            month: string;
            /** @description The movements, oldest first, one page of them. */
            movements: components["schemas"]["StatementMovement"][];
            /** @description What each account held when the month began, which is the closing of the month before. */
            opening: components["schemas"]["AccountAmounts"];
            pagination: components["schemas"]["Pagination"];
            totals: components["schemas"]["StatementTotals"];
        };
        /** @description A page of months. */
        StatementList: {
            /** @description The months, newest first. */
            data: components["schemas"]["StatementSummary"][];
            pagination: components["schemas"]["Pagination"];
        };
        /** @description One booking, with what it did to each of your accounts. */
        StatementMovement: {
            amounts: components["schemas"]["AccountAmounts"];
            /**
             * Format: date-time
             * @description When it was booked.
             * @example 2026-01-02T03:11:42.117Z
             */
            createdAt: string;
            /**
             * @description The platform's fee; negative when it was given back. `value` less `fee` is `amounts.total`.
             * @example 0.250000
             */
            fee: string;
            /**
             * @description The id of the booking, the `journalId` of its ledger entries.
             * @example je_01jggfpx2ce3wr6t9y1k4h7d0s
             */
            id: string;
            /**
             * @description What was booked, for example `payment.moved`. New kinds may appear at any time.
             * @example payment.moved
             */
            kind: string;
            /**
             * @description The payment that it is about, if any.
             * @example pay_01jggfnds9e9gt3f3v5s7k2m4n
             */
            paymentId: string | null;
            /**
             * @description The refund that it is about, if any.
             * @example null
             */
            refundId: string | null;
            /** @description The transfer that came or left; null when money only moved between your accounts. */
            transfer: components["schemas"]["StatementTransfer"] | null;
            /**
             * @description What came from outside (positive) or left (negative), before the fee. 0 when money only moved between your accounts.
             * @example 25.000000
             */
            value: string;
            /**
             * @description The withdrawal that it is about, if any.
             * @example null
             */
            withdrawalId: string | null;
        };
        /** @description What a coin counted as when it was credited. */
        StatementPrice: {
            /**
             * Format: date-time
             * @description When it was valid.
             * @example 2026-01-02T03:04:05.006Z
             */
            quotedAt: string;
            /**
             * @description Where the price came from.
             * @example fixed
             */
            source: string;
            /**
             * @description US dollars for one coin, a decimal string with 8 decimals.
             * @example 3012.55000000
             */
            value: string;
        };
        /** @description A month of your ledger. */
        StatementSummary: {
            /** @description What each account held when the month ended; of the current month, what it holds now. */
            closing: components["schemas"]["AccountAmounts"];
            /**
             * @description The currency of the ledger.
             * @enum {string}
             */
            currency: "USD";
            /**
             * @description Whether the month is over and nothing of it changes any more, which is so an hour after its end.
             * @example true
             */
            final: boolean;
            /**
             * @description The id of the statement, which is its month.
             * @example 2026-01
             */
            id: string;
            /**
             * @description The month, by UTC.
             * @example 2026-01
             */
            month: string;
            /** @description What each account held when the month began, which is the closing of the month before. */
            opening: components["schemas"]["AccountAmounts"];
            totals: components["schemas"]["StatementTotals"];
        };
        /** @description What changed in the month, by cause. `opening.total` and all of these add up to `closing.total`. US dollars, decimal strings with 6 decimals, negative where they took something from you. */
        StatementTotals: {
            /**
             * @description The fees of payments, less those that a reversal gave back.
             * @example -14.007500
             */
            fees: string;
            /**
             * @description Causes that none of these names; 0 today.
             * @example 0.000000
             */
            other: string;
            /**
             * @description The fees of withdrawals.
             * @example -1.000000
             */
            payoutFees: string;
            /**
             * @description What withdrawals paid out.
             * @example -249.000000
             */
            payouts: string;
            /**
             * @description What arrived for payments, before fees.
             * @example 1400.750000
             */
            received: string;
            /**
             * @description What was paid back to payers.
             * @example -10.000000
             */
            refunds: string;
            /**
             * @description What chains took back.
             * @example 0.000000
             */
            reversals: string;
        };
        /** @description The transfer that moved the money. */
        StatementTransfer: {
            /**
             * @description How much of the token, a decimal string.
             * @example 25.000000
             */
            amount: string;
            /**
             * Format: money
             * @description What it was credited as in the payment's currency, rounded down; null for withdrawals.
             * @example 25
             */
            fiatAmount: number | null;
            /** @description The payment's currency; null for withdrawals. */
            fiatCurrency: components["schemas"]["Currency"] | null;
            /**
             * @description The hash of its transaction; null when a payout was taken back and its hash is not kept. Of a withdrawal to a bank, what its operator noted.
             * @example 0x8a1f0c6de2b94375c1a7e09f5d3b2846a0e7c9d14f6b83520d9e1c7a4b5f6038
             */
            hash: string | null;
            /**
             * @description The network of the transfer.
             * @example devnet
             */
            network: string;
            /** @description What a coin counted as; null for tokens that are worth a dollar, and for what is paid out. */
            price: components["schemas"]["StatementPrice"] | null;
            /** @description The rate between that currency and dollars, locked when the payment was made; null for withdrawals. */
            rate: components["schemas"]["PaymentRate"] | null;
            token: components["schemas"]["Token"];
        };
        /** @description A signed transfer. */
        SubmitAuthorizationRequest: {
            method?: components["schemas"]["SignMethod"];
            /**
             * Format: text
             * @description The network of the transfer, that of one of the payment's `options`.
             * @example devnet
             */
            network: string;
            /**
             * @description The wallet that has signed.
             * @example 0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed
             */
            payer: string;
            permit?: components["schemas"]["SignedPermit"];
            /**
             * @description What `eth_signTypedData_v4` gave for `typedData`, 65 bytes in hexadecimal digits. Wallets that are contracts pay by a transfer.
             * @example 0x6bd1f2f0cd2b5a1e5d3a7bb0e9f4c86d21a0c7e4f35b98d60217ea4c5b9d8f301c2e4a6b8d0f2143658799abcdef0123456789fedcba98765432100fedcba9871b
             */
            signature: string;
            token: components["schemas"]["Token"];
        };
        /** @description The customer's signature. */
        SubmitMandateRequest: {
            /**
             * @description What `eth_signTypedData_v4` gave for `typedData`, 0x and hexadecimal digits: of a key 65 bytes, of a contract wallet (ERC-1271) up to 8,192.
             * @example 0x6bd1f2f0cd2b5a1e5d3a7bb0e9f4c86d21a0c7e4f35b98d60217ea4c5b9d8f301c2e4a6b8d0f2143658799abcdef0123456789fedcba98765432100fedcba9871b
             */
            signature: string;
        };
        /** @description Who subscribes, and the proof of their wallet. */
        SubscribeByWalletRequest: {
            /**
             * @description The id of the challenge whose text was signed.
             * @example wch_01jggm9h3k5n7q9s1v3x5z7b9d
             */
            challengeId: string;
            /**
             * Format: email
             * @description Where the merchant can reach the customer.
             * @example nimal@example.org
             */
            customerEmail: string;
            /**
             * Format: text
             * @description The name of the customer.
             * @example Nimal Perera
             */
            customerName: string;
            /**
             * @description The wallet's signature of the text (`personal_sign`), as 0x and hexadecimal digits. Wallets that are contracts sign by ERC-1271.
             * @example 0x6bd1f2f0cd2b5a1e5d3a7bb0e9f4c86d21a0c7e4f35b98d60217ea4c5b9d8f301c2e4a6b8d0f2143658799abcdef0123456789fedcba98765432100fedcba9871b
             */
            signature: string;
        };
        /**
         * @description Who made the subscription.
         *
         *     - `merchant`: you did, by the API.
         *     - `customer`: the customer did, on the page of the plan. Name and e-mail are what they typed there, so do not take them
         *       for an account of yours without a check of your own.
         * @example merchant
         * @enum {string}
         */
        SubscribedBy: "merchant" | "customer";
        /** @description Who subscribes. Everything is optional. */
        SubscribeSandboxCustomerRequest: {
            /**
             * @description How much their wallet gets of each test token.
             * @default 10000
             */
            amount?: components["schemas"]["SandboxTokenAmount"];
            /**
             * @description Whether the wallet agrees at once. With false you can agree on the page, or by the sandbox, later.
             * @default true
             * @example true
             */
            authorize?: boolean;
            /**
             * Format: email
             * @description The customer's email address.
             * @default customer@example.com
             * @example nimal@example.org
             */
            customerEmail?: string;
            /**
             * Format: text
             * @description The name of the customer.
             * @default Test Customer
             * @example Nimal Perera
             */
            customerName?: string;
        };
        /** @description Who subscribes. */
        SubscribeToPlanRequest: {
            /**
             * Format: email
             * @description Where you can reach the customer.
             * @example nimal@example.org
             */
            customerEmail: string;
            /**
             * Format: text
             * @description The name of the customer.
             * @example Nimal Perera
             */
            customerName: string;
            /**
             * @description The wallet that pays: 0x and 40 hexadecimal digits, with a right EIP-55 checksum when the case is mixed. It has to belong to the customer, who agrees with it.
             * @example 0x70997970C51812dc3A010C7d01b50e0d17dc79C8
             */
            walletAddress: string;
        };
        /** @description A customer who pays a plan, with everything that its merchant may know. */
        Subscription: {
            /**
             * Format: money
             * @description What is charged in every interval, in `currency`.
             * @example 25
             */
            amount: number;
            /**
             * Format: uri
             * @description The page on which the customer agrees, or agrees again.
             * @example http://localhost:3000/checkout/subscription/sub_01jggm8d2f5h7k9m1p3r6t8v0x
             */
            authorizeUrl: string;
            /**
             * Format: date-time
             * @description When it was cancelled, null when it was not.
             * @example null
             */
            cancelledAt: string | null;
            cancelReason: components["schemas"]["SubscriptionCancelReason"];
            /**
             * Format: date-time
             * @description When the customer was subscribed.
             * @example 2026-01-02T03:04:05.006Z
             */
            createdAt: string;
            currency: components["schemas"]["Currency"];
            /**
             * Format: date-time
             * @description When the present period ends.
             * @example 2026-02-16T03:04:05.006Z
             */
            currentPeriodEnd: string;
            /**
             * Format: date-time
             * @description When the present period began.
             * @example 2026-01-16T03:04:05.006Z
             */
            currentPeriodStart: string;
            /**
             * Format: email
             * @description Where the customer can be reached.
             * @example nimal@example.org
             */
            customerEmail: string;
            /**
             * @description The name of the customer.
             * @example Nimal Perera
             */
            customerName: string;
            /**
             * Format: date-time
             * @description Until when a due charge has to wait, because the mandate allows no more before. null when it does not wait.
             * @example null
             */
            earliestChargeAt: string | null;
            /** @description Why the last try to charge failed, null when it did not. */
            failureCode: components["schemas"]["ChargeFailureCode"];
            /**
             * @description The id of the subscription.
             * @example sub_01jggm8d2f5h7k9m1p3r6t8v0x
             */
            id: string;
            interval: components["schemas"]["SubscriptionInterval"];
            /**
             * @description The newest charge, null before the first.
             * @example chg_01jggmbw4y6a8c0e2g5j7m9q1s
             */
            latestChargeId: string | null;
            mandateStatus: components["schemas"]["MandateStatus"];
            /**
             * @description The network that it is charged on.
             * @example devnet
             */
            network: string;
            /**
             * Format: date-time
             * @description When the wallet is charged next, for a new period or again for one that failed. null when nothing more will be charged, while a first charge waits for the customer to agree, and while the merchant may not collect or the network or token is no longer listed.
             * @example 2026-02-16T03:04:05.006Z
             */
            nextChargeAt: string | null;
            /**
             * Format: date-time
             * @description When a charge that failed is tried again, null when none waits. A refilled wallet is tried at once.
             * @example null
             */
            nextRetryAt: string | null;
            /**
             * @description The plan.
             * @example plan_01jggm5v7c1x4z8b2n6q9s3w0e
             */
            planId: string;
            /**
             * @description The name of the plan.
             * @example Tea club
             */
            planName: string;
            status: components["schemas"]["SubscriptionStatus"];
            subscribedBy: components["schemas"]["SubscribedBy"];
            token: components["schemas"]["SubscriptionToken"];
            /**
             * Format: date-time
             * @description When the trial ends or ended, null without one.
             * @example 2026-01-16T03:04:05.006Z
             */
            trialEnd: string | null;
            /**
             * @description The wallet that pays, with its checksum.
             * @example 0x70997970C51812dc3A010C7d01b50e0d17dc79C8
             */
            walletAddress: string;
        };
        /** @description The first charge of a subscription is paid. */
        SubscriptionActivatedEvent: components["schemas"]["EventEnvelope"] & {
            /** @description The subscription as it was when the event happened. */
            data: components["schemas"]["Subscription"];
            /**
             * @description The type of the event.
             * @constant
             */
            type: "subscription.activated";
        };
        /** @description What cancelling came to. */
        SubscriptionCancellation: {
            /**
             * Format: date-time
             * @description When it was cancelled.
             * @example 2026-01-20T08:00:00.000Z
             */
            cancelledAt: string;
            /**
             * Format: date-time
             * @description Until when the customer keeps what was paid.
             * @example 2026-02-16T03:04:05.006Z
             */
            currentPeriodEnd: string;
            /**
             * @description The id of the subscription.
             * @example sub_01jggm8d2f5h7k9m1p3r6t8v0x
             */
            id: string;
            /**
             * @description What that means, in words for people.
             * @example The subscription is cancelled. Access stays until 2026-02-16T03:04:05.006Z
             * @example and nothing more is charged.
             */
            message: string;
            /**
             * @description It is cancelled now.
             * @enum {string}
             */
            status: "cancelled";
        };
        /** @description A subscription was cancelled; `cancelReason` says why. Nothing more is charged. */
        SubscriptionCancelledEvent: components["schemas"]["EventEnvelope"] & {
            /** @description The subscription as it was when the event happened. */
            data: components["schemas"]["Subscription"];
            /**
             * @description The type of the event.
             * @constant
             */
            type: "subscription.cancelled";
        };
        /**
         * @description Why a subscription was cancelled, null when it was not.
         *
         *     - `requested`: you cancelled it.
         *     - `customer_requested`: the customer cancelled it, by a signature of the wallet.
         *     - `not_authorized`: the customer did not agree in time.
         *     - `payment_failed`: the last try of a charge failed.
         *     - `merchant_terminated`: the merchant's account was closed.
         * @example null
         * @enum {string|null}
         */
        SubscriptionCancelReason: "requested" | "customer_requested" | "not_authorized" | "payment_failed" | "merchant_terminated" | null;
        /** @description A charge failed; `failureCode` says why and `nextRetryAt` when it is tried again. */
        SubscriptionChargeFailedEvent: components["schemas"]["EventEnvelope"] & {
            /** @description The subscription as it was when the event happened. */
            data: components["schemas"]["Subscription"];
            /**
             * @description The type of the event.
             * @constant
             */
            type: "subscription.charge_failed";
        };
        /** @description A charge that a reorganised chain had taken back has succeeded again. */
        SubscriptionChargeRecoveredEvent: components["schemas"]["EventEnvelope"] & {
            /** @description The subscription as it was when the event happened. */
            data: components["schemas"]["Subscription"];
            /**
             * @description The type of the event.
             * @constant
             */
            type: "subscription.charge_recovered";
        };
        /** @description A reorganised chain took back a charge that had succeeded. It is collected again by itself. */
        SubscriptionChargeReversedEvent: components["schemas"]["EventEnvelope"] & {
            /** @description The subscription as it was when the event happened. */
            data: components["schemas"]["Subscription"];
            /**
             * @description The type of the event.
             * @constant
             */
            type: "subscription.charge_reversed";
        };
        /** @description A customer was subscribed to a plan, and has to agree. */
        SubscriptionCreatedEvent: components["schemas"]["EventEnvelope"] & {
            /** @description The subscription as it was when the event happened. */
            data: components["schemas"]["Subscription"];
            /**
             * @description The type of the event.
             * @constant
             */
            type: "subscription.created";
        };
        /** @description The last period of a cancelled subscription is over. */
        SubscriptionExpiredEvent: components["schemas"]["EventEnvelope"] & {
            /** @description The subscription as it was when the event happened. */
            data: components["schemas"]["Subscription"];
            /**
             * @description The type of the event.
             * @constant
             */
            type: "subscription.expired";
        };
        /**
         * @description How often a plan is charged. Months and years keep their day: from 31 January, a monthly plan is charged on 28 February
         *     and then on 31 March.
         * @example monthly
         * @enum {string}
         */
        SubscriptionInterval: "daily" | "weekly" | "monthly" | "yearly";
        /** @description A page of subscriptions. */
        SubscriptionList: {
            pagination: components["schemas"]["Pagination"];
            /** @description The subscriptions, newest first. */
            subscriptions: components["schemas"]["SubscriptionSummary"][];
        };
        /** @description A subscription became `past_due`, because a charge failed. */
        SubscriptionPastDueEvent: components["schemas"]["EventEnvelope"] & {
            /** @description The subscription as it was when the event happened. */
            data: components["schemas"]["Subscription"];
            /**
             * @description The type of the event.
             * @constant
             */
            type: "subscription.past_due";
        };
        /** @description Charging paused, because the network or token of the subscription is no longer listed. It goes on by itself when it is listed again. */
        SubscriptionPausedEvent: components["schemas"]["EventEnvelope"] & {
            /** @description The subscription as it was when the event happened. */
            data: components["schemas"]["Subscription"];
            /**
             * @description The type of the event.
             * @constant
             */
            type: "subscription.paused";
        };
        /** @description The charge of a further period is paid. */
        SubscriptionRenewedEvent: components["schemas"]["EventEnvelope"] & {
            /** @description The subscription as it was when the event happened. */
            data: components["schemas"]["Subscription"];
            /**
             * @description The type of the event.
             * @constant
             */
            type: "subscription.renewed";
        };
        /**
         * @description The state of a subscription.
         *
         *     - `trialing`: nothing is charged until `trialEnd`.
         *     - `active`: the present period is paid, or the first charge waits for the customer to agree.
         *     - `past_due`: a charge failed and is tried again.
         *     - `cancelled`: nothing more is charged; what was paid holds until `currentPeriodEnd`.
         *     - `expired`: cancelled, and the last period is over.
         * @enum {string}
         */
        SubscriptionStatus: "active" | "trialing" | "past_due" | "cancelled" | "expired";
        /** @description A subscription as lists show it. */
        SubscriptionSummary: {
            /**
             * Format: date-time
             * @description When the customer was subscribed.
             * @example 2026-01-02T03:04:05.006Z
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When the present period ends.
             * @example 2026-02-16T03:04:05.006Z
             */
            currentPeriodEnd: string;
            /**
             * Format: date-time
             * @description When the present period began.
             * @example 2026-01-16T03:04:05.006Z
             */
            currentPeriodStart: string;
            /**
             * Format: email
             * @description Where the customer can be reached.
             * @example nimal@example.org
             */
            customerEmail: string;
            /**
             * @description The name of the customer.
             * @example Nimal Perera
             */
            customerName: string;
            /**
             * @description The id of the subscription.
             * @example sub_01jggm8d2f5h7k9m1p3r6t8v0x
             */
            id: string;
            mandateStatus: components["schemas"]["MandateStatus"];
            /**
             * @description The plan.
             * @example plan_01jggm5v7c1x4z8b2n6q9s3w0e
             */
            planId: string;
            /**
             * @description The name of the plan.
             * @example Tea club
             */
            planName: string;
            status: components["schemas"]["SubscriptionStatus"];
            subscribedBy: components["schemas"]["SubscribedBy"];
        };
        /**
         * @description A stablecoin that plans are charged in. Each counts as one US dollar.
         * @example USDT
         * @enum {string}
         */
        SubscriptionToken: "USDT" | "USDC";
        /** @description A trial ends in three days; then the first charge is due. */
        SubscriptionTrialWillEndEvent: components["schemas"]["EventEnvelope"] & {
            /** @description The subscription as it was when the event happened. */
            data: components["schemas"]["Subscription"];
            /**
             * @description The type of the event.
             * @constant
             */
            type: "subscription.trial_will_end";
        };
        /** @description The way to money that was offered back. */
        TakenRefundOffer: {
            /**
             * Format: uri
             * @description Where the payer says where it goes. Whoever has it does. It is shown only now; taking the offer again makes a new one.
             * @example http://localhost:3000/checkout/refund/4nK0w2dYt7Qx1sVb9ZpLr6JmHc3GfEaU8oTiXyW5qDk
             */
            claimUrl: string;
        };
        /** @description Why the account is closed. */
        TerminateMerchantRequest: {
            /**
             * Format: text
             * @description Why. It stays with the merchant and in the audit log.
             * @example Sold what it never had.
             */
            reason: string;
        };
        /**
         * @description A token that payers can pay with. `USDT` and `USDC` count as one US dollar each.
         * @enum {string}
         */
        Token: "USDT" | "USDC" | "ETH" | "BTC";
        /** @description What the customer should let the collector take of the token, by its `approve`. */
        TokenAllowance: {
            /**
             * @description In base units of the token, enough for a year. Other subscriptions of the same wallet need theirs besides.
             * @example 325000000
             */
            recommended: string;
        };
        /** @description What a transfer of ETH or BTC counts, by the quote that was in force when it was first seen. */
        TransferWorth: {
            /**
             * @description Its worth in US dollars, a decimal string with 6 decimals, rounded down.
             * @example 100.000000
             */
            amount: string;
            /**
             * Format: date-time
             * @description When the rate was valid on the market.
             * @example 2026-01-02T03:04:01.000Z
             */
            quotedAt: string;
            /**
             * @description How many US dollars one coin counted, a decimal string.
             * @example 59999.88000023
             */
            rate: string;
            /**
             * @description Where the rate came from.
             * @example median of a, b, c
             */
            source: string;
        };
        /** @description The way back in when the authenticator app is lost. */
        TwoFactorRecoveryCodes: {
            /**
             * @description Ten codes that work once each wherever a code of the app does. They are in this answer and nowhere else, ever: write them down.
             * @example [
             *       "4k7t-9pzw-2mdx-e6hv",
             *       "0w3n-h8rc-xv5b-71qe",
             *       "9d2f-t6ym-kj4s-az0p"
             *     ]
             */
            recoveryCodes: string[];
        };
        /** @description What an authenticator app needs. It is shown once; the second factor is off until a first code comes back. */
        TwoFactorSetup: {
            /**
             * Format: date-time
             * @description Until when the first code has to come, 15 minutes from now. After that, set it up again.
             * @example 2026-01-02T03:19:05.006Z
             */
            expiresAt: string;
            /**
             * @description The same with issuer and account, to be shown as a QR code that the app scans.
             * @example otpauth://totp/Kasi:owner%40teahouse.example?issuer=Kasi&secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&algorithm=SHA1&digits=6&period=30
             */
            otpauthUri: string;
            /**
             * @description The secret in base32, to be typed into the app. Keep it like a password.
             * @example GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ
             */
            secret: string;
        };
        /** @description For which contract on which chain the signature counts. */
        TypedDataDomain: {
            /**
             * @description The id of the chain.
             * @example 31337
             */
            chainId: number;
            /**
             * @description What wallets show of it.
             * @example Kasi Subscriptions
             */
            name: string;
            /**
             * @description The address of the collector.
             * @example 0xe7f1725e7734ce288f8367e1bb143e90bb3f0512
             */
            verifyingContract: string;
            /**
             * @description The version of the contract.
             * @example 1
             */
            version: string;
        };
        /** @description One field of a type. */
        TypedDataField: {
            /**
             * @description Its name.
             * @example payer
             */
            name: string;
            /**
             * @description Its type in Solidity.
             * @example address
             */
            type: string;
        };
        /** @description Why the merchant may go on. */
        UnfreezeMerchantRequest: {
            /**
             * Format: text
             * @description Why, for the audit log.
             * @example All disputes are settled.
             */
            reason?: string;
        };
        /** @description What to change of an administrator; everything else stays as it is. */
        UpdateAdminUserRequest: {
            /**
             * Format: email
             * @description The e-mail address to log in with, unique among administrators whatever its case.
             * @example nimali@kasi.example
             */
            email?: string;
            /**
             * Format: text
             * @description The name that colleagues know.
             * @example Nimali Fernando
             */
            name?: string;
            /**
             * Format: text
             * @description A code of the authenticator app or a recovery code. Needed when two-factor authentication is on and the new role, or the one of an account whose role, password or e-mail address you change, moves money or rights; ignored otherwise.
             * @example 492039
             */
            otp?: string;
            /**
             * Format: text
             * @description 8 to 128 characters with at least one upper-case letter, one lower-case letter and one digit.
             * @example Str0ng-enough
             */
            password?: string;
            /**
             * Format: text
             * @description The id of the role, from `GET /v1/admin/roles`.
             * @example role_00000000000000000000000002
             */
            roleId?: string;
        };
        /** @description What to change. Everything that you leave out stays as it is. */
        UpdateMerchantRequest: {
            /**
             * @description Your colour on the pages of payers, six hexadecimal digits. Where it could not be read, pages darken or lighten it. Null removes it.
             * @example #8a1f4b
             */
            brandColor?: string | null;
            /**
             * Format: text
             * @description The legal name of the business.
             * @example Ceylon Tea House
             */
            businessName?: string;
            businessType?: components["schemas"]["BusinessType"];
            /**
             * @description The websites whose pages may show the checkout in a frame, at most 10 origins such as `https://teahouse.example`: scheme, host and, if it is not 443, the port, without a path and without wildcards. In the sandbox also `http://localhost` and `http://127.0.0.1` with any port. They are stored in the form in which browsers write them, sorted and without repetitions. Empty: none may.
             * @example [
             *       "https://teahouse.example"
             *     ]
             */
            embedOrigins?: string[];
            /**
             * @description Your logo on the pages of payers: a PNG, JPEG or WebP image of at most 4,096 pixels a side and 45 kB, in base64. It is drawn anew, at most 256 pixels a side and without what else the file holds. Null removes it.
             * @example iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==
             */
            logo?: string | null;
            /**
             * Format: text
             * @description A code of the authenticator app or a recovery code. Needed when two-factor authentication is on and `walletAddress` changes, ignored otherwise.
             * @example 492039
             */
            otp?: string;
            /**
             * @description How much less than the asked amount counts as paid, in basis points, 0 to 500. Null means the platform's default.
             * @example 50
             */
            paymentToleranceBps?: number | null;
            /**
             * @description The phone number in international form, starting with `+` and the country code. Stored in E.164 form.
             * @example +94771234567
             */
            phone?: string;
            /**
             * Format: money
             * @description The least worth in US dollars that is offered so; less waits for your decision.
             * @example 1
             */
            refundOfferMinimum?: number;
            /**
             * @description For which exceptions the page of a payment that is over offers its payer the money back that waits for your decision. Whoever has the address of that page may then take it. Empty: only you give money back.
             * @example [
             *       "overpaid",
             *       "late"
             *     ]
             */
            refundOffers?: components["schemas"]["RefundOfferException"][];
            /**
             * @description Whether payers get a receipt by e-mail when a payment with a `customerEmail` is paid or money of it was given back. Yes unless you say no; it needs a platform that sends mails.
             * @example true
             */
            sendReceipts?: boolean;
            /**
             * Format: email
             * @description Where payers write to when they need help. Payers see it. Null removes it.
             * @example help@teahouse.example
             */
            supportEmail?: string | null;
            /**
             * Format: text
             * @description A page that helps payers, an https URL without user name or password. Payers see it. `""` or null removes it.
             * @example https://teahouse.example/help
             */
            supportUrl?: string | null;
            /**
             * @description A valid address of an enabled network: for EVM networks 0x and 40 hexadecimal digits, with a right EIP-55 checksum when the case is mixed; for Bitcoin bech32, bech32m or base58check, of the Bitcoin network that is enabled. Withdrawals are paid in dollar tokens: with a Bitcoin address here, each has to name its own `destinationAddress`. `""` or null removes it.
             * @example 0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed
             */
            walletAddress?: string | null;
            /**
             * Format: text
             * @description Where webhook events are sent: an https URL on a public host without user name or password (in the sandbox also http and loopback addresses). `""` or null removes it.
             * @example https://teahouse.example/hooks/kasi
             */
            webhookUrl?: string | null;
            /**
             * Format: text
             * @description Your website, an https URL without user name or password. Payers see it. `""` or null removes it.
             * @example https://teahouse.example
             */
            website?: string | null;
        };
        /** @description What to change. Everything that you leave out stays as it is. */
        UpdatePaymentLinkRequest: {
            /** @description What every payer is asked from now on, in the place of what they were asked; `[]` for nothing. The lines, fields and `thankYou` of a link have at most 8 KiB of JSON together, where four bytes count for every character that a payer may write. */
            customFields?: components["schemas"]["CustomFieldInput"][];
            /**
             * Format: text
             * @description More about it. `""` or null removes it.
             * @example Three hours
             * @example tea and cake included.
             */
            description?: string | null;
            /**
             * @description When the link stops taking payments, a date-time in the future with its offset. `""` or null means never.
             * @example 2035-06-30T18:00:00Z
             */
            expiresAt?: string | null;
            /**
             * @description How many payments the link takes, open ones included, 1 to 1,000,000; null for as many as people make. Payments that were started stay, also when there are more.
             * @example 12
             */
            maxPayments?: number | null;
            /**
             * @description `disabled` switches the link off, `active` switches it on again. A link becomes `expired` only by its `expiresAt`.
             * @enum {string}
             */
            status?: "active" | "disabled";
            /**
             * Format: text
             * @description What a payer reads once they have paid, for payments that are started from now on. `""` or null removes it.
             * @example See you on Saturday at 3 pm.
             *     Bring an apron.
             */
            thankYou?: string | null;
            /**
             * Format: text
             * @description Where a button on that page leads, an https URL without user name or password. `""` or null removes it.
             * @example https://shop.example/workshop
             */
            thankYouUrl?: string | null;
            /**
             * Format: text
             * @description What is sold, the headline of the page.
             * @example Spring tea workshop
             */
            title?: string;
        };
        /** @description What to change. Everything that you leave out stays as it is. `name`, `description`, `trialDays` and `active` can always change, the rest only while nobody subscribes. */
        UpdatePlanRequest: {
            /**
             * @description Whether the plan takes new subscribers. Those that it has go on either way.
             * @example false
             */
            active?: boolean;
            /**
             * Format: money
             * @description What is charged in every interval, more than 0, at most 1,000,000.00 USD or 300,000,000.00 LKR, with at most 2 decimals.
             * @example 25
             */
            amount?: number;
            currency?: components["schemas"]["Currency"];
            /**
             * Format: text
             * @description More about it. `""` or null removes it.
             * @example A parcel of fresh tea every month.
             */
            description?: string | null;
            interval?: components["schemas"]["SubscriptionInterval"];
            /**
             * Format: text
             * @description What is sold.
             * @example Tea club
             */
            name?: string;
            /**
             * Format: text
             * @description The network that customers pay on.
             * @example devnet
             */
            network?: string;
            token?: components["schemas"]["SubscriptionToken"];
            /**
             * @description How many days a new subscriber pays nothing, 0 to 730. A trial that has begun keeps its end.
             * @example 14
             */
            trialDays?: number;
        };
        /** @description What to change of a role; everything else stays as it is. */
        UpdateRoleRequest: {
            /**
             * Format: text
             * @description What the role is for.
             * @example Reviews withdrawals and sends the money.
             */
            description?: string;
            /**
             * @description A unique name of 1 to 120 characters, lower-case letters and digits in words joined by underscores.
             * @example payout_clerk
             */
            name?: string;
            /**
             * Format: text
             * @description A code of the authenticator app or a recovery code. Needed when two-factor authentication is on and permissions are added or removed that move money or rights; ignored otherwise.
             * @example 492039
             */
            otp?: string;
            /**
             * @description Everything that the role allows, each of it held by your own role. Replaces the whole list.
             * @example [
             *       "merchants.view",
             *       "withdrawals.view",
             *       "withdrawals.manage"
             *     ]
             */
            permissions?: components["schemas"]["Permission"][];
        };
        /** @description What to change. Everything is optional. */
        UpdateSandboxWalletRequest: {
            /** @description How much of it the subscription contract may take from the wallet in all. With 0 it may take nothing. */
            allowance?: components["schemas"]["SandboxTokenAmount"];
            /** @description How much of it the wallet is to hold. The rest is sent away, what is missing is made. */
            balance?: components["schemas"]["SandboxTokenAmount"];
            /** @description Of which token. USDT when you leave it out. */
            token?: components["schemas"]["Token"];
        };
        /** @description The settings to change; those that are left out stay as they are. */
        UpdateSettingsRequest: {
            /** @description Whether merchants may collect before they are approved. */
            allowPendingMerchantsToCollect?: boolean;
            /**
             * @description Only null. The audit log is kept for ever, because a chain without its beginning would prove nothing.
             * @example null
             */
            auditRetentionDays?: null;
            /**
             * @description How long a change that touches where money goes is announced before it takes effect, its own change included. With 0, what needs no approval takes effect at once.
             * @example 24
             */
            changeDelayHours?: number;
            /** @description How deep a block must lie to be counted on, by network, where that is deeper than its configuration says. A network that waits for finality takes no number. Replaces the whole list; a network that is not named goes by the configuration. */
            confirmations?: {
                [key: string]: number;
            };
            /**
             * @description From this amount on, whoever completes a withdrawal must not be who approved it. Null asks that of none.
             * @example 1000.00
             */
            fourEyesThreshold?: string | null;
            /**
             * @description How long after its deadline a payment is still taken, as late.
             * @example 24
             */
            lateWindowHours?: number;
            /**
             * @description How long a subscription without a trial waits for the customer to agree, before it is cancelled.
             * @example 72
             */
            mandateDeadlineHours?: number;
            /** @description Units of a currency in one US dollar, by pair (`USD/LKR`, from 1 to 100000), and US dollars in one coin of a chain (`ETH/USD`). They win over every source. Replaces the whole list. */
            manualRates?: {
                [key: string]: string;
            };
            /**
             * Format: text
             * @description Where the crypto of bank withdrawals is sent. Null when that happens elsewhere. Addresses of the platform itself are refused, those of payments too.
             * @example 0x70997970C51812dc3A010C7d01b50e0d17dc79C8
             */
            offRampAddress?: string | null;
            /**
             * Format: text
             * @description A code of the authenticator app or a recovery code. Needed when two-factor authentication is on and anything but `webhookRetentionDays` and `auditRetentionDays` changes, ignored otherwise.
             * @example 492039
             */
            otp?: string;
            /**
             * @description How long a payment waits for the payer unless it says otherwise.
             * @example 60
             */
            paymentExpiryMinutes?: number;
            /**
             * @description The platform's fee on payments, in hundredths of a percent.
             * @example 50
             */
            paymentFeeBps?: number;
            /**
             * @description By how much less than asked a payment may bring and still be paid, in hundredths of a percent. Merchants may set their own.
             * @example 50
             */
            paymentToleranceBps?: number;
            /**
             * @description The most that the tolerance comes to, in US dollars.
             * @example 0.50
             */
            paymentToleranceMax?: string;
            /** @description Addresses that payouts must come from. With none, any transfer to the destination that fits and is no older than the approval counts as the payout, whoever sent it: on a live platform, name yours. Replaces the whole list. */
            payoutWallets?: string[];
            /**
             * @description By how much less than on the market ETH and BTC count when a payment is quoted in them, in hundredths of a percent. It covers what a price moves while a quote holds.
             * @example 50
             */
            rateSpreadBps?: number;
            /**
             * @description How many signed transfers we send for one merchant within 24 hours. Of one wallet we take 10.
             * @example 200
             */
            relayDailyMax?: number;
            /**
             * @description From this worth on, in US dollars, we bring transfers that payers have signed to the chain and pay for that. Null turns it off.
             * @example 5.00
             */
            relayMinAmount?: string | null;
            /** @description Whether a crypto withdrawal is complete only when the chain says so, on every network that we watch. */
            verifyPayoutOnChain?: boolean;
            /**
             * @description The version that you have read.
             * @example 7
             */
            version: number;
            /**
             * @description How long what was sent to webhook endpoints is kept. Events stay.
             * @example 60
             */
            webhookRetentionDays?: number;
            /**
             * @description The most that a merchant can withdraw within a UTC day.
             * @example 50000.00
             */
            withdrawalDailyMax?: string;
            withdrawalFees?: components["schemas"]["WithdrawalFeesInput"];
            /**
             * @description The most that a merchant can withdraw at once.
             * @example 10000.00
             */
            withdrawalMax?: string;
            /**
             * @description How many withdrawals of a merchant may wait or be on their way at once.
             * @example 5
             */
            withdrawalMaxOpen?: number;
            /**
             * @description The least that a merchant can withdraw at once, before the fee, in US dollars.
             * @example 10.00
             */
            withdrawalMin?: string;
        };
        /** @description What to change. Everything that you leave out stays as it is. */
        UpdateWebhookEndpointRequest: {
            /**
             * @description The types to send, at least one; null means all of them, also those that are yet to come.
             * @example [
             *       "payment.completed",
             *       "payment.exception"
             *     ]
             */
            eventTypes?: components["schemas"]["EventType"][] | null;
            status?: components["schemas"]["WebhookEndpointStatus"];
            /**
             * Format: text
             * @description Where events are sent: an https URL on a public host without user name or password (in the sandbox also http and loopback addresses). Another URL than before enables the endpoint. `""` or null removes it, with everything else that is set here.
             * @example https://teahouse.example/hooks/kasi
             */
            url?: string | null;
        };
        /** @description A webhook as your server received it. */
        VerifyWebhookRequest: {
            /**
             * Format: text
             * @description The body that your verifier was given, as text, not parsed. At most 40,000 characters.
             * @example {"id":"evt_01jggfnrx4f1zc8v5b2n7m0q3e","type":"payment.completed"}
             */
            body: string;
            /**
             * @description The headers of the request, names in any case. Only `webhook-id`, `webhook-timestamp` and `webhook-signature` are looked at, nothing is kept. At most 100, with values of at most 8,000 characters.
             * @example {
             *       "webhook-id": "evt_01jggfnrx4f1zc8v5b2n7m0q3e",
             *       "webhook-timestamp": "1767323502",
             *       "webhook-signature": "v1a,rATIjvii7z/MW40ctNBFLl9hzQ/vhYerXAzCikEU1luhPJGdHG8udYmT6T+KnbI92BOiSZA3YJwMmzvAAj8lBw=="
             *     }
             */
            headers: {
                [key: string]: string;
            };
            /**
             * Format: date-time
             * @description What the clock of your server said when it received the request; the present when left out.
             * @example 2026-01-02T03:11:42.402Z
             */
            receivedAt?: string;
        };
        /** @description A text for a wallet to sign. */
        WalletChallenge: {
            /**
             * Format: date-time
             * @description Until when the signature is taken.
             * @example 2026-01-02T03:14:05.006Z
             */
            expiresAt: string;
            /**
             * @description The id of the challenge, which is sent with the signature.
             * @example wch_01jggm9h3k5n7q9s1v3x5z7b9d
             */
            id: string;
            /**
             * @description The text to sign, exactly as it stands (EIP-4361).
             * @example pay.example wants you to sign in with your Ethereum account:
             *     0x70997970C51812dc3A010C7d01b50e0d17dc79C8
             */
            message: string;
        };
        /** @description One attempt to deliver an event, and what your endpoint said. */
        WebhookAttempt: {
            /**
             * @description Counts the attempts from 1.
             * @example 1
             */
            attempt: number;
            /**
             * @description Why it failed, in one word as in `failure` of the delivery; null when it did not.
             * @example status
             */
            failure: string | null;
            /**
             * @description The first 2 kB of the answer, read as UTF-8; null when none came.
             * @example {"error":"no such order"}
             */
            responseBody: string | null;
            /**
             * @description How long it took, in milliseconds.
             * @example 84
             */
            responseTime: number;
            /**
             * Format: date-time
             * @description When the attempt began.
             * @example 2026-01-02T03:11:42.120Z
             */
            startedAt: string;
            /**
             * @description The HTTP status of the answer; null when none came.
             * @example 500
             */
            statusCode: number | null;
            /**
             * Format: uri
             * @description Where this attempt went.
             * @example https://teahouse.example/hooks/kasi
             */
            url: string;
        };
        /** @description The first place where a body is not what we sent. */
        WebhookBodyDifference: {
            /**
             * @description The number of bytes before it that are the same.
             * @example 5
             */
            offset: number;
            /**
             * @description What you received, from the same place on.
             * @example {"id": "evt_01jggfnrx4f1z…
             */
            received: string;
            /**
             * @description What we sent, from a little before the place on; `…` where something is left out.
             * @example {"id":"evt_01jggfnrx4f1zc…
             */
            sent: string;
        };
        /** @description How an endpoint did in a series of checks. */
        WebhookCertification: {
            /** @description The checks, in the order in which they are made. */
            checks: components["schemas"]["WebhookCertificationCheck"][];
            /**
             * Format: date-time
             * @description When it was asked for.
             * @example 2026-01-02T03:20:00.480Z
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When it ended; null while it is running.
             * @example 2026-01-02T03:20:06.112Z
             */
            finishedAt: string | null;
            /**
             * @description The id of the certification.
             * @example crt_01jggfq8y2c6m0v4s8w1x5z9ta
             */
            id: string;
            status: components["schemas"]["WebhookCertificationStatus"];
            /**
             * Format: uri
             * @description The endpoint that is tried.
             * @example https://teahouse.example/hooks/kasi
             */
            url: string;
            /**
             * @description `passed` when no check failed and none was skipped; warnings are advice. null unless `status` is `completed`.
             * @enum {string|null}
             */
            verdict: "passed" | "failed" | null;
        };
        /** @description One thing that was tried, and how the endpoint did. */
        WebhookCertificationCheck: {
            /**
             * @description What to change; null when there is nothing to change.
             * @example Anybody can send your handler an event: it has to verify the signature and to answer 400 when none of the tokens fits. In TypeScript verifyWebhook of @kasi/client does it.
             */
            advice: string | null;
            /**
             * @description What a good handler does.
             * @example It is refused with 4xx, best 400.
             */
            expected: string;
            /**
             * @description The check in a word. New checks may appear at any time.
             * @example bad_signature
             */
            name: string;
            /**
             * @description What your endpoint did; null before the check was made.
             * @example Answered with 200 after 31 ms.
             */
            observed: string | null;
            /**
             * @description `pending` before it was made; `warning` where it is enough but could be better; `skipped` when it could not be made, because the endpoint takes no genuine event or was too slow in the checks before.
             * @enum {string}
             */
            status: "pending" | "passed" | "warning" | "failed" | "skipped";
            /**
             * @description What was sent.
             * @example An event signed with a key that is not yours
             */
            title: string;
        };
        /**
         * @description The state of a certification.
         *
         *     - `running`: the checks are being made
         *     - `completed`: all were made, `verdict` says how it went
         *     - `interrupted`: it could not be brought to its end, through no fault of yours; start another one
         * @enum {string}
         */
        WebhookCertificationStatus: "running" | "completed" | "interrupted";
        /** @description An event on its way to your endpoint. */
        WebhookDelivery: {
            /**
             * @description How many attempts were made.
             * @example 1
             */
            attempts: number;
            /**
             * Format: date-time
             * @description When it was made, that is, when the event happened or when it was asked for again.
             * @example 2026-01-02T03:11:42.117Z
             */
            createdAt: string;
            event: components["schemas"]["EventType"];
            /**
             * @description The id of the event, also in the `webhook-id` header.
             * @example evt_01jggfnrx4f1zc8v5b2n7m0q3e
             */
            eventId: string;
            /**
             * @description Why the last attempt failed, in one word, for example `status`, `timeout`, `connection_failed` or `blocked_address`; null when it did not. New words may appear at any time.
             * @example null
             */
            failure: string | null;
            /**
             * @description The id of the delivery.
             * @example whd_01jggfnrx6e5hs9k3d8f1g4j7p
             */
            id: string;
            /**
             * Format: date-time
             * @description When the next attempt is due; null when none will come.
             * @example null
             */
            nextAttemptAt: string | null;
            /**
             * @description The delivery that this one repeats, because somebody asked for it again; null for the first of its event.
             * @example null
             */
            redeliveryOf: string | null;
            /**
             * @description How long the last attempt took, in milliseconds; 0 before the first.
             * @example 84
             */
            responseTime: number;
            status: components["schemas"]["WebhookDeliveryStatus"];
            /**
             * @description The HTTP status of your endpoint's last answer; null when none came.
             * @example 200
             */
            statusCode: number | null;
            /**
             * Format: uri
             * @description Where it goes.
             * @example https://teahouse.example/hooks/kasi
             */
            url: string;
        };
        /** @description A delivery with every attempt, and with the bytes that are sent. */
        WebhookDeliveryDetail: {
            /** @description Every attempt that has ended, oldest first. */
            attemptLog: components["schemas"]["WebhookAttempt"][];
            /**
             * @description How many attempts were made.
             * @example 1
             */
            attempts: number;
            /**
             * Format: date-time
             * @description When it was made, that is, when the event happened or when it was asked for again.
             * @example 2026-01-02T03:11:42.117Z
             */
            createdAt: string;
            event: components["schemas"]["EventType"];
            /**
             * @description The id of the event, also in the `webhook-id` header.
             * @example evt_01jggfnrx4f1zc8v5b2n7m0q3e
             */
            eventId: string;
            /**
             * @description Why the last attempt failed, in one word, for example `status`, `timeout`, `connection_failed` or `blocked_address`; null when it did not. New words may appear at any time.
             * @example null
             */
            failure: string | null;
            /**
             * @description The id of the delivery.
             * @example whd_01jggfnrx6e5hs9k3d8f1g4j7p
             */
            id: string;
            /**
             * Format: date-time
             * @description When the next attempt is due; null when none will come.
             * @example null
             */
            nextAttemptAt: string | null;
            /**
             * @description The body of the request, exactly as it is sent and signed, the same in every attempt.
             * @example {"id":"evt_01jggfnrx4f1zc8v5b2n7m0q3e","type":"payment.completed","timestamp":"2026-01-02T03:11:42.117Z"}
             */
            payload: string;
            /**
             * @description The delivery that this one repeats, because somebody asked for it again; null for the first of its event.
             * @example null
             */
            redeliveryOf: string | null;
            /**
             * @description How long the last attempt took, in milliseconds; 0 before the first.
             * @example 84
             */
            responseTime: number;
            status: components["schemas"]["WebhookDeliveryStatus"];
            /**
             * @description The HTTP status of your endpoint's last answer; null when none came.
             * @example 200
             */
            statusCode: number | null;
            /**
             * Format: uri
             * @description Where it goes.
             * @example https://teahouse.example/hooks/kasi
             */
            url: string;
        };
        /** @description A page of deliveries. */
        WebhookDeliveryList: {
            /** @description The deliveries, newest first. */
            deliveries: components["schemas"]["WebhookDelivery"][];
            pagination: components["schemas"]["Pagination"];
        };
        /**
         * @description The state of a delivery.
         *
         *     - `pending`: not delivered yet, another attempt will come
         *     - `success`: your endpoint answered 2xx
         *     - `failed`: given up
         * @enum {string}
         */
        WebhookDeliveryStatus: "success" | "failed" | "pending";
        /** @description Where your events go, which of them, and whether any go at all. */
        WebhookEndpoint: {
            /**
             * @description Why it is disabled; null while it is enabled, and while no URL is set.
             *
             *     - `merchant`: you disabled it
             *     - `gone`: it answered 410
             *     - `failing`: it did nothing but fail for 120 hours
             * @example null
             * @enum {string|null}
             */
            disabledReason: "merchant" | "gone" | "failing" | null;
            /**
             * @description The types that are sent; null means all of them, also those that are yet to come.
             * @example [
             *       "payment.completed",
             *       "payment.exception"
             *     ]
             */
            eventTypes: components["schemas"]["EventType"][] | null;
            /**
             * Format: date-time
             * @description Since when it has done nothing but fail. Null after a success, and before the first attempt.
             * @example null
             */
            failingSince: string | null;
            status: components["schemas"]["WebhookEndpointStatus"];
            /**
             * Format: date-time
             * @description When the URL, the types or the status last changed; null while no URL is set.
             * @example 2026-01-02T03:05:20.731Z
             */
            updatedAt: string | null;
            /**
             * Format: uri
             * @description Where events are sent, the `webhookUrl` of your merchant. Null while none is set; then nothing is sent.
             * @example https://teahouse.example/hooks/kasi
             */
            url: string | null;
        };
        /** @description Your endpoint was disabled, because it answered 410 or because it did nothing but fail for 120 hours. No webhook brings this event, since there is nowhere left to send it; it stands in the event feed. */
        WebhookEndpointDisabledEvent: components["schemas"]["EventEnvelope"] & {
            /** @description The endpoint as it was when it was disabled. */
            data: components["schemas"]["WebhookEndpoint"];
            /**
             * @description The type of the event.
             * @constant
             */
            type: "webhook.endpoint_disabled";
        };
        /**
         * @description Whether events go to your endpoint.
         *
         *     - `enabled`: every event that it wants is sent
         *     - `disabled`: nothing is sent, and what waits is given up; `disabledReason` tells who or what switched it off
         * @enum {string}
         */
        WebhookEndpointStatus: "enabled" | "disabled";
        /** @description Any event that a webhook can bring. `type` tells which, and with it what `data` is. */
        WebhookEvent: components["schemas"]["PaymentCreatedEvent"] | components["schemas"]["PaymentPendingEvent"] | components["schemas"]["PaymentConfirmingEvent"] | components["schemas"]["PaymentCompletedEvent"] | components["schemas"]["PaymentFailedEvent"] | components["schemas"]["PaymentExpiredEvent"] | components["schemas"]["PaymentExceptionEvent"] | components["schemas"]["PaymentRevertedEvent"] | components["schemas"]["PaymentReversedEvent"] | components["schemas"]["CheckoutSessionCompletedEvent"] | components["schemas"]["CheckoutSessionExpiredEvent"] | components["schemas"]["PaymentLinkCreatedEvent"] | components["schemas"]["PaymentLinkUpdatedEvent"] | components["schemas"]["PaymentLinkExpiredEvent"] | components["schemas"]["SubscriptionCreatedEvent"] | components["schemas"]["SubscriptionTrialWillEndEvent"] | components["schemas"]["SubscriptionActivatedEvent"] | components["schemas"]["SubscriptionRenewedEvent"] | components["schemas"]["SubscriptionChargeFailedEvent"] | components["schemas"]["SubscriptionChargeReversedEvent"] | components["schemas"]["SubscriptionChargeRecoveredEvent"] | components["schemas"]["SubscriptionPastDueEvent"] | components["schemas"]["SubscriptionPausedEvent"] | components["schemas"]["SubscriptionCancelledEvent"] | components["schemas"]["SubscriptionExpiredEvent"] | components["schemas"]["WithdrawalCreatedEvent"] | components["schemas"]["WithdrawalApprovedEvent"] | components["schemas"]["WithdrawalRejectedEvent"] | components["schemas"]["WithdrawalProcessingEvent"] | components["schemas"]["WithdrawalCompletedEvent"] | components["schemas"]["WithdrawalFailedEvent"] | components["schemas"]["WithdrawalRevertedEvent"] | components["schemas"]["RefundCreatedEvent"] | components["schemas"]["RefundPendingEvent"] | components["schemas"]["RefundProcessingEvent"] | components["schemas"]["RefundCompletedEvent"] | components["schemas"]["RefundCancelledEvent"] | components["schemas"]["RefundFailedEvent"] | components["schemas"]["RefundRevertedEvent"] | components["schemas"]["MerchantStatusChangedEvent"] | components["schemas"]["ApiKeyCreatedEvent"] | components["schemas"]["ApiKeyRevokedEvent"];
        /** @description A public key that your webhooks are signed with. */
        WebhookKey: {
            /**
             * Format: date-time
             * @description When the key was made.
             * @example 2026-01-02T03:02:11.004Z
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When a retiring key stops signing; null for the active one.
             * @example null
             */
            expiresAt: string | null;
            /**
             * @description The id of the key.
             * @example whk_01jggf3t6pfa7n2x5c9v4b8m0r
             */
            id: string;
            /**
             * @description The Ed25519 public key in base64 after the prefix `whpk_`, as Standard Webhooks writes it.
             * @example whpk_A6EHv/POEL4dcN0Y50vAmWfk1jCbpQ1fHdyGZBJVMbg=
             */
            publicKey: string;
            /**
             * @description `active` signs; `retiring` signs along until `expiresAt`, so that you have time to change over.
             * @enum {string}
             */
            status: "active" | "retiring";
        };
        /** @description The keys that sign your webhooks. */
        WebhookKeyList: {
            /** @description The keys, newest first. */
            data: components["schemas"]["WebhookKey"][];
        };
        /** @description What is sent again. */
        WebhookRecovery: {
            /**
             * @description Whether events are left to look at. Call again with `next`.
             * @example false
             */
            more: boolean;
            /**
             * Format: date-time
             * @description The `since` of the next call; null when nothing is left.
             * @example null
             */
            next: string | null;
            /**
             * @description How many deliveries this call has made, 1,000 at most.
             * @example 17
             */
            recovered: number;
        };
        /** @description What your endpoint made of the test. */
        WebhookTestResult: {
            /**
             * @description The delivery that recorded the test.
             * @example whd_01jggfnrx6e5hs9k3d8f1g4j7p
             */
            deliveryId: string;
            /**
             * @description How long the answer took, in milliseconds.
             * @example 84
             */
            responseTime: number;
            /**
             * @description The HTTP status of its answer; null when none came.
             * @example 200
             */
            statusCode: number | null;
            /**
             * @description Whether your endpoint answered 2xx.
             * @example true
             */
            success: boolean;
        };
        /** @description Whether a webhook verifies, and why not. */
        WebhookVerification: {
            /** @description Every check, in the order in which they are made. */
            checks: components["schemas"]["WebhookVerificationCheck"][];
            /** @description Where the body differs first from the one that we sent; null when it does not, or when we can't know. */
            difference: components["schemas"]["WebhookBodyDifference"] | null;
            /**
             * @description The same in words, and what to change.
             * @example The body says the same as the one that we sent, but its bytes differ from byte 5 on: a parser has read it and written it anew. Verify the bytes as they arrive, before anything parses them.
             */
            message: string;
            /**
             * @description Why the first check failed that did; null when all passed. New reasons may appear at any time.
             *
             *     - `header_missing`: one of the three headers is not there
             *     - `header_malformed`: one of them can't be read
             *     - `event_unknown`: none of your keys signed it, and you have no event with this id
             *     - `body_reserialized`: the JSON is the same, the bytes are not
             *     - `body_changed`: the body is another one than we sent
             *     - `key_ended`: signed with a key of yours that has stopped signing since
             *     - `wrong_key`: none of your keys signed it
             *     - `clock`: the timestamp is more than 300 seconds from the time of receipt
             * @example body_reserialized
             */
            reason: string | null;
            /**
             * @description Whether all checks passed.
             * @example false
             */
            valid: boolean;
        };
        /** @description One of the checks that a verifier makes. */
        WebhookVerificationCheck: {
            /**
             * @description What was found.
             * @example Signed with your key whk_01jggf3t6pfa7n2x5c9v4b8m0r.
             */
            message: string;
            /**
             * @description `headers`, `signature` or `clock`.
             * @example signature
             */
            name: string;
            /**
             * @description `skipped`: it could not be made, because an earlier one failed.
             * @enum {string}
             */
            status: "passed" | "failed" | "skipped";
        };
        /** @description Money that you take out. */
        Withdrawal: {
            /**
             * Format: money
             * @description What leaves your balance, in US dollars.
             * @example 250
             */
            amount: number;
            /**
             * @description The number of the bank account; null for `crypto`. In events all but the last four characters are masked.
             * @example null
             */
            bankAccountNumber: string | null;
            /**
             * @description The branch of the bank; null for `crypto`.
             * @example null
             */
            bankBranch: string | null;
            /**
             * @description The name of the bank; null for `crypto`.
             * @example null
             */
            bankName: string | null;
            /**
             * Format: date-time
             * @description When you asked for it.
             * @example 2026-01-02T03:04:05.006Z
             */
            createdAt: string;
            currency: components["schemas"]["WithdrawalToken"];
            /**
             * @description The wallet that it goes to; null for `bank`.
             * @example 0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed
             */
            destinationAddress: string | null;
            /**
             * Format: money
             * @description The part of it that the platform keeps.
             * @example 1
             */
            fee: number;
            /**
             * @description The id of the withdrawal.
             * @example wd_01jggk4x7c2m9q5s8v1y3b6d0f
             */
            id: string;
            method: components["schemas"]["WithdrawalMethod"];
            /**
             * Format: money
             * @description What arrives, `amount` less `fee`.
             * @example 249
             */
            netAmount: number;
            /**
             * @description The network that it is paid on.
             * @example devnet
             */
            network: string;
            /**
             * Format: date-time
             * @description When it became `completed` or `rejected`; null before.
             * @example null
             */
            processedAt: string | null;
            /**
             * @description The bank's reference of the payment, in capitals; null until it is paid, and where a transaction on chain paid it.
             * @example null
             */
            reference: string | null;
            status: components["schemas"]["WithdrawalStatus"];
            /**
             * @description Why it was refused or could not be paid, in the words of whoever decided; null otherwise.
             * @example null
             */
            statusMessage: string | null;
            statusReason: components["schemas"]["WithdrawalStatusReason"];
            /**
             * @description The transaction that paid it, or the bank's `reference`; null until it is `completed`.
             * @example null
             */
            txHash: string | null;
        };
        /** @description A withdrawal was approved and will be paid. */
        WithdrawalApprovedEvent: components["schemas"]["EventEnvelope"] & {
            /** @description The withdrawal as it was when the event happened, with all but the last four characters of `bankAccountNumber` masked. */
            data: components["schemas"]["Withdrawal"];
            /**
             * @description The type of the event.
             * @constant
             */
            type: "withdrawal.approved";
        };
        /** @description A withdrawal is paid. */
        WithdrawalCompletedEvent: components["schemas"]["EventEnvelope"] & {
            /** @description The withdrawal as it was when the event happened, with all but the last four characters of `bankAccountNumber` masked. */
            data: components["schemas"]["Withdrawal"];
            /**
             * @description The type of the event.
             * @constant
             */
            type: "withdrawal.completed";
        };
        /** @description A withdrawal that is paid. */
        WithdrawalCompletion: {
            /**
             * Format: date-time
             * @description When it was completed.
             * @example 2026-01-02T08:15:30.000Z
             */
            completedAt: string;
            /**
             * @description The id of the withdrawal.
             * @example wd_01jggk4x7c2m9q5s8v1y3b6d0f
             */
            id: string;
            /**
             * @description What was done, in words.
             * @example Withdrawal completed.
             */
            message: string;
            /**
             * @description The bank's reference of the payment, in capitals; null until it is paid, and where a transaction on chain paid it.
             * @example null
             */
            reference: string | null;
            status: components["schemas"]["AdminWithdrawalStatus"];
            /**
             * @description The transaction that paid it, in lower case, or the bank's `reference`.
             * @example 0x8d3f0c1b7a59e246d80b35fa91c7e264f0a1d5b83c96e7f2041a8b5d6c3e9f70
             */
            txHash: string;
        };
        /** @description A withdrawal was asked for, and its money is held. */
        WithdrawalCreatedEvent: components["schemas"]["EventEnvelope"] & {
            /** @description The withdrawal as it was when the event happened, with all but the last four characters of `bankAccountNumber` masked. */
            data: components["schemas"]["Withdrawal"];
            /**
             * @description The type of the event.
             * @constant
             */
            type: "withdrawal.created";
        };
        /** @description An approved withdrawal could not be paid; its money is back in the balance. */
        WithdrawalFailedEvent: components["schemas"]["EventEnvelope"] & {
            /** @description The withdrawal as it was when the event happened, with all but the last four characters of `bankAccountNumber` masked. */
            data: components["schemas"]["Withdrawal"];
            /**
             * @description The type of the event.
             * @constant
             */
            type: "withdrawal.failed";
        };
        /** @description A withdrawal that could not be paid. */
        WithdrawalFailure: {
            /**
             * Format: date-time
             * @description When it was given up.
             * @example 2026-01-02T08:15:30.000Z
             */
            failedAt: string;
            /**
             * @description The id of the withdrawal.
             * @example wd_01jggk4x7c2m9q5s8v1y3b6d0f
             */
            id: string;
            /**
             * @description What was done, in words.
             * @example Withdrawal failed; the money is back in the merchant's balance.
             */
            message: string;
            status: components["schemas"]["AdminWithdrawalStatus"];
        };
        /** @description What withdrawals cost. */
        WithdrawalFees: {
            bank: components["schemas"]["BankWithdrawalFee"];
            /** @description The fee of a payout in crypto in US dollars, by network; nobody can withdraw to a network that is not named. */
            networks: {
                [key: string]: string;
            };
        };
        /** @description What withdrawals cost. */
        WithdrawalFeesInput: {
            bank: components["schemas"]["BankWithdrawalFeeInput"];
            /** @description The fee of a payout in crypto in US dollars, by network; nobody can withdraw to a network that is not named. */
            networks: {
                [key: string]: string;
            };
        };
        /** @description A page of withdrawals. */
        WithdrawalList: {
            pagination: components["schemas"]["Pagination"];
            /** @description The withdrawals, newest first. */
            withdrawals: components["schemas"]["Withdrawal"][];
        };
        /**
         * @description How a withdrawal is paid.
         *
         *     - `crypto`: as a stablecoin to a wallet
         *     - `bank`: to a bank account
         * @example crypto
         * @enum {string}
         */
        WithdrawalMethod: "bank" | "crypto";
        /** @description A withdrawal that is being paid. */
        WithdrawalProcessing: {
            /**
             * @description The id of the withdrawal.
             * @example wd_01jggk4x7c2m9q5s8v1y3b6d0f
             */
            id: string;
            /**
             * @description What was done, in words.
             * @example Withdrawal is being paid.
             */
            message: string;
            /**
             * Format: date-time
             * @description When it was said to be.
             * @example 2026-01-02T08:15:30.000Z
             */
            processingAt: string;
            status: components["schemas"]["AdminWithdrawalStatus"];
        };
        /** @description A withdrawal is being paid. */
        WithdrawalProcessingEvent: components["schemas"]["EventEnvelope"] & {
            /** @description The withdrawal as it was when the event happened, with all but the last four characters of `bankAccountNumber` masked. */
            data: components["schemas"]["Withdrawal"];
            /**
             * @description The type of the event.
             * @constant
             */
            type: "withdrawal.processing";
        };
        /** @description What a withdrawal would cost, and how much you can withdraw now. */
        WithdrawalQuote: {
            /**
             * Format: money
             * @description What leaves your balance, in US dollars.
             * @example 250
             */
            amount: number;
            /**
             * Format: money
             * @description What you have.
             * @example 1250.5
             */
            availableBalance: number;
            currency: components["schemas"]["WithdrawalToken"];
            /**
             * Format: money
             * @description What you can still ask for on this UTC day.
             * @example 49750
             */
            dailyRemaining: number;
            /**
             * Format: money
             * @description The part of it that the platform keeps.
             * @example 1
             */
            fee: number;
            /**
             * Format: money
             * @description The most that one withdrawal may be.
             * @example 10000
             */
            maxAmount: number;
            method: components["schemas"]["WithdrawalMethod"];
            /**
             * Format: money
             * @description The least that one withdrawal may be.
             * @example 10
             */
            minAmount: number;
            /**
             * Format: money
             * @description What arrives, `amount` less `fee`.
             * @example 249
             */
            netAmount: number;
            /**
             * @description The network that it is paid on.
             * @example devnet
             */
            network: string;
            /**
             * @description How many more withdrawals may be open at once.
             * @example 4
             */
            openRemaining: number;
        };
        /** @description A withdrawal was refused or cancelled; its money is back in the balance. */
        WithdrawalRejectedEvent: components["schemas"]["EventEnvelope"] & {
            /** @description The withdrawal as it was when the event happened, with all but the last four characters of `bankAccountNumber` masked. */
            data: components["schemas"]["Withdrawal"];
            /**
             * @description The type of the event.
             * @constant
             */
            type: "withdrawal.rejected";
        };
        /** @description The chain took back the transaction that had paid a withdrawal. The withdrawal is *approved* again (`statusReason` *processing*), its money is held again, and it will be paid by another transaction. */
        WithdrawalRevertedEvent: components["schemas"]["EventEnvelope"] & {
            /** @description The withdrawal as it was when the event happened, with all but the last four characters of `bankAccountNumber` masked. */
            data: components["schemas"]["Withdrawal"];
            /**
             * @description The type of the event.
             * @constant
             */
            type: "withdrawal.reverted";
        };
        /** @description A decision about a withdrawal. */
        WithdrawalReview: {
            /**
             * @description The id of the withdrawal.
             * @example wd_01jggk4x7c2m9q5s8v1y3b6d0f
             */
            id: string;
            /**
             * @description What was done, in words.
             * @example Withdrawal approved.
             */
            message: string;
            /**
             * Format: date-time
             * @description When it was decided.
             * @example 2026-01-02T08:15:30.000Z
             */
            reviewedAt: string;
            /**
             * @description The administrator who decided.
             * @example adm_01jggf8r2m5q9t1w4y7z0b3d6f
             */
            reviewedBy: string;
            status: components["schemas"]["AdminWithdrawalStatus"];
        };
        /**
         * @description The state of a withdrawal, as its merchant sees it. `statusReason` says more.
         *
         *     ```
         *     pending ──▶ approved ──▶ completed
         *        │           │
         *        └────┬──────┘
         *             ▼
         *          rejected
         *     ```
         *
         *     - `pending`: it waits to be looked at. You can still cancel it.
         *     - `approved`: it will be paid, or is being paid (`statusReason: processing`).
         *     - `completed`: it is paid. In the rare case that the chain takes the payment back it is `approved` again, and is paid anew.
         *     - `rejected`: it was refused, cancelled, or could not be paid. The money is back in your balance.
         * @example pending
         * @enum {string}
         */
        WithdrawalStatus: "pending" | "approved" | "rejected" | "completed";
        /**
         * @description What is behind the status, null when there is nothing to add.
         *
         *     - `processing`: it is being paid, with `approved`.
         *     - `cancelled`: you cancelled it, with `rejected`.
         *     - `declined`: it was refused, with `rejected`; `statusMessage` says why.
         *     - `failed`: it was approved and could not be paid, with `rejected`; `statusMessage` says why.
         * @example null
         * @enum {string|null}
         */
        WithdrawalStatusReason: "processing" | "cancelled" | "declined" | "failed" | null;
        /**
         * @description A stablecoin that withdrawals are paid in. Each counts as one US dollar.
         * @example USDT
         * @enum {string}
         */
        WithdrawalToken: "USDT" | "USDC";
    };
    responses: {
        /** @description Another administrator has this e-mail address, or this would take the role super_admin from the last active one who has it (`CONFLICT`). A request with the same `Idempotency-Key` may also be under way (`IDEMPOTENCY_IN_PROGRESS`). */
        AdminEmailTaken: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description The credentials are missing or not valid (`UNAUTHORIZED`). `reason` is one of `token_missing`, `token_expired` (refresh the session and try again), `token_invalid` (a merchant's token opens nothing here), `session_revoked`. */
        AdminUnauthorized: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description The request is not valid (`VALIDATION_ERROR`). `fields` names every part that has to change. */
        BadRequest: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description The credentials are missing or not valid (`UNAUTHORIZED`), or two-factor authentication is on and this needs a code: `otp` is missing (`reason: otp_required`), or it is wrong or was used before (`reason: otp_invalid`), or only a recovery code is taken after too many wrong ones (`reason: otp_locked`). */
        CodeNeeded: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description The credentials are missing or not valid (`UNAUTHORIZED`), or the code is (`reason: otp_invalid`): it is not the one that the app shows now, or it was used before. After five wrong codes in a row further ones get a 429 for a while. */
        CodeRefused: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description Nothing can be sent: no URL is set (`CONFLICT`, `reason: webhook_url_missing`) or the endpoint is disabled (`reason: webhook_endpoint_disabled`). Set or enable it with `PUT /v1/webhooks/endpoint`. A request with the same `Idempotency-Key` may also be under way (`IDEMPOTENCY_IN_PROGRESS`). */
        EndpointDisabled: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /**
         * @description Any other error. What can happen on every operation stands here once:
         *
         *     | status | code | when |
         *     |---|---|---|
         *     | 400 | `VALIDATION_ERROR` | the query has a parameter that the operation does not take |
         *     | 405 | `METHOD_NOT_ALLOWED` | the path exists, the method does not; see the `Allow` header |
         *     | 413 | `PAYLOAD_TOO_LARGE` | the body is larger than 64 KiB |
         *     | 415 | `UNSUPPORTED_MEDIA_TYPE` | the body is not `application/json` |
         *     | 429 | `RATE_LIMITED` | too many requests; wait the seconds in `Retry-After` |
         *     | 500 | `INTERNAL_ERROR` | our fault; it has been logged under the `requestId` |
         *     | 503 | `SERVICE_UNAVAILABLE`, `RATE_UNAVAILABLE` | try again after `Retry-After` seconds |
         */
        Error: {
            headers: {
                /** @description For each of them, how many requests are left (`r`) and in how many seconds all are back (`t`). On every answer that was counted. */
                RateLimit?: string;
                /** @description The limits that this operation counts against: how many requests (`q`) in how many seconds (`w`). On every answer. */
                "RateLimit-Policy"?: string;
                /** @description With 429 and 503, the seconds to wait. */
                "Retry-After"?: number;
                /** @description The id of this request, as in `requestId`. Every answer carries it. */
                "X-Request-Id"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description The credentials are missing or not valid (`UNAUTHORIZED`), or the password is wrong (`reason: credentials_invalid`), or the code is wrong or was used before (`reason: otp_invalid`). Both count like failed logins. */
        FactorsRefused: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description This may not be done now (`FORBIDDEN`): the merchant's present state does not allow it (`reason: merchant_not_active`), the API key lacks the scope (`scope_missing`), or it may not be used from this address (`address_not_allowed`). */
        Forbidden: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description A request with the same `Idempotency-Key` is under way (`IDEMPOTENCY_IN_PROGRESS`). Wait the second that `Retry-After` says and send it again to get its answer. */
        IdempotencyInProgress: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description The `Idempotency-Key` was used within the last 24 hours for a request that was different (`IDEMPOTENCY_KEY_REUSED`). Nothing was done. Take a new key for a new request. */
        IdempotencyKeyReused: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description The API key may not do that (`FORBIDDEN`): it lacks the scope (`reason: scope_missing`), or it may not be used from this address (`address_not_allowed`). Requests with an access token never get this answer here. */
        KeyForbidden: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description The link takes no payments now: its time is over (`EXPIRED`) or the merchant switched it off (`DISABLED`, which wins when both are true). */
        LinkGone: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description The link takes no more payments (`CONFLICT`, `reason: sold_out`): as many as its `maxPayments` are paid or open. A place comes free when an open payment expires or is cancelled. */
        LinkSoldOut: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description This merchant may not do that in its present state (`FORBIDDEN`, `reason: merchant_not_active`). Read `status` of the merchant. */
        MerchantNotActive: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description There is no such thing, or it belongs to another merchant (`NOT_FOUND`). */
        NotFound: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description This is another merchant's profile (`FORBIDDEN`, `reason: not_owner`). */
        NotOwner: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description The credentials are missing or not valid (`UNAUTHORIZED`), or the password is wrong (`reason: credentials_invalid`), which counts like a failed login. */
        PasswordWrong: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description There is no such payment, or it belongs to another merchant (`NOT_FOUND`). With `reason: payment_removed` it was begun by a payer through a link, ended without being paid, and was removed 30 days later. */
        PaymentNotFound: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description The role of this administrator does not allow that (`FORBIDDEN`, `reason: permission_missing`); the message names the permission. In live mode, an administrator who may manage withdrawals, users or roles, or change settings, is asked to turn on two-factor authentication first (`two_factor_required`). */
        PermissionMissing: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description You may not do that (`FORBIDDEN`): your role does not allow the operation (`reason: permission_missing`), it would give away permissions that you lack, or touch somebody or something that holds them (`permission_not_held`; the message names them), or it would change your own role (`own_role`), password or e-mail address (`own_credentials`). In live mode also `two_factor_required`. */
        RightsExceeded: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description The role of this administrator does not allow that (`FORBIDDEN`, `reason: permission_missing`), or it takes a second person and this account may belong to the first (`second_person`): one of the two accounts made the other, or set its password or e-mail address, less than seven days ago. In live mode also `two_factor_required`. */
        SecondPerson: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description There are 20 keys that work already (`CONFLICT`): delete one that is not needed. A request with the same `Idempotency-Key` may also be under way (`IDEMPOTENCY_IN_PROGRESS`). */
        TooManyApiKeys: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description Nothing waits for a first code, because it is on already, was never set up, or was set up more than 15 minutes ago (`CONFLICT`). A request with the same `Idempotency-Key` may also be under way (`IDEMPOTENCY_IN_PROGRESS`). */
        TwoFactorNotPending: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description Two-factor authentication is off (`CONFLICT`). */
        TwoFactorOff: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description Two-factor authentication is on (`CONFLICT`). Disable it to set it up anew. */
        TwoFactorOn: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description The credentials are missing or not valid (`UNAUTHORIZED`). With an access token, `reason` is one of `token_missing`, `token_expired` (refresh the session and try again), `token_invalid`, `session_revoked`. With an API key, where the operation takes one: `api_key_invalid` (a header is missing, doubled or malformed, or the key has expired), `timestamp_skew` (not 10 digits, or more than 300 seconds from our clock), `signature_invalid` (the key is unknown or revoked, or the signature does not fit; the message shows the text that has to be signed). A token and a key at once are `credentials_invalid`. */
        Unauthorized: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
    };
    parameters: {
        /** @description The id of the administrator. */
        AdminUserId: string;
        /** @description The id of the API key (`key_…`), not its public value. */
        ApiKeyId: string;
        /** @description Only entries of this action. */
        AuditAction: string;
        /** @description The id of the entry. */
        AuditLogEntryId: string;
        /** @description Only entries about this kind of thing. */
        AuditResourceType: string;
        /** @description The id of the change. */
        ChangeId: string;
        /** @description The id of the checkout session, `sessionId` in the answer that created it. */
        CheckoutSessionId: string;
        /** @description The token of a customer's session. */
        CustomerSessionToken: string;
        /** @description The id of the event. */
        EventId: string;
        /** @description Only what was created at or after this. A date means from the start of that UTC day. */
        FromDate: string;
        /** @description A key of your choice for this one operation, for example the number of the order. A request that comes again with the same key within 24 hours has no second effect: it gets the stored answer, with `Idempotent-Replayed: true`. See *Idempotency*. */
        IdempotencyKey: string;
        /** @description Any text of your choice, on which the image does not depend. Browsers keep one image for each URL, so change it when the payment's `paymentUri` changes. */
        ImageMark: string;
        /** @description The id of the incident. */
        IncidentId: string;
        /** @description The most items on a page. */
        Limit: number;
        /** @description The id of the merchant. */
        MerchantId: string;
        /** @description The id of the login session. */
        MerchantSessionId: string;
        /** @description The page to return, counted from 1. A page past the end is an empty list with the true `total`. */
        Page: number;
        /** @description The id of the payment. */
        PaymentId: string;
        /** @description The id of the payment link. */
        PaymentLinkId: string;
        /** @description The last part of the link's address. */
        PaymentLinkSlug: string;
        /** @description The id of the subscription plan. */
        PlanId: string;
        /** @description The id of the refund. */
        RefundId: string;
        /** @description The secret at the end of a claim link. */
        RefundToken: string;
        /** @description The id of the role. */
        RoleId: string;
        /** @description The address of a wallet that the sandbox has made. */
        SandboxWalletAddress: string;
        /** @description A month, by UTC, as `2026-01`. */
        StatementMonth: string;
        /** @description The id of the subscription. */
        SubscriptionId: string;
        /** @description Only what was created at or before this. A date means to the end of that UTC day. */
        ToDate: string;
        /** @description The id of the certification. */
        WebhookCertificationId: string;
        /** @description The id of the delivery (`whd_…`). */
        WebhookDeliveryId: string;
        /** @description The id of the event, the same in every attempt and redelivery. Remember it to handle an event once. */
        WebhookId: string;
        /** @description One or more signatures `v1a,<base64>`, divided by spaces: Ed25519 over the id, the time and the body. One that verifies is enough. See *Webhooks*. */
        WebhookSignature: string;
        /** @description The Unix time of this attempt in whole seconds. It is signed; refuse what is more than 5 minutes from your clock. */
        WebhookTimestamp: string;
        /** @description The id of the withdrawal. */
        WithdrawalId: string;
    };
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    getAlertChannel: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The channel. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AlertChannel"];
                };
            };
            401: components["responses"]["AdminUnauthorized"];
            403: components["responses"]["PermissionMissing"];
            default: components["responses"]["Error"];
        };
    };
    loginAdmin: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LoginAdminRequest"];
            };
        };
        responses: {
            /** @description Logged in. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AdminAuthResult"];
                };
            };
            400: components["responses"]["BadRequest"];
            /** @description Not logged in (`UNAUTHORIZED`). `reason` is `credentials_invalid`, `otp_required` or `otp_invalid`. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            default: components["responses"]["Error"];
        };
    };
    logoutAdmin: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The session has ended. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MessageResponse"];
                };
            };
            401: components["responses"]["AdminUnauthorized"];
            default: components["responses"]["Error"];
        };
    };
    getOwnAdmin: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The administrator. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OwnAdmin"];
                };
            };
            401: components["responses"]["AdminUnauthorized"];
            default: components["responses"]["Error"];
        };
    };
    changeAdminPassword: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChangeAdminPasswordRequest"];
            };
        };
        responses: {
            /** @description The new password is set. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MessageResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            /** @description The credentials are missing or not valid (`UNAUTHORIZED`), the current password is wrong (`reason: credentials_invalid`), or two-factor authentication is on and `otp` is missing (`reason: otp_required`), wrong or used before (`reason: otp_invalid`). */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            default: components["responses"]["Error"];
        };
    };
    refreshAdminSession: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RefreshAdminSessionRequest"];
            };
        };
        responses: {
            /** @description A new pair of tokens. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AdminTokens"];
                };
            };
            400: components["responses"]["BadRequest"];
            /** @description The refresh token is unknown, used or expired (`UNAUTHORIZED`). `reason` is `token_invalid`, `token_expired` or `session_revoked`. Log in again. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            default: components["responses"]["Error"];
        };
    };
    disableAdminTwoFactor: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DisableTwoFactorRequest"];
            };
        };
        responses: {
            /** @description It is off. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MessageResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["FactorsRefused"];
            409: components["responses"]["TwoFactorOff"];
            default: components["responses"]["Error"];
        };
    };
    enableAdminTwoFactor: {
        parameters: {
            query?: never;
            header?: {
                /** @description A key of your choice for this one operation, for example the number of the order. A request that comes again with the same key within 24 hours has no second effect: it gets the stored answer, with `Idempotent-Replayed: true`. See *Idempotency*. */
                "idempotency-key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EnableTwoFactorRequest"];
            };
        };
        responses: {
            /** @description It is on. Here are the recovery codes, for the only time. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TwoFactorRecoveryCodes"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["CodeRefused"];
            409: components["responses"]["TwoFactorNotPending"];
            422: components["responses"]["IdempotencyKeyReused"];
            default: components["responses"]["Error"];
        };
    };
    setupAdminTwoFactor: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SetUpTwoFactorRequest"];
            };
        };
        responses: {
            /** @description The secret, for the only time. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TwoFactorSetup"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["PasswordWrong"];
            409: components["responses"]["TwoFactorOn"];
            default: components["responses"]["Error"];
        };
    };
    listChanges: {
        parameters: {
            query?: {
                /** @description Only changes of this kind. */
                kind?: components["schemas"]["ChangeKind"];
                /** @description The most items on a page. */
                limit?: components["parameters"]["Limit"];
                /** @description The page to return, counted from 1. A page past the end is an empty list with the true `total`. */
                page?: components["parameters"]["Page"];
                /** @description Only changes in this state. */
                status?: components["schemas"]["ChangeStatus"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of changes. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChangeList"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["AdminUnauthorized"];
            403: components["responses"]["PermissionMissing"];
            default: components["responses"]["Error"];
        };
    };
    getChange: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the change. */
                id: components["parameters"]["ChangeId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The change. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GuardedChange"];
                };
            };
            401: components["responses"]["AdminUnauthorized"];
            403: components["responses"]["PermissionMissing"];
            404: components["responses"]["NotFound"];
            default: components["responses"]["Error"];
        };
    };
    approveChange: {
        parameters: {
            query?: never;
            header?: {
                /** @description A key of your choice for this one operation, for example the number of the order. A request that comes again with the same key within 24 hours has no second effect: it gets the stored answer, with `Idempotent-Replayed: true`. See *Idempotency*. */
                "idempotency-key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The id of the change. */
                id: components["parameters"]["ChangeId"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ApproveChangeRequest"];
            };
        };
        responses: {
            /** @description It is approved. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GuardedChange"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["CodeNeeded"];
            403: components["responses"]["SecondPerson"];
            404: components["responses"]["NotFound"];
            /** @description It is not `proposed`, or you have proposed it yourself (`CONFLICT`). A request with the same `Idempotency-Key` may also be under way (`IDEMPOTENCY_IN_PROGRESS`). */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            422: components["responses"]["IdempotencyKeyReused"];
            default: components["responses"]["Error"];
        };
    };
    cancelChange: {
        parameters: {
            query?: never;
            header?: {
                /** @description A key of your choice for this one operation, for example the number of the order. A request that comes again with the same key within 24 hours has no second effect: it gets the stored answer, with `Idempotent-Replayed: true`. See *Idempotency*. */
                "idempotency-key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The id of the change. */
                id: components["parameters"]["ChangeId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CancelChangeRequest"];
            };
        };
        responses: {
            /** @description It is cancelled. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GuardedChange"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["AdminUnauthorized"];
            403: components["responses"]["PermissionMissing"];
            404: components["responses"]["NotFound"];
            /** @description It is over already (`CONFLICT`). A request with the same `Idempotency-Key` may also be under way (`IDEMPOTENCY_IN_PROGRESS`). */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            422: components["responses"]["IdempotencyKeyReused"];
            default: components["responses"]["Error"];
        };
    };
    listIncidents: {
        parameters: {
            query?: {
                /** @description Only incidents of this kind. */
                kind?: string;
                /** @description The most items on a page. */
                limit?: components["parameters"]["Limit"];
                /** @description Only incidents that concern this network. */
                network?: string;
                /** @description The page to return, counted from 1. A page past the end is an empty list with the true `total`. */
                page?: components["parameters"]["Page"];
                /** @description Only incidents about this, such as the id of a payment. It is compared with `subject`. */
                resource?: string;
                /** @description Only what was seen at or after this. A date means from the start of that UTC day. */
                since?: string;
                /** @description Only incidents in this state. */
                status?: components["schemas"]["IncidentStatus"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of incidents. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IncidentList"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["AdminUnauthorized"];
            403: components["responses"]["PermissionMissing"];
            default: components["responses"]["Error"];
        };
    };
    getIncident: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the incident. */
                id: components["parameters"]["IncidentId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The incident. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Incident"];
                };
            };
            401: components["responses"]["AdminUnauthorized"];
            403: components["responses"]["PermissionMissing"];
            404: components["responses"]["NotFound"];
            default: components["responses"]["Error"];
        };
    };
    acknowledgeIncident: {
        parameters: {
            query?: never;
            header?: {
                /** @description A key of your choice for this one operation, for example the number of the order. A request that comes again with the same key within 24 hours has no second effect: it gets the stored answer, with `Idempotent-Replayed: true`. See *Idempotency*. */
                "idempotency-key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The id of the incident. */
                id: components["parameters"]["IncidentId"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["AcknowledgeIncidentRequest"];
            };
        };
        responses: {
            /** @description The incident. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Incident"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["AdminUnauthorized"];
            403: components["responses"]["PermissionMissing"];
            404: components["responses"]["NotFound"];
            /** @description It is resolved already (`CONFLICT`). A request with the same `Idempotency-Key` may also be under way (`IDEMPOTENCY_IN_PROGRESS`). */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            422: components["responses"]["IdempotencyKeyReused"];
            default: components["responses"]["Error"];
        };
    };
    resolveIncident: {
        parameters: {
            query?: never;
            header?: {
                /** @description A key of your choice for this one operation, for example the number of the order. A request that comes again with the same key within 24 hours has no second effect: it gets the stored answer, with `Idempotent-Replayed: true`. See *Idempotency*. */
                "idempotency-key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The id of the incident. */
                id: components["parameters"]["IncidentId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ResolveIncidentRequest"];
            };
        };
        responses: {
            /** @description The incident. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Incident"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["AdminUnauthorized"];
            403: components["responses"]["PermissionMissing"];
            404: components["responses"]["NotFound"];
            /** @description It is resolved already, or what it says is still so (`CONFLICT`); the message names what ends it. A request with the same `Idempotency-Key` may also be under way (`IDEMPOTENCY_IN_PROGRESS`). */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            422: components["responses"]["IdempotencyKeyReused"];
            default: components["responses"]["Error"];
        };
    };
    retryIncident: {
        parameters: {
            query?: never;
            header?: {
                /** @description A key of your choice for this one operation, for example the number of the order. A request that comes again with the same key within 24 hours has no second effect: it gets the stored answer, with `Idempotent-Replayed: true`. See *Idempotency*. */
                "idempotency-key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The id of the incident. */
                id: components["parameters"]["IncidentId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is being tried again. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Incident"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["AdminUnauthorized"];
            403: components["responses"]["PermissionMissing"];
            404: components["responses"]["NotFound"];
            /** @description It is resolved already, or nothing of its kind can be tried again (`CONFLICT`). A request with the same `Idempotency-Key` may also be under way (`IDEMPOTENCY_IN_PROGRESS`). */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            422: components["responses"]["IdempotencyKeyReused"];
            default: components["responses"]["Error"];
        };
    };
    adminListMerchants: {
        parameters: {
            query?: {
                /** @description The most items on a page. */
                limit?: components["parameters"]["Limit"];
                /** @description The page to return, counted from 1. A page past the end is an empty list with the true `total`. */
                page?: components["parameters"]["Page"];
                /** @description Only merchants in which every word of this occurs: in the name of the business, the e-mail address, the phone number, or at the beginning of the id. Case does not matter. */
                search?: string;
                /** @description Only merchants in this state. */
                status?: components["schemas"]["MerchantStatus"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of merchants. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AdminMerchantList"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["AdminUnauthorized"];
            403: components["responses"]["PermissionMissing"];
            default: components["responses"]["Error"];
        };
    };
    adminGetMerchant: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the merchant. */
                id: components["parameters"]["MerchantId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The merchant. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AdminMerchant"];
                };
            };
            401: components["responses"]["AdminUnauthorized"];
            403: components["responses"]["PermissionMissing"];
            404: components["responses"]["NotFound"];
            default: components["responses"]["Error"];
        };
    };
    approveMerchant: {
        parameters: {
            query?: never;
            header?: {
                /** @description A key of your choice for this one operation, for example the number of the order. A request that comes again with the same key within 24 hours has no second effect: it gets the stored answer, with `Idempotent-Replayed: true`. See *Idempotency*. */
                "idempotency-key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The id of the merchant. */
                id: components["parameters"]["MerchantId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The merchant's new state. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MerchantStatusChange"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["AdminUnauthorized"];
            403: components["responses"]["PermissionMissing"];
            404: components["responses"]["NotFound"];
            /** @description The merchant's present state does not allow it (`CONFLICT`). A request with the same `Idempotency-Key` may also be under way (`IDEMPOTENCY_IN_PROGRESS`). */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            422: components["responses"]["IdempotencyKeyReused"];
            default: components["responses"]["Error"];
        };
    };
    freezeMerchant: {
        parameters: {
            query?: never;
            header?: {
                /** @description A key of your choice for this one operation, for example the number of the order. A request that comes again with the same key within 24 hours has no second effect: it gets the stored answer, with `Idempotent-Replayed: true`. See *Idempotency*. */
                "idempotency-key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The id of the merchant. */
                id: components["parameters"]["MerchantId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["FreezeMerchantRequest"];
            };
        };
        responses: {
            /** @description The merchant's new state. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MerchantStatusChange"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["AdminUnauthorized"];
            403: components["responses"]["PermissionMissing"];
            404: components["responses"]["NotFound"];
            /** @description The merchant's present state does not allow it (`CONFLICT`). A request with the same `Idempotency-Key` may also be under way (`IDEMPOTENCY_IN_PROGRESS`). */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            422: components["responses"]["IdempotencyKeyReused"];
            default: components["responses"]["Error"];
        };
    };
    rejectMerchant: {
        parameters: {
            query?: never;
            header?: {
                /** @description A key of your choice for this one operation, for example the number of the order. A request that comes again with the same key within 24 hours has no second effect: it gets the stored answer, with `Idempotent-Replayed: true`. See *Idempotency*. */
                "idempotency-key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The id of the merchant. */
                id: components["parameters"]["MerchantId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RejectMerchantRequest"];
            };
        };
        responses: {
            /** @description The merchant's new state. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MerchantStatusChange"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["AdminUnauthorized"];
            403: components["responses"]["PermissionMissing"];
            404: components["responses"]["NotFound"];
            /** @description The merchant's present state does not allow it (`CONFLICT`). A request with the same `Idempotency-Key` may also be under way (`IDEMPOTENCY_IN_PROGRESS`). */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            422: components["responses"]["IdempotencyKeyReused"];
            default: components["responses"]["Error"];
        };
    };
    terminateMerchant: {
        parameters: {
            query?: never;
            header?: {
                /** @description A key of your choice for this one operation, for example the number of the order. A request that comes again with the same key within 24 hours has no second effect: it gets the stored answer, with `Idempotent-Replayed: true`. See *Idempotency*. */
                "idempotency-key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The id of the merchant. */
                id: components["parameters"]["MerchantId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TerminateMerchantRequest"];
            };
        };
        responses: {
            /** @description The merchant's new state. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MerchantStatusChange"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["AdminUnauthorized"];
            403: components["responses"]["PermissionMissing"];
            404: components["responses"]["NotFound"];
            /** @description The merchant's present state does not allow it (`CONFLICT`). A request with the same `Idempotency-Key` may also be under way (`IDEMPOTENCY_IN_PROGRESS`). */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            422: components["responses"]["IdempotencyKeyReused"];
            default: components["responses"]["Error"];
        };
    };
    unfreezeMerchant: {
        parameters: {
            query?: never;
            header?: {
                /** @description A key of your choice for this one operation, for example the number of the order. A request that comes again with the same key within 24 hours has no second effect: it gets the stored answer, with `Idempotent-Replayed: true`. See *Idempotency*. */
                "idempotency-key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The id of the merchant. */
                id: components["parameters"]["MerchantId"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["UnfreezeMerchantRequest"];
            };
        };
        responses: {
            /** @description The merchant's new state. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MerchantStatusChange"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["AdminUnauthorized"];
            403: components["responses"]["PermissionMissing"];
            404: components["responses"]["NotFound"];
            /** @description The merchant's present state does not allow it (`CONFLICT`). A request with the same `Idempotency-Key` may also be under way (`IDEMPOTENCY_IN_PROGRESS`). */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            422: components["responses"]["IdempotencyKeyReused"];
            default: components["responses"]["Error"];
        };
    };
    listPayouts: {
        parameters: {
            query?: {
                /** @description Only withdrawals, or only refunds. */
                kind?: "withdrawal" | "refund";
                /** @description The most items on a page. */
                limit?: components["parameters"]["Limit"];
                /** @description Only on this network. */
                network?: string;
                /** @description The page to return, counted from 1. A page past the end is an empty list with the true `total`. */
                page?: components["parameters"]["Page"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of payouts. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PayoutList"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["AdminUnauthorized"];
            403: components["responses"]["PermissionMissing"];
            default: components["responses"]["Error"];
        };
    };
    completePayouts: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CompletePayoutsRequest"];
            };
        };
        responses: {
            /** @description What was completed, and what was not. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CompletedPayouts"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["AdminUnauthorized"];
            403: components["responses"]["PermissionMissing"];
            default: components["responses"]["Error"];
        };
    };
    exportPayouts: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ExportPayoutsRequest"];
            };
        };
        responses: {
            /** @description What is to be paid, in this order. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PayoutExport"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["AdminUnauthorized"];
            403: components["responses"]["PermissionMissing"];
            default: components["responses"]["Error"];
        };
    };
    listPermissions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Every permission that there is. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PermissionList"];
                };
            };
            401: components["responses"]["AdminUnauthorized"];
            403: components["responses"]["PermissionMissing"];
            default: components["responses"]["Error"];
        };
    };
    adminGetRefund: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the refund. */
                id: components["parameters"]["RefundId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The refund. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AdminRefund"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["AdminUnauthorized"];
            403: components["responses"]["PermissionMissing"];
            404: components["responses"]["NotFound"];
            default: components["responses"]["Error"];
        };
    };
    completeRefund: {
        parameters: {
            query?: never;
            header?: {
                /** @description A key of your choice for this one operation, for example the number of the order. A request that comes again with the same key within 24 hours has no second effect: it gets the stored answer, with `Idempotent-Replayed: true`. See *Idempotency*. */
                "idempotency-key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The id of the refund. */
                id: components["parameters"]["RefundId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CompleteRefundRequest"];
            };
        };
        responses: {
            /** @description It is paid. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AdminRefund"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["AdminUnauthorized"];
            /** @description The role lacks the permission (`FORBIDDEN`, `reason: permission_missing`), two-factor authentication has to be on first (`two_factor_required`), or the amount asks for two people and you are the one who began to pay it (`four_eyes`). */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            404: components["responses"]["NotFound"];
            /** @description It is neither `pending` nor `processing` (`CONFLICT`), its merchant is not `active` (`reason: merchant_not_active`) or owes while nothing has been sent (`merchant_owes`), what a `pending` one gives back is not there any more (`refund_uncovered`), the transaction has completed another payout (`tx_hash_used`), or is not what the chain shows (`payout_…`, as for a withdrawal). Or another payout of it, which the chain took back, is there after all (`lost_payout_seen`) or could not be looked for (`lost_payout_unclear`). A request with the same `Idempotency-Key` may also be under way (`IDEMPOTENCY_IN_PROGRESS`). */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            422: components["responses"]["IdempotencyKeyReused"];
            default: components["responses"]["Error"];
        };
    };
    failRefund: {
        parameters: {
            query?: never;
            header?: {
                /** @description A key of your choice for this one operation, for example the number of the order. A request that comes again with the same key within 24 hours has no second effect: it gets the stored answer, with `Idempotent-Replayed: true`. See *Idempotency*. */
                "idempotency-key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The id of the refund. */
                id: components["parameters"]["RefundId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["FailRefundRequest"];
            };
        };
        responses: {
            /** @description It has failed, and its money is where it was. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AdminRefund"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["AdminUnauthorized"];
            403: components["responses"]["PermissionMissing"];
            404: components["responses"]["NotFound"];
            /** @description It is over (`CONFLICT`). Or a payout of it, which the chain took back, is there after all (`reason: lost_payout_seen`): complete it with that transaction; or nobody could look for it in the last minutes (`lost_payout_unclear`), which is worth trying again. A request with the same `Idempotency-Key` may also be under way (`IDEMPOTENCY_IN_PROGRESS`). */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            422: components["responses"]["IdempotencyKeyReused"];
            default: components["responses"]["Error"];
        };
    };
    processRefund: {
        parameters: {
            query?: never;
            header?: {
                /** @description A key of your choice for this one operation, for example the number of the order. A request that comes again with the same key within 24 hours has no second effect: it gets the stored answer, with `Idempotent-Replayed: true`. See *Idempotency*. */
                "idempotency-key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The id of the refund. */
                id: components["parameters"]["RefundId"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ProcessRefundRequest"];
            };
        };
        responses: {
            /** @description It is being paid. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AdminRefund"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["AdminUnauthorized"];
            403: components["responses"]["PermissionMissing"];
            404: components["responses"]["NotFound"];
            /** @description It is not `pending` (`CONFLICT`), its merchant is not `active` (`reason: merchant_not_active`) or owes more than it has (`merchant_owes`), what it gives back is not there any more (`refund_uncovered`), or its network is no longer listed (`network_not_listed`). A request with the same `Idempotency-Key` may also be under way (`IDEMPOTENCY_IN_PROGRESS`). */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            422: components["responses"]["IdempotencyKeyReused"];
            default: components["responses"]["Error"];
        };
    };
    listRoles: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The roles. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RoleList"];
                };
            };
            401: components["responses"]["AdminUnauthorized"];
            403: components["responses"]["PermissionMissing"];
            default: components["responses"]["Error"];
        };
    };
    createRole: {
        parameters: {
            query?: never;
            header?: {
                /** @description A key of your choice for this one operation, for example the number of the order. A request that comes again with the same key within 24 hours has no second effect: it gets the stored answer, with `Idempotent-Replayed: true`. See *Idempotency*. */
                "idempotency-key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateRoleRequest"];
            };
        };
        responses: {
            /** @description The new role. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Role"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["AdminUnauthorized"];
            403: components["responses"]["RightsExceeded"];
            /** @description Another role has this name (`CONFLICT`). A request with the same `Idempotency-Key` may also be under way (`IDEMPOTENCY_IN_PROGRESS`). */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            422: components["responses"]["IdempotencyKeyReused"];
            default: components["responses"]["Error"];
        };
    };
    getRole: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the role. */
                id: components["parameters"]["RoleId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The role. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Role"];
                };
            };
            401: components["responses"]["AdminUnauthorized"];
            403: components["responses"]["PermissionMissing"];
            404: components["responses"]["NotFound"];
            default: components["responses"]["Error"];
        };
    };
    updateRole: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the role. */
                id: components["parameters"]["RoleId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateRoleRequest"];
            };
        };
        responses: {
            /** @description The role as it is now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Role"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["CodeNeeded"];
            403: components["responses"]["RightsExceeded"];
            404: components["responses"]["NotFound"];
            /** @description Another role has this name, or it is super_admin (`CONFLICT`). */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            default: components["responses"]["Error"];
        };
    };
    deleteRole: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the role. */
                id: components["parameters"]["RoleId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The role is gone. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MessageResponse"];
                };
            };
            401: components["responses"]["AdminUnauthorized"];
            403: components["responses"]["RightsExceeded"];
            404: components["responses"]["NotFound"];
            /** @description Somebody has this role, or it is super_admin (`CONFLICT`). */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            default: components["responses"]["Error"];
        };
    };
    getSettings: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The settings. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PlatformSettings"];
                };
            };
            401: components["responses"]["AdminUnauthorized"];
            403: components["responses"]["PermissionMissing"];
            default: components["responses"]["Error"];
        };
    };
    updateSettings: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateSettingsRequest"];
            };
        };
        responses: {
            /** @description The settings in force after the change, and what waits. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PlatformSettings"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["CodeNeeded"];
            403: components["responses"]["PermissionMissing"];
            /** @description The settings have changed since that version (`CONFLICT`), or another change of the same setting waits. Read them again, and decide with what they are now. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            default: components["responses"]["Error"];
        };
    };
    listAdminUsers: {
        parameters: {
            query?: {
                /** @description The most items on a page. */
                limit?: components["parameters"]["Limit"];
                /** @description The page to return, counted from 1. A page past the end is an empty list with the true `total`. */
                page?: components["parameters"]["Page"];
                /** @description Only administrators with this role. */
                roleId?: string;
                /** @description Only administrators in this state. */
                status?: components["schemas"]["AdminUserStatus"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of administrators. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AdminUserList"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["AdminUnauthorized"];
            403: components["responses"]["PermissionMissing"];
            default: components["responses"]["Error"];
        };
    };
    createAdminUser: {
        parameters: {
            query?: never;
            header?: {
                /** @description A key of your choice for this one operation, for example the number of the order. A request that comes again with the same key within 24 hours has no second effect: it gets the stored answer, with `Idempotent-Replayed: true`. See *Idempotency*. */
                "idempotency-key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateAdminUserRequest"];
            };
        };
        responses: {
            /** @description The new administrator. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AdminUserCreated"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["CodeNeeded"];
            403: components["responses"]["RightsExceeded"];
            409: components["responses"]["AdminEmailTaken"];
            422: components["responses"]["IdempotencyKeyReused"];
            default: components["responses"]["Error"];
        };
    };
    getAdminUser: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the administrator. */
                id: components["parameters"]["AdminUserId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The administrator. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AdminUser"];
                };
            };
            401: components["responses"]["AdminUnauthorized"];
            403: components["responses"]["PermissionMissing"];
            404: components["responses"]["NotFound"];
            default: components["responses"]["Error"];
        };
    };
    updateAdminUser: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the administrator. */
                id: components["parameters"]["AdminUserId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateAdminUserRequest"];
            };
        };
        responses: {
            /** @description The administrator as they are now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AdminUser"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["CodeNeeded"];
            403: components["responses"]["RightsExceeded"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["AdminEmailTaken"];
            default: components["responses"]["Error"];
        };
    };
    activateAdminUser: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the administrator. */
                id: components["parameters"]["AdminUserId"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ChangeAdminStatusRequest"];
            };
        };
        responses: {
            /** @description The administrator is active. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AdminUserStatusChange"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["CodeNeeded"];
            403: components["responses"]["RightsExceeded"];
            404: components["responses"]["NotFound"];
            /** @description A change that would activate them waits already (`CONFLICT`). */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            default: components["responses"]["Error"];
        };
    };
    deactivateAdminUser: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the administrator. */
                id: components["parameters"]["AdminUserId"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ChangeAdminStatusRequest"];
            };
        };
        responses: {
            /** @description The administrator is deactivated. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AdminUserStatusChange"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["CodeNeeded"];
            403: components["responses"]["RightsExceeded"];
            404: components["responses"]["NotFound"];
            /** @description This is your own account, or the last active one with the role super_admin (`CONFLICT`). */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            default: components["responses"]["Error"];
        };
    };
    adminListWithdrawals: {
        parameters: {
            query?: {
                /** @description Only what was created at or after this. A date means from the start of that UTC day. */
                fromDate?: components["parameters"]["FromDate"];
                /** @description The most items on a page. */
                limit?: components["parameters"]["Limit"];
                /** @description Only withdrawals of this merchant. */
                merchantId?: string;
                /** @description The page to return, counted from 1. A page past the end is an empty list with the true `total`. */
                page?: components["parameters"]["Page"];
                /** @description Only withdrawals in this state. */
                status?: components["schemas"]["AdminWithdrawalStatus"];
                /** @description Only what was created at or before this. A date means to the end of that UTC day. */
                toDate?: components["parameters"]["ToDate"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of withdrawals. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AdminWithdrawalList"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["AdminUnauthorized"];
            403: components["responses"]["PermissionMissing"];
            default: components["responses"]["Error"];
        };
    };
    adminGetWithdrawal: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the withdrawal. */
                id: components["parameters"]["WithdrawalId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The withdrawal. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AdminWithdrawal"];
                };
            };
            401: components["responses"]["AdminUnauthorized"];
            403: components["responses"]["PermissionMissing"];
            404: components["responses"]["NotFound"];
            default: components["responses"]["Error"];
        };
    };
    approveWithdrawal: {
        parameters: {
            query?: never;
            header?: {
                /** @description A key of your choice for this one operation, for example the number of the order. A request that comes again with the same key within 24 hours has no second effect: it gets the stored answer, with `Idempotent-Replayed: true`. See *Idempotency*. */
                "idempotency-key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The id of the withdrawal. */
                id: components["parameters"]["WithdrawalId"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ApproveWithdrawalRequest"];
            };
        };
        responses: {
            /** @description It is approved. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WithdrawalReview"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["AdminUnauthorized"];
            403: components["responses"]["PermissionMissing"];
            404: components["responses"]["NotFound"];
            /** @description It is not `pending` (`CONFLICT`); its network or token is no longer listed (`reason: network_not_listed`): reject it, so that the merchant can withdraw elsewhere; or the setting `offRampAddress` is no address of its network (`off_ramp_address`). A request with the same `Idempotency-Key` may also be under way (`IDEMPOTENCY_IN_PROGRESS`). */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            422: components["responses"]["IdempotencyKeyReused"];
            default: components["responses"]["Error"];
        };
    };
    completeWithdrawal: {
        parameters: {
            query?: never;
            header?: {
                /** @description A key of your choice for this one operation, for example the number of the order. A request that comes again with the same key within 24 hours has no second effect: it gets the stored answer, with `Idempotent-Replayed: true`. See *Idempotency*. */
                "idempotency-key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The id of the withdrawal. */
                id: components["parameters"]["WithdrawalId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CompleteWithdrawalRequest"];
            };
        };
        responses: {
            /** @description It is completed. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WithdrawalCompletion"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["AdminUnauthorized"];
            /** @description The role lacks the permission (`FORBIDDEN`, `reason: permission_missing`), two-factor authentication has to be on first (`two_factor_required`), or the amount, or a network that is no longer listed, asks for two people and you are the one who approved it (`four_eyes`). */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            404: components["responses"]["NotFound"];
            /** @description It is neither `approved` nor `processing` (`CONFLICT`), its merchant is not `active` (`reason: merchant_not_active`), or it is still `approved` and its merchant owes more than it has (`merchant_owes`): fail it, which repays that. What is in `processing` can be completed all the same, because its money may have left. The transaction has completed another payout (`tx_hash_used`), or is not what the chain shows: `payout_not_found`, `payout_not_mined`, `payout_reverted`, `payout_too_early`, `payout_wrong_token`, `payout_wrong_destination`, `payout_wrong_sender`, `payout_too_small`, `payout_not_confirmed`; or an earlier payout of it, which the chain took back, is there after all (`lost_payout_seen`) or could not be looked for (`lost_payout_unclear`); the message says what did not match, and with `Retry-After` it is worth trying again. A request with the same `Idempotency-Key` may also be under way (`IDEMPOTENCY_IN_PROGRESS`). */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            422: components["responses"]["IdempotencyKeyReused"];
            default: components["responses"]["Error"];
        };
    };
    failWithdrawal: {
        parameters: {
            query?: never;
            header?: {
                /** @description A key of your choice for this one operation, for example the number of the order. A request that comes again with the same key within 24 hours has no second effect: it gets the stored answer, with `Idempotent-Replayed: true`. See *Idempotency*. */
                "idempotency-key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The id of the withdrawal. */
                id: components["parameters"]["WithdrawalId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["FailWithdrawalRequest"];
            };
        };
        responses: {
            /** @description It has failed. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WithdrawalFailure"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["AdminUnauthorized"];
            403: components["responses"]["PermissionMissing"];
            404: components["responses"]["NotFound"];
            /** @description It is neither `approved` nor `processing` (`CONFLICT`). Or a payout of it, which the chain took back, is there after all (`reason: lost_payout_seen`): complete it with that transaction; or nobody could look for it in the last minutes (`lost_payout_unclear`), which is worth trying again. A request with the same `Idempotency-Key` may also be under way (`IDEMPOTENCY_IN_PROGRESS`). */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            422: components["responses"]["IdempotencyKeyReused"];
            default: components["responses"]["Error"];
        };
    };
    processWithdrawal: {
        parameters: {
            query?: never;
            header?: {
                /** @description A key of your choice for this one operation, for example the number of the order. A request that comes again with the same key within 24 hours has no second effect: it gets the stored answer, with `Idempotent-Replayed: true`. See *Idempotency*. */
                "idempotency-key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The id of the withdrawal. */
                id: components["parameters"]["WithdrawalId"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ProcessWithdrawalRequest"];
            };
        };
        responses: {
            /** @description It is being paid. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WithdrawalProcessing"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["AdminUnauthorized"];
            403: components["responses"]["PermissionMissing"];
            404: components["responses"]["NotFound"];
            /** @description It is not `approved`, its merchant is not `active` (`CONFLICT`, `reason: merchant_not_active`), or owes more than it has, because the chain took back what had paid it (`merchant_owes`): fail the withdrawal, which repays that first. Its network or token may no longer be listed (`network_not_listed`): fail it, so that the merchant can withdraw elsewhere. A request with the same `Idempotency-Key` may also be under way (`IDEMPOTENCY_IN_PROGRESS`). */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            422: components["responses"]["IdempotencyKeyReused"];
            default: components["responses"]["Error"];
        };
    };
    rejectWithdrawal: {
        parameters: {
            query?: never;
            header?: {
                /** @description A key of your choice for this one operation, for example the number of the order. A request that comes again with the same key within 24 hours has no second effect: it gets the stored answer, with `Idempotent-Replayed: true`. See *Idempotency*. */
                "idempotency-key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The id of the withdrawal. */
                id: components["parameters"]["WithdrawalId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RejectWithdrawalRequest"];
            };
        };
        responses: {
            /** @description It is rejected. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WithdrawalReview"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["AdminUnauthorized"];
            403: components["responses"]["PermissionMissing"];
            404: components["responses"]["NotFound"];
            /** @description It is not `pending` (`CONFLICT`). A request with the same `Idempotency-Key` may also be under way (`IDEMPOTENCY_IN_PROGRESS`). */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            422: components["responses"]["IdempotencyKeyReused"];
            default: components["responses"]["Error"];
        };
    };
    listApiKeys: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The keys. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKeyList"];
                };
            };
            401: components["responses"]["Unauthorized"];
            default: components["responses"]["Error"];
        };
    };
    createApiKey: {
        parameters: {
            query?: never;
            header?: {
                /** @description A key of your choice for this one operation, for example the number of the order. A request that comes again with the same key within 24 hours has no second effect: it gets the stored answer, with `Idempotent-Replayed: true`. See *Idempotency*. */
                "idempotency-key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateApiKeyRequest"];
            };
        };
        responses: {
            /** @description The key, with its secret for the only time. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKeyCreated"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["MerchantNotActive"];
            409: components["responses"]["TooManyApiKeys"];
            422: components["responses"]["IdempotencyKeyReused"];
            default: components["responses"]["Error"];
        };
    };
    deleteApiKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the API key (`key_…`), not its public value. */
                id: components["parameters"]["ApiKeyId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The key is revoked. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MessageResponse"];
                };
            };
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            default: components["responses"]["Error"];
        };
    };
    rotateApiKey: {
        parameters: {
            query?: never;
            header?: {
                /** @description A key of your choice for this one operation, for example the number of the order. A request that comes again with the same key within 24 hours has no second effect: it gets the stored answer, with `Idempotent-Replayed: true`. See *Idempotency*. */
                "idempotency-key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The id of the API key (`key_…`), not its public value. */
                id: components["parameters"]["ApiKeyId"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["RotateApiKeyRequest"];
            };
        };
        responses: {
            /** @description The new key, with its secret for the only time. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKeyCreated"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["MerchantNotActive"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["TooManyApiKeys"];
            422: components["responses"]["IdempotencyKeyReused"];
            default: components["responses"]["Error"];
        };
    };
    listAuditLogs: {
        parameters: {
            query?: {
                /** @description Only entries of this action. */
                action?: components["parameters"]["AuditAction"];
                /** @description Only entries of whoever has this id. */
                actorId?: string;
                /** @description Only entries of actors of this kind. */
                actorType?: components["schemas"]["AuditActorType"];
                /** @description Only what was created at or after this. A date means from the start of that UTC day. */
                fromDate?: components["parameters"]["FromDate"];
                /** @description The most items on a page. */
                limit?: components["parameters"]["Limit"];
                /** @description Only entries about what belongs to this merchant. */
                merchantId?: string;
                /** @description The page to return, counted from 1. A page past the end is an empty list with the true `total`. */
                page?: components["parameters"]["Page"];
                /** @description Only entries about this kind of thing. */
                resourceType?: components["parameters"]["AuditResourceType"];
                /** @description Only what was created at or before this. A date means to the end of that UTC day. */
                toDate?: components["parameters"]["ToDate"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of entries. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AdminAuditLogEntryList"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["AdminUnauthorized"];
            403: components["responses"]["PermissionMissing"];
            default: components["responses"]["Error"];
        };
    };
    getAuditLog: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the entry. */
                id: components["parameters"]["AuditLogEntryId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The entry. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AdminAuditLogEntry"];
                };
            };
            401: components["responses"]["AdminUnauthorized"];
            403: components["responses"]["PermissionMissing"];
            404: components["responses"]["NotFound"];
            default: components["responses"]["Error"];
        };
    };
    loginMerchant: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LoginMerchantRequest"];
            };
        };
        responses: {
            /** @description Logged in. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MerchantAuthResult"];
                };
            };
            400: components["responses"]["BadRequest"];
            /** @description Not logged in (`UNAUTHORIZED`). `reason` is `credentials_invalid`, `otp_required` or `otp_invalid`. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            default: components["responses"]["Error"];
        };
    };
    logoutMerchant: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The session has ended. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MessageResponse"];
                };
            };
            401: components["responses"]["Unauthorized"];
            default: components["responses"]["Error"];
        };
    };
    changeMerchantPassword: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChangeMerchantPasswordRequest"];
            };
        };
        responses: {
            /** @description The new password is set. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MessageResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            /** @description The credentials are missing or not valid (`UNAUTHORIZED`), the current password is wrong (`reason: credentials_invalid`), or two-factor authentication is on and `otp` is missing (`reason: otp_required`), wrong or used before (`reason: otp_invalid`). */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            default: components["responses"]["Error"];
        };
    };
    refreshMerchantSession: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RefreshMerchantSessionRequest"];
            };
        };
        responses: {
            /** @description A new pair of tokens. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MerchantTokens"];
                };
            };
            400: components["responses"]["BadRequest"];
            /** @description The refresh token is unknown, used or expired (`UNAUTHORIZED`). `reason` is `token_invalid`, `token_expired` or `session_revoked`. Log in again. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            default: components["responses"]["Error"];
        };
    };
    registerMerchant: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RegisterMerchantRequest"];
            };
        };
        responses: {
            /** @description The merchant exists and is logged in. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MerchantAuthResult"];
                };
            };
            400: components["responses"]["BadRequest"];
            /** @description The e-mail address is already registered (`CONFLICT`). */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            default: components["responses"]["Error"];
        };
    };
    listMerchantSessions: {
        parameters: {
            query?: {
                /** @description The most items on a page. */
                limit?: components["parameters"]["Limit"];
                /** @description The page to return, counted from 1. A page past the end is an empty list with the true `total`. */
                page?: components["parameters"]["Page"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of sessions. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MerchantSessionList"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            default: components["responses"]["Error"];
        };
    };
    revokeMerchantSession: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the login session. */
                id: components["parameters"]["MerchantSessionId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The session has ended. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MessageResponse"];
                };
            };
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            default: components["responses"]["Error"];
        };
    };
    disableTwoFactor: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DisableTwoFactorRequest"];
            };
        };
        responses: {
            /** @description It is off. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MessageResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["FactorsRefused"];
            409: components["responses"]["TwoFactorOff"];
            default: components["responses"]["Error"];
        };
    };
    enableTwoFactor: {
        parameters: {
            query?: never;
            header?: {
                /** @description A key of your choice for this one operation, for example the number of the order. A request that comes again with the same key within 24 hours has no second effect: it gets the stored answer, with `Idempotent-Replayed: true`. See *Idempotency*. */
                "idempotency-key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EnableTwoFactorRequest"];
            };
        };
        responses: {
            /** @description It is on. Here are the recovery codes, for the only time. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TwoFactorRecoveryCodes"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["CodeRefused"];
            409: components["responses"]["TwoFactorNotPending"];
            422: components["responses"]["IdempotencyKeyReused"];
            default: components["responses"]["Error"];
        };
    };
    setupTwoFactor: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SetUpTwoFactorRequest"];
            };
        };
        responses: {
            /** @description The secret, for the only time. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TwoFactorSetup"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["PasswordWrong"];
            409: components["responses"]["TwoFactorOn"];
            default: components["responses"]["Error"];
        };
    };
    createCheckoutSession: {
        parameters: {
            query?: never;
            header?: {
                /** @description A key of your choice for this one operation, for example the number of the order. A request that comes again with the same key within 24 hours has no second effect: it gets the stored answer, with `Idempotent-Replayed: true`. See *Idempotency*. */
                "idempotency-key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateCheckoutSessionRequest"];
            };
        };
        responses: {
            /** @description The session is open. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CheckoutSessionCreated"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["MerchantNotActive"];
            409: components["responses"]["IdempotencyInProgress"];
            422: components["responses"]["IdempotencyKeyReused"];
            default: components["responses"]["Error"];
        };
    };
    getCheckoutSession: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the checkout session, `sessionId` in the answer that created it. */
                id: components["parameters"]["CheckoutSessionId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The session. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CheckoutSession"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["KeyForbidden"];
            404: components["responses"]["NotFound"];
            default: components["responses"]["Error"];
        };
    };
    expireCheckoutSession: {
        parameters: {
            query?: never;
            header?: {
                /** @description A key of your choice for this one operation, for example the number of the order. A request that comes again with the same key within 24 hours has no second effect: it gets the stored answer, with `Idempotent-Replayed: true`. See *Idempotency*. */
                "idempotency-key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The id of the checkout session, `sessionId` in the answer that created it. */
                id: components["parameters"]["CheckoutSessionId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The session as it is now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CheckoutSession"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["KeyForbidden"];
            404: components["responses"]["NotFound"];
            /** @description The session is not open any more, or its payment is already confirming (`CONFLICT`). A request with the same `Idempotency-Key` may also be under way (`IDEMPOTENCY_IN_PROGRESS`). */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            422: components["responses"]["IdempotencyKeyReused"];
            default: components["responses"]["Error"];
        };
    };
    listEvents: {
        parameters: {
            query?: {
                /** @description Only events behind this position; 0 is the beginning. There may be none yet. */
                after?: number;
                /** @description The most items on a page. */
                limit?: components["parameters"]["Limit"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A piece of the feed. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SealedEventList"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["KeyForbidden"];
            default: components["responses"]["Error"];
        };
    };
    getEvent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the event. */
                id: components["parameters"]["EventId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The event. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RecordedEvent"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["KeyForbidden"];
            404: components["responses"]["NotFound"];
            default: components["responses"]["Error"];
        };
    };
    listMerchantAuditLogs: {
        parameters: {
            query?: {
                /** @description Only entries of this action. */
                action?: components["parameters"]["AuditAction"];
                /** @description Only what was created at or after this. A date means from the start of that UTC day. */
                fromDate?: components["parameters"]["FromDate"];
                /** @description The most items on a page. */
                limit?: components["parameters"]["Limit"];
                /** @description The page to return, counted from 1. A page past the end is an empty list with the true `total`. */
                page?: components["parameters"]["Page"];
                /** @description Only entries about this kind of thing. */
                resourceType?: components["parameters"]["AuditResourceType"];
                /** @description Only what was created at or before this. A date means to the end of that UTC day. */
                toDate?: components["parameters"]["ToDate"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of entries. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuditLogEntryList"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            default: components["responses"]["Error"];
        };
    };
    getMerchant: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the merchant. */
                id: components["parameters"]["MerchantId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The merchant. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Merchant"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["NotOwner"];
            default: components["responses"]["Error"];
        };
    };
    updateMerchant: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the merchant. */
                id: components["parameters"]["MerchantId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateMerchantRequest"];
            };
        };
        responses: {
            /** @description The merchant as it is now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Merchant"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["CodeNeeded"];
            403: components["responses"]["NotOwner"];
            default: components["responses"]["Error"];
        };
    };
    listPaymentLinks: {
        parameters: {
            query?: {
                /** @description The most items on a page. */
                limit?: components["parameters"]["Limit"];
                /** @description The page to return, counted from 1. A page past the end is an empty list with the true `total`. */
                page?: components["parameters"]["Page"];
                /** @description Only links in this state. */
                status?: components["schemas"]["PaymentLinkStatus"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of payment links. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaymentLinkList"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["KeyForbidden"];
            default: components["responses"]["Error"];
        };
    };
    createPaymentLink: {
        parameters: {
            query?: never;
            header?: {
                /** @description A key of your choice for this one operation, for example the number of the order. A request that comes again with the same key within 24 hours has no second effect: it gets the stored answer, with `Idempotent-Replayed: true`. See *Idempotency*. */
                "idempotency-key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreatePaymentLinkRequest"];
            };
        };
        responses: {
            /** @description The link is active. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaymentLink"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["MerchantNotActive"];
            /** @description The slug is taken (`CONFLICT`). Choose another or leave it out. A request with the same `Idempotency-Key` may also be under way (`IDEMPOTENCY_IN_PROGRESS`). */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            422: components["responses"]["IdempotencyKeyReused"];
            default: components["responses"]["Error"];
        };
    };
    getPaymentLink: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the payment link. */
                id: components["parameters"]["PaymentLinkId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The payment link. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaymentLink"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["KeyForbidden"];
            404: components["responses"]["NotFound"];
            default: components["responses"]["Error"];
        };
    };
    updatePaymentLink: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the payment link. */
                id: components["parameters"]["PaymentLinkId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdatePaymentLinkRequest"];
            };
        };
        responses: {
            /** @description The payment link as it is now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaymentLink"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["KeyForbidden"];
            404: components["responses"]["NotFound"];
            default: components["responses"]["Error"];
        };
    };
    deletePaymentLink: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the payment link. */
                id: components["parameters"]["PaymentLinkId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The link is gone. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MessageResponse"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["KeyForbidden"];
            404: components["responses"]["NotFound"];
            default: components["responses"]["Error"];
        };
    };
    listPayments: {
        parameters: {
            query?: {
                /** @description Only payments in this currency. */
                currency?: components["schemas"]["Currency"];
                /** @description Only payments with this whole e-mail address of the customer, in upper or lower case. */
                customerEmail?: string;
                /** @description Only payments with this exception. `waiting` tells which of them you still have to decide about. */
                exception?: "underpaid" | "overpaid" | "late" | "wrong_token";
                /** @description Only what was created at or after this. A date means from the start of that UTC day. */
                fromDate?: components["parameters"]["FromDate"];
                /** @description The most items on a page. */
                limit?: components["parameters"]["Limit"];
                /** @description Only payments that were started through this payment link. */
                linkId?: string;
                /** @description Only payments of at most this amount, in the currency of each payment; add `currency` if you sell in several. */
                maxAmount?: number;
                /** @description Only payments whose metadata holds this value under this key, written `metadata[orderId]=A-1001`; of several keys all count, at most 5. Case matters. A number or a boolean is found by how it is written: `metadata[table]=7`. */
                metadata?: {
                    [key: string]: string;
                };
                /** @description Only payments of at least this amount, in the currency of each payment; add `currency` if you sell in several. */
                minAmount?: number;
                /** @description The page to return, counted from 1. A page past the end is an empty list with the true `total`. */
                page?: components["parameters"]["Page"];
                /** @description Only payments with this whole id, transaction hash or deposit address. Any other text is looked for in the description and the customer's e-mail address, as any part of them, and at the beginning of the id; case does not matter there. A text is looked for in the 100,000 newest of the payments that the other filters leave, and the `total` counts those; older ones are found with `toDate`. */
                search?: string;
                /** @description Only payments that were started this way. */
                source?: "direct" | "link" | "session" | "subscription";
                /** @description Only payments in this state. */
                status?: components["schemas"]["PaymentStatus"];
                /** @description Only what was created at or before this. A date means to the end of that UTC day. */
                toDate?: components["parameters"]["ToDate"];
                /** @description `true`: only payments that are over and have money that waits for your decision, which `resolve` takes or a refund gives back. `false`: only the others. */
                waiting?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of payments. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaymentList"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["KeyForbidden"];
            default: components["responses"]["Error"];
        };
    };
    createPayment: {
        parameters: {
            query?: never;
            header?: {
                /** @description A key of your choice for this one operation, for example the number of the order. A request that comes again with the same key within 24 hours has no second effect: it gets the stored answer, with `Idempotent-Replayed: true`. See *Idempotency*. */
                "idempotency-key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreatePaymentRequest"];
            };
        };
        responses: {
            /** @description The payment can be paid. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Payment"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["IdempotencyInProgress"];
            422: components["responses"]["IdempotencyKeyReused"];
            default: components["responses"]["Error"];
        };
    };
    getPayment: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the payment. */
                id: components["parameters"]["PaymentId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The payment. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaymentDetail"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["KeyForbidden"];
            404: components["responses"]["PaymentNotFound"];
            default: components["responses"]["Error"];
        };
    };
    cancelPayment: {
        parameters: {
            query?: never;
            header?: {
                /** @description A key of your choice for this one operation, for example the number of the order. A request that comes again with the same key within 24 hours has no second effect: it gets the stored answer, with `Idempotent-Replayed: true`. See *Idempotency*. */
                "idempotency-key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The id of the payment. */
                id: components["parameters"]["PaymentId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The payment as it is now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Payment"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["KeyForbidden"];
            404: components["responses"]["PaymentNotFound"];
            /** @description The payment is in another state, or a subscription's, and can't be cancelled (`CONFLICT`). A request with the same `Idempotency-Key` may also be under way (`IDEMPOTENCY_IN_PROGRESS`). */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            422: components["responses"]["IdempotencyKeyReused"];
            default: components["responses"]["Error"];
        };
    };
    createRefund: {
        parameters: {
            query?: never;
            header?: {
                /** @description A key of your choice for this one operation, for example the number of the order. A request that comes again with the same key within 24 hours has no second effect: it gets the stored answer, with `Idempotent-Replayed: true`. See *Idempotency*. */
                "idempotency-key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The id of the payment. */
                id: components["parameters"]["PaymentId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateRefundRequest"];
            };
        };
        responses: {
            /** @description The money is held, and the payer can claim it. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedRefund"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["CodeNeeded"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["PaymentNotFound"];
            /** @description The payment is not over (`CONFLICT`); less than that is left of it, or nothing (`reason: refund_exceeds`, and the message lists what is left in each token); several tokens were paid and you have to say which (`refund_needs_token`); you owe more than you have, because a payment was taken back (`merchant_owes`); or the money was credited to you and is not in your balance any more (`INSUFFICIENT_BALANCE`). A request with the same `Idempotency-Key` may also be under way (`IDEMPOTENCY_IN_PROGRESS`). */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            422: components["responses"]["IdempotencyKeyReused"];
            default: components["responses"]["Error"];
        };
    };
    resolvePayment: {
        parameters: {
            query?: never;
            header?: {
                /** @description A key of your choice for this one operation, for example the number of the order. A request that comes again with the same key within 24 hours has no second effect: it gets the stored answer, with `Idempotent-Replayed: true`. See *Idempotency*. */
                "idempotency-key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The id of the payment. */
                id: components["parameters"]["PaymentId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ResolvePaymentRequest"];
            };
        };
        responses: {
            /** @description The payment as it is now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ResolvedPayment"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["KeyForbidden"];
            404: components["responses"]["PaymentNotFound"];
            /** @description No money waits, or the payment is not finished yet (`CONFLICT`). A request with the same `Idempotency-Key` may also be under way (`IDEMPOTENCY_IN_PROGRESS`). */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            422: components["responses"]["IdempotencyKeyReused"];
            default: components["responses"]["Error"];
        };
    };
    getPaymentTimeline: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the payment. */
                id: components["parameters"]["PaymentId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The timeline. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaymentTimeline"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["KeyForbidden"];
            404: components["responses"]["PaymentNotFound"];
            default: components["responses"]["Error"];
        };
    };
    getPublicCheckoutSession: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the checkout session, `sessionId` in the answer that created it. */
                id: components["parameters"]["CheckoutSessionId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The session, as the payer may see it. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PublicCheckoutSession"];
                };
            };
            404: components["responses"]["NotFound"];
            default: components["responses"]["Error"];
        };
    };
    createCustomerSession: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateCustomerSessionRequest"];
            };
        };
        responses: {
            /** @description The session. Its token is shown only now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CustomerSession"];
                };
            };
            400: components["responses"]["BadRequest"];
            /** @description The text was used or has run out (`CONFLICT`, `reason: challenge_over`). */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            default: components["responses"]["Error"];
        };
    };
    endCustomerSession: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The token of a customer's session. */
                token: components["parameters"]["CustomerSessionToken"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The session is over. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CustomerSessionEnded"];
                };
            };
            404: components["responses"]["NotFound"];
            default: components["responses"]["Error"];
        };
    };
    listCustomerSubscriptions: {
        parameters: {
            query?: {
                /** @description The most items on a page. */
                limit?: components["parameters"]["Limit"];
                /** @description Only subscriptions at the merchant who offers this plan. */
                merchantOf?: string;
                /** @description The page to return, counted from 1. A page past the end is an empty list with the true `total`. */
                page?: components["parameters"]["Page"];
            };
            header?: never;
            path: {
                /** @description The token of a customer's session. */
                token: components["parameters"]["CustomerSessionToken"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of subscriptions. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CustomerSubscriptionList"];
                };
            };
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            default: components["responses"]["Error"];
        };
    };
    retryCustomerSubscription: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the subscription. */
                id: components["parameters"]["SubscriptionId"];
                /** @description The token of a customer's session. */
                token: components["parameters"]["CustomerSessionToken"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The charge is being tried. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CustomerSubscription"];
                };
            };
            404: components["responses"]["NotFound"];
            /** @description It is not `past_due`, so there is nothing to try (`CONFLICT`). */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            default: components["responses"]["Error"];
        };
    };
    getMerchantWebhookKeys: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the merchant. */
                id: components["parameters"]["MerchantId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The key set. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JsonWebKeySet"];
                };
            };
            404: components["responses"]["NotFound"];
            default: components["responses"]["Error"];
        };
    };
    getPublicPaymentLink: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The last part of the link's address. */
                slug: components["parameters"]["PaymentLinkSlug"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The link, ready to be paid. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PublicPaymentLink"];
                };
            };
            404: components["responses"]["NotFound"];
            410: components["responses"]["LinkGone"];
            default: components["responses"]["Error"];
        };
    };
    startPaymentLinkPayment: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The last part of the link's address. */
                slug: components["parameters"]["PaymentLinkSlug"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["StartPaymentLinkPaymentRequest"];
            };
        };
        responses: {
            /** @description The payment, as the payer may see it. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PublicPayment"];
                };
            };
            400: components["responses"]["BadRequest"];
            403: components["responses"]["MerchantNotActive"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["LinkSoldOut"];
            410: components["responses"]["LinkGone"];
            default: components["responses"]["Error"];
        };
    };
    getPublicPayment: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the payment. */
                id: components["parameters"]["PaymentId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The payment, as the payer may see it. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PublicPayment"];
                };
            };
            404: components["responses"]["PaymentNotFound"];
            default: components["responses"]["Error"];
        };
    };
    getSignedTransfer: {
        parameters: {
            query: {
                /** @description By which contract; without it the one that asks for the fewest signatures. */
                method?: components["schemas"]["SignMethod"];
                /** @description The network of one of the payment's `options`. */
                network: string;
                /** @description The wallet that will sign. */
                payer: string;
                /** @description The token of that option. */
                token: components["schemas"]["Token"];
            };
            header?: never;
            path: {
                /** @description The id of the payment. */
                id: components["parameters"]["PaymentId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The transfer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignedTransfer"];
                };
            };
            400: components["responses"]["BadRequest"];
            404: components["responses"]["PaymentNotFound"];
            /** @description The payment can't be paid so: it is over or has no such option, its token takes no signed transfers, it is too small, another wallet's signature is on its way, or the wallet is a contract (`CONFLICT`). */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            default: components["responses"]["Error"];
        };
    };
    submitAuthorization: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the payment. */
                id: components["parameters"]["PaymentId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SubmitAuthorizationRequest"];
            };
        };
        responses: {
            /** @description The signature is on its way to the chain. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignedTransfer"];
                };
            };
            400: components["responses"]["BadRequest"];
            404: components["responses"]["PaymentNotFound"];
            /** @description The payment can't be paid so, the chain refused a signature for it before, or as many were sent today for this wallet or this merchant as we pay for (`CONFLICT`). */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            default: components["responses"]["Error"];
        };
    };
    streamPublicPayment: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the payment. */
                id: components["parameters"]["PaymentId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The stream. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
            404: components["responses"]["PaymentNotFound"];
            default: components["responses"]["Error"];
        };
    };
    getPaymentInstructions: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the payment. */
                id: components["parameters"]["PaymentId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The instructions of this moment. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignedInstructions"];
                };
            };
            404: components["responses"]["PaymentNotFound"];
            /** @description Nothing must be paid: the payment has its money or is over, its time is up, or its network is no longer listed (`CONFLICT`). */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            default: components["responses"]["Error"];
        };
    };
    getPaymentQrPng: {
        parameters: {
            query?: {
                /** @description Any text of your choice, on which the image does not depend. Browsers keep one image for each URL, so change it when the payment's `paymentUri` changes. */
                of?: components["parameters"]["ImageMark"];
            };
            header?: never;
            path: {
                /** @description The id of the payment. */
                id: components["parameters"]["PaymentId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The image. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "image/png": string;
                };
            };
            400: components["responses"]["BadRequest"];
            404: components["responses"]["PaymentNotFound"];
            /** @description None of its networks is listed any more, so there is nowhere to pay it (`CONFLICT`). */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            default: components["responses"]["Error"];
        };
    };
    getPaymentQrSvg: {
        parameters: {
            query?: {
                /** @description Any text of your choice, on which the image does not depend. Browsers keep one image for each URL, so change it when the payment's `paymentUri` changes. */
                of?: components["parameters"]["ImageMark"];
            };
            header?: never;
            path: {
                /** @description The id of the payment. */
                id: components["parameters"]["PaymentId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The image. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "image/svg+xml": string;
                };
            };
            400: components["responses"]["BadRequest"];
            404: components["responses"]["PaymentNotFound"];
            /** @description None of its networks is listed any more, so there is nowhere to pay it (`CONFLICT`). */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            default: components["responses"]["Error"];
        };
    };
    takeRefundOffer: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the payment. */
                id: components["parameters"]["PaymentId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The refund waits for its address. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TakenRefundOffer"];
                };
            };
            404: components["responses"]["PaymentNotFound"];
            /** @description Nothing is offered (`no_offer`), or what arrived is still being counted (`CONFLICT`). */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            default: components["responses"]["Error"];
        };
    };
    selectPaymentOption: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the payment. */
                id: components["parameters"]["PaymentId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SelectPaymentOptionRequest"];
            };
        };
        responses: {
            /** @description The payment with the chosen option in front. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PublicPayment"];
                };
            };
            400: components["responses"]["BadRequest"];
            404: components["responses"]["PaymentNotFound"];
            /** @description Money has been seen already, the payment is over, or its network or coin is no longer listed (`CONFLICT`). */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            default: components["responses"]["Error"];
        };
    };
    payByX402: {
        parameters: {
            query?: never;
            header?: {
                /** @description What the client has signed: the JSON of x402's `PaymentPayload` in Base64. Sending the same again changes nothing. */
                "payment-signature"?: string;
            };
            path: {
                /** @description The id of the payment. */
                id: components["parameters"]["PaymentId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The payment has its money, or a block has the transfer that was signed. */
            200: {
                headers: {
                    /** @description The JSON of x402's `SettlementResponse` in Base64, with the transaction's hash; absent when the payment was paid another way. */
                    "payment-response"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PublicPayment"];
                };
            };
            /** @description What was signed for this payment is on its way to the chain. Read again without a signature. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PublicPayment"];
                };
            };
            400: components["responses"]["BadRequest"];
            /** @description Nothing is signed yet, or what was signed can't be taken, and the message says why (`PAYMENT_REQUIRED`). */
            402: {
                headers: {
                    /** @description The JSON of x402's `PaymentRequired` in Base64. */
                    "payment-required"?: string;
                    /** @description The JSON of x402's `SettlementResponse` in Base64, where a signature was refused. */
                    "payment-response"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            404: components["responses"]["PaymentNotFound"];
            /** @description The payment is over, or can't be paid by a signed transfer: no option takes one, it is too small, or as many were sent today for this wallet or this merchant as we pay for (`CONFLICT`). */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            default: components["responses"]["Error"];
        };
    };
    getPublicRefund: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The secret at the end of a claim link. */
                token: components["parameters"]["RefundToken"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The refund. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PublicRefund"];
                };
            };
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            default: components["responses"]["Error"];
        };
    };
    claimRefund: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The secret at the end of a claim link. */
                token: components["parameters"]["RefundToken"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ClaimRefundRequest"];
            };
        };
        responses: {
            /** @description The refund as it is now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PublicRefund"];
                };
            };
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            /** @description It is being paid or over (`CONFLICT`), or the wallet that paid has said where it goes (`refund_proven`). */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            default: components["responses"]["Error"];
        };
    };
    getPublicPlan: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the subscription plan. */
                id: components["parameters"]["PlanId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The plan, as everybody may see it. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PublicPlan"];
                };
            };
            404: components["responses"]["NotFound"];
            default: components["responses"]["Error"];
        };
    };
    subscribeByWallet: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the subscription plan. */
                id: components["parameters"]["PlanId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SubscribeByWalletRequest"];
            };
        };
        responses: {
            /** @description The customer is subscribed, and has to agree. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PlanSubscription"];
                };
            };
            400: components["responses"]["BadRequest"];
            403: components["responses"]["MerchantNotActive"];
            404: components["responses"]["NotFound"];
            /** @description The plan is not active (`CONFLICT`, `reason: plan_inactive`) or differs from what was signed (`plan_changed`), its network can't collect any more (`no_collector`), or the text was used or has run out (`challenge_over`). */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            default: components["responses"]["Error"];
        };
    };
    getPublicSubscription: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the subscription. */
                id: components["parameters"]["SubscriptionId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The subscription, as the customer may see it. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PublicSubscription"];
                };
            };
            404: components["responses"]["NotFound"];
            default: components["responses"]["Error"];
        };
    };
    cancelByWallet: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the subscription. */
                id: components["parameters"]["SubscriptionId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CancelByWalletRequest"];
            };
        };
        responses: {
            /** @description It is cancelled. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SubscriptionCancellation"];
                };
            };
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            /** @description It is over already (`CONFLICT`), or the text was used or has run out (`challenge_over`). */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            default: components["responses"]["Error"];
        };
    };
    submitMandate: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the subscription. */
                id: components["parameters"]["SubscriptionId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SubmitMandateRequest"];
            };
        };
        responses: {
            /** @description The signature is on its way to the chain. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PublicSubscription"];
                };
            };
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            /** @description There is nothing to sign: the mandate stands already, the subscription is over, or the chain has refused what the wallet had signed, so that `agreeBy` is `transaction` (`CONFLICT`). */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            default: components["responses"]["Error"];
        };
    };
    createWalletChallenge: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateWalletChallengeRequest"];
            };
        };
        responses: {
            /** @description The text, and how to name it. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WalletChallenge"];
                };
            };
            400: components["responses"]["BadRequest"];
            404: components["responses"]["NotFound"];
            /** @description Nothing can be proven here at present, because no network of this platform collects subscriptions (`CONFLICT`, `reason: no_collector`). */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            default: components["responses"]["Error"];
        };
    };
    listRefunds: {
        parameters: {
            query?: {
                /** @description Only what was created at or after this. A date means from the start of that UTC day. */
                fromDate?: components["parameters"]["FromDate"];
                /** @description The most items on a page. */
                limit?: components["parameters"]["Limit"];
                /** @description The page to return, counted from 1. A page past the end is an empty list with the true `total`. */
                page?: components["parameters"]["Page"];
                /** @description Only refunds of this payment. */
                paymentId?: string;
                /** @description Only refunds in this state. */
                status?: components["schemas"]["RefundStatus"];
                /** @description Only what was created at or before this. A date means to the end of that UTC day. */
                toDate?: components["parameters"]["ToDate"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of refunds. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RefundList"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["KeyForbidden"];
            default: components["responses"]["Error"];
        };
    };
    getRefund: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the refund. */
                id: components["parameters"]["RefundId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The refund. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refund"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["KeyForbidden"];
            404: components["responses"]["NotFound"];
            default: components["responses"]["Error"];
        };
    };
    cancelRefund: {
        parameters: {
            query?: never;
            header?: {
                /** @description A key of your choice for this one operation, for example the number of the order. A request that comes again with the same key within 24 hours has no second effect: it gets the stored answer, with `Idempotent-Replayed: true`. See *Idempotency*. */
                "idempotency-key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The id of the refund. */
                id: components["parameters"]["RefundId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The refund as it is now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refund"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["KeyForbidden"];
            404: components["responses"]["NotFound"];
            /** @description It is being paid, over, or claimed by its payer (`CONFLICT`). A request with the same `Idempotency-Key` may also be under way (`IDEMPOTENCY_IN_PROGRESS`). */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            422: components["responses"]["IdempotencyKeyReused"];
            default: components["responses"]["Error"];
        };
    };
    renewRefundClaim: {
        parameters: {
            query?: never;
            header?: {
                /** @description A key of your choice for this one operation, for example the number of the order. A request that comes again with the same key within 24 hours has no second effect: it gets the stored answer, with `Idempotent-Replayed: true`. See *Idempotency*. */
                "idempotency-key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The id of the refund. */
                id: components["parameters"]["RefundId"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["RenewRefundClaimRequest"];
            };
        };
        responses: {
            /** @description The refund with its new link. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedRefund"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["CodeNeeded"];
            403: components["responses"]["KeyForbidden"];
            404: components["responses"]["NotFound"];
            /** @description It is known where it goes, or it is over (`CONFLICT`). A request with the same `Idempotency-Key` may also be under way (`IDEMPOTENCY_IN_PROGRESS`). */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            422: components["responses"]["IdempotencyKeyReused"];
            default: components["responses"]["Error"];
        };
    };
    getSandbox: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The sandbox. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SandboxInfo"];
                };
            };
            default: components["responses"]["Error"];
        };
    };
    mineSandboxBlocks: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MineSandboxBlocksRequest"];
            };
        };
        responses: {
            /** @description The new head of the chain. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SandboxChainHead"];
                };
            };
            400: components["responses"]["BadRequest"];
            default: components["responses"]["Error"];
        };
    };
    reorgSandboxChain: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ReorgSandboxChainRequest"];
            };
        };
        responses: {
            /** @description The new head of the chain. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SandboxChainHead"];
                };
            };
            400: components["responses"]["BadRequest"];
            /** @description The chain is not that long, or the blocks hold the sandbox's own contracts or coins (`CONFLICT`). */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            default: components["responses"]["Error"];
        };
    };
    getSandboxClock: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The clock. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SandboxClock"];
                };
            };
            default: components["responses"]["Error"];
        };
    };
    advanceSandboxClock: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AdvanceSandboxClockRequest"];
            };
        };
        responses: {
            /** @description The clock as it is now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SandboxClock"];
                };
            };
            400: components["responses"]["BadRequest"];
            default: components["responses"]["Error"];
        };
    };
    paySandboxPayment: {
        parameters: {
            query?: never;
            header?: {
                /** @description A key of your choice for this one operation, for example the number of the order. A request that comes again with the same key within 24 hours has no second effect: it gets the stored answer, with `Idempotent-Replayed: true`. See *Idempotency*. */
                "idempotency-key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The id of the payment. */
                id: components["parameters"]["PaymentId"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["PaySandboxPaymentRequest"];
            };
        };
        responses: {
            /** @description The transfer was mined, or waits in the pool of `regtest`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SandboxTransfer"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["PaymentNotFound"];
            /** @description Nothing is due on this payment and no `amount` was given (`CONFLICT`). A request with the same `Idempotency-Key` may also be under way (`IDEMPOTENCY_IN_PROGRESS`). */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            422: components["responses"]["IdempotencyKeyReused"];
            default: components["responses"]["Error"];
        };
    };
    replaceSandboxTransfer: {
        parameters: {
            query?: never;
            header?: {
                /** @description A key of your choice for this one operation, for example the number of the order. A request that comes again with the same key within 24 hours has no second effect: it gets the stored answer, with `Idempotent-Replayed: true`. See *Idempotency*. */
                "idempotency-key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The id of the payment. */
                id: components["parameters"]["PaymentId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ReplaceSandboxTransferRequest"];
            };
        };
        responses: {
            /** @description The transfer is gone from the pool. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SandboxReplacement"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["PaymentNotFound"];
            /** @description No such transfer to this payment waits in the pool, or the sandbox has no Bitcoin node (`CONFLICT`). A request with the same `Idempotency-Key` may also be under way (`IDEMPOTENCY_IN_PROGRESS`). */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            422: components["responses"]["IdempotencyKeyReused"];
            default: components["responses"]["Error"];
        };
    };
    paySandboxRefund: {
        parameters: {
            query?: never;
            header?: {
                /** @description A key of your choice for this one operation, for example the number of the order. A request that comes again with the same key within 24 hours has no second effect: it gets the stored answer, with `Idempotent-Replayed: true`. See *Idempotency*. */
                "idempotency-key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The id of the refund. */
                id: components["parameters"]["RefundId"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["PaySandboxRefundRequest"];
            };
        };
        responses: {
            /** @description The transfer was mined. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SandboxRefundPayout"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            /** @description There is nothing to pay out (`CONFLICT`): the refund is not claimed yet or not open any more. A request with the same `Idempotency-Key` may also be under way (`IDEMPOTENCY_IN_PROGRESS`). */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            422: components["responses"]["IdempotencyKeyReused"];
            default: components["responses"]["Error"];
        };
    };
    subscribeSandboxCustomer: {
        parameters: {
            query?: never;
            header?: {
                /** @description A key of your choice for this one operation, for example the number of the order. A request that comes again with the same key within 24 hours has no second effect: it gets the stored answer, with `Idempotent-Replayed: true`. See *Idempotency*. */
                "idempotency-key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The id of the subscription plan. */
                id: components["parameters"]["PlanId"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["SubscribeSandboxCustomerRequest"];
            };
        };
        responses: {
            /** @description The customer is subscribed. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SandboxCustomer"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["MerchantNotActive"];
            404: components["responses"]["NotFound"];
            /** @description The plan is not active (`CONFLICT`, `reason: plan_inactive`), or its network can't collect any more (`no_collector`). A request with the same `Idempotency-Key` may also be under way (`IDEMPOTENCY_IN_PROGRESS`). */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            422: components["responses"]["IdempotencyKeyReused"];
            default: components["responses"]["Error"];
        };
    };
    authorizeSandboxSubscription: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the subscription. */
                id: components["parameters"]["SubscriptionId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The customer has agreed. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Subscription"];
                };
            };
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            /** @description The wallet was not made by the sandbox, or there is nothing to agree to because the subscription is over (`CONFLICT`). */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            default: components["responses"]["Error"];
        };
    };
    revokeSandboxMandate: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the subscription. */
                id: components["parameters"]["SubscriptionId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The mandate is revoked. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Subscription"];
                };
            };
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            /** @description The wallet was not made by the sandbox, or the chain knows no mandate that could be revoked (`CONFLICT`). */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            default: components["responses"]["Error"];
        };
    };
    createSandboxWallet: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["CreateSandboxWalletRequest"];
            };
        };
        responses: {
            /** @description The wallet. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SandboxWallet"];
                };
            };
            400: components["responses"]["BadRequest"];
            default: components["responses"]["Error"];
        };
    };
    updateSandboxWallet: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The address of a wallet that the sandbox has made. */
                address: components["parameters"]["SandboxWalletAddress"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateSandboxWalletRequest"];
            };
        };
        responses: {
            /** @description The wallet as it is now; the service has seen what changed. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SandboxWalletState"];
                };
            };
            400: components["responses"]["BadRequest"];
            /** @description The sandbox has made no wallet with this address (`NOT_FOUND`), so it has no key to act for it. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            default: components["responses"]["Error"];
        };
    };
    paySandboxWithdrawal: {
        parameters: {
            query?: never;
            header?: {
                /** @description A key of your choice for this one operation, for example the number of the order. A request that comes again with the same key within 24 hours has no second effect: it gets the stored answer, with `Idempotent-Replayed: true`. See *Idempotency*. */
                "idempotency-key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The id of the withdrawal. */
                id: components["parameters"]["WithdrawalId"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["PaySandboxWithdrawalRequest"];
            };
        };
        responses: {
            /** @description The transfer was mined. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SandboxPayout"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFound"];
            /** @description There is nothing to pay out (`CONFLICT`): the withdrawal is not approved yet or not open any more, or it goes to a bank account and no crypto goes anywhere. A request with the same `Idempotency-Key` may also be under way (`IDEMPOTENCY_IN_PROGRESS`). */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            422: components["responses"]["IdempotencyKeyReused"];
            default: components["responses"]["Error"];
        };
    };
    createSdkCheckoutSession: {
        parameters: {
            query?: never;
            header?: {
                /** @description A key of your choice for this one operation, for example the number of the order. A request that comes again with the same key within 24 hours has no second effect: it gets the stored answer, with `Idempotent-Replayed: true`. See *Idempotency*. */
                "idempotency-key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateCheckoutSessionRequest"];
            };
        };
        responses: {
            /** @description The session is open. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CheckoutSessionCreated"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["IdempotencyInProgress"];
            422: components["responses"]["IdempotencyKeyReused"];
            default: components["responses"]["Error"];
        };
    };
    getSettlementBalance: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The balance. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SettlementBalance"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["KeyForbidden"];
            default: components["responses"]["Error"];
        };
    };
    listStatements: {
        parameters: {
            query?: {
                /** @description The most items on a page. */
                limit?: components["parameters"]["Limit"];
                /** @description The page to return, counted from 1. A page past the end is an empty list with the true `total`. */
                page?: components["parameters"]["Page"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of months. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StatementList"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["KeyForbidden"];
            default: components["responses"]["Error"];
        };
    };
    getStatement: {
        parameters: {
            query?: {
                /** @description The most items on a page. */
                limit?: components["parameters"]["Limit"];
                /** @description The page to return, counted from 1. A page past the end is an empty list with the true `total`. */
                page?: components["parameters"]["Page"];
            };
            header?: never;
            path: {
                /** @description A month, by UTC, as `2026-01`. */
                month: components["parameters"]["StatementMonth"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The statement. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Statement"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["KeyForbidden"];
            /** @description There is no such month, or it has not begun (`NOT_FOUND`). */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            default: components["responses"]["Error"];
        };
    };
    getStatementCsv: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A month, by UTC, as `2026-01`. */
                month: components["parameters"]["StatementMonth"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The table. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["KeyForbidden"];
            /** @description There is no such month, or it has not begun (`NOT_FOUND`). */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            default: components["responses"]["Error"];
        };
    };
    listLedgerEntries: {
        parameters: {
            query?: {
                /** @description Only entries on this account. */
                account?: components["schemas"]["LedgerAccount"];
                /** @description Only what was created at or after this. A date means from the start of that UTC day. */
                fromDate?: components["parameters"]["FromDate"];
                /** @description The most items on a page. */
                limit?: components["parameters"]["Limit"];
                /** @description The page to return, counted from 1. A page past the end is an empty list with the true `total`. */
                page?: components["parameters"]["Page"];
                /** @description Only what was created at or before this. A date means to the end of that UTC day. */
                toDate?: components["parameters"]["ToDate"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of entries. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LedgerEntryList"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["KeyForbidden"];
            default: components["responses"]["Error"];
        };
    };
    listPlans: {
        parameters: {
            query?: {
                /** @description Only plans that take new subscribers, or only those that do not. */
                active?: boolean;
                /** @description The most items on a page. */
                limit?: components["parameters"]["Limit"];
                /** @description The page to return, counted from 1. A page past the end is an empty list with the true `total`. */
                page?: components["parameters"]["Page"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of plans. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PlanList"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["KeyForbidden"];
            default: components["responses"]["Error"];
        };
    };
    createPlan: {
        parameters: {
            query?: never;
            header?: {
                /** @description A key of your choice for this one operation, for example the number of the order. A request that comes again with the same key within 24 hours has no second effect: it gets the stored answer, with `Idempotent-Replayed: true`. See *Idempotency*. */
                "idempotency-key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreatePlanRequest"];
            };
        };
        responses: {
            /** @description The plan takes subscribers. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Plan"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["MerchantNotActive"];
            /** @description No network of the platform can collect subscriptions (`CONFLICT`, `reason: no_collector`). A request with the same `Idempotency-Key` may also be under way (`IDEMPOTENCY_IN_PROGRESS`). */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            422: components["responses"]["IdempotencyKeyReused"];
            default: components["responses"]["Error"];
        };
    };
    getPlan: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the subscription plan. */
                id: components["parameters"]["PlanId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The plan. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Plan"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["KeyForbidden"];
            404: components["responses"]["NotFound"];
            default: components["responses"]["Error"];
        };
    };
    updatePlan: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the subscription plan. */
                id: components["parameters"]["PlanId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdatePlanRequest"];
            };
        };
        responses: {
            /** @description The plan as it is now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Plan"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["KeyForbidden"];
            404: components["responses"]["NotFound"];
            /** @description Somebody subscribes, so the terms can't change (`CONFLICT`). */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            default: components["responses"]["Error"];
        };
    };
    subscribeToPlan: {
        parameters: {
            query?: never;
            header?: {
                /** @description A key of your choice for this one operation, for example the number of the order. A request that comes again with the same key within 24 hours has no second effect: it gets the stored answer, with `Idempotent-Replayed: true`. See *Idempotency*. */
                "idempotency-key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The id of the subscription plan. */
                id: components["parameters"]["PlanId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SubscribeToPlanRequest"];
            };
        };
        responses: {
            /** @description The customer is subscribed, and has to agree. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Subscription"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["MerchantNotActive"];
            404: components["responses"]["NotFound"];
            /** @description The plan is not active (`CONFLICT`, `reason: plan_inactive`), the wallet subscribes to it already (`already_subscribed`), or its network can't collect any more (`no_collector`). A request with the same `Idempotency-Key` may also be under way (`IDEMPOTENCY_IN_PROGRESS`). */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            422: components["responses"]["IdempotencyKeyReused"];
            default: components["responses"]["Error"];
        };
    };
    listSubscriptions: {
        parameters: {
            query?: {
                /** @description The most items on a page. */
                limit?: components["parameters"]["Limit"];
                /** @description The page to return, counted from 1. A page past the end is an empty list with the true `total`. */
                page?: components["parameters"]["Page"];
                /** @description Only subscriptions of this plan. Of a plan that does not exist there are none. */
                planId?: string;
                /** @description Only subscriptions in this state. */
                status?: components["schemas"]["SubscriptionStatus"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of subscriptions. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SubscriptionList"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["KeyForbidden"];
            default: components["responses"]["Error"];
        };
    };
    getSubscription: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the subscription. */
                id: components["parameters"]["SubscriptionId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The subscription. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Subscription"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["KeyForbidden"];
            404: components["responses"]["NotFound"];
            default: components["responses"]["Error"];
        };
    };
    cancelSubscription: {
        parameters: {
            query?: never;
            header?: {
                /** @description A key of your choice for this one operation, for example the number of the order. A request that comes again with the same key within 24 hours has no second effect: it gets the stored answer, with `Idempotent-Replayed: true`. See *Idempotency*. */
                "idempotency-key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The id of the subscription. */
                id: components["parameters"]["SubscriptionId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is cancelled. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SubscriptionCancellation"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["KeyForbidden"];
            404: components["responses"]["NotFound"];
            /** @description It is cancelled or expired already (`CONFLICT`). A request with the same `Idempotency-Key` may also be under way (`IDEMPOTENCY_IN_PROGRESS`). */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            422: components["responses"]["IdempotencyKeyReused"];
            default: components["responses"]["Error"];
        };
    };
    listCharges: {
        parameters: {
            query?: {
                /** @description The most items on a page. */
                limit?: components["parameters"]["Limit"];
                /** @description The page to return, counted from 1. A page past the end is an empty list with the true `total`. */
                page?: components["parameters"]["Page"];
            };
            header?: never;
            path: {
                /** @description The id of the subscription. */
                id: components["parameters"]["SubscriptionId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of charges. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChargeList"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["KeyForbidden"];
            404: components["responses"]["NotFound"];
            default: components["responses"]["Error"];
        };
    };
    retrySubscription: {
        parameters: {
            query?: never;
            header?: {
                /** @description A key of your choice for this one operation, for example the number of the order. A request that comes again with the same key within 24 hours has no second effect: it gets the stored answer, with `Idempotent-Replayed: true`. See *Idempotency*. */
                "idempotency-key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The id of the subscription. */
                id: components["parameters"]["SubscriptionId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The charge is due now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Subscription"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["KeyForbidden"];
            404: components["responses"]["NotFound"];
            /** @description It is not `past_due` (`CONFLICT`). A request with the same `Idempotency-Key` may also be under way (`IDEMPOTENCY_IN_PROGRESS`). */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            422: components["responses"]["IdempotencyKeyReused"];
            default: components["responses"]["Error"];
        };
    };
    getWebhookCertification: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the certification. */
                id: components["parameters"]["WebhookCertificationId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The certification. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookCertification"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["KeyForbidden"];
            404: components["responses"]["NotFound"];
            default: components["responses"]["Error"];
        };
    };
    certifyWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description A key of your choice for this one operation, for example the number of the order. A request that comes again with the same key within 24 hours has no second effect: it gets the stored answer, with `Idempotent-Replayed: true`. See *Idempotency*. */
                "idempotency-key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The certification has begun. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookCertification"];
                };
            };
            /** @description No webhook URL is set (`VALIDATION_ERROR`, `reason: webhook_url_missing`). Set `webhookUrl` of your merchant first. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["KeyForbidden"];
            /** @description A certification of this endpoint is under way (`CONFLICT`): read that one. A request with the same `Idempotency-Key` may also be under way (`IDEMPOTENCY_IN_PROGRESS`). */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            422: components["responses"]["IdempotencyKeyReused"];
            default: components["responses"]["Error"];
        };
    };
    listWebhookDeliveries: {
        parameters: {
            query?: {
                /** @description The most items on a page. */
                limit?: components["parameters"]["Limit"];
                /** @description The page to return, counted from 1. A page past the end is an empty list with the true `total`. */
                page?: components["parameters"]["Page"];
                /** @description Only deliveries in this state. */
                status?: components["schemas"]["WebhookDeliveryStatus"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of deliveries. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookDeliveryList"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["KeyForbidden"];
            default: components["responses"]["Error"];
        };
    };
    getWebhookDelivery: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the delivery (`whd_…`). */
                id: components["parameters"]["WebhookDeliveryId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The delivery. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookDeliveryDetail"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["KeyForbidden"];
            404: components["responses"]["NotFound"];
            default: components["responses"]["Error"];
        };
    };
    redeliverWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description A key of your choice for this one operation, for example the number of the order. A request that comes again with the same key within 24 hours has no second effect: it gets the stored answer, with `Idempotent-Replayed: true`. See *Idempotency*. */
                "idempotency-key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The id of the delivery (`whd_…`). */
                id: components["parameters"]["WebhookDeliveryId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The new delivery. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookDelivery"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["KeyForbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["EndpointDisabled"];
            422: components["responses"]["IdempotencyKeyReused"];
            default: components["responses"]["Error"];
        };
    };
    getWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The endpoint. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookEndpoint"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["KeyForbidden"];
            default: components["responses"]["Error"];
        };
    };
    updateWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateWebhookEndpointRequest"];
            };
        };
        responses: {
            /** @description The endpoint as it is now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookEndpoint"];
                };
            };
            /** @description The request is not valid (`VALIDATION_ERROR`), `fields` names every part that has to change; or there is no URL to enable or to choose events for (`reason: webhook_url_missing`). */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["KeyForbidden"];
            default: components["responses"]["Error"];
        };
    };
    listWebhookKeys: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The keys. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookKeyList"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["KeyForbidden"];
            default: components["responses"]["Error"];
        };
    };
    rotateWebhookKeys: {
        parameters: {
            query?: never;
            header?: {
                /** @description A key of your choice for this one operation, for example the number of the order. A request that comes again with the same key within 24 hours has no second effect: it gets the stored answer, with `Idempotent-Replayed: true`. See *Idempotency*. */
                "idempotency-key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["RotateWebhookKeysRequest"];
            };
        };
        responses: {
            /** @description The new key. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookKey"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["KeyForbidden"];
            /** @description Three older keys still sign along (`CONFLICT`): wait until the first of them ends, or end all of them with `gracePeriodSeconds: 0`. A request with the same `Idempotency-Key` may also be under way (`IDEMPOTENCY_IN_PROGRESS`). */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            422: components["responses"]["IdempotencyKeyReused"];
            default: components["responses"]["Error"];
        };
    };
    recoverWebhooks: {
        parameters: {
            query?: never;
            header?: {
                /** @description A key of your choice for this one operation, for example the number of the order. A request that comes again with the same key within 24 hours has no second effect: it gets the stored answer, with `Idempotent-Replayed: true`. See *Idempotency*. */
                "idempotency-key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RecoverWebhooksRequest"];
            };
        };
        responses: {
            /** @description What is sent again. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookRecovery"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["KeyForbidden"];
            409: components["responses"]["EndpointDisabled"];
            422: components["responses"]["IdempotencyKeyReused"];
            default: components["responses"]["Error"];
        };
    };
    testWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description A key of your choice for this one operation, for example the number of the order. A request that comes again with the same key within 24 hours has no second effect: it gets the stored answer, with `Idempotent-Replayed: true`. See *Idempotency*. */
                "idempotency-key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The test was sent. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookTestResult"];
                };
            };
            /** @description No webhook URL is set (`VALIDATION_ERROR`, `reason: webhook_url_missing`). Set `webhookUrl` of your merchant first. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["KeyForbidden"];
            409: components["responses"]["IdempotencyInProgress"];
            422: components["responses"]["IdempotencyKeyReused"];
            default: components["responses"]["Error"];
        };
    };
    verifyWebhookRequest: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["VerifyWebhookRequest"];
            };
        };
        responses: {
            /** @description What is right and what is wrong. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookVerification"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["KeyForbidden"];
            default: components["responses"]["Error"];
        };
    };
    listWithdrawals: {
        parameters: {
            query?: {
                /** @description The most items on a page. */
                limit?: components["parameters"]["Limit"];
                /** @description The page to return, counted from 1. A page past the end is an empty list with the true `total`. */
                page?: components["parameters"]["Page"];
                /** @description Only withdrawals in this state. */
                status?: components["schemas"]["WithdrawalStatus"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of withdrawals. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WithdrawalList"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["KeyForbidden"];
            default: components["responses"]["Error"];
        };
    };
    createWithdrawal: {
        parameters: {
            query?: never;
            header?: {
                /** @description A key of your choice for this one operation, for example the number of the order. A request that comes again with the same key within 24 hours has no second effect: it gets the stored answer, with `Idempotent-Replayed: true`. See *Idempotency*. */
                "idempotency-key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateWithdrawalRequest"];
            };
        };
        responses: {
            /** @description The money is held, and the withdrawal waits to be approved. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Withdrawal"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["CodeNeeded"];
            403: components["responses"]["Forbidden"];
            /** @description There is less in your balance (`INSUFFICIENT_BALANCE`), or a limit stands against it (`CONFLICT`, `reason: limit_exceeded`): the least or the most of one withdrawal, the most of a UTC day, or how many may be open at once; the message says which. A request with the same `Idempotency-Key` may also be under way (`IDEMPOTENCY_IN_PROGRESS`). */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            422: components["responses"]["IdempotencyKeyReused"];
            default: components["responses"]["Error"];
        };
    };
    getWithdrawal: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the withdrawal. */
                id: components["parameters"]["WithdrawalId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The withdrawal. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Withdrawal"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["KeyForbidden"];
            404: components["responses"]["NotFound"];
            default: components["responses"]["Error"];
        };
    };
    cancelWithdrawal: {
        parameters: {
            query?: never;
            header?: {
                /** @description A key of your choice for this one operation, for example the number of the order. A request that comes again with the same key within 24 hours has no second effect: it gets the stored answer, with `Idempotent-Replayed: true`. See *Idempotency*. */
                "idempotency-key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The id of the withdrawal. */
                id: components["parameters"]["WithdrawalId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The withdrawal as it is now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Withdrawal"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["KeyForbidden"];
            404: components["responses"]["NotFound"];
            /** @description It is not `pending` any more and can't be cancelled (`CONFLICT`). A request with the same `Idempotency-Key` may also be under way (`IDEMPOTENCY_IN_PROGRESS`). */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            422: components["responses"]["IdempotencyKeyReused"];
            default: components["responses"]["Error"];
        };
    };
    quoteWithdrawal: {
        parameters: {
            query: {
                /** @description What would leave your balance, in US dollars with at most 2 decimals. */
                amount: number;
                /** @description The stablecoin to pay in, only with `crypto`. `USDT` when you leave it out. */
                currency?: components["schemas"]["WithdrawalToken"];
                /** @description How it would be paid. */
                method: components["schemas"]["WithdrawalMethod"];
                /** @description The network to pay on, only with `crypto`. The first one of the platform that has dollar tokens when you leave it out. */
                network?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What it would cost. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WithdrawalQuote"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["KeyForbidden"];
            default: components["responses"]["Error"];
        };
    };
}
