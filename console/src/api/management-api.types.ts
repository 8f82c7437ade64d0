/** Generated from openapi-management.json by `npm run docs:openapi`. Do not edit. */

export interface paths {
    "/api/sign-in/methods": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["signInMethods"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sign-in": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["signIn"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sign-up": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["signUp"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/local/console-link": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["createConsoleLink"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sign-in/link": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["signInByLink"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sign-out": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["signOut"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sign-out-everywhere": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["signOutEverywhere"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/password": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["changePassword"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/password/first": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["setFirstPassword"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listSessions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sessions/{sessionId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete: operations["endSession"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/account": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["showAccount"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch: operations["changeAccount"];
        trace?: never;
    };
    "/api/whoami": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["whoAmI"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/local/reset-password": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["resetPasswordLocally"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/local/create-owner": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["createOwnerLocally"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/oidc/start": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["startOpenId"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/oidc/callback": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["finishOpenId"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/device-login": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["startDeviceLogin"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/device-login/token": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["getDeviceLoginToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/device-login/approve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["approveDeviceLogin"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/device-login/deny": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["denyDeviceLogin"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/device-login/{userCode}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["showDeviceLogin"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/devices/{userCode}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["showDevice"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/devices/{userCode}/approve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["approveDevice"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/devices/{userCode}/deny": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["denyDevice"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/cli-tokens": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listCliTokens"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/cli-tokens/{cliTokenId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete: operations["revokeCliToken"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/users": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listUsers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/users/{userId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete: operations["removeUser"];
        options?: never;
        head?: never;
        patch: operations["changeUser"];
        trace?: never;
    };
    "/api/users/{userId}/erase": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["eraseUser"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/users/{userId}/reset-password": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["resetPassword"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/invites": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listInvites"];
        put?: never;
        post: operations["createInvite"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/invites/show": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["showInvite"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/invites/accept": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["acceptInvite"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/invites/{inviteId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete: operations["revokeInvite"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listKeys"];
        put?: never;
        post: operations["createKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/keys/{idOrName}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete: operations["revokeKey"];
        options?: never;
        head?: never;
        patch: operations["changeKey"];
        trace?: never;
    };
    "/api/keys/{idOrName}/roll": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["rollKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/clusters": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listClusters"];
        put?: never;
        post: operations["createCluster"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/clusters/{clusterId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete: operations["deleteCluster"];
        options?: never;
        head?: never;
        patch: operations["renameCluster"];
        trace?: never;
    };
    "/api/join-tokens": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listJoinTokens"];
        put?: never;
        post: operations["createJoinToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/join-tokens/{joinTokenId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete: operations["revokeJoinToken"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/nodes/device-codes/{userCode}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["showNodeDevice"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/nodes/device-codes/{userCode}/approve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["approveNodeDevice"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/nodes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listNodes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/nodes/{nodeId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getNode"];
        put?: never;
        post?: never;
        delete: operations["removeNode"];
        options?: never;
        head?: never;
        patch: operations["changeNode"];
        trace?: never;
    };
    "/api/nodes/{nodeId}/pause": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["pauseNode"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/nodes/{nodeId}/resume": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["resumeNode"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/nodes/{nodeId}/confirm": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["confirmNode"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/operations/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["watchOperations"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/operations/{id}/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["watchOperation"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/operations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listOperations"];
        put?: never;
        post: operations["createOperation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/operations/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getOperation"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/operations/{id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["cancelOperation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/models": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listModels"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/catalog": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["searchCatalog"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/catalog/hf/{owner}/{repository}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getCatalogRepository"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/chat": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["chat"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/audit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listAudit"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/usage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getUsage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/usage/requests": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listUsageRequests"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/usage/requests/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getUsageRequest"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/usage/series": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getUsageSeries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/requests": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listRequests"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/requests/running": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listRunningRequests"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/requests/{id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["cancelRequest"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/requests/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["explainRequest"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/overview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getOverview"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["watchChanges"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/stream-check": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["checkStream"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/openapi.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["describe"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface components {
    schemas: {
        AcceptInvite: {
            /** Format: email */
            email: string;
            /** @description 10 to 128 characters of any kind. */
            password: string;
            /** @description Default: the e-mail address. */
            name?: string | null;
            /** @description The part of the link after `#`. */
            token: string;
        };
        Account: {
            /** @enum {string} */
            object: "account";
            account_id: string;
            name: string;
            /** @description Seconds since 1970. */
            created: number;
            users: components["schemas"]["AccountUse"];
            nodes: components["schemas"]["AccountUse"];
            clusters: components["schemas"]["AccountUse"];
            /** @description Active keys. */
            keys: components["schemas"]["AccountUse"];
            /** @description Invites that can still be accepted. */
            open_invites: number;
            retention: components["schemas"]["AccountRetention"];
        };
        AccountRetention: {
            /** @description Retention of the request log, which contains no prompts. */
            request_log_days: number;
            /** @description Retention of hourly usage. */
            usage_days: number;
            /** @description Retention of the audit trail. */
            audit_days: number;
        };
        AccountUse: {
            /** @description Current number. */
            count: number;
            /** @description Maximum number. */
            limit: number;
        };
        ApproveAnyDevice: {
            /** @description Cluster of the new node. Default, and for null: `home`. */
            cluster_id?: string | null;
            /** @description Name of the node. Default, and for null: the name that the computer reports. */
            name?: string | null;
            /** @description For a node: its fingerprint, after comparison with the words on its screen. With it the node becomes active at once; without it, the node stays pending until `POST /api/nodes/{nodeId}/confirm`. */
            fingerprint?: string | null;
        };
        ApproveDevice: {
            /** @description Cluster of the new node. Default, and for null: `home`. */
            cluster_id?: string | null;
            /** @description Name of the node. Default, and for null: the name that the computer reports. */
            name?: string | null;
        };
        ApproveDeviceLogin: {
            /** @description Case-insensitive, with or without the dash. */
            user_code: string;
            /**
             * @description Role of the new token, at most your own. Default: your own.
             * @enum {string|null}
             */
            role?: "member" | "admin" | "owner" | null;
        };
        ApprovedNodeDevice: {
            /** @enum {string} */
            object: "node";
            node_id: string;
            name: string;
            cluster_id: string;
            /**
             * @description `pending`, `active` or `revoked`: whether the node may connect, not whether it is connected.
             * @enum {string}
             */
            status: "pending" | "active" | "revoked";
            online: boolean;
            /** @description Paused by a user: it stays connected and gets no requests. */
            paused: boolean;
            /** @description False while it is offline, paused, draining or congested. */
            accepts_work: boolean;
            /**
             * @description Worst health of the node and its models, derived from their requests. `suspect` gets requests only if nothing better can serve them; `probing` gets one at a time.
             * @enum {string}
             */
            health: "healthy" | "suspect" | "probing";
            /**
             * @description Why it is not healthy: `failures`, `unconfirmed_stop` or `stalled`; null if healthy.
             * @enum {string|null}
             */
            health_reason: "failures" | "unconfirmed_stop" | "stalled" | null;
            /** @description Why it cannot serve requests, as text. */
            problem: string | null;
            /** @description Since when its engines cannot serve requests, as reported to the relay, in seconds since 1970. */
            problem_since: number | null;
            /** @description Fingerprint of its key, in words, as shown on the computer. */
            fingerprint: string;
            /** @description Last connection, in seconds since 1970; null if never. */
            last_seen: number | null;
            /** @description Time of enrolment, in seconds since 1970. */
            created: number;
            /** @description Operating system and processor architecture. */
            platform: string;
            agent_version: string;
            round_trip_ms: number | null;
            /** @description Memory of the computer; null if the node is offline or does not report it. */
            memory: components["schemas"]["NodeMemory"] | null;
            /** @description Graphics processors with known memory. */
            gpus: components["schemas"]["NodeGpu"][];
            engines: components["schemas"]["NodeEngine"][];
            models: components["schemas"]["NodeModel"][];
            /** @description Of a single node: its last 20 connections to this relay and how they ended, since the relay started. */
            link_events?: components["schemas"]["NodeLinkEvent"][];
            device: components["schemas"]["NodeDevice"];
        };
        Attempt: {
            node_id: string;
            node_name: string;
            /** @description `running`, `refused`, `lost`, `overtaken` (another attempt responded first), `stopped`, or the outcome. */
            result: string;
            reason: string | null;
            /** @description Whether this is a hedge: a second attempt beside a late one. */
            hedge: boolean;
            /**
             * Format: date-time
             * @description Start of the attempt.
             */
            at: string;
        };
        Attention: {
            /** @enum {string} */
            code: "no_node_online" | "node_waits_for_confirmation" | "node_problem" | "engine_problem" | "node_suspect" | "key_expires";
            /** @description The problem, as text. */
            message: string;
            /**
             * @description Page of the website where it can be fixed.
             * @enum {string}
             */
            place: "nodes" | "node" | "keys";
            node_id: string | null;
            key_id: string | null;
        };
        AuditActor: {
            /** @description `system`, `cli-token` or `session`. */
            kind: string;
            user_id: string | null;
            credential_id: string | null;
            name: string | null;
        };
        AuditEvent: {
            /** @enum {string} */
            object: "audit_event";
            id: string;
            /**
             * Format: date-time
             * @description ISO 8601.
             */
            created_at: string;
            /** @description `object.verb`. */
            action: string;
            actor: components["schemas"]["AuditActor"];
            /** @description The changed object. */
            target: components["schemas"]["AuditTarget"];
            /** @description Further details, without secrets. */
            detail: {
                [key: string]: unknown;
            };
            ip: string | null;
            user_agent: string | null;
        };
        AuditTarget: {
            kind: string;
            id: string;
        };
        Candidate: {
            node_id: string;
            node_name: string;
            cluster_id: string;
            eligible: boolean;
            reason: string;
            slots: components["schemas"]["CandidateSlots"] | null;
            /** @description Predicted time to completion; null if not computed. */
            cost_ms: number | null;
            /** @description Components of the cost. */
            parts: components["schemas"]["CostParts"] | null;
        };
        CandidateSlots: {
            used: number;
            /** @description The reported slots, or fewer if the engine was observed to run fewer requests concurrently. */
            usable: number;
            /** @description As reported by the node. */
            advertised: number;
        };
        CatalogFile: {
            /** @description Path in the repository. */
            path: string;
            /** @description Value for `source` of an install; null for one part of a split model, which nodes cannot install. */
            source: string | null;
            /** @description Taken from the file name. */
            quantization: string | null;
            size_bytes: number | null;
        };
        CatalogList: {
            /** @enum {string} */
            object: "list";
            /** @description Most downloaded first, at most 30. */
            data: components["schemas"]["CatalogModel"][];
        };
        CatalogModel: {
            /** @enum {string} */
            object: "catalog_model";
            /** @description Owner and repository. */
            id: string;
            downloads: number;
            likes: number;
            /** @description Gated repository: the node needs a token with access (`HF_TOKEN`). */
            gated: boolean;
            /** @description Seconds since 1970. */
            updated: number | null;
        };
        CatalogRepository: {
            /** @enum {string} */
            object: "catalog_repository";
            id: string;
            /** @description Gated repository: the node needs a token with access (`HF_TOKEN`). */
            gated: boolean;
            /** @description In tokens. */
            context_length: number | null;
            architecture: string | null;
            /** @description The GGUF files, smallest first, at most 500. */
            files: components["schemas"]["CatalogFile"][];
        };
        ChangeAccount: {
            name: string;
        };
        ChangeKey: {
            name?: string;
            /** @description null removes it. */
            description?: string | null;
            /** @description A limit of null is removed. */
            limits?: components["schemas"]["KeyLimitsChange"] | null;
        };
        ChangePassword: {
            current_password: string;
            /** @description 10 to 128 characters of any kind. */
            new_password: string;
        };
        ChangeUser: {
            /**
             * @description Each role includes the ones before it.
             * @enum {string|null}
             */
            role?: "member" | "admin" | "owner" | null;
            /** @description A disabled user is signed out everywhere and cannot sign in. */
            disabled?: boolean | null;
            name?: string | null;
        };
        Checklist: {
            has_node: boolean;
            has_loaded_model: boolean;
            has_key: boolean;
            has_request: boolean;
        };
        CliToken: {
            /** @enum {string} */
            object: "cli_token";
            cli_token_id: string;
            /** @description Name that the command line gave itself. */
            name: string;
            /** @description Id of its user; null for the token that `ferry up` stores on the computer of the relay. */
            user_id: string | null;
            /**
             * @description Highest role; that of its user may be lower.
             * @enum {string}
             */
            role: "member" | "admin" | "owner";
            /** @description Last four characters of the token. */
            last4: string;
            /** @description Creation time, in seconds since 1970. */
            created: number;
            /** @description Expiry, in seconds since 1970; null if it has none. */
            expires: number | null;
        };
        Cluster: {
            /** @enum {string} */
            object: "cluster";
            /** @description Value for `X-Cluster-ID`. */
            cluster_id: string;
            name: string;
            /** @description Number of enrolled nodes, online or not. */
            nodes: number;
            online: number;
            /** @description Display names of the models loaded on online nodes, in alphabetical order. */
            loaded: string[];
            /** @description Number of models on its online nodes, loaded or not. */
            models: number;
            /** @description Creation time, in seconds since 1970. */
            created: number;
        };
        ClusterAvailability: {
            cluster_id: string;
            loaded: boolean;
        };
        ConfirmNode: {
            /** @description The words that the node shows on its own screen. */
            fingerprint: string;
        };
        ConsoleLink: {
            /** @enum {string} */
            object: "console_link";
            /** @description One-time sign-in link for the owner. */
            url: string;
            /** @description Expiry, in seconds since 1970. */
            expires: number;
        };
        CostParts: {
            queue_ms: number;
            prefill_ms: number;
            decode_ms: number;
            link_ms: number;
            affinity_ms: number;
        };
        CreateCluster: {
            /** @description Unique in the account; 1 to 64 printable characters. */
            name: string;
        };
        CreateInvite: {
            /**
             * @description Role of the invited user, at most your own. Default: member.
             * @enum {string|null}
             */
            role?: "member" | "admin" | "owner" | null;
        };
        CreateJoinToken: {
            /** @description Cluster of the new node. Default, and for null: `home`. */
            cluster_id?: string | null;
        };
        CreateKey: {
            /** @description Purpose of the key. Unique among the active keys of the account. */
            name: string;
            /** @description Free text. Default: none. */
            description?: string | null;
            /** @description Default: `inference`, which implies `models:read`. */
            scopes?: ("inference" | "models:read")[] | null;
            /** @description Clusters to which the key is limited. Default: all of the account, including future ones. */
            cluster_ids?: string[] | null;
            /** @description Seconds from now. Default: the key does not expire. */
            expires_in_seconds?: number | null;
            /** @description Default: only the limits of the account. */
            limits?: components["schemas"]["KeyLimitsChange"] | null;
        };
        CreateOperation: {
            /** @enum {string} */
            kind: "install" | "load" | "unload" | "remove";
            /** @description Default: the only possible node. */
            node_id?: string | null;
            /** @description Public id, selector, or the name in its engine. Not for an install. */
            model?: string | null;
            /** @description For an install: a name that the engine knows, such as `qwen3:8b`, `hf:owner/repo/file.gguf`, or an https URL without credentials. */
            source?: string | null;
            /** @description For an install: load the model afterwards, even if the client has disconnected. Default: false. */
            load?: boolean | null;
            /** @description Name of the engine on the node, if several are possible. */
            engine?: string | null;
            /** @description For a load: the context length. Default: decided by the engine. */
            context_tokens?: number | null;
        };
        CreatedInvite: {
            /** @enum {string} */
            object: "invite";
            invite_id: string;
            /**
             * @description Each role includes the ones before it.
             * @enum {string}
             */
            role: "member" | "admin" | "owner";
            /** @description Id of the user who created it; null for the token of the relay. */
            created_by: string | null;
            /** @description Creation time, in seconds since 1970. */
            created: number;
            /** @description Expiry, in seconds since 1970. */
            expires: number;
            /** @description The token. It cannot be retrieved again. */
            invite_token: string;
            /** @description Link for the invited person, to the page that accepts the invite. */
            link: string | null;
            /** @description Command that accepts the invite without a browser, after the person has filled in e-mail address and password. */
            accept_command: string;
            /** @description What keeps the link from working on another computer, and how to change it. */
            warning: string | null;
        };
        Credential: {
            /** @enum {string} */
            kind: "cli_token" | "session";
            id: string;
            name: string;
        };
        DecidedDevice: {
            /** @enum {string} */
            object: "device";
            /**
             * @description A device sign-in or a node enrolment.
             * @enum {string}
             */
            type: "login" | "node";
            user_code: string;
            /** @description Name that the device reports. */
            name: string;
            /** @description IP address of the request. */
            ip: string | null;
            /** @description Node only. */
            platform: string | null;
            /** @description Node only. */
            agent_version: string | null;
            /** @description Node only. Compare it with the words on the screen of the computer. */
            fingerprint: string | null;
            /** @description The fingerprint as separate words. */
            fingerprint_words: string[] | null;
            /**
             * @description Lowest role that may approve or deny it.
             * @enum {string}
             */
            role_needed: "member" | "admin" | "owner";
            /** @description Expiry, in seconds since 1970. */
            expires: number;
            /** @enum {string} */
            state: "approved";
            /** @description The new node; null for a device sign-in. */
            node: components["schemas"]["Node"] | null;
        };
        Decision: {
            /**
             * Format: date-time
             * @description Time of the decision.
             */
            at: string;
            candidates: components["schemas"]["Candidate"][];
            /** @description Number of candidates that were compared. Only the first 64 and the chosen one are listed. */
            considered: number;
            /** @description Number of nodes with the model in scope, counted per engine. Of more than 64 a sample is compared. */
            placements: number;
            /** @description Id of the chosen node. */
            chosen: string | null;
            reason: string;
        };
        DeniedDevice: {
            /** @enum {string} */
            object: "device";
            /** @enum {string} */
            state: "denied";
            user_code: string;
        };
        Device: {
            /** @enum {string} */
            object: "device";
            /**
             * @description A device sign-in or a node enrolment.
             * @enum {string}
             */
            type: "login" | "node";
            user_code: string;
            /** @description Name that the device reports. */
            name: string;
            /** @description IP address of the request. */
            ip: string | null;
            /** @description Node only. */
            platform: string | null;
            /** @description Node only. */
            agent_version: string | null;
            /** @description Node only. Compare it with the words on the screen of the computer. */
            fingerprint: string | null;
            /** @description The fingerprint as separate words. */
            fingerprint_words: string[] | null;
            /**
             * @description Lowest role that may approve or deny it.
             * @enum {string}
             */
            role_needed: "member" | "admin" | "owner";
            /** @description Expiry, in seconds since 1970. */
            expires: number;
        };
        DeviceLogin: {
            /** @enum {string} */
            object: "device_login";
            user_code: string;
            /** @enum {string} */
            state: "pending" | "approved" | "denied";
            /** @description Name that the command line reports. Deny a request that is not yours. */
            client_name: string;
            /** @description IP address of the request. */
            client_address: string | null;
            /** @description Start, in seconds since 1970. */
            created: number;
            /** @description Expiry, in seconds since 1970. */
            expires: number;
        };
        DeviceLoginToken: {
            /** @description The token. It cannot be retrieved again. */
            cli_token: string;
            account_id: string;
            /** @description User whom the token signs in. */
            user: components["schemas"]["User"];
        };
        DeviceToken: {
            device_code: string;
        };
        EndedSession: {
            /** @enum {string} */
            object: "session";
            session_id: string;
            /** @enum {boolean} */
            ended: true;
        };
        ErasedUser: {
            /** @enum {string} */
            object: "erased_user";
            user_id: string;
            pseudonym: string;
            /** @description Events of the audit trail by or about the user. */
            audit_events: number;
        };
        ErrorCount: {
            code: string;
            count: number;
        };
        ExplainedRequest: {
            /** @description Value of `x-request-id`. */
            id: string;
            /** @enum {string} */
            object: "request";
            model: string;
            dialect: string;
            /**
             * Format: date-time
             * @description Time of the first decision.
             */
            decided_at: string;
            /** @description null while it is running. */
            outcome: string | null;
            queue: components["schemas"]["RequestQueue"];
            attempts: components["schemas"]["Attempt"][];
            /** @description Whether the prompt may have run twice, because of a lost attempt or a hedge. */
            retried: boolean;
            /** @description Whether a second attempt was started beside a late one. */
            hedged: boolean;
            decisions: components["schemas"]["Decision"][];
            /** @description What is missing, as text, if the replica that routed the request has ended or forgotten it: the rest is from the request log. null if nothing is missing. */
            missing: string | null;
        };
        FirstPassword: {
            /** @description 10 to 128 characters of any kind. */
            password: string;
            /**
             * Format: email
             * @description E-mail address for sign-in. Default: unchanged.
             */
            email?: string | null;
            /** @description Default: unchanged. */
            name?: string | null;
        };
        Invite: {
            /** @enum {string} */
            object: "invite";
            invite_id: string;
            /**
             * @description Each role includes the ones before it.
             * @enum {string}
             */
            role: "member" | "admin" | "owner";
            /** @description Id of the user who created it; null for the token of the relay. */
            created_by: string | null;
            /** @description Creation time, in seconds since 1970. */
            created: number;
            /** @description Expiry, in seconds since 1970. */
            expires: number;
        };
        InvitePreview: {
            /** @enum {string} */
            object: "invite_preview";
            /** @description The account to join. */
            account_name: string;
            /**
             * @description Each role includes the ones before it.
             * @enum {string}
             */
            role: "member" | "admin" | "owner";
            /** @description Name of the user who created it; null for the token of the relay. */
            inviter: string | null;
            /** @description Expiry, in seconds since 1970. */
            expires: number;
        };
        JoinCommands: {
            /** @description For Linux and macOS; needs only Node.js. */
            unix: string;
            /** @description For Windows, in PowerShell; needs only Node.js. */
            windows: string;
            /** @description For a computer with Ferry installed. */
            ferry: string;
        };
        JoinToken: {
            join_token_id: string;
            /** @description The token. It cannot be retrieved again. */
            join_token: string;
            /** @description Expiry, in seconds since 1970. */
            expires_at: number;
            cluster_id: string;
            /** @description Command for the new node, with Ferry installed. */
            command: string;
            /** @description Command for Linux and macOS without Ferry; needs only Node.js. */
            install_command: string;
            /** @description Command for Windows without Ferry, in PowerShell; needs only Node.js. */
            install_command_windows: string;
            /** @description The same commands, each of which also starts the node. */
            commands: components["schemas"]["JoinCommands"];
            /**
             * @description `loopback` if the address in the commands works only on the computer of the relay.
             * @enum {string}
             */
            reachable: "loopback" | "network";
            /** @description Why the commands may not work on another computer, and what to change. */
            warning: string | null;
        };
        Key: {
            /** @enum {string} */
            object: "api_key";
            /** @description Also the first characters of the key after `sk-ferry-`. */
            key_id: string;
            name: string;
            /** @description Free text; null if there is none. */
            description: string | null;
            /** @description Last four characters of the key. */
            last4: string;
            scopes: ("inference" | "models:read")[];
            /** @description Clusters to which the key is limited; null for all of the account. */
            cluster_ids: string[] | null;
            /** @description null if the key has no limits of its own. */
            limits: components["schemas"]["KeyLimits"];
            /** @description User who owns the key; null for the account. */
            created_by: string | null;
            /** @description Creation time, in seconds since 1970. */
            created: number;
            /** @description Expiry, in seconds since 1970; null if it does not expire. */
            expires: number | null;
            /** @description Last use to the minute, in seconds since 1970; null if never used. */
            last_used: number | null;
            /** @description Time of revocation, in seconds since 1970; null if active. */
            revoked: number | null;
        };
        KeyLimits: {
            requests_per_minute: number | null;
            /** @description Input and output tokens together. */
            tokens_per_minute: number | null;
            /** @description Concurrent requests. */
            concurrency: number | null;
        };
        KeyLimitsChange: {
            requests_per_minute?: number | null;
            /** @description Input and output tokens together. */
            tokens_per_minute?: number | null;
            /** @description Concurrent requests. */
            concurrency?: number | null;
        };
        LocalReset: {
            email: string;
            /** @description argon2id hash as a PHC string. */
            password_hash: string;
            /** @description Lifetime of the password. Default: until it is changed. */
            lifetime_ms?: number | null;
            /** @description Milliseconds since 1970. */
            issued_at_ms: number;
            proof: string;
        };
        LoggedRequest: {
            /** @enum {string} */
            object: "usage.request";
            id: string;
            /**
             * Format: date-time
             * @description Time of arrival.
             */
            started_at: string;
            key_id: string;
            /** @description null if it no longer exists. */
            key_name: string | null;
            node_id: string | null;
            /** @description null if it no longer exists. */
            node_name: string | null;
            cluster_id: string | null;
            /** @description null if it no longer exists. */
            cluster_name: string | null;
            /** @description Selector of the model. */
            model: string | null;
            model_name: string | null;
            dialect: string;
            stream: boolean;
            outcome: string;
            /** @description Error code. */
            code: string | null;
            attempts: number;
            /** @description Whether the prompt may have run twice, because of a lost attempt or a hedge. */
            retried: boolean;
            input_tokens: number;
            /** @description Part of the input tokens. */
            cached_tokens: number;
            output_tokens: number;
            /** @description Part of the output tokens. */
            reasoning_tokens: number;
            /**
             * @description Source of the token counts.
             * @enum {string|null}
             */
            source: "engine" | "counted" | "estimated" | null;
            queue_ms: number;
            /** @description Time to the first token. */
            ttft_ms: number | null;
            duration_ms: number;
        };
        Model: {
            /** @description Name of the model in requests. */
            id: string;
            /** @description Stable id of the model, which also works in requests. */
            selector: string;
            display_name: string;
            canonical_name: string;
            /** @enum {string} */
            object: "model";
            /** @description When the model was first seen, in seconds since 1970. */
            created: number;
            owned_by: string;
            /** @description Whether it is loaded on an online node. */
            loaded: boolean;
            clusters: components["schemas"]["ClusterAvailability"][];
        };
        ModelList: {
            /** @enum {string} */
            object: "list";
            data: components["schemas"]["Model"][];
        };
        NewKey: {
            /** @enum {string} */
            object: "api_key";
            /** @description Also the first characters of the key after `sk-ferry-`. */
            key_id: string;
            name: string;
            /** @description Free text; null if there is none. */
            description: string | null;
            /** @description Last four characters of the key. */
            last4: string;
            scopes: ("inference" | "models:read")[];
            /** @description Clusters to which the key is limited; null for all of the account. */
            cluster_ids: string[] | null;
            /** @description null if the key has no limits of its own. */
            limits: components["schemas"]["KeyLimits"];
            /** @description User who owns the key; null for the account. */
            created_by: string | null;
            /** @description Creation time, in seconds since 1970. */
            created: number;
            /** @description Expiry, in seconds since 1970; null if it does not expire. */
            expires: number | null;
            /** @description Last use to the minute, in seconds since 1970; null if never used. */
            last_used: number | null;
            /** @description Time of revocation, in seconds since 1970; null if active. */
            revoked: number | null;
            /** @description The key. It cannot be retrieved again. */
            key: string;
            /** @description Warnings about the request, as text; usually empty. */
            warnings: string[];
        };
        Node: {
            /** @enum {string} */
            object: "node";
            node_id: string;
            name: string;
            cluster_id: string;
            /**
             * @description `pending`, `active` or `revoked`: whether the node may connect, not whether it is connected.
             * @enum {string}
             */
            status: "pending" | "active" | "revoked";
            online: boolean;
            /** @description Paused by a user: it stays connected and gets no requests. */
            paused: boolean;
            /** @description False while it is offline, paused, draining or congested. */
            accepts_work: boolean;
            /**
             * @description Worst health of the node and its models, derived from their requests. `suspect` gets requests only if nothing better can serve them; `probing` gets one at a time.
             * @enum {string}
             */
            health: "healthy" | "suspect" | "probing";
            /**
             * @description Why it is not healthy: `failures`, `unconfirmed_stop` or `stalled`; null if healthy.
             * @enum {string|null}
             */
            health_reason: "failures" | "unconfirmed_stop" | "stalled" | null;
            /** @description Why it cannot serve requests, as text. */
            problem: string | null;
            /** @description Since when its engines cannot serve requests, as reported to the relay, in seconds since 1970. */
            problem_since: number | null;
            /** @description Fingerprint of its key, in words, as shown on the computer. */
            fingerprint: string;
            /** @description Last connection, in seconds since 1970; null if never. */
            last_seen: number | null;
            /** @description Time of enrolment, in seconds since 1970. */
            created: number;
            /** @description Operating system and processor architecture. */
            platform: string;
            agent_version: string;
            round_trip_ms: number | null;
            /** @description Memory of the computer; null if the node is offline or does not report it. */
            memory: components["schemas"]["NodeMemory"] | null;
            /** @description Graphics processors with known memory. */
            gpus: components["schemas"]["NodeGpu"][];
            engines: components["schemas"]["NodeEngine"][];
            models: components["schemas"]["NodeModel"][];
            /** @description Of a single node: its last 20 connections to this relay and how they ended, since the relay started. */
            link_events?: components["schemas"]["NodeLinkEvent"][];
        };
        NodeDevice: {
            /** @enum {string} */
            object: "node_device";
            user_code: string;
            name: string;
            platform: string;
            agent_version: string;
            /** @description IP address of the request. */
            ip: string;
            /** @description Compare it with the words on the screen of the computer. */
            fingerprint: string;
            /** @description Expiry, in seconds since 1970. */
            expires: number;
            /** @description Warning to show before the approval. */
            warning: string;
        };
        NodeEngine: {
            name: string;
            kind: string;
            version: string | null;
            /** @description Number of requests that it can run concurrently. */
            slots_total: number | null;
            slots_used: number | null;
            queue_depth: number | null;
            /** @description Why it cannot serve requests, as text. */
            problem: string | null;
            /** @description When the problem was first reported, in seconds since 1970. */
            problem_since: number | null;
        };
        NodeGpu: {
            name: string;
            total_bytes: number;
            /** @description null if the driver does not report it. */
            free_bytes: number | null;
            /** @description Whether it shares the memory of the computer, as on Apple silicon. */
            unified: boolean;
        };
        NodeLinkEvent: {
            /** Format: date-time */
            at: string;
            /** @enum {string} */
            event: "connected" | "disconnected";
            /**
             * @description Why the link ended: `dead` is silence, `backlog` a node that does not read; null for a new link.
             * @enum {string|null}
             */
            reason: "peer_closed" | "closed_here" | "protocol_error" | "handshake_timeout" | "dead" | "backlog" | "internal" | null;
            /** @description What was said when it was closed; may be empty. */
            detail: string;
        };
        NodeMemory: {
            total_bytes: number;
            /** @description Memory available to new processes. */
            free_bytes: number;
        };
        NodeModel: {
            /** @description Name of the model in its engine; accepted by operations. */
            key: string;
            /** @description Stable id of the model for `/v1`. */
            selector: string;
            display_name: string;
            engine: string;
            /** @description `loaded` is ready; `installed` is not. */
            state: string;
            /** @description `engine_unreachable` if it cannot be loaded because its engine does not respond. */
            reason: string | null;
            quantization: string | null;
            size_bytes: number | null;
            /** @description In tokens. */
            context_length: number | null;
            /** @description Kinds of input that a request may contain. */
            inputs: ("text" | "image" | "audio" | "video" | "file")[];
            /** @description Whether it can call tools; null if unknown. */
            tools: boolean | null;
            /** @description Whether it is a reasoning model; null if unknown. */
            reasoning: boolean | null;
            /** @description Whether it is an embedding model, which generates no text. */
            embedding: boolean;
            /**
             * @description Health of the model on this node, derived from its requests. `suspect` gets requests only if nothing better can serve them; `probing` gets one at a time.
             * @enum {string}
             */
            health: "healthy" | "suspect" | "probing";
            /**
             * @description null if healthy.
             * @enum {string|null}
             */
            health_reason: "failures" | "unconfirmed_stop" | "stalled" | null;
        };
        OidcMethod: {
            /** @description Whether a provider is configured. If so, `/api/oidc/start` redirects to it. */
            enabled: boolean;
            /** @description Host of the provider. */
            name: string | null;
        };
        OpenJoinToken: {
            /** @enum {string} */
            object: "join_token";
            join_token_id: string;
            cluster_id: string;
            /** @description Id of the user who created it; null for the token of the relay. */
            created_by: string | null;
            /** @description Creation time, in seconds since 1970. */
            created: number;
            /** @description Expiry, in seconds since 1970. */
            expires: number;
        };
        Operation: {
            /** @enum {string} */
            object: "operation";
            id: string;
            /** @enum {string} */
            kind: "install" | "load" | "unload" | "remove";
            node_id: string;
            node_name: string;
            /** @description If false, the state is the last reported one: the node continues, and reports when it is online again. */
            node_online: boolean;
            engine: string | null;
            /** @description Public id of the model; for an install, after success. */
            model: string | null;
            /** @description Name of the model in its engine. */
            model_key: string | null;
            /** @description For an install: its source. */
            source: string | null;
            /** @description For an install: whether the model is loaded afterwards. */
            load: boolean;
            context_tokens: number | null;
            /**
             * @description `queued`, `running`, `succeeded`, `failed` or `cancelled`.
             * @enum {string}
             */
            state: "queued" | "running" | "succeeded" | "failed" | "cancelled";
            /** @description As reported by the engine, such as `downloading`. */
            phase: string | null;
            completed_bytes: number | null;
            total_bytes: number | null;
            bytes_per_second: number | null;
            failure: components["schemas"]["OperationFailure"] | null;
            cancel_requested: boolean;
            /** @description Id of the credential that created it. */
            created_by: string | null;
            /**
             * Format: date-time
             * @description Creation time.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description Time of the last change.
             */
            updated_at: string;
            /**
             * Format: date-time
             * @description null until it has ended.
             */
            finished_at: string | null;
        };
        OperationFailure: {
            code: string;
            message: string;
        };
        OtherSeries: {
            requests: number[];
            input_tokens: number[];
            output_tokens: number[];
            /** @description Requests that failed, timed out or were rejected. */
            failed: number[];
            /** @description Current number. */
            groups: number;
        };
        Overview: {
            /** @enum {string} */
            object: "overview";
            today: components["schemas"]["OverviewFigures"];
            /** @description Yesterday up to the same time of day. */
            yesterday: components["schemas"]["OverviewFigures"];
            nodes: components["schemas"]["OverviewNodes"];
            /** @description Number of models loaded on at least one node. */
            models_loaded: number;
            /** @description Most severe first. */
            attention: components["schemas"]["Attention"][];
            checklist: components["schemas"]["Checklist"];
        };
        OverviewFigures: {
            /**
             * Format: date-time
             * @description Start of the day.
             */
            since: string;
            /** Format: date-time */
            until: string;
            requests: number;
            input_tokens: number;
            output_tokens: number;
            /** @description Requests that failed, timed out or were rejected. */
            failed: number;
            /** @description Median time to the first token. */
            ttft_p50_ms: number | null;
        };
        OverviewNodes: {
            online: number;
            total: number;
        };
        /** @description Problem details (RFC 9457). */
        Problem: {
            /** @description URN of the error code. */
            type: string;
            /** @description Title of the error code. */
            title: string;
            /** @description HTTP status of the response. */
            status: number;
            /** @description Description of this occurrence. */
            detail: string;
            /** @description Error code; the last part of `type`. */
            code: string;
            /** @description The invalid field, parameter or header. */
            param: string | null;
            /** @description Same as the header `x-request-id`. */
            request_id: string;
        };
        RemovedNode: {
            /** @enum {string} */
            object: "node";
            node_id: string;
            /**
             * @description `revoked` nodes are kept and can be deleted; `deleted` ones are removed.
             * @enum {string}
             */
            status: "revoked" | "deleted";
        };
        RequestQueue: {
            waited_ms: number;
            position: number | null;
        };
        RequestSummary: {
            /** @description Value of `x-request-id`. */
            id: string;
            /** @enum {string} */
            object: "request";
            model: string;
            dialect: string;
            /**
             * Format: date-time
             * @description Time of the first decision.
             */
            decided_at: string;
            /** @description null while it is running. */
            outcome: string | null;
            queue: components["schemas"]["RequestQueue"];
            attempts: components["schemas"]["Attempt"][];
            /** @description Whether the prompt may have run twice, because of a lost attempt or a hedge. */
            retried: boolean;
            /** @description Whether a second attempt was started beside a late one. */
            hedged: boolean;
        };
        ResetUser: {
            /** @enum {string} */
            object: "user";
            user_id: string;
            email: string;
            name: string;
            /**
             * @description Each role includes the ones before it.
             * @enum {string}
             */
            role: "member" | "admin" | "owner";
            /** @description A disabled user is signed out everywhere and cannot sign in. */
            disabled: boolean;
            /** @description Signs in through the OpenID provider, and has no password here. */
            openid: boolean;
            /** @description Creation time, in seconds since 1970. */
            created: number;
            /** @description Last sign-in, in seconds since 1970; null if never. */
            last_sign_in: number | null;
            /** @description Expiry of a temporary password, in seconds since 1970; null without one. */
            password_expires: number | null;
            /** @description Temporary password for the user. It cannot be retrieved again. */
            temporary_password: string;
        };
        RollKey: {
            /**
             * @description How long the old key stays valid.
             * @enum {string}
             */
            overlap: "0" | "1h" | "24h" | "7d";
        };
        RolledKey: {
            /** @enum {string} */
            object: "api_key";
            /** @description Also the first characters of the key after `sk-ferry-`. */
            key_id: string;
            name: string;
            /** @description Free text; null if there is none. */
            description: string | null;
            /** @description Last four characters of the key. */
            last4: string;
            scopes: ("inference" | "models:read")[];
            /** @description Clusters to which the key is limited; null for all of the account. */
            cluster_ids: string[] | null;
            /** @description null if the key has no limits of its own. */
            limits: components["schemas"]["KeyLimits"];
            /** @description User who owns the key; null for the account. */
            created_by: string | null;
            /** @description Creation time, in seconds since 1970. */
            created: number;
            /** @description Expiry, in seconds since 1970; null if it does not expire. */
            expires: number | null;
            /** @description Last use to the minute, in seconds since 1970; null if never used. */
            last_used: number | null;
            /** @description Time of revocation, in seconds since 1970; null if active. */
            revoked: number | null;
            /** @description The key. It cannot be retrieved again. */
            key: string;
            /** @description Warnings about the request, as text; usually empty. */
            warnings: string[];
            /** @description The replaced key, with its expiry. */
            previous: components["schemas"]["Key"];
        };
        RunningRequest: {
            /** @enum {string} */
            object: "running_request";
            id: string;
            /** @description Id of the API key, or of the user for the chat of the website. */
            key_id: string;
            /** @description null if there is no key. */
            key_name: string | null;
            /** @description Model name in the request. */
            model: string;
            /** @description null without a node. */
            node_id: string | null;
            node_name: string | null;
            dialect: string;
            stream: boolean;
            /**
             * @description `queued`: waits for a slot · `prefill`: sent to a node · `decode`: the response has begun.
             * @enum {string}
             */
            state: "queued" | "prefill" | "decode";
            /** @description Events of the response so far, about one per token; null without a node or if it does not stream. */
            output_events: number | null;
            /** @description Time since arrival. */
            age_ms: number;
            /** @description Time from arrival to the first output. */
            ttft_ms: number | null;
        };
        SeriesGroup: {
            requests: number[];
            input_tokens: number[];
            output_tokens: number[];
            /** @description Requests that failed, timed out or were rejected. */
            failed: number[];
            /** @description Id of the group; null for requests without one, or without grouping. */
            key: string | null;
            /** @description null if it no longer exists. */
            name: string | null;
        };
        SeriesLatency: {
            /** @description null if no response had a first token. */
            ttft_p50_ms: number | null;
            /** @description null if no response had a first token. */
            ttft_p95_ms: number | null;
            duration_p50_ms: number;
            duration_p95_ms: number;
        };
        Service: {
            name: string;
            version: string;
        };
        Session: {
            /** @enum {string} */
            object: "session";
            session_id: string;
            /**
             * @description A browser session or the token of a command line.
             * @enum {string}
             */
            kind: "session" | "cli_token";
            /** @description Name of a command line. */
            name: string | null;
            /** @description Time of the sign-in, in seconds since 1970. */
            created: number;
            /** @description Last use to the minute, in seconds since 1970; null if not recorded, as for a command line. */
            last_used: number | null;
            /** @description Expiry of the token of a command line, in seconds since 1970. */
            expires: number | null;
            /** @description IP address of the browser at the sign-in. */
            ip: string | null;
            /** @description User agent of the browser at the sign-in. */
            user_agent: string | null;
            /** @description Whether this request used it. */
            current: boolean;
        };
        ShowInvite: {
            /** @description The part of the link after `#`. */
            token: string;
        };
        SignIn: {
            email: string;
            password: string;
        };
        SignInLink: {
            /** @description The part of the link after `#`. */
            token: string;
        };
        SignInMethods: {
            /** @enum {string} */
            object: "sign_in_methods";
            /** @description Whether browsers can sign in. Over a network this needs https; see `FERRY_BASE_URL`. */
            browser: boolean;
            /** @enum {boolean} */
            password: true;
            oidc: components["schemas"]["OidcMethod"];
            /** @description Whether everybody may create an account. */
            sign_up: boolean;
            service: components["schemas"]["Service"];
        };
        SignUp: {
            /** Format: email */
            email: string;
            /** @description 10 to 128 characters of any kind. */
            password: string;
            /** @description Default: the e-mail address. */
            name?: string | null;
        };
        SignedOut: {
            /** @enum {string} */
            object: "signed_out";
            /** @description Whether all other sessions and CLI tokens of this user have ended, too. */
            everywhere: boolean;
        };
        StartDeviceLogin: {
            /** @description Shown to the user who approves, such as the name of the computer. Becomes the name of the token. */
            name?: string | null;
        };
        StartedDeviceLogin: {
            /** @description Secret of the command line, to poll for the token. */
            device_code: string;
            /** @description Code that the user enters. */
            user_code: string;
            /** @description Page on which the user approves the code. */
            verification_uri: string | null;
            /** @description The same page with the code filled in. */
            verification_uri_complete: string | null;
            /** @description Command that approves the code, on a computer where `ferry` is signed in. */
            approve_command: string;
            /** @description Lifetime of the codes, in seconds. */
            expires_in: number;
            /** @description Minimum polling interval, in seconds. */
            interval: number;
        };
        UpdateNode: {
            name?: string;
            /** @description New cluster of the node. */
            cluster_id?: string;
        };
        Usage: {
            /** @enum {string} */
            object: "usage";
            /**
             * Format: date-time
             * @description ISO 8601, UTC; start of an hour.
             */
            since: string;
            /**
             * Format: date-time
             * @description End, exclusive.
             */
            until: string;
            /** @enum {string} */
            by: "model" | "node" | "key" | "cluster" | "dialect" | "hour";
            data: components["schemas"]["UsageGroup"][];
            /** @description Whether there are more groups; `totals` includes them. */
            has_more: boolean;
            totals: components["schemas"]["UsageFigures"];
        };
        UsageFigures: {
            requests: number;
            completed: number;
            failed: number;
            cancelled: number;
            timed_out: number;
            rejected: number;
            input_tokens: number;
            /** @description Part of the input tokens. */
            cached_tokens: number;
            output_tokens: number;
            /** @description Part of the output tokens. */
            reasoning_tokens: number;
            /** @description Requests with token counts estimated by the relay, because neither engine nor node reported them. */
            estimated_requests: number;
        };
        UsageGroup: {
            requests: number;
            completed: number;
            failed: number;
            cancelled: number;
            timed_out: number;
            rejected: number;
            input_tokens: number;
            /** @description Part of the input tokens. */
            cached_tokens: number;
            output_tokens: number;
            /** @description Part of the output tokens. */
            reasoning_tokens: number;
            /** @description Requests with token counts estimated by the relay, because neither engine nor node reported them. */
            estimated_requests: number;
            /** @description Id, dialect, or start of an hour; null for requests without one. */
            key: string | null;
            name: string | null;
        };
        UsageSeries: {
            /** @enum {string} */
            object: "usage_series";
            /** @enum {string} */
            bucket: "hour" | "day";
            /** @enum {string} */
            by: "model" | "key" | "node" | "none";
            time_zone: string;
            /**
             * Format: date-time
             * @description End of the last bucket.
             */
            until: string;
            /** @description Start times of the buckets, ISO 8601. Every list of numbers has one value per bucket, 0 for an empty one. */
            buckets: string[];
            /** @description Groups with the most tokens, in descending order. */
            groups: components["schemas"]["SeriesGroup"][];
            /** @description All other groups together; null if there are none. */
            others: components["schemas"]["OtherSeries"] | null;
            /** @description From the request log, within its retention; null if no request was completed. */
            latency: (components["schemas"]["SeriesLatency"] | null)[];
            /** @description From the request log, most frequent first. */
            errors: components["schemas"]["ErrorCount"][];
        };
        User: {
            /** @enum {string} */
            object: "user";
            user_id: string;
            email: string;
            name: string;
            /**
             * @description Each role includes the ones before it.
             * @enum {string}
             */
            role: "member" | "admin" | "owner";
            /** @description A disabled user is signed out everywhere and cannot sign in. */
            disabled: boolean;
            /** @description Signs in through the OpenID provider, and has no password here. */
            openid: boolean;
            /** @description Creation time, in seconds since 1970. */
            created: number;
            /** @description Last sign-in, in seconds since 1970; null if never. */
            last_sign_in: number | null;
            /** @description Expiry of a temporary password, in seconds since 1970; null without one. */
            password_expires: number | null;
        };
        UserCode: {
            /** @description Case-insensitive, with or without the dash. */
            user_code: string;
        };
        WhoAmI: {
            account_id: string;
            /**
             * @description Role of the credential: that of its user, or a lower one.
             * @enum {string}
             */
            role: "member" | "admin" | "owner";
            /** @description null for the token of the relay, which belongs to no user. */
            user: components["schemas"]["User"] | null;
            /** @description Whether the user can sign in with a password. False for the first owner until one is set, and for users of OpenID only. */
            has_password: boolean;
            credential: components["schemas"]["Credential"];
            service: components["schemas"]["Service"];
        };
    };
    responses: never;
    parameters: {
        /** @description Makes retries safe: within 24 hours, the same request of the same user with the same key gets the first response again and has no further effect. Use a random UUID. */
        IdempotencyKey: string;
    };
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export interface operations {
    signInMethods: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The available methods. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignInMethods"];
                };
            };
        };
    };
    signIn: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SignIn"];
            };
        };
        responses: {
            /** @description The signed-in user. The session is in the cookie. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WhoAmI"];
                };
            };
        };
    };
    signUp: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SignUp"];
            };
        };
        responses: {
            /** @description The signed-in user. The session is in the cookie. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WhoAmI"];
                };
            };
        };
    };
    createConsoleLink: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes retries safe: within 24 hours, the same request of the same user with the same key gets the first response again and has no further effect. Use a random UUID. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The link. It cannot be retrieved again. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConsoleLink"];
                };
            };
        };
    };
    signInByLink: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SignInLink"];
            };
        };
        responses: {
            /** @description The signed-in user. The session is in the cookie. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WhoAmI"];
                };
            };
        };
    };
    signOut: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes retries safe: within 24 hours, the same request of the same user with the same key gets the first response again and has no further effect. Use a random UUID. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The session or token has ended. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignedOut"];
                };
            };
        };
    };
    signOutEverywhere: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes retries safe: within 24 hours, the same request of the same user with the same key gets the first response again and has no further effect. Use a random UUID. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All sessions and tokens have ended. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignedOut"];
                };
            };
        };
    };
    changePassword: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes retries safe: within 24 hours, the same request of the same user with the same key gets the first response again and has no further effect. Use a random UUID. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChangePassword"];
            };
        };
        responses: {
            /** @description The password is changed. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WhoAmI"];
                };
            };
        };
    };
    setFirstPassword: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes retries safe: within 24 hours, the same request of the same user with the same key gets the first response again and has no further effect. Use a random UUID. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["FirstPassword"];
            };
        };
        responses: {
            /** @description The password is set, and the cookie is that of a new session. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WhoAmI"];
                };
            };
        };
    };
    listSessions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Browsers first, the most recently used one on top, then command lines. Always one page. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {string} */
                        object: "list";
                        data: components["schemas"]["Session"][];
                        /** @description Whether there are more items; request them with `cursor`. */
                        has_more: boolean;
                        /** @description null on the last page. */
                        next_cursor: string | null;
                    };
                };
            };
        };
    };
    endSession: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                sessionId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The session or token has ended. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EndedSession"];
                };
            };
        };
    };
    showAccount: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The account of the credential. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Account"];
                };
            };
        };
    };
    changeAccount: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChangeAccount"];
            };
        };
        responses: {
            /** @description The updated object. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Account"];
                };
            };
        };
    };
    whoAmI: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The account, the user and the credential. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WhoAmI"];
                };
            };
        };
    };
    resetPasswordLocally: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LocalReset"];
            };
        };
        responses: {
            /** @description The user whose password was set. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["User"];
                };
            };
        };
    };
    createOwnerLocally: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LocalReset"];
            };
        };
        responses: {
            /** @description The new owner. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["User"];
                };
            };
        };
    };
    startOpenId: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Redirect to the provider. */
            302: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    finishOpenId: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Redirect to the website with the cookie of a new session, or to the sign-in page when the sign-in is refused. */
            302: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    startDeviceLogin: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["StartDeviceLogin"];
            };
        };
        responses: {
            /** @description The codes. Show the user code, and poll for the token every `interval` seconds. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StartedDeviceLogin"];
                };
            };
        };
    };
    getDeviceLoginToken: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DeviceToken"];
            };
        };
        responses: {
            /** @description The CLI token. It cannot be retrieved again. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeviceLoginToken"];
                };
            };
        };
    };
    approveDeviceLogin: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes retries safe: within 24 hours, the same request of the same user with the same key gets the first response again and has no further effect. Use a random UUID. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ApproveDeviceLogin"];
            };
        };
        responses: {
            /** @description The approved request. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeviceLogin"];
                };
            };
        };
    };
    denyDeviceLogin: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes retries safe: within 24 hours, the same request of the same user with the same key gets the first response again and has no further effect. Use a random UUID. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UserCode"];
            };
        };
        responses: {
            /** @description The denied request. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeviceLogin"];
                };
            };
        };
    };
    showDeviceLogin: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Case-insensitive, with or without the dash. */
                userCode: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The pending request. Deny a request that is not yours. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeviceLogin"];
                };
            };
        };
    };
    showDevice: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Case-insensitive, with or without the dash. */
                userCode: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The pending request. Deny a request that is not yours. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Device"];
                };
            };
        };
    };
    approveDevice: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes retries safe: within 24 hours, the same request of the same user with the same key gets the first response again and has no further effect. Use a random UUID. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description Case-insensitive, with or without the dash. */
                userCode: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ApproveAnyDevice"];
            };
        };
        responses: {
            /** @description The approved request. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DecidedDevice"];
                };
            };
        };
    };
    denyDevice: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes retries safe: within 24 hours, the same request of the same user with the same key gets the first response again and has no further effect. Use a random UUID. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description Case-insensitive, with or without the dash. */
                userCode: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The denied request. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeniedDevice"];
                };
            };
        };
    };
    listCliTokens: {
        parameters: {
            query?: {
                /** @description Items per page, 1 to 200. */
                limit?: number;
                /** @description `next_cursor` of the previous page. Opaque. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Newest first. Revoked and expired tokens are omitted. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {string} */
                        object: "list";
                        data: components["schemas"]["CliToken"][];
                        /** @description Whether there are more items; request them with `cursor`. */
                        has_more: boolean;
                        /** @description null on the last page. */
                        next_cursor: string | null;
                    };
                };
            };
        };
    };
    revokeCliToken: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                cliTokenId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The revoked token. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CliToken"];
                };
            };
        };
    };
    listUsers: {
        parameters: {
            query?: {
                /** @description Items per page, 1 to 200. */
                limit?: number;
                /** @description `next_cursor` of the previous page. Opaque. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Oldest first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {string} */
                        object: "list";
                        data: components["schemas"]["User"][];
                        /** @description Whether there are more items; request them with `cursor`. */
                        has_more: boolean;
                        /** @description null on the last page. */
                        next_cursor: string | null;
                    };
                };
            };
        };
    };
    removeUser: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                userId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The removed user. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["User"];
                };
            };
        };
    };
    changeUser: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                userId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChangeUser"];
            };
        };
        responses: {
            /** @description The updated object. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["User"];
                };
            };
        };
    };
    eraseUser: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes retries safe: within 24 hours, the same request of the same user with the same key gets the first response again and has no further effect. Use a random UUID. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                userId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The pseudonym. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErasedUser"];
                };
            };
        };
    };
    resetPassword: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes retries safe: within 24 hours, the same request of the same user with the same key gets the first response again and has no further effect. Use a random UUID. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                userId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The user and the temporary password. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ResetUser"];
                };
            };
        };
    };
    listInvites: {
        parameters: {
            query?: {
                /** @description Items per page, 1 to 200. */
                limit?: number;
                /** @description `next_cursor` of the previous page. Opaque. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Oldest first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {string} */
                        object: "list";
                        data: components["schemas"]["Invite"][];
                        /** @description Whether there are more items; request them with `cursor`. */
                        has_more: boolean;
                        /** @description null on the last page. */
                        next_cursor: string | null;
                    };
                };
            };
        };
    };
    createInvite: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes retries safe: within 24 hours, the same request of the same user with the same key gets the first response again and has no further effect. Use a random UUID. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["CreateInvite"];
            };
        };
        responses: {
            /** @description The invite with its token. The token cannot be retrieved again. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedInvite"];
                };
            };
        };
    };
    showInvite: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ShowInvite"];
            };
        };
        responses: {
            /** @description The invite, without accepting it. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvitePreview"];
                };
            };
        };
    };
    acceptInvite: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AcceptInvite"];
            };
        };
        responses: {
            /** @description The signed-in user. The session is in the cookie. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WhoAmI"];
                };
            };
        };
    };
    revokeInvite: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                inviteId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The revoked invite. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Invite"];
                };
            };
        };
    };
    listKeys: {
        parameters: {
            query?: {
                /** @description Items per page, 1 to 200. */
                limit?: number;
                /** @description `next_cursor` of the previous page. Opaque. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Oldest first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {string} */
                        object: "list";
                        data: components["schemas"]["Key"][];
                        /** @description Whether there are more items; request them with `cursor`. */
                        has_more: boolean;
                        /** @description null on the last page. */
                        next_cursor: string | null;
                    };
                };
            };
        };
    };
    createKey: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes retries safe: within 24 hours, the same request of the same user with the same key gets the first response again and has no further effect. Use a random UUID. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateKey"];
            };
        };
        responses: {
            /** @description The key record with the key, which cannot be retrieved again. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NewKey"];
                };
            };
        };
    };
    revokeKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the key, or name of an active key. */
                idOrName: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The revoked key. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Key"];
                };
            };
        };
    };
    changeKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the key, or name of an active key. */
                idOrName: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChangeKey"];
            };
        };
        responses: {
            /** @description The updated object. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Key"];
                };
            };
        };
    };
    rollKey: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes retries safe: within 24 hours, the same request of the same user with the same key gets the first response again and has no further effect. Use a random UUID. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description Id of the key, or name of an active key. */
                idOrName: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RollKey"];
            };
        };
        responses: {
            /** @description The new key, which cannot be retrieved again, and the old one. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RolledKey"];
                };
            };
        };
    };
    listClusters: {
        parameters: {
            query?: {
                /** @description Items per page, 1 to 200. */
                limit?: number;
                /** @description `next_cursor` of the previous page. Opaque. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Oldest first. The first cluster is the default for new nodes. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {string} */
                        object: "list";
                        data: components["schemas"]["Cluster"][];
                        /** @description Whether there are more items; request them with `cursor`. */
                        has_more: boolean;
                        /** @description null on the last page. */
                        next_cursor: string | null;
                    };
                };
            };
        };
    };
    createCluster: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes retries safe: within 24 hours, the same request of the same user with the same key gets the first response again and has no further effect. Use a random UUID. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateCluster"];
            };
        };
        responses: {
            /** @description The new cluster. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Cluster"];
                };
            };
        };
    };
    deleteCluster: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                clusterId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The cluster is deleted. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    renameCluster: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                clusterId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateCluster"];
            };
        };
        responses: {
            /** @description The renamed cluster. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Cluster"];
                };
            };
        };
    };
    listJoinTokens: {
        parameters: {
            query?: {
                /** @description Items per page, 1 to 200. */
                limit?: number;
                /** @description `next_cursor` of the previous page. Opaque. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Oldest first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {string} */
                        object: "list";
                        data: components["schemas"]["OpenJoinToken"][];
                        /** @description Whether there are more items; request them with `cursor`. */
                        has_more: boolean;
                        /** @description null on the last page. */
                        next_cursor: string | null;
                    };
                };
            };
        };
    };
    createJoinToken: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes retries safe: within 24 hours, the same request of the same user with the same key gets the first response again and has no further effect. Use a random UUID. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["CreateJoinToken"];
            };
        };
        responses: {
            /** @description The token, which cannot be retrieved again, and commands that use it. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JoinToken"];
                };
            };
        };
    };
    revokeJoinToken: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                joinTokenId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The revoked token. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenJoinToken"];
                };
            };
        };
    };
    showNodeDevice: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The code that the computer shows. */
                userCode: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The pending enrolment. Approve only a computer in front of you. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NodeDevice"];
                };
            };
        };
    };
    approveNodeDevice: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes retries safe: within 24 hours, the same request of the same user with the same key gets the first response again and has no further effect. Use a random UUID. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The code that the computer shows. */
                userCode: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ApproveDevice"];
            };
        };
        responses: {
            /** @description The pending node. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApprovedNodeDevice"];
                };
            };
        };
    };
    listNodes: {
        parameters: {
            query?: {
                /** @description Items per page, 1 to 200. */
                limit?: number;
                /** @description `next_cursor` of the previous page. Opaque. */
                cursor?: string;
                /** @description `revoked`: the nodes that are revoked and not yet deleted. Default: all others. */
                status?: "revoked";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Oldest first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {string} */
                        object: "list";
                        data: components["schemas"]["Node"][];
                        /** @description Whether there are more items; request them with `cursor`. */
                        has_more: boolean;
                        /** @description null on the last page. */
                        next_cursor: string | null;
                    };
                };
            };
        };
    };
    getNode: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                nodeId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The node. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Node"];
                };
            };
        };
    };
    removeNode: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                nodeId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A revoked node is disconnected and cannot connect again. Deleting removes its record. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RemovedNode"];
                };
            };
        };
    };
    changeNode: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                nodeId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateNode"];
            };
        };
        responses: {
            /** @description The updated object. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Node"];
                };
            };
        };
    };
    pauseNode: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes retries safe: within 24 hours, the same request of the same user with the same key gets the first response again and has no further effect. Use a random UUID. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                nodeId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The node. It gets no new requests; running ones continue. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Node"];
                };
            };
        };
    };
    resumeNode: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes retries safe: within 24 hours, the same request of the same user with the same key gets the first response again and has no further effect. Use a random UUID. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                nodeId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The node. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Node"];
                };
            };
        };
    };
    confirmNode: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes retries safe: within 24 hours, the same request of the same user with the same key gets the first response again and has no further effect. Use a random UUID. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                nodeId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ConfirmNode"];
            };
        };
        responses: {
            /** @description The active node. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Node"];
                };
            };
        };
    };
    watchOperations: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Server-sent events. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
        };
    };
    watchOperation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Server-sent events. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
        };
    };
    listOperations: {
        parameters: {
            query?: {
                /** @description Items per page, 1 to 200. */
                limit?: number;
                /** @description `next_cursor` of the previous page. Opaque. */
                cursor?: string;
                /** @description Comma-separated list of `queued`, `running`, `succeeded`, `failed`, `cancelled`. */
                state?: string;
                /** @description Only operations of this node. */
                node_id?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Newest first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {string} */
                        object: "list";
                        data: components["schemas"]["Operation"][];
                        /** @description Whether there are more items; request them with `cursor`. */
                        has_more: boolean;
                        /** @description null on the last page. */
                        next_cursor: string | null;
                    };
                };
            };
        };
    };
    createOperation: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes retries safe: within 24 hours, the same request of the same user with the same key gets the first response again and has no further effect. Use a random UUID. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateOperation"];
            };
        };
        responses: {
            /** @description The operation. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Operation"];
                };
            };
        };
    };
    getOperation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The operation. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Operation"];
                };
            };
        };
    };
    cancelOperation: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes retries safe: within 24 hours, the same request of the same user with the same key gets the first response again and has no further effect. Use a random UUID. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The operation. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Operation"];
                };
            };
        };
    };
    listModels: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The models of all online nodes. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ModelList"];
                };
            };
        };
    };
    searchCatalog: {
        parameters: {
            query: {
                /** @description `hf`: Hugging Face, or the configured mirror. */
                source: "hf";
                /** @description Words of the name, 1 to 200 characters. */
                q: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Repositories with GGUF files. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CatalogList"];
                };
            };
        };
    };
    getCatalogRepository: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                owner: string;
                repository: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The repository. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CatalogRepository"];
                };
            };
        };
    };
    chat: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    model: string;
                    messages: Record<string, never>[];
                    stream?: boolean;
                } & {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            /** @description A chat completion, or its chunks as server-sent events. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
        };
    };
    listAudit: {
        parameters: {
            query?: {
                /** @description Items per page, 1 to 200. */
                limit?: number;
                /** @description `next_cursor` of the previous page. Opaque. */
                cursor?: string;
                /** @description Id of a user or credential. */
                actor?: string;
                /** @description A complete action, such as `key.create`, or the part before the dot: `key`. */
                action?: string;
                /** @description Id or kind of the changed object. */
                object?: string;
                /** @description Earliest time, inclusive. */
                since?: string;
                /** @description Latest time, exclusive. */
                until?: string;
                /** @description `csv` and `ndjson` export all matching events without pages. Default: `json`. */
                format?: "json" | "csv" | "ndjson";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Newest first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {string} */
                        object: "list";
                        data: components["schemas"]["AuditEvent"][];
                        /** @description Whether there are more items; request them with `cursor`. */
                        has_more: boolean;
                        /** @description null on the last page. */
                        next_cursor: string | null;
                    };
                    "application/x-ndjson": string;
                    "text/csv": string;
                };
            };
        };
    };
    getUsage: {
        parameters: {
            query?: {
                /** @description `7d`, `24h` or a time in ISO 8601; rounded down to the hour. Default: 7 days ago. */
                since?: string;
                /** @description Like `since`, exclusive. Default: now. */
                until?: string;
                /** @description Grouping. Default: `model`. */
                by?: "model" | "node" | "key" | "cluster" | "dialect" | "hour";
                /** @description Only requests served by this cluster. Default: all clusters. */
                cluster_id?: string;
                /** @description `csv` can also be selected with the header `Accept: text/csv`. */
                format?: "json" | "csv";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One row per group, and the total. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Usage"];
                    "text/csv": string;
                };
            };
        };
    };
    listUsageRequests: {
        parameters: {
            query?: {
                /** @description Items per page, 1 to 200. */
                limit?: number;
                /** @description `next_cursor` of the previous page. Opaque. */
                cursor?: string;
                /** @description Earliest start, inclusive: `7d`, `24h` or a time in ISO 8601. */
                since?: string;
                /** @description Latest start, exclusive: `7d`, `24h` or a time in ISO 8601. */
                until?: string;
                /** @description Id of a key, or of a user for requests from the website. */
                key_id?: string;
                node_id?: string;
                cluster_id?: string;
                /** @description Selector of the model, which is stable unlike its names. */
                model?: string;
                dialect?: "chat" | "completions" | "responses" | "messages";
                outcome?: "completed" | "failed" | "cancelled" | "timed_out" | "rejected";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Newest first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {string} */
                        object: "list";
                        data: components["schemas"]["LoggedRequest"][];
                        /** @description Whether there are more items; request them with `cursor`. */
                        has_more: boolean;
                        /** @description null on the last page. */
                        next_cursor: string | null;
                    };
                };
            };
        };
    };
    getUsageRequest: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Value of the header `x-request-id` of the response. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Metadata of the request. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LoggedRequest"];
                };
            };
        };
    };
    getUsageSeries: {
        parameters: {
            query?: {
                /** @description `7d`, `24h` or a time in ISO 8601; rounded down to the start of its bucket. Default: 7 days ago. */
                since?: string;
                /** @description Like `since`, exclusive. Default: now. */
                until?: string;
                /** @description Grouping. Default: `model`. */
                by?: "model" | "key" | "node" | "none";
                /** @description Default: `day`. */
                bucket?: "hour" | "day";
                /** @description Time zone of the days, as a name of the IANA database. Default: `UTC`. Usage is stored by hours of UTC. */
                time_zone?: string;
                /** @description Only requests of this key, or of this user on the website. */
                key_id?: string;
                /** @description Only requests served by this node. */
                node_id?: string;
                /** @description Only requests served by this cluster. */
                cluster_id?: string;
                /** @description Only requests for the model with this selector. */
                model?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One value per bucket. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UsageSeries"];
                };
            };
        };
    };
    listRequests: {
        parameters: {
            query?: {
                /** @description Items per page, 1 to 200. */
                limit?: number;
                /** @description `next_cursor` of the previous page. Opaque. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Newest first, limited to those in the memory of the relay. Of several replicas, those that do not answer in time are missing. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {string} */
                        object: "list";
                        data: components["schemas"]["RequestSummary"][];
                        /** @description Whether there are more items; request them with `cursor`. */
                        has_more: boolean;
                        /** @description null on the last page. */
                        next_cursor: string | null;
                    };
                };
            };
        };
    };
    listRunningRequests: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Longest running first. Always one page. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {string} */
                        object: "list";
                        data: components["schemas"]["RunningRequest"][];
                        /** @description Whether there are more items; request them with `cursor`. */
                        has_more: boolean;
                        /** @description null on the last page. */
                        next_cursor: string | null;
                    };
                };
            };
        };
    };
    cancelRequest: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes retries safe: within 24 hours, the same request of the same user with the same key gets the first response again and has no further effect. Use a random UUID. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description Value of the header `x-request-id` of the response. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The request at the time it was stopped. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunningRequest"];
                };
            };
        };
    };
    explainRequest: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Value of the header `x-request-id` of the response. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All decisions with their candidates. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ExplainedRequest"];
                };
            };
        };
    };
    getOverview: {
        parameters: {
            query?: {
                /** @description Time zone of today, as a name of the IANA database. Default: `UTC`. */
                time_zone?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The overview. Figures lag by a few seconds. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Overview"];
                };
            };
        };
    };
    watchChanges: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Server-sent events. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
        };
    };
    checkStream: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Server-sent events. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
        };
    };
    describe: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OpenAPI 3.1 document with the name and address of this relay. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, never>;
                };
            };
        };
    };
}

/** Bodies of `/api` by the names of the document. */
export type Schemas = components['schemas'];
