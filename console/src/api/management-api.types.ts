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
        get?: never;
        put?: never;
        post: operations["createJoinToken"];
        delete?: never;
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
            /** @description 10 to 128 characters, any. */
            password: string;
            /** @description Default: the e-mail address. */
            name?: string | null;
            /** @description What stands behind the `#` of the link. */
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
            /** @description Active ones. */
            keys: components["schemas"]["AccountUse"];
            /** @description Invites that can still be accepted. */
            open_invites: number;
            retention: components["schemas"]["AccountRetention"];
        };
        AccountRetention: {
            /** @description Of the request log, which holds no prompts. */
            request_log_days: number;
            /** @description Of the hourly usage. */
            usage_days: number;
            /** @description Of the audit trail. */
            audit_days: number;
        };
        AccountUse: {
            /** @description How many there are. */
            count: number;
            /** @description How many there may be. */
            limit: number;
        };
        ApproveAnyDevice: {
            /** @description The cluster that the node will belong to. Default, and null: `home`. */
            cluster_id?: string | null;
            /** @description Default, and null: what the computer calls itself. */
            name?: string | null;
            /** @description Of a node: the words, once somebody has compared them with those on its own screen. It is let in at once then; without them it waits for `POST /api/nodes/{nodeId}/confirm`. */
            fingerprint?: string | null;
        };
        ApproveDevice: {
            /** @description The cluster that the node will belong to. Default, and null: `home`. */
            cluster_id?: string | null;
            /** @description Default, and null: what the computer calls itself. */
            name?: string | null;
        };
        ApproveDeviceLogin: {
            /** @description With or without the dash, in any case. */
            user_code: string;
            /**
             * @description Of the new token, not above your own. Default: your own.
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
             * @description `pending`, `active` or `revoked`: whether the node may connect, not whether it has.
             * @enum {string}
             */
            status: "pending" | "active" | "revoked";
            online: boolean;
            /** @description By its owner: it stays connected and gets no requests. */
            paused: boolean;
            /** @description False while it is offline, paused, draining or congested. */
            accepts_work: boolean;
            /**
             * @description Of the node and its models, whichever is worst. As requests show it: what is suspect gets none while anything better could serve them, what is probing one at a time.
             * @enum {string}
             */
            health: "healthy" | "suspect" | "probing";
            /**
             * @description Why it is not healthy: `failures`, `unconfirmed_stop` or `stalled`; null when it is.
             * @enum {string|null}
             */
            health_reason: "failures" | "unconfirmed_stop" | "stalled" | null;
            /** @description What stands in its way, for people. */
            problem: string | null;
            /** @description Since when its engines have not served, as far as the relay knows. Seconds since 1970. */
            problem_since: number | null;
            /** @description The words that the screen of the computer shows for its key. */
            fingerprint: string;
            /** @description null: never. Seconds since 1970. */
            last_seen: number | null;
            /** @description When it was enrolled. Seconds since 1970. */
            created: number;
            /** @description System and processor. */
            platform: string;
            agent_version: string;
            round_trip_ms: number | null;
            /** @description Of the computer. null: it is offline, or its agent does not report it. */
            memory: components["schemas"]["NodeMemory"] | null;
            /** @description Graphics processors whose memory is known. */
            gpus: components["schemas"]["NodeGpu"][];
            engines: components["schemas"]["NodeEngine"][];
            models: components["schemas"]["NodeModel"][];
            device: components["schemas"]["NodeDevice"];
        };
        Attempt: {
            node_id: string;
            node_name: string;
            /** @description `running`, `refused`, `lost`, `overtaken` (the other of two was first), `stopped`, or the outcome. */
            result: string;
            reason: string | null;
            /** @description Asked while another node had the request, too, because that one was late. */
            hedge: boolean;
            /**
             * Format: date-time
             * @description When it was asked.
             */
            at: string;
        };
        Attention: {
            /** @enum {string} */
            code: "no_node_online" | "node_waits_for_confirmation" | "node_problem" | "engine_problem" | "node_suspect" | "key_expires";
            /** @description For people. */
            message: string;
            /**
             * @description Where to mend it.
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
            /** @description What was changed. */
            target: components["schemas"]["AuditTarget"];
            /** @description What is worth knowing beside; no secrets. */
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
            /** @description Predicted time to completion; null: not computed. */
            cost_ms: number | null;
            /** @description The parts of the cost. */
            parts: components["schemas"]["CostParts"] | null;
        };
        CandidateSlots: {
            used: number;
            /** @description As reported, or fewer if the engine was observed to run fewer at once. */
            usable: number;
            /** @description As reported by the node. */
            advertised: number;
        };
        CatalogFile: {
            /** @description In the repository. */
            path: string;
            /** @description For `source` of an install; null: nodes do not install it, because it is one part of several. */
            source: string | null;
            /** @description As the name tells it. */
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
            /** @description Its owner admits people one by one: the node needs a token (`HF_TOKEN`). */
            gated: boolean;
            /** @description Seconds since 1970. */
            updated: number | null;
        };
        CatalogRepository: {
            /** @enum {string} */
            object: "catalog_repository";
            id: string;
            /** @description Its owner admits people one by one: the node needs a token (`HF_TOKEN`). */
            gated: boolean;
            /** @description Tokens. */
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
            /** @description null takes it away. */
            description?: string | null;
            /** @description A limit that is null is taken away. */
            limits?: components["schemas"]["KeyLimitsChange"] | null;
        };
        ChangePassword: {
            current_password: string;
            /** @description 10 to 128 characters, any. */
            new_password: string;
        };
        ChangeUser: {
            /**
             * @description Each can do what those before it can, and more.
             * @enum {string|null}
             */
            role?: "member" | "admin" | "owner" | null;
            /** @description Somebody who is disabled is signed out everywhere and cannot sign in. */
            disabled?: boolean | null;
            name?: string | null;
        };
        Checklist: {
            has_node: boolean;
            has_loaded_model: boolean;
            has_key: boolean;
            has_request: boolean;
        };
        Cluster: {
            /** @enum {string} */
            object: "cluster";
            /** @description For `X-Cluster-ID`. */
            cluster_id: string;
            name: string;
            /** @description Enrolled, online or not. */
            nodes: number;
            online: number;
            /** @description Display names of the models that are resident and ready on an online node, in alphabetical order. */
            loaded: string[];
            /** @description How many models its online nodes have, loaded or not. */
            models: number;
            /** @description When it was made. Seconds since 1970. */
            created: number;
        };
        ClusterAvailability: {
            cluster_id: string;
            loaded: boolean;
        };
        ConfirmNode: {
            /** @description The words on the screen of the node itself. */
            fingerprint: string;
        };
        ConsoleLink: {
            /** @enum {string} */
            object: "console_link";
            /** @description Signs the owner in, once. */
            url: string;
            /** @description Until when it can be used. Seconds since 1970. */
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
            /** @description Unique in the account; 1 to 64 visible characters. */
            name: string;
        };
        CreateInvite: {
            /**
             * @description Of whoever accepts it; not above your own. Default: member.
             * @enum {string|null}
             */
            role?: "member" | "admin" | "owner" | null;
        };
        CreateJoinToken: {
            /** @description The cluster that the new node will belong to. Default, and null: `home`. */
            cluster_id?: string | null;
        };
        CreateKey: {
            /** @description What the key is for. Unique among the active keys of the account. */
            name: string;
            /** @description For people. Default: none. */
            description?: string | null;
            /** @description Default: `inference`, which implies `models:read`. */
            scopes?: ("inference" | "models:read")[] | null;
            /** @description The only clusters that the key may reach. Default: all of the account, also those that come later. */
            cluster_ids?: string[] | null;
            /** @description Seconds from now. Default: the key does not expire. */
            expires_in_seconds?: number | null;
            /** @description Default: none beside those of the account. */
            limits?: components["schemas"]["KeyLimitsChange"] | null;
        };
        CreateOperation: {
            /** @enum {string} */
            kind: "install" | "load" | "unload" | "remove";
            /** @description Default: the one node that is possible. */
            node_id?: string | null;
            /** @description Public id, selector, or a node's own key of the model. Not for an install. */
            model?: string | null;
            /** @description Of an install, in the engine's own terms: `qwen3:8b`, `hf:owner/repo/file.gguf`, an https URL without credentials. */
            source?: string | null;
            /** @description Of an install: load the model afterwards. The node does both, whoever waits for it. Default: false. */
            load?: boolean | null;
            /** @description Name of the engine on its node, where several are possible. */
            engine?: string | null;
            /** @description Of a load. Default: as the engine decides. */
            context_tokens?: number | null;
        };
        CreatedInvite: {
            /** @enum {string} */
            object: "invite";
            invite_id: string;
            /**
             * @description Each can do what those before it can, and more.
             * @enum {string}
             */
            role: "member" | "admin" | "owner";
            /** @description The id of whoever made it; null: the token of the account. */
            created_by: string | null;
            /** @description When it was made. Seconds since 1970. */
            created: number;
            /** @description Until when it can be accepted. Seconds since 1970. */
            expires: number;
            /** @description The token itself, this once. */
            invite_token: string;
            /** @description To be handed over: the page on which the invite is accepted. */
            link: string | null;
            /** @description The same without a browser: accepts the invite, with the e-mail address and password of the person filled in. */
            accept_command: string;
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
             * @description A command line, or a computer that wants to become a node.
             * @enum {string}
             */
            type: "login" | "node";
            user_code: string;
            /** @description What it calls itself. */
            name: string;
            /** @description Where it asked from. */
            ip: string | null;
            /** @description Of a node. */
            platform: string | null;
            /** @description Of a node. */
            agent_version: string | null;
            /** @description Of a node: to be compared with its own screen. */
            fingerprint: string | null;
            /** @description The same, word by word. */
            fingerprint_words: string[] | null;
            /**
             * @description Who may approve or deny it, at least.
             * @enum {string}
             */
            role_needed: "member" | "admin" | "owner";
            /** @description Until when it can be approved. Seconds since 1970. */
            expires: number;
            /** @enum {string} */
            state: "approved";
            /** @description What a computer became; null: a command line. */
            node: components["schemas"]["Node"] | null;
        };
        Decision: {
            /**
             * Format: date-time
             * @description When.
             */
            at: string;
            candidates: components["schemas"]["Candidate"][];
            /** @description A node. */
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
             * @description A command line, or a computer that wants to become a node.
             * @enum {string}
             */
            type: "login" | "node";
            user_code: string;
            /** @description What it calls itself. */
            name: string;
            /** @description Where it asked from. */
            ip: string | null;
            /** @description Of a node. */
            platform: string | null;
            /** @description Of a node. */
            agent_version: string | null;
            /** @description Of a node: to be compared with its own screen. */
            fingerprint: string | null;
            /** @description The same, word by word. */
            fingerprint_words: string[] | null;
            /**
             * @description Who may approve or deny it, at least.
             * @enum {string}
             */
            role_needed: "member" | "admin" | "owner";
            /** @description Until when it can be approved. Seconds since 1970. */
            expires: number;
        };
        DeviceLogin: {
            /** @enum {string} */
            object: "device_login";
            user_code: string;
            /** @enum {string} */
            state: "pending" | "approved" | "denied";
            /** @description What the command line calls itself, and where it asked from: not yours? Then deny it. */
            client_name: string;
            /** @description Where it asked from. */
            client_address: string | null;
            /** @description When it began. Seconds since 1970. */
            created: number;
            /** @description Until when it can be approved. Seconds since 1970. */
            expires: number;
        };
        DeviceLoginToken: {
            /** @description The token itself, this once. */
            cli_token: string;
            account_id: string;
            user: components["schemas"]["User"] | null;
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
        ErrorCount: {
            code: string;
            count: number;
        };
        ExplainedRequest: {
            /** @description As `x-request-id` said it. */
            id: string;
            /** @enum {string} */
            object: "request";
            model: string;
            dialect: string;
            /**
             * Format: date-time
             * @description When a node was chosen first.
             */
            decided_at: string;
            /** @description null: it is still under way. */
            outcome: string | null;
            queue: components["schemas"]["RequestQueue"];
            attempts: components["schemas"]["Attempt"][];
            /** @description The prompt may have been run twice: after the first run was lost, or by hedging. */
            retried: boolean;
            /** @description A second node was asked while the first was late. */
            hedged: boolean;
            decisions: components["schemas"]["Decision"][];
        };
        FirstPassword: {
            /** @description 10 to 128 characters, any. */
            password: string;
            /**
             * Format: email
             * @description To sign in with. Default: as it is.
             */
            email?: string | null;
            /** @description Default: as it is. */
            name?: string | null;
        };
        Invite: {
            /** @enum {string} */
            object: "invite";
            invite_id: string;
            /**
             * @description Each can do what those before it can, and more.
             * @enum {string}
             */
            role: "member" | "admin" | "owner";
            /** @description The id of whoever made it; null: the token of the account. */
            created_by: string | null;
            /** @description When it was made. Seconds since 1970. */
            created: number;
            /** @description Until when it can be accepted. Seconds since 1970. */
            expires: number;
        };
        InvitePreview: {
            /** @enum {string} */
            object: "invite_preview";
            /** @description The account that one would join. */
            account_name: string;
            /**
             * @description Each can do what those before it can, and more.
             * @enum {string}
             */
            role: "member" | "admin" | "owner";
            /** @description The name of whoever made it; null: the token of the account, or somebody who is gone. */
            inviter: string | null;
            /** @description Until when it can be accepted. Seconds since 1970. */
            expires: number;
        };
        JoinCommands: {
            /** @description Linux and macOS, with nothing but Node.js. */
            unix: string;
            /** @description Windows, in PowerShell, with nothing but Node.js. */
            windows: string;
            /** @description Where Ferry is installed. */
            ferry: string;
        };
        JoinToken: {
            /** @description The token itself, this once. */
            join_token: string;
            /** @description Until when it can be used. Seconds since 1970. */
            expires_at: number;
            cluster_id: string;
            /** @description To be run on the computer that shall become a node, where Ferry is installed. */
            command: string;
            /** @description The same for a computer that has nothing but Node.js: on Linux and macOS, and in PowerShell on Windows. */
            install_command: string;
            /** @description In PowerShell on Windows. */
            install_command_windows: string;
            /** @description The same, each followed by the start of the node. */
            commands: components["schemas"]["JoinCommands"];
            /**
             * @description `loopback`: the address in the commands works on the computer of the relay only.
             * @enum {string}
             */
            reachable: "loopback" | "network";
            /** @description What to know before the commands are run on another computer, and how to change it. */
            warning: string | null;
        };
        Key: {
            /** @enum {string} */
            object: "api_key";
            /** @description Also the first characters of the key behind `sk-ferry-`. */
            key_id: string;
            name: string;
            /** @description For people; null: none. */
            description: string | null;
            /** @description The last characters of the key, to distinguish keys. */
            last4: string;
            scopes: ("inference" | "models:read")[];
            /** @description The only clusters that the key reaches; null: all of the account. */
            cluster_ids: string[] | null;
            /** @description null: no limit of its own. */
            limits: components["schemas"]["KeyLimits"];
            /** @description The user whose key it is; null: the account's. */
            created_by: string | null;
            /** @description When it was made. Seconds since 1970. */
            created: number;
            /** @description null: never. Seconds since 1970. */
            expires: number | null;
            /** @description To the minute; null: not yet. Seconds since 1970. */
            last_used: number | null;
            /** @description null: it works. Seconds since 1970. */
            revoked: number | null;
        };
        KeyLimits: {
            requests_per_minute: number | null;
            /** @description Input and output together. */
            tokens_per_minute: number | null;
            /** @description Requests that run at once. */
            concurrency: number | null;
        };
        KeyLimitsChange: {
            requests_per_minute?: number | null;
            /** @description Input and output together. */
            tokens_per_minute?: number | null;
            /** @description Requests that run at once. */
            concurrency?: number | null;
        };
        LocalReset: {
            email: string;
            /** @description argon2id, as a PHC string. */
            password_hash: string;
            /** @description How long the password is good. Default: until it is changed. */
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
             * @description When it came.
             */
            started_at: string;
            key_id: string;
            /** @description null: it has no name any more. */
            key_name: string | null;
            node_id: string | null;
            /** @description null: it has no name any more. */
            node_name: string | null;
            cluster_id: string | null;
            /** @description null: it has no name any more. */
            cluster_name: string | null;
            /** @description Selector. */
            model: string | null;
            model_name: string | null;
            dialect: string;
            stream: boolean;
            outcome: string;
            /** @description Of the error. */
            code: string | null;
            attempts: number;
            /** @description The prompt may have been run twice: after the first run was lost, or by hedging. */
            retried: boolean;
            input_tokens: number;
            /** @description Of the input. */
            cached_tokens: number;
            output_tokens: number;
            /** @description Of the output. */
            reasoning_tokens: number;
            /**
             * @description Who counted the tokens.
             * @enum {string|null}
             */
            source: "engine" | "counted" | "estimated" | null;
            queue_ms: number;
            /** @description Until the first token. */
            ttft_ms: number | null;
            duration_ms: number;
        };
        Model: {
            /** @description What requests may call it. */
            id: string;
            /** @description Stable, whatever it is called. */
            selector: string;
            display_name: string;
            canonical_name: string;
            /** @enum {string} */
            object: "model";
            /** @description When it was first seen. Seconds since 1970. */
            created: number;
            owned_by: string;
            /** @description Ready on an online node. */
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
            /** @description Also the first characters of the key behind `sk-ferry-`. */
            key_id: string;
            name: string;
            /** @description For people; null: none. */
            description: string | null;
            /** @description The last characters of the key, to distinguish keys. */
            last4: string;
            scopes: ("inference" | "models:read")[];
            /** @description The only clusters that the key reaches; null: all of the account. */
            cluster_ids: string[] | null;
            /** @description null: no limit of its own. */
            limits: components["schemas"]["KeyLimits"];
            /** @description The user whose key it is; null: the account's. */
            created_by: string | null;
            /** @description When it was made. Seconds since 1970. */
            created: number;
            /** @description null: never. Seconds since 1970. */
            expires: number | null;
            /** @description To the minute; null: not yet. Seconds since 1970. */
            last_used: number | null;
            /** @description null: it works. Seconds since 1970. */
            revoked: number | null;
            /** @description The key itself, shown this once. */
            key: string;
            /** @description For people, about what they asked for; usually none. */
            warnings: string[];
        };
        Node: {
            /** @enum {string} */
            object: "node";
            node_id: string;
            name: string;
            cluster_id: string;
            /**
             * @description `pending`, `active` or `revoked`: whether the node may connect, not whether it has.
             * @enum {string}
             */
            status: "pending" | "active" | "revoked";
            online: boolean;
            /** @description By its owner: it stays connected and gets no requests. */
            paused: boolean;
            /** @description False while it is offline, paused, draining or congested. */
            accepts_work: boolean;
            /**
             * @description Of the node and its models, whichever is worst. As requests show it: what is suspect gets none while anything better could serve them, what is probing one at a time.
             * @enum {string}
             */
            health: "healthy" | "suspect" | "probing";
            /**
             * @description Why it is not healthy: `failures`, `unconfirmed_stop` or `stalled`; null when it is.
             * @enum {string|null}
             */
            health_reason: "failures" | "unconfirmed_stop" | "stalled" | null;
            /** @description What stands in its way, for people. */
            problem: string | null;
            /** @description Since when its engines have not served, as far as the relay knows. Seconds since 1970. */
            problem_since: number | null;
            /** @description The words that the screen of the computer shows for its key. */
            fingerprint: string;
            /** @description null: never. Seconds since 1970. */
            last_seen: number | null;
            /** @description When it was enrolled. Seconds since 1970. */
            created: number;
            /** @description System and processor. */
            platform: string;
            agent_version: string;
            round_trip_ms: number | null;
            /** @description Of the computer. null: it is offline, or its agent does not report it. */
            memory: components["schemas"]["NodeMemory"] | null;
            /** @description Graphics processors whose memory is known. */
            gpus: components["schemas"]["NodeGpu"][];
            engines: components["schemas"]["NodeEngine"][];
            models: components["schemas"]["NodeModel"][];
        };
        NodeDevice: {
            /** @enum {string} */
            object: "node_device";
            user_code: string;
            name: string;
            platform: string;
            agent_version: string;
            /** @description Where it asked from. */
            ip: string;
            /** @description To be compared with its own screen. */
            fingerprint: string;
            /** @description Until when it can be approved. Seconds since 1970. */
            expires: number;
            /** @description For people. */
            warning: string;
        };
        NodeEngine: {
            name: string;
            kind: string;
            version: string | null;
            /** @description Requests it can work on at once. */
            slots_total: number | null;
            slots_used: number | null;
            queue_depth: number | null;
            /** @description What keeps it from serving, for people. */
            problem: string | null;
            /** @description Since when the relay has known of the problem. Seconds since 1970. */
            problem_since: number | null;
        };
        NodeGpu: {
            name: string;
            total_bytes: number;
            /** @description null: its driver does not say. */
            free_bytes: number | null;
            /** @description It computes in the memory of the computer, as on Apple silicon. */
            unified: boolean;
        };
        NodeMemory: {
            total_bytes: number;
            /** @description What a new process could take. */
            free_bytes: number;
        };
        NodeModel: {
            /** @description What its engine calls it; operations take it. */
            key: string;
            /** @description Stable name of the model for `/v1`. */
            selector: string;
            display_name: string;
            engine: string;
            /** @description `loaded` is ready; `installed` is not. */
            state: string;
            /** @description Why it cannot be loaded now: `engine_unreachable`, its engine does not answer. */
            reason: string | null;
            quantization: string | null;
            size_bytes: number | null;
            /** @description Tokens. */
            context_length: number | null;
            /** @description What a request may contain. */
            inputs: ("text" | "image" | "audio" | "video" | "file")[];
            /** @description Calls tools. null: its engine does not say. */
            tools: boolean | null;
            /** @description Thinks before it answers. null: its engine does not say. */
            reasoning: boolean | null;
            /** @description Makes embeddings and no text. */
            embedding: boolean;
            /**
             * @description Of this model on this node. As requests show it: what is suspect gets none while anything better could serve them, what is probing one at a time.
             * @enum {string}
             */
            health: "healthy" | "suspect" | "probing";
            /**
             * @description null: it is healthy.
             * @enum {string|null}
             */
            health_reason: "failures" | "unconfirmed_stop" | "stalled" | null;
        };
        OidcMethod: {
            /** @description Whether a provider is set up: then `/api/oidc/start` leads to it. */
            enabled: boolean;
            /** @description The host of the provider. */
            name: string | null;
        };
        Operation: {
            /** @enum {string} */
            object: "operation";
            id: string;
            /** @enum {string} */
            kind: "install" | "load" | "unload" | "remove";
            node_id: string;
            node_name: string;
            /** @description False: the state is the last that the node told; it goes on, and tells more when it is back. */
            node_online: boolean;
            engine: string | null;
            /** @description What the inventory calls the model; of an install, once it has succeeded. */
            model: string | null;
            /** @description What the node calls it. */
            model_key: string | null;
            /** @description Of an install. */
            source: string | null;
            /** @description Of an install: whether the model is loaded afterwards, as part of it. */
            load: boolean;
            context_tokens: number | null;
            /**
             * @description `queued`, `running`, `succeeded`, `failed` or `cancelled`.
             * @enum {string}
             */
            state: "queued" | "running" | "succeeded" | "failed" | "cancelled";
            /** @description In the words of the engine, such as `downloading`. */
            phase: string | null;
            completed_bytes: number | null;
            total_bytes: number | null;
            bytes_per_second: number | null;
            failure: components["schemas"]["OperationFailure"] | null;
            cancel_requested: boolean;
            /** @description Id of the credential that asked for it. */
            created_by: string | null;
            /**
             * Format: date-time
             * @description When it was asked for.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it last changed.
             */
            updated_at: string;
            /**
             * Format: date-time
             * @description null while it is not over.
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
            /** @description Failed, timed out or rejected. */
            failed: number[];
            /** @description How many there are. */
            groups: number;
        };
        Overview: {
            /** @enum {string} */
            object: "overview";
            today: components["schemas"]["OverviewFigures"];
            /** @description Until the same time of the day. */
            yesterday: components["schemas"]["OverviewFigures"];
            nodes: components["schemas"]["OverviewNodes"];
            /** @description Models that are loaded on at least one node. */
            models_loaded: number;
            /** @description Worst first. */
            attention: components["schemas"]["Attention"][];
            checklist: components["schemas"]["Checklist"];
        };
        OverviewFigures: {
            /**
             * Format: date-time
             * @description The beginning of the day.
             */
            since: string;
            /** Format: date-time */
            until: string;
            requests: number;
            input_tokens: number;
            output_tokens: number;
            /** @description Failed, timed out or rejected. */
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
            /** @description Names the kind of problem. */
            type: string;
            /** @description The kind of problem for people. */
            title: string;
            /** @description The status of the answer. */
            status: number;
            /** @description What went wrong here. */
            detail: string;
            /** @description The kind of problem for programs; the last part of `type`. */
            code: string;
            /** @description The field, parameter or header at fault. */
            param: string | null;
            /** @description The same as the header `x-request-id`. */
            request_id: string;
        };
        RemovedNode: {
            /** @enum {string} */
            object: "node";
            node_id: string;
            /**
             * @description `revoked` is remembered and can be deleted; `deleted` is gone.
             * @enum {string}
             */
            status: "revoked" | "deleted";
        };
        RequestQueue: {
            waited_ms: number;
            position: number | null;
        };
        RequestSummary: {
            /** @description As `x-request-id` said it. */
            id: string;
            /** @enum {string} */
            object: "request";
            model: string;
            dialect: string;
            /**
             * Format: date-time
             * @description When a node was chosen first.
             */
            decided_at: string;
            /** @description null: it is still under way. */
            outcome: string | null;
            queue: components["schemas"]["RequestQueue"];
            attempts: components["schemas"]["Attempt"][];
            /** @description The prompt may have been run twice: after the first run was lost, or by hedging. */
            retried: boolean;
            /** @description A second node was asked while the first was late. */
            hedged: boolean;
        };
        ResetUser: {
            /** @enum {string} */
            object: "user";
            user_id: string;
            email: string;
            name: string;
            /**
             * @description Each can do what those before it can, and more.
             * @enum {string}
             */
            role: "member" | "admin" | "owner";
            /** @description Signed out everywhere and cannot sign in. */
            disabled: boolean;
            /** @description When the person joined. Seconds since 1970. */
            created: number;
            /** @description null: never. Seconds since 1970. */
            last_sign_in: number | null;
            /** @description Until when a password that was made for this person is good; null: it is their own, or they have none. Seconds since 1970. */
            password_expires: number | null;
            /** @description To be handed over once. */
            temporary_password: string;
        };
        RollKey: {
            /**
             * @description How long the old key works on.
             * @enum {string}
             */
            overlap: "0" | "1h" | "24h" | "7d";
        };
        RolledKey: {
            /** @enum {string} */
            object: "api_key";
            /** @description Also the first characters of the key behind `sk-ferry-`. */
            key_id: string;
            name: string;
            /** @description For people; null: none. */
            description: string | null;
            /** @description The last characters of the key, to distinguish keys. */
            last4: string;
            scopes: ("inference" | "models:read")[];
            /** @description The only clusters that the key reaches; null: all of the account. */
            cluster_ids: string[] | null;
            /** @description null: no limit of its own. */
            limits: components["schemas"]["KeyLimits"];
            /** @description The user whose key it is; null: the account's. */
            created_by: string | null;
            /** @description When it was made. Seconds since 1970. */
            created: number;
            /** @description null: never. Seconds since 1970. */
            expires: number | null;
            /** @description To the minute; null: not yet. Seconds since 1970. */
            last_used: number | null;
            /** @description null: it works. Seconds since 1970. */
            revoked: number | null;
            /** @description The key itself, shown this once. */
            key: string;
            /** @description For people, about what they asked for; usually none. */
            warnings: string[];
            /** @description The key that the new one takes the place of, with the time when it stops to work. */
            previous: components["schemas"]["Key"];
        };
        RunningRequest: {
            /** @enum {string} */
            object: "running_request";
            id: string;
            /** @description An API key, or the person who chats on the website. */
            key_id: string;
            /** @description null: it is no key. */
            key_name: string | null;
            /** @description As the client named it. */
            model: string;
            /** @description null: no node has it. */
            node_id: string | null;
            node_name: string | null;
            dialect: string;
            stream: boolean;
            /**
             * @description `queued`: it waits for a slot · `prefill`: a node has it · `decode`: its answer has begun.
             * @enum {string}
             */
            state: "queued" | "prefill" | "decode";
            /** @description Events of its answer so far, about one for each token; null: it has no node, or does not stream. */
            output_events: number | null;
            /** @description Since it came. */
            age_ms: number;
            /** @description From its coming to its first output. */
            ttft_ms: number | null;
        };
        SeriesGroup: {
            requests: number[];
            input_tokens: number[];
            output_tokens: number[];
            /** @description Failed, timed out or rejected. */
            failed: number[];
            /** @description The id that it was grouped by; null: requests that never had one, or all of them. */
            key: string | null;
            /** @description null: it has no name any more. */
            name: string | null;
        };
        SeriesLatency: {
            /** @description null: no answer had a first token. */
            ttft_p50_ms: number | null;
            /** @description null: no answer had a first token. */
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
             * @description A browser, or a command line.
             * @enum {string}
             */
            kind: "session" | "cli_token";
            /** @description Of a command line. */
            name: string | null;
            /** @description When it was signed in. Seconds since 1970. */
            created: number;
            /** @description Accurate to a minute; null: not recorded, as for a command line. Seconds since 1970. */
            last_used: number | null;
            /** @description Of a command line: until when it is signed in. Seconds since 1970. */
            expires: number | null;
            /** @description Where the browser signed in from. */
            ip: string | null;
            /** @description Of the browser at its sign-in. */
            user_agent: string | null;
            /** @description Whether this request came with it. */
            current: boolean;
        };
        ShowInvite: {
            /** @description What stands behind the `#` of the link. */
            token: string;
        };
        SignIn: {
            email: string;
            password: string;
        };
        SignInLink: {
            /** @description What stands behind the `#` of the link. */
            token: string;
        };
        SignInMethods: {
            /** @enum {string} */
            object: "sign_in_methods";
            /** @description Whether a browser can sign in at all: over a network this needs https, see `FERRY_BASE_URL`. */
            browser: boolean;
            /** @enum {boolean} */
            password: true;
            oidc: components["schemas"]["OidcMethod"];
            /** @description Whether anybody may make an account of their own here. */
            sign_up: boolean;
            service: components["schemas"]["Service"];
        };
        SignUp: {
            /** Format: email */
            email: string;
            /** @description 10 to 128 characters, any. */
            password: string;
            /** @description Default: the e-mail address. */
            name?: string | null;
        };
        SignedOut: {
            /** @enum {string} */
            object: "signed_out";
            /** @description Whether every other session and command line of this person ended, too. */
            everywhere: boolean;
        };
        StartDeviceLogin: {
            /** @description What whoever approves is shown, such as the name of the computer. Becomes the name of the token. */
            name?: string | null;
        };
        StartedDeviceLogin: {
            /** @description For the command line alone. */
            device_code: string;
            /** @description For the person. */
            user_code: string;
            /** @description The page on which it is approved. */
            verification_uri: string | null;
            /** @description The same with the code filled in. */
            verification_uri_complete: string | null;
            /** @description What approves it, on a computer where `ferry` is signed in. */
            approve_command: string;
            /** @description Seconds. */
            expires_in: number;
            /** @description Seconds between two questions. */
            interval: number;
        };
        UpdateNode: {
            name?: string;
            /** @description The cluster to move to. */
            cluster_id?: string;
        };
        Usage: {
            /** @enum {string} */
            object: "usage";
            /**
             * Format: date-time
             * @description ISO 8601, UTC; the beginning of an hour.
             */
            since: string;
            /**
             * Format: date-time
             * @description The end.
             */
            until: string;
            /** @enum {string} */
            by: "model" | "node" | "key" | "cluster" | "dialect" | "hour";
            data: components["schemas"]["UsageGroup"][];
            /** @description There are groups beyond those shown; `totals` counts them, too. */
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
            /** @description Of the input. */
            cached_tokens: number;
            output_tokens: number;
            /** @description Of the output. */
            reasoning_tokens: number;
            /** @description Requests whose tokens the relay estimated, because neither engine nor node reported them. */
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
            /** @description Of the input. */
            cached_tokens: number;
            output_tokens: number;
            /** @description Of the output. */
            reasoning_tokens: number;
            /** @description Requests whose tokens the relay estimated, because neither engine nor node reported them. */
            estimated_requests: number;
            /** @description An id, a dialect, or the beginning of an hour; null: requests that never had one. */
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
             * @description The end of the last bucket that was asked for.
             */
            until: string;
            /** @description The beginnings of the buckets, ISO 8601. Every list of numbers has one for each of them, zero where nothing was. */
            buckets: string[];
            /** @description Those with the most tokens, descending. */
            groups: components["schemas"]["SeriesGroup"][];
            /** @description All other groups; null: there are none. */
            others: components["schemas"]["OtherSeries"] | null;
            /** @description From the request log, as far back as that is kept; null: no request was completed. */
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
             * @description Each can do what those before it can, and more.
             * @enum {string}
             */
            role: "member" | "admin" | "owner";
            /** @description Signed out everywhere and cannot sign in. */
            disabled: boolean;
            /** @description When the person joined. Seconds since 1970. */
            created: number;
            /** @description null: never. Seconds since 1970. */
            last_sign_in: number | null;
            /** @description Until when a password that was made for this person is good; null: it is their own, or they have none. Seconds since 1970. */
            password_expires: number | null;
        };
        UserCode: {
            /** @description With or without the dash, in any case. */
            user_code: string;
        };
        WhoAmI: {
            account_id: string;
            /**
             * @description What the credential may do now: that of its user, or less.
             * @enum {string}
             */
            role: "member" | "admin" | "owner";
            /** @description null: the account's own token, which is nobody's. */
            user: components["schemas"]["User"] | null;
            /** @description Whether the person can sign in with a password. False for the first owner until one is chosen, and with OpenID only. */
            has_password: boolean;
            credential: components["schemas"]["Credential"];
            service: components["schemas"]["Service"];
        };
    };
    responses: never;
    parameters: {
        /** @description Makes a repetition safe: within 24 hours the same person with the same key and the same request gets the first answer again, and nothing is done twice. A random UUID will do. */
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
            /** @description The ways in. */
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
            /** @description Who one is now. The session is in the cookie that comes with it. */
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
            /** @description Who one is now. The session is in the cookie that comes with it. */
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
                /** @description Makes a repetition safe: within 24 hours the same person with the same key and the same request gets the first answer again, and nothing is done twice. A random UUID will do. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The link, shown this once. */
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
            /** @description Who one is now. The session is in the cookie that comes with it. */
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
                /** @description Makes a repetition safe: within 24 hours the same person with the same key and the same request gets the first answer again, and nothing is done twice. A random UUID will do. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It has ended. */
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
                /** @description Makes a repetition safe: within 24 hours the same person with the same key and the same request gets the first answer again, and nothing is done twice. A random UUID will do. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All have ended. */
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
                /** @description Makes a repetition safe: within 24 hours the same person with the same key and the same request gets the first answer again, and nothing is done twice. A random UUID will do. */
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
            /** @description It is changed. */
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
                /** @description Makes a repetition safe: within 24 hours the same person with the same key and the same request gets the first answer again, and nothing is done twice. A random UUID will do. */
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
            /** @description It is set, and the cookie is that of a new session. */
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
            /** @description Browsers first, the one used last on top; then command lines. One page has them all. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {string} */
                        object: "list";
                        data: components["schemas"]["Session"][];
                        /** @description Whether there are more items: ask for them with `cursor`. */
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
            /** @description It has ended. */
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
            /** @description As changed. */
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
            /** @description The account, the person and the credential. */
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
            /** @description Whose password was set. */
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
            /** @description To the provider. */
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
            /** @description To the website, with the cookie of a new session; for a browser that is refused, to its sign-in page. */
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
            /** @description Show the user code, and ask for the token every `interval` seconds. */
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
            /** @description The CLI token, shown this once. */
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
                /** @description Makes a repetition safe: within 24 hours the same person with the same key and the same request gets the first answer again, and nothing is done twice. A random UUID will do. */
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
            /** @description Approved. */
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
                /** @description Makes a repetition safe: within 24 hours the same person with the same key and the same request gets the first answer again, and nothing is done twice. A random UUID will do. */
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
            /** @description Refused. */
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
                /** @description With or without the dash, in any case. */
                userCode: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Not yours? Then deny it. */
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
                /** @description With or without the dash, in any case. */
                userCode: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Not yours? Then deny it. */
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
                /** @description Makes a repetition safe: within 24 hours the same person with the same key and the same request gets the first answer again, and nothing is done twice. A random UUID will do. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description With or without the dash, in any case. */
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
            /** @description Approved. */
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
                /** @description Makes a repetition safe: within 24 hours the same person with the same key and the same request gets the first answer again, and nothing is done twice. A random UUID will do. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description With or without the dash, in any case. */
                userCode: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Refused. */
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
    listUsers: {
        parameters: {
            query?: {
                /** @description Items of one page, 1 to 200. */
                limit?: number;
                /** @description `next_cursor` of the page before. Opaque: do not build one. */
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
                        /** @description Whether there are more items: ask for them with `cursor`. */
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
            /** @description Who was removed. */
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
            /** @description As changed. */
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
    resetPassword: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repetition safe: within 24 hours the same person with the same key and the same request gets the first answer again, and nothing is done twice. A random UUID will do. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                userId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description To be handed over. */
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
                /** @description Items of one page, 1 to 200. */
                limit?: number;
                /** @description `next_cursor` of the page before. Opaque: do not build one. */
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
                        /** @description Whether there are more items: ask for them with `cursor`. */
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
                /** @description Makes a repetition safe: within 24 hours the same person with the same key and the same request gets the first answer again, and nothing is done twice. A random UUID will do. */
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
            /** @description The token, shown this once. */
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
            /** @description What one would join. */
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
            /** @description Who one is now. The session is in the cookie that comes with it. */
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
            /** @description The invite that is no more. */
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
                /** @description Items of one page, 1 to 200. */
                limit?: number;
                /** @description `next_cursor` of the page before. Opaque: do not build one. */
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
                        /** @description Whether there are more items: ask for them with `cursor`. */
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
                /** @description Makes a repetition safe: within 24 hours the same person with the same key and the same request gets the first answer again, and nothing is done twice. A random UUID will do. */
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
            /** @description With the key itself, this once. */
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
                /** @description The id of the key, or the name of an active one. */
                idOrName: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The key that works no more. */
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
                /** @description The id of the key, or the name of an active one. */
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
            /** @description As changed. */
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
                /** @description Makes a repetition safe: within 24 hours the same person with the same key and the same request gets the first answer again, and nothing is done twice. A random UUID will do. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The id of the key, or the name of an active one. */
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
            /** @description The new key, this once, and the old one. */
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
                /** @description Items of one page, 1 to 200. */
                limit?: number;
                /** @description `next_cursor` of the page before. Opaque: do not build one. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Oldest first: the first one is where a computer goes when nobody says otherwise. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {string} */
                        object: "list";
                        data: components["schemas"]["Cluster"][];
                        /** @description Whether there are more items: ask for them with `cursor`. */
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
                /** @description Makes a repetition safe: within 24 hours the same person with the same key and the same request gets the first answer again, and nothing is done twice. A random UUID will do. */
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
            /** @description It is gone. */
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
            /** @description As renamed. */
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
    createJoinToken: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes a repetition safe: within 24 hours the same person with the same key and the same request gets the first answer again, and nothing is done twice. A random UUID will do. */
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
            /** @description The token, shown this once, and commands that use it. */
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
    showNodeDevice: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description As the computer shows it. */
                userCode: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Not before you? Then leave it. */
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
                /** @description Makes a repetition safe: within 24 hours the same person with the same key and the same request gets the first answer again, and nothing is done twice. A random UUID will do. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description As the computer shows it. */
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
                /** @description Items of one page, 1 to 200. */
                limit?: number;
                /** @description `next_cursor` of the page before. Opaque: do not build one. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Oldest first, without those that are revoked. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {string} */
                        object: "list";
                        data: components["schemas"]["Node"][];
                        /** @description Whether there are more items: ask for them with `cursor`. */
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
            /** @description Revoked: cut off and never let in again. Deleted: no longer remembered. */
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
            /** @description As changed. */
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
                /** @description Makes a repetition safe: within 24 hours the same person with the same key and the same request gets the first answer again, and nothing is done twice. A random UUID will do. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                nodeId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What runs goes on. */
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
                /** @description Makes a repetition safe: within 24 hours the same person with the same key and the same request gets the first answer again, and nothing is done twice. A random UUID will do. */
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
                /** @description Makes a repetition safe: within 24 hours the same person with the same key and the same request gets the first answer again, and nothing is done twice. A random UUID will do. */
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
            /** @description It is active. */
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
            /** @description Server-Sent Events. */
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
            /** @description Server-Sent Events. */
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
                /** @description Items of one page, 1 to 200. */
                limit?: number;
                /** @description `next_cursor` of the page before. Opaque: do not build one. */
                cursor?: string;
                /** @description One or several of `queued`, `running`, `succeeded`, `failed`, `cancelled`, with commas between them. */
                state?: string;
                /** @description Only those of this node. */
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
                        /** @description Whether there are more items: ask for them with `cursor`. */
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
                /** @description Makes a repetition safe: within 24 hours the same person with the same key and the same request gets the first answer again, and nothing is done twice. A random UUID will do. */
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
                /** @description Makes a repetition safe: within 24 hours the same person with the same key and the same request gets the first answer again, and nothing is done twice. A random UUID will do. */
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
            /** @description The models of the online nodes. */
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
                /** @description `hf`: Hugging Face, or the mirror that the relay is set to. */
                source: "hf";
                /** @description Words of the name. 1 to 200 characters. */
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
            /** @description A chat completion, or its chunks as Server-Sent Events. */
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
                /** @description Items of one page, 1 to 200. */
                limit?: number;
                /** @description `next_cursor` of the page before. Opaque: do not build one. */
                cursor?: string;
                /** @description The id of a user or of a credential. */
                actor?: string;
                /** @description Whole, such as `key.create`, or the part before the dot: `key`. */
                action?: string;
                /** @description The id or the kind of what was changed. */
                object?: string;
                /** @description Changes of this instant and later. */
                since?: string;
                /** @description Events of this instant and later are left out. */
                until?: string;
                /** @description `csv` and `ndjson` are exports: everything that the filter lets through, without pages. Default: `json`. */
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
                        /** @description Whether there are more items: ask for them with `cursor`. */
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
                /** @description `7d`, `24h` or a time in ISO 8601; counts from the beginning of its hour. Default: 7 days ago. */
                since?: string;
                /** @description Like `since`; hours that begin at this moment or later do not count. Default: now. */
                until?: string;
                /** @description What to sum up by. Default: `model`. */
                by?: "model" | "node" | "key" | "cluster" | "dialect" | "hour";
                /** @description Only what this cluster has served. Default: all clusters. */
                cluster_id?: string;
                /** @description `csv` also with the header `Accept: text/csv`. */
                format?: "json" | "csv";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One row for each group, and all together. */
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
                /** @description Items of one page, 1 to 200. */
                limit?: number;
                /** @description `next_cursor` of the page before. Opaque: do not build one. */
                cursor?: string;
                /** @description Requests that began then or later: `7d`, `24h` or a time in ISO 8601. */
                since?: string;
                /** @description `7d`, `24h` or a time in ISO 8601. */
                until?: string;
                /** @description Of a key, or of a person for requests from the website. */
                key_id?: string;
                node_id?: string;
                cluster_id?: string;
                /** @description A model's selector: names change, it does not. */
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
                        /** @description Whether there are more items: ask for them with `cursor`. */
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
                /** @description As the header `x-request-id` of the answer said it. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Its metadata. */
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
                /** @description `7d`, `24h` or a time in ISO 8601; its whole bucket counts. Default: 7 days ago. */
                since?: string;
                /** @description Like `since`; what begins at this moment or later does not count. Default: now. */
                until?: string;
                /** @description What to stack by. Default: `model`. */
                by?: "model" | "key" | "node" | "none";
                /** @description Default: `day`. */
                bucket?: "hour" | "day";
                /** @description Whose days: a name of the time zone database. Default: `UTC`. Usage is summed up by hours of UTC. */
                time_zone?: string;
                /** @description Only requests of this key, or of this person on the website. */
                key_id?: string;
                /** @description Only requests that this node has served. */
                node_id?: string;
                /** @description Only requests that this cluster has served. */
                cluster_id?: string;
                /** @description Only requests for this model; its selector. */
                model?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One number for each bucket. */
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
                /** @description Items of one page, 1 to 200. */
                limit?: number;
                /** @description `next_cursor` of the page before. Opaque: do not build one. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Newest first, as many as the relay remembers. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {string} */
                        object: "list";
                        data: components["schemas"]["RequestSummary"][];
                        /** @description Whether there are more items: ask for them with `cursor`. */
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
            /** @description The longest running first. Never more than one page. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {string} */
                        object: "list";
                        data: components["schemas"]["RunningRequest"][];
                        /** @description Whether there are more items: ask for them with `cursor`. */
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
                /** @description Makes a repetition safe: within 24 hours the same person with the same key and the same request gets the first answer again, and nothing is done twice. A random UUID will do. */
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description As the header `x-request-id` of the answer said it. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As it was when it was stopped. */
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
                /** @description As the header `x-request-id` of the answer said it. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Every decision with its candidates. */
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
                /** @description Whose day is today: a name of the time zone database. Default: `UTC`. */
                time_zone?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Figures are a few seconds behind the requests. */
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
            /** @description Server-Sent Events. */
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
            /** @description Server-Sent Events. */
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
            /** @description OpenAPI 3.1, with the name and address of this relay. */
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
