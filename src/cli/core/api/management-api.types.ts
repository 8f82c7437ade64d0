/** Generated from openapi-management.json by `npm run docs:openapi`. Do not edit. */

export interface components {
    schemas: {
        readonly AcceptInvite: {
            /** Format: email */
            readonly email: string;
            /** @description 10 to 128 characters, any. */
            readonly password: string;
            /** @description Default: the e-mail address. */
            readonly name?: string | null;
            /** @description What stands behind the `#` of the link. */
            readonly token: string;
        };
        readonly Account: {
            /** @enum {string} */
            readonly object: "account";
            readonly account_id: string;
            readonly name: string;
            /** @description Seconds since 1970. */
            readonly created: number;
            readonly users: components["schemas"]["AccountUse"];
            readonly nodes: components["schemas"]["AccountUse"];
            readonly clusters: components["schemas"]["AccountUse"];
            /** @description Active ones. */
            readonly keys: components["schemas"]["AccountUse"];
            /** @description Invites that can still be accepted. */
            readonly open_invites: number;
            readonly retention: components["schemas"]["AccountRetention"];
        };
        readonly AccountRetention: {
            /** @description Of the request log, which holds no prompts. */
            readonly request_log_days: number;
            /** @description Of the hourly usage. */
            readonly usage_days: number;
            /** @description Of the audit trail. */
            readonly audit_days: number;
        };
        readonly AccountUse: {
            /** @description How many there are. */
            readonly count: number;
            /** @description How many there may be. */
            readonly limit: number;
        };
        readonly ApproveAnyDevice: {
            /** @description The cluster that the node will belong to. Default, and null: `home`. */
            readonly cluster_id?: string | null;
            /** @description Default, and null: what the computer calls itself. */
            readonly name?: string | null;
            /** @description Of a node: the words, once somebody has compared them with those on its own screen. It is let in at once then; without them it waits for `POST /api/nodes/{nodeId}/confirm`. */
            readonly fingerprint?: string | null;
        };
        readonly ApproveDevice: {
            /** @description The cluster that the node will belong to. Default, and null: `home`. */
            readonly cluster_id?: string | null;
            /** @description Default, and null: what the computer calls itself. */
            readonly name?: string | null;
        };
        readonly ApproveDeviceLogin: {
            /** @description With or without the dash, in any case. */
            readonly user_code: string;
            /**
             * @description Of the new token, not above your own. Default: your own.
             * @enum {string|null}
             */
            readonly role?: "member" | "admin" | "owner" | null;
        };
        readonly ApprovedNodeDevice: {
            /** @enum {string} */
            readonly object: "node";
            readonly node_id: string;
            readonly name: string;
            readonly cluster_id: string;
            /**
             * @description `pending`, `active` or `revoked`: whether the node may connect, not whether it has.
             * @enum {string}
             */
            readonly status: "pending" | "active" | "revoked";
            readonly online: boolean;
            /** @description By its owner: it stays connected and gets no requests. */
            readonly paused: boolean;
            /** @description False while it is offline, paused, draining or congested. */
            readonly accepts_work: boolean;
            /**
             * @description Of the node and its models, whichever is worst. As requests show it: what is suspect gets none while anything better could serve them, what is probing one at a time.
             * @enum {string}
             */
            readonly health: "healthy" | "suspect" | "probing";
            /**
             * @description Why it is not healthy: `failures`, `unconfirmed_stop` or `stalled`; null when it is.
             * @enum {string|null}
             */
            readonly health_reason: "failures" | "unconfirmed_stop" | "stalled" | null;
            /** @description What stands in its way, for people. */
            readonly problem: string | null;
            /** @description Since when its engines have not served, as far as the relay knows. Seconds since 1970. */
            readonly problem_since: number | null;
            /** @description The words that the screen of the computer shows for its key. */
            readonly fingerprint: string;
            /** @description null: never. Seconds since 1970. */
            readonly last_seen: number | null;
            /** @description When it was enrolled. Seconds since 1970. */
            readonly created: number;
            /** @description System and processor. */
            readonly platform: string;
            readonly agent_version: string;
            readonly round_trip_ms: number | null;
            /** @description Of the computer. null: it is offline, or its agent does not report it. */
            readonly memory: components["schemas"]["NodeMemory"] | null;
            /** @description Graphics processors whose memory is known. */
            readonly gpus: readonly components["schemas"]["NodeGpu"][];
            readonly engines: readonly components["schemas"]["NodeEngine"][];
            readonly models: readonly components["schemas"]["NodeModel"][];
            readonly device: components["schemas"]["NodeDevice"];
        };
        readonly Attempt: {
            readonly node_id: string;
            readonly node_name: string;
            /** @description `running`, `refused`, `lost`, `overtaken` (the other of two was first), `stopped`, or the outcome. */
            readonly result: string;
            readonly reason: string | null;
            /** @description Asked while another node had the request, too, because that one was late. */
            readonly hedge: boolean;
            /**
             * Format: date-time
             * @description When it was asked.
             */
            readonly at: string;
        };
        readonly Attention: {
            /** @enum {string} */
            readonly code: "no_node_online" | "node_waits_for_confirmation" | "node_problem" | "engine_problem" | "node_suspect" | "key_expires";
            /** @description For people. */
            readonly message: string;
            /**
             * @description Where to mend it.
             * @enum {string}
             */
            readonly place: "nodes" | "node" | "keys";
            readonly node_id: string | null;
            readonly key_id: string | null;
        };
        readonly AuditActor: {
            /** @description `system`, `cli-token` or `session`. */
            readonly kind: string;
            readonly user_id: string | null;
            readonly credential_id: string | null;
            readonly name: string | null;
        };
        readonly AuditEvent: {
            /** @enum {string} */
            readonly object: "audit_event";
            readonly id: string;
            /**
             * Format: date-time
             * @description ISO 8601.
             */
            readonly created_at: string;
            /** @description `object.verb`. */
            readonly action: string;
            readonly actor: components["schemas"]["AuditActor"];
            /** @description What was changed. */
            readonly target: components["schemas"]["AuditTarget"];
            /** @description What is worth knowing beside; no secrets. */
            readonly detail: {
                readonly [key: string]: unknown;
            };
            readonly ip: string | null;
            readonly user_agent: string | null;
        };
        readonly AuditTarget: {
            readonly kind: string;
            readonly id: string;
        };
        readonly Candidate: {
            readonly node_id: string;
            readonly node_name: string;
            readonly cluster_id: string;
            readonly eligible: boolean;
            readonly reason: string;
            readonly slots: components["schemas"]["CandidateSlots"] | null;
            /** @description Predicted time to completion; null: not computed. */
            readonly cost_ms: number | null;
            /** @description The parts of the cost. */
            readonly parts: components["schemas"]["CostParts"] | null;
        };
        readonly CandidateSlots: {
            readonly used: number;
            /** @description As reported, or fewer if the engine was observed to run fewer at once. */
            readonly usable: number;
            /** @description As reported by the node. */
            readonly advertised: number;
        };
        readonly CatalogFile: {
            /** @description In the repository. */
            readonly path: string;
            /** @description For `source` of an install; null: nodes do not install it, because it is one part of several. */
            readonly source: string | null;
            /** @description As the name tells it. */
            readonly quantization: string | null;
            readonly size_bytes: number | null;
        };
        readonly CatalogList: {
            /** @enum {string} */
            readonly object: "list";
            /** @description Most downloaded first, at most 30. */
            readonly data: readonly components["schemas"]["CatalogModel"][];
        };
        readonly CatalogModel: {
            /** @enum {string} */
            readonly object: "catalog_model";
            /** @description Owner and repository. */
            readonly id: string;
            readonly downloads: number;
            readonly likes: number;
            /** @description Its owner admits people one by one: the node needs a token (`HF_TOKEN`). */
            readonly gated: boolean;
            /** @description Seconds since 1970. */
            readonly updated: number | null;
        };
        readonly CatalogRepository: {
            /** @enum {string} */
            readonly object: "catalog_repository";
            readonly id: string;
            /** @description Its owner admits people one by one: the node needs a token (`HF_TOKEN`). */
            readonly gated: boolean;
            /** @description Tokens. */
            readonly context_length: number | null;
            readonly architecture: string | null;
            /** @description The GGUF files, smallest first, at most 500. */
            readonly files: readonly components["schemas"]["CatalogFile"][];
        };
        readonly ChangeAccount: {
            readonly name: string;
        };
        readonly ChangeKey: {
            readonly name?: string;
            /** @description null takes it away. */
            readonly description?: string | null;
            /** @description A limit that is null is taken away. */
            readonly limits?: components["schemas"]["KeyLimitsChange"] | null;
        };
        readonly ChangePassword: {
            readonly current_password: string;
            /** @description 10 to 128 characters, any. */
            readonly new_password: string;
        };
        readonly ChangeUser: {
            /**
             * @description Each can do what those before it can, and more.
             * @enum {string|null}
             */
            readonly role?: "member" | "admin" | "owner" | null;
            /** @description Somebody who is disabled is signed out everywhere and cannot sign in. */
            readonly disabled?: boolean | null;
            readonly name?: string | null;
        };
        readonly Checklist: {
            readonly has_node: boolean;
            readonly has_loaded_model: boolean;
            readonly has_key: boolean;
            readonly has_request: boolean;
        };
        readonly Cluster: {
            /** @enum {string} */
            readonly object: "cluster";
            /** @description For `X-Cluster-ID`. */
            readonly cluster_id: string;
            readonly name: string;
            /** @description Enrolled, online or not. */
            readonly nodes: number;
            readonly online: number;
            /** @description Display names of the models that are resident and ready on an online node, in alphabetical order. */
            readonly loaded: readonly string[];
            /** @description How many models its online nodes have, loaded or not. */
            readonly models: number;
            /** @description When it was made. Seconds since 1970. */
            readonly created: number;
        };
        readonly ClusterAvailability: {
            readonly cluster_id: string;
            readonly loaded: boolean;
        };
        readonly ConfirmNode: {
            /** @description The words on the screen of the node itself. */
            readonly fingerprint: string;
        };
        readonly ConsoleLink: {
            /** @enum {string} */
            readonly object: "console_link";
            /** @description Signs the owner in, once. */
            readonly url: string;
            /** @description Until when it can be used. Seconds since 1970. */
            readonly expires: number;
        };
        readonly CostParts: {
            readonly queue_ms: number;
            readonly prefill_ms: number;
            readonly decode_ms: number;
            readonly link_ms: number;
            readonly affinity_ms: number;
        };
        readonly CreateCluster: {
            /** @description Unique in the account; 1 to 64 visible characters. */
            readonly name: string;
        };
        readonly CreateInvite: {
            /**
             * @description Of whoever accepts it; not above your own. Default: member.
             * @enum {string|null}
             */
            readonly role?: "member" | "admin" | "owner" | null;
        };
        readonly CreateJoinToken: {
            /** @description The cluster that the new node will belong to. Default, and null: `home`. */
            readonly cluster_id?: string | null;
        };
        readonly CreateKey: {
            /** @description What the key is for. Unique among the active keys of the account. */
            readonly name: string;
            /** @description For people. Default: none. */
            readonly description?: string | null;
            /** @description Default: `inference`, which implies `models:read`. */
            readonly scopes?: readonly ("inference" | "models:read")[] | null;
            /** @description The only clusters that the key may reach. Default: all of the account, also those that come later. */
            readonly cluster_ids?: readonly string[] | null;
            /** @description Seconds from now. Default: the key does not expire. */
            readonly expires_in_seconds?: number | null;
            /** @description Default: none beside those of the account. */
            readonly limits?: components["schemas"]["KeyLimitsChange"] | null;
        };
        readonly CreateOperation: {
            /** @enum {string} */
            readonly kind: "install" | "load" | "unload" | "remove";
            /** @description Default: the one node that is possible. */
            readonly node_id?: string | null;
            /** @description Public id, selector, or a node's own key of the model. Not for an install. */
            readonly model?: string | null;
            /** @description Of an install, in the engine's own terms: `qwen3:8b`, `hf:owner/repo/file.gguf`, an https URL without credentials. */
            readonly source?: string | null;
            /** @description Of an install: load the model afterwards. The node does both, whoever waits for it. Default: false. */
            readonly load?: boolean | null;
            /** @description Name of the engine on its node, where several are possible. */
            readonly engine?: string | null;
            /** @description Of a load. Default: as the engine decides. */
            readonly context_tokens?: number | null;
        };
        readonly CreatedInvite: {
            /** @enum {string} */
            readonly object: "invite";
            readonly invite_id: string;
            /**
             * @description Each can do what those before it can, and more.
             * @enum {string}
             */
            readonly role: "member" | "admin" | "owner";
            /** @description The id of whoever made it; null: the token of the account. */
            readonly created_by: string | null;
            /** @description When it was made. Seconds since 1970. */
            readonly created: number;
            /** @description Until when it can be accepted. Seconds since 1970. */
            readonly expires: number;
            /** @description The token itself, this once. */
            readonly invite_token: string;
            /** @description To be handed over: the page on which the invite is accepted. */
            readonly link: string | null;
            /** @description The same without a browser: accepts the invite, with the e-mail address and password of the person filled in. */
            readonly accept_command: string;
        };
        readonly Credential: {
            /** @enum {string} */
            readonly kind: "cli_token" | "session";
            readonly id: string;
            readonly name: string;
        };
        readonly DecidedDevice: {
            /** @enum {string} */
            readonly object: "device";
            /**
             * @description A command line, or a computer that wants to become a node.
             * @enum {string}
             */
            readonly type: "login" | "node";
            readonly user_code: string;
            /** @description What it calls itself. */
            readonly name: string;
            /** @description Where it asked from. */
            readonly ip: string | null;
            /** @description Of a node. */
            readonly platform: string | null;
            /** @description Of a node. */
            readonly agent_version: string | null;
            /** @description Of a node: to be compared with its own screen. */
            readonly fingerprint: string | null;
            /** @description The same, word by word. */
            readonly fingerprint_words: readonly string[] | null;
            /**
             * @description Who may approve or deny it, at least.
             * @enum {string}
             */
            readonly role_needed: "member" | "admin" | "owner";
            /** @description Until when it can be approved. Seconds since 1970. */
            readonly expires: number;
            /** @enum {string} */
            readonly state: "approved";
            /** @description What a computer became; null: a command line. */
            readonly node: components["schemas"]["Node"] | null;
        };
        readonly Decision: {
            /**
             * Format: date-time
             * @description When.
             */
            readonly at: string;
            readonly candidates: readonly components["schemas"]["Candidate"][];
            /** @description A node. */
            readonly chosen: string | null;
            readonly reason: string;
        };
        readonly DeniedDevice: {
            /** @enum {string} */
            readonly object: "device";
            /** @enum {string} */
            readonly state: "denied";
            readonly user_code: string;
        };
        readonly Device: {
            /** @enum {string} */
            readonly object: "device";
            /**
             * @description A command line, or a computer that wants to become a node.
             * @enum {string}
             */
            readonly type: "login" | "node";
            readonly user_code: string;
            /** @description What it calls itself. */
            readonly name: string;
            /** @description Where it asked from. */
            readonly ip: string | null;
            /** @description Of a node. */
            readonly platform: string | null;
            /** @description Of a node. */
            readonly agent_version: string | null;
            /** @description Of a node: to be compared with its own screen. */
            readonly fingerprint: string | null;
            /** @description The same, word by word. */
            readonly fingerprint_words: readonly string[] | null;
            /**
             * @description Who may approve or deny it, at least.
             * @enum {string}
             */
            readonly role_needed: "member" | "admin" | "owner";
            /** @description Until when it can be approved. Seconds since 1970. */
            readonly expires: number;
        };
        readonly DeviceLogin: {
            /** @enum {string} */
            readonly object: "device_login";
            readonly user_code: string;
            /** @enum {string} */
            readonly state: "pending" | "approved" | "denied";
            /** @description What the command line calls itself, and where it asked from: not yours? Then deny it. */
            readonly client_name: string;
            /** @description Where it asked from. */
            readonly client_address: string | null;
            /** @description When it began. Seconds since 1970. */
            readonly created: number;
            /** @description Until when it can be approved. Seconds since 1970. */
            readonly expires: number;
        };
        readonly DeviceLoginToken: {
            /** @description The token itself, this once. */
            readonly cli_token: string;
            readonly account_id: string;
            readonly user: components["schemas"]["User"] | null;
        };
        readonly DeviceToken: {
            readonly device_code: string;
        };
        readonly EndedSession: {
            /** @enum {string} */
            readonly object: "session";
            readonly session_id: string;
            /** @enum {boolean} */
            readonly ended: true;
        };
        readonly ErrorCount: {
            readonly code: string;
            readonly count: number;
        };
        readonly ExplainedRequest: {
            /** @description As `x-request-id` said it. */
            readonly id: string;
            /** @enum {string} */
            readonly object: "request";
            readonly model: string;
            readonly dialect: string;
            /**
             * Format: date-time
             * @description When a node was chosen first.
             */
            readonly decided_at: string;
            /** @description null: it is still under way. */
            readonly outcome: string | null;
            readonly queue: components["schemas"]["RequestQueue"];
            readonly attempts: readonly components["schemas"]["Attempt"][];
            /** @description The prompt may have been run twice: after the first run was lost, or by hedging. */
            readonly retried: boolean;
            /** @description A second node was asked while the first was late. */
            readonly hedged: boolean;
            readonly decisions: readonly components["schemas"]["Decision"][];
        };
        readonly FirstPassword: {
            /** @description 10 to 128 characters, any. */
            readonly password: string;
            /**
             * Format: email
             * @description To sign in with. Default: as it is.
             */
            readonly email?: string | null;
            /** @description Default: as it is. */
            readonly name?: string | null;
        };
        readonly Invite: {
            /** @enum {string} */
            readonly object: "invite";
            readonly invite_id: string;
            /**
             * @description Each can do what those before it can, and more.
             * @enum {string}
             */
            readonly role: "member" | "admin" | "owner";
            /** @description The id of whoever made it; null: the token of the account. */
            readonly created_by: string | null;
            /** @description When it was made. Seconds since 1970. */
            readonly created: number;
            /** @description Until when it can be accepted. Seconds since 1970. */
            readonly expires: number;
        };
        readonly InvitePreview: {
            /** @enum {string} */
            readonly object: "invite_preview";
            /** @description The account that one would join. */
            readonly account_name: string;
            /**
             * @description Each can do what those before it can, and more.
             * @enum {string}
             */
            readonly role: "member" | "admin" | "owner";
            /** @description The name of whoever made it; null: the token of the account, or somebody who is gone. */
            readonly inviter: string | null;
            /** @description Until when it can be accepted. Seconds since 1970. */
            readonly expires: number;
        };
        readonly JoinCommands: {
            /** @description Linux and macOS, with nothing but Node.js. */
            readonly unix: string;
            /** @description Windows, in PowerShell, with nothing but Node.js. */
            readonly windows: string;
            /** @description Where Ferry is installed. */
            readonly ferry: string;
        };
        readonly JoinToken: {
            /** @description The token itself, this once. */
            readonly join_token: string;
            /** @description Until when it can be used. Seconds since 1970. */
            readonly expires_at: number;
            readonly cluster_id: string;
            /** @description To be run on the computer that shall become a node, where Ferry is installed. */
            readonly command: string;
            /** @description The same for a computer that has nothing but Node.js: on Linux and macOS, and in PowerShell on Windows. */
            readonly install_command: string;
            /** @description In PowerShell on Windows. */
            readonly install_command_windows: string;
            /** @description The same, each followed by the start of the node. */
            readonly commands: components["schemas"]["JoinCommands"];
            /**
             * @description `loopback`: the address in the commands works on the computer of the relay only.
             * @enum {string}
             */
            readonly reachable: "loopback" | "network";
            /** @description What to know before the commands are run on another computer, and how to change it. */
            readonly warning: string | null;
        };
        readonly Key: {
            /** @enum {string} */
            readonly object: "api_key";
            /** @description Also the first characters of the key behind `sk-ferry-`. */
            readonly key_id: string;
            readonly name: string;
            /** @description For people; null: none. */
            readonly description: string | null;
            /** @description The last characters of the key, to distinguish keys. */
            readonly last4: string;
            readonly scopes: readonly ("inference" | "models:read")[];
            /** @description The only clusters that the key reaches; null: all of the account. */
            readonly cluster_ids: readonly string[] | null;
            /** @description null: no limit of its own. */
            readonly limits: components["schemas"]["KeyLimits"];
            /** @description The user whose key it is; null: the account's. */
            readonly created_by: string | null;
            /** @description When it was made. Seconds since 1970. */
            readonly created: number;
            /** @description null: never. Seconds since 1970. */
            readonly expires: number | null;
            /** @description To the minute; null: not yet. Seconds since 1970. */
            readonly last_used: number | null;
            /** @description null: it works. Seconds since 1970. */
            readonly revoked: number | null;
        };
        readonly KeyLimits: {
            readonly requests_per_minute: number | null;
            /** @description Input and output together. */
            readonly tokens_per_minute: number | null;
            /** @description Requests that run at once. */
            readonly concurrency: number | null;
        };
        readonly KeyLimitsChange: {
            readonly requests_per_minute?: number | null;
            /** @description Input and output together. */
            readonly tokens_per_minute?: number | null;
            /** @description Requests that run at once. */
            readonly concurrency?: number | null;
        };
        readonly LocalReset: {
            readonly email: string;
            /** @description argon2id, as a PHC string. */
            readonly password_hash: string;
            /** @description How long the password is good. Default: until it is changed. */
            readonly lifetime_ms?: number | null;
            /** @description Milliseconds since 1970. */
            readonly issued_at_ms: number;
            readonly proof: string;
        };
        readonly LoggedRequest: {
            /** @enum {string} */
            readonly object: "usage.request";
            readonly id: string;
            /**
             * Format: date-time
             * @description When it came.
             */
            readonly started_at: string;
            readonly key_id: string;
            /** @description null: it has no name any more. */
            readonly key_name: string | null;
            readonly node_id: string | null;
            /** @description null: it has no name any more. */
            readonly node_name: string | null;
            readonly cluster_id: string | null;
            /** @description null: it has no name any more. */
            readonly cluster_name: string | null;
            /** @description Selector. */
            readonly model: string | null;
            readonly model_name: string | null;
            readonly dialect: string;
            readonly stream: boolean;
            readonly outcome: string;
            /** @description Of the error. */
            readonly code: string | null;
            readonly attempts: number;
            /** @description The prompt may have been run twice: after the first run was lost, or by hedging. */
            readonly retried: boolean;
            readonly input_tokens: number;
            /** @description Of the input. */
            readonly cached_tokens: number;
            readonly output_tokens: number;
            /** @description Of the output. */
            readonly reasoning_tokens: number;
            /**
             * @description Who counted the tokens.
             * @enum {string|null}
             */
            readonly source: "engine" | "counted" | "estimated" | null;
            readonly queue_ms: number;
            /** @description Until the first token. */
            readonly ttft_ms: number | null;
            readonly duration_ms: number;
        };
        readonly Model: {
            /** @description What requests may call it. */
            readonly id: string;
            /** @description Stable, whatever it is called. */
            readonly selector: string;
            readonly display_name: string;
            readonly canonical_name: string;
            /** @enum {string} */
            readonly object: "model";
            /** @description When it was first seen. Seconds since 1970. */
            readonly created: number;
            readonly owned_by: string;
            /** @description Ready on an online node. */
            readonly loaded: boolean;
            readonly clusters: readonly components["schemas"]["ClusterAvailability"][];
        };
        readonly ModelList: {
            /** @enum {string} */
            readonly object: "list";
            readonly data: readonly components["schemas"]["Model"][];
        };
        readonly NewKey: {
            /** @enum {string} */
            readonly object: "api_key";
            /** @description Also the first characters of the key behind `sk-ferry-`. */
            readonly key_id: string;
            readonly name: string;
            /** @description For people; null: none. */
            readonly description: string | null;
            /** @description The last characters of the key, to distinguish keys. */
            readonly last4: string;
            readonly scopes: readonly ("inference" | "models:read")[];
            /** @description The only clusters that the key reaches; null: all of the account. */
            readonly cluster_ids: readonly string[] | null;
            /** @description null: no limit of its own. */
            readonly limits: components["schemas"]["KeyLimits"];
            /** @description The user whose key it is; null: the account's. */
            readonly created_by: string | null;
            /** @description When it was made. Seconds since 1970. */
            readonly created: number;
            /** @description null: never. Seconds since 1970. */
            readonly expires: number | null;
            /** @description To the minute; null: not yet. Seconds since 1970. */
            readonly last_used: number | null;
            /** @description null: it works. Seconds since 1970. */
            readonly revoked: number | null;
            /** @description The key itself, shown this once. */
            readonly key: string;
            /** @description For people, about what they asked for; usually none. */
            readonly warnings: readonly string[];
        };
        readonly Node: {
            /** @enum {string} */
            readonly object: "node";
            readonly node_id: string;
            readonly name: string;
            readonly cluster_id: string;
            /**
             * @description `pending`, `active` or `revoked`: whether the node may connect, not whether it has.
             * @enum {string}
             */
            readonly status: "pending" | "active" | "revoked";
            readonly online: boolean;
            /** @description By its owner: it stays connected and gets no requests. */
            readonly paused: boolean;
            /** @description False while it is offline, paused, draining or congested. */
            readonly accepts_work: boolean;
            /**
             * @description Of the node and its models, whichever is worst. As requests show it: what is suspect gets none while anything better could serve them, what is probing one at a time.
             * @enum {string}
             */
            readonly health: "healthy" | "suspect" | "probing";
            /**
             * @description Why it is not healthy: `failures`, `unconfirmed_stop` or `stalled`; null when it is.
             * @enum {string|null}
             */
            readonly health_reason: "failures" | "unconfirmed_stop" | "stalled" | null;
            /** @description What stands in its way, for people. */
            readonly problem: string | null;
            /** @description Since when its engines have not served, as far as the relay knows. Seconds since 1970. */
            readonly problem_since: number | null;
            /** @description The words that the screen of the computer shows for its key. */
            readonly fingerprint: string;
            /** @description null: never. Seconds since 1970. */
            readonly last_seen: number | null;
            /** @description When it was enrolled. Seconds since 1970. */
            readonly created: number;
            /** @description System and processor. */
            readonly platform: string;
            readonly agent_version: string;
            readonly round_trip_ms: number | null;
            /** @description Of the computer. null: it is offline, or its agent does not report it. */
            readonly memory: components["schemas"]["NodeMemory"] | null;
            /** @description Graphics processors whose memory is known. */
            readonly gpus: readonly components["schemas"]["NodeGpu"][];
            readonly engines: readonly components["schemas"]["NodeEngine"][];
            readonly models: readonly components["schemas"]["NodeModel"][];
        };
        readonly NodeDevice: {
            /** @enum {string} */
            readonly object: "node_device";
            readonly user_code: string;
            readonly name: string;
            readonly platform: string;
            readonly agent_version: string;
            /** @description Where it asked from. */
            readonly ip: string;
            /** @description To be compared with its own screen. */
            readonly fingerprint: string;
            /** @description Until when it can be approved. Seconds since 1970. */
            readonly expires: number;
            /** @description For people. */
            readonly warning: string;
        };
        readonly NodeEngine: {
            readonly name: string;
            readonly kind: string;
            readonly version: string | null;
            /** @description Requests it can work on at once. */
            readonly slots_total: number | null;
            readonly slots_used: number | null;
            readonly queue_depth: number | null;
            /** @description What keeps it from serving, for people. */
            readonly problem: string | null;
            /** @description Since when the relay has known of the problem. Seconds since 1970. */
            readonly problem_since: number | null;
        };
        readonly NodeGpu: {
            readonly name: string;
            readonly total_bytes: number;
            /** @description null: its driver does not say. */
            readonly free_bytes: number | null;
            /** @description It computes in the memory of the computer, as on Apple silicon. */
            readonly unified: boolean;
        };
        readonly NodeMemory: {
            readonly total_bytes: number;
            /** @description What a new process could take. */
            readonly free_bytes: number;
        };
        readonly NodeModel: {
            /** @description What its engine calls it; operations take it. */
            readonly key: string;
            /** @description Stable name of the model for `/v1`. */
            readonly selector: string;
            readonly display_name: string;
            readonly engine: string;
            /** @description `loaded` is ready; `installed` is not. */
            readonly state: string;
            /** @description Why it cannot be loaded now: `engine_unreachable`, its engine does not answer. */
            readonly reason: string | null;
            readonly quantization: string | null;
            readonly size_bytes: number | null;
            /** @description Tokens. */
            readonly context_length: number | null;
            /** @description What a request may contain. */
            readonly inputs: readonly ("text" | "image" | "audio" | "video" | "file")[];
            /** @description Calls tools. null: its engine does not say. */
            readonly tools: boolean | null;
            /** @description Thinks before it answers. null: its engine does not say. */
            readonly reasoning: boolean | null;
            /** @description Makes embeddings and no text. */
            readonly embedding: boolean;
            /**
             * @description Of this model on this node. As requests show it: what is suspect gets none while anything better could serve them, what is probing one at a time.
             * @enum {string}
             */
            readonly health: "healthy" | "suspect" | "probing";
            /**
             * @description null: it is healthy.
             * @enum {string|null}
             */
            readonly health_reason: "failures" | "unconfirmed_stop" | "stalled" | null;
        };
        readonly OidcMethod: {
            /** @description Whether a provider is set up: then `/api/oidc/start` leads to it. */
            readonly enabled: boolean;
            /** @description The host of the provider. */
            readonly name: string | null;
        };
        readonly Operation: {
            /** @enum {string} */
            readonly object: "operation";
            readonly id: string;
            /** @enum {string} */
            readonly kind: "install" | "load" | "unload" | "remove";
            readonly node_id: string;
            readonly node_name: string;
            /** @description False: the state is the last that the node told; it goes on, and tells more when it is back. */
            readonly node_online: boolean;
            readonly engine: string | null;
            /** @description What the inventory calls the model; of an install, once it has succeeded. */
            readonly model: string | null;
            /** @description What the node calls it. */
            readonly model_key: string | null;
            /** @description Of an install. */
            readonly source: string | null;
            /** @description Of an install: whether the model is loaded afterwards, as part of it. */
            readonly load: boolean;
            readonly context_tokens: number | null;
            /**
             * @description `queued`, `running`, `succeeded`, `failed` or `cancelled`.
             * @enum {string}
             */
            readonly state: "queued" | "running" | "succeeded" | "failed" | "cancelled";
            /** @description In the words of the engine, such as `downloading`. */
            readonly phase: string | null;
            readonly completed_bytes: number | null;
            readonly total_bytes: number | null;
            readonly bytes_per_second: number | null;
            readonly failure: components["schemas"]["OperationFailure"] | null;
            readonly cancel_requested: boolean;
            /** @description Id of the credential that asked for it. */
            readonly created_by: string | null;
            /**
             * Format: date-time
             * @description When it was asked for.
             */
            readonly created_at: string;
            /**
             * Format: date-time
             * @description When it last changed.
             */
            readonly updated_at: string;
            /**
             * Format: date-time
             * @description null while it is not over.
             */
            readonly finished_at: string | null;
        };
        readonly OperationFailure: {
            readonly code: string;
            readonly message: string;
        };
        readonly OtherSeries: {
            readonly requests: readonly number[];
            readonly input_tokens: readonly number[];
            readonly output_tokens: readonly number[];
            /** @description Failed, timed out or rejected. */
            readonly failed: readonly number[];
            /** @description How many there are. */
            readonly groups: number;
        };
        readonly Overview: {
            /** @enum {string} */
            readonly object: "overview";
            readonly today: components["schemas"]["OverviewFigures"];
            /** @description Until the same time of the day. */
            readonly yesterday: components["schemas"]["OverviewFigures"];
            readonly nodes: components["schemas"]["OverviewNodes"];
            /** @description Models that are loaded on at least one node. */
            readonly models_loaded: number;
            /** @description Worst first. */
            readonly attention: readonly components["schemas"]["Attention"][];
            readonly checklist: components["schemas"]["Checklist"];
        };
        readonly OverviewFigures: {
            /**
             * Format: date-time
             * @description The beginning of the day.
             */
            readonly since: string;
            /** Format: date-time */
            readonly until: string;
            readonly requests: number;
            readonly input_tokens: number;
            readonly output_tokens: number;
            /** @description Failed, timed out or rejected. */
            readonly failed: number;
            /** @description Median time to the first token. */
            readonly ttft_p50_ms: number | null;
        };
        readonly OverviewNodes: {
            readonly online: number;
            readonly total: number;
        };
        /** @description Problem details (RFC 9457). */
        readonly Problem: {
            /** @description Names the kind of problem. */
            readonly type: string;
            /** @description The kind of problem for people. */
            readonly title: string;
            /** @description The status of the answer. */
            readonly status: number;
            /** @description What went wrong here. */
            readonly detail: string;
            /** @description The kind of problem for programs; the last part of `type`. */
            readonly code: string;
            /** @description The field, parameter or header at fault. */
            readonly param: string | null;
            /** @description The same as the header `x-request-id`. */
            readonly request_id: string;
        };
        readonly RemovedNode: {
            /** @enum {string} */
            readonly object: "node";
            readonly node_id: string;
            /**
             * @description `revoked` is remembered and can be deleted; `deleted` is gone.
             * @enum {string}
             */
            readonly status: "revoked" | "deleted";
        };
        readonly RequestQueue: {
            readonly waited_ms: number;
            readonly position: number | null;
        };
        readonly RequestSummary: {
            /** @description As `x-request-id` said it. */
            readonly id: string;
            /** @enum {string} */
            readonly object: "request";
            readonly model: string;
            readonly dialect: string;
            /**
             * Format: date-time
             * @description When a node was chosen first.
             */
            readonly decided_at: string;
            /** @description null: it is still under way. */
            readonly outcome: string | null;
            readonly queue: components["schemas"]["RequestQueue"];
            readonly attempts: readonly components["schemas"]["Attempt"][];
            /** @description The prompt may have been run twice: after the first run was lost, or by hedging. */
            readonly retried: boolean;
            /** @description A second node was asked while the first was late. */
            readonly hedged: boolean;
        };
        readonly ResetUser: {
            /** @enum {string} */
            readonly object: "user";
            readonly user_id: string;
            readonly email: string;
            readonly name: string;
            /**
             * @description Each can do what those before it can, and more.
             * @enum {string}
             */
            readonly role: "member" | "admin" | "owner";
            /** @description Signed out everywhere and cannot sign in. */
            readonly disabled: boolean;
            /** @description When the person joined. Seconds since 1970. */
            readonly created: number;
            /** @description null: never. Seconds since 1970. */
            readonly last_sign_in: number | null;
            /** @description Until when a password that was made for this person is good; null: it is their own, or they have none. Seconds since 1970. */
            readonly password_expires: number | null;
            /** @description To be handed over once. */
            readonly temporary_password: string;
        };
        readonly RollKey: {
            /**
             * @description How long the old key works on.
             * @enum {string}
             */
            readonly overlap: "0" | "1h" | "24h" | "7d";
        };
        readonly RolledKey: {
            /** @enum {string} */
            readonly object: "api_key";
            /** @description Also the first characters of the key behind `sk-ferry-`. */
            readonly key_id: string;
            readonly name: string;
            /** @description For people; null: none. */
            readonly description: string | null;
            /** @description The last characters of the key, to distinguish keys. */
            readonly last4: string;
            readonly scopes: readonly ("inference" | "models:read")[];
            /** @description The only clusters that the key reaches; null: all of the account. */
            readonly cluster_ids: readonly string[] | null;
            /** @description null: no limit of its own. */
            readonly limits: components["schemas"]["KeyLimits"];
            /** @description The user whose key it is; null: the account's. */
            readonly created_by: string | null;
            /** @description When it was made. Seconds since 1970. */
            readonly created: number;
            /** @description null: never. Seconds since 1970. */
            readonly expires: number | null;
            /** @description To the minute; null: not yet. Seconds since 1970. */
            readonly last_used: number | null;
            /** @description null: it works. Seconds since 1970. */
            readonly revoked: number | null;
            /** @description The key itself, shown this once. */
            readonly key: string;
            /** @description For people, about what they asked for; usually none. */
            readonly warnings: readonly string[];
            /** @description The key that the new one takes the place of, with the time when it stops to work. */
            readonly previous: components["schemas"]["Key"];
        };
        readonly RunningRequest: {
            /** @enum {string} */
            readonly object: "running_request";
            readonly id: string;
            /** @description An API key, or the person who chats on the website. */
            readonly key_id: string;
            /** @description null: it is no key. */
            readonly key_name: string | null;
            /** @description As the client named it. */
            readonly model: string;
            /** @description null: no node has it. */
            readonly node_id: string | null;
            readonly node_name: string | null;
            readonly dialect: string;
            readonly stream: boolean;
            /**
             * @description `queued`: it waits for a slot · `prefill`: a node has it · `decode`: its answer has begun.
             * @enum {string}
             */
            readonly state: "queued" | "prefill" | "decode";
            /** @description Events of its answer so far, about one for each token; null: it has no node, or does not stream. */
            readonly output_events: number | null;
            /** @description Since it came. */
            readonly age_ms: number;
            /** @description From its coming to its first output. */
            readonly ttft_ms: number | null;
        };
        readonly SeriesGroup: {
            readonly requests: readonly number[];
            readonly input_tokens: readonly number[];
            readonly output_tokens: readonly number[];
            /** @description Failed, timed out or rejected. */
            readonly failed: readonly number[];
            /** @description The id that it was grouped by; null: requests that never had one, or all of them. */
            readonly key: string | null;
            /** @description null: it has no name any more. */
            readonly name: string | null;
        };
        readonly SeriesLatency: {
            /** @description null: no answer had a first token. */
            readonly ttft_p50_ms: number | null;
            /** @description null: no answer had a first token. */
            readonly ttft_p95_ms: number | null;
            readonly duration_p50_ms: number;
            readonly duration_p95_ms: number;
        };
        readonly Service: {
            readonly name: string;
            readonly version: string;
        };
        readonly Session: {
            /** @enum {string} */
            readonly object: "session";
            readonly session_id: string;
            /**
             * @description A browser, or a command line.
             * @enum {string}
             */
            readonly kind: "session" | "cli_token";
            /** @description Of a command line. */
            readonly name: string | null;
            /** @description When it was signed in. Seconds since 1970. */
            readonly created: number;
            /** @description Accurate to a minute; null: not recorded, as for a command line. Seconds since 1970. */
            readonly last_used: number | null;
            /** @description Of a command line: until when it is signed in. Seconds since 1970. */
            readonly expires: number | null;
            /** @description Where the browser signed in from. */
            readonly ip: string | null;
            /** @description Of the browser at its sign-in. */
            readonly user_agent: string | null;
            /** @description Whether this request came with it. */
            readonly current: boolean;
        };
        readonly ShowInvite: {
            /** @description What stands behind the `#` of the link. */
            readonly token: string;
        };
        readonly SignIn: {
            readonly email: string;
            readonly password: string;
        };
        readonly SignInLink: {
            /** @description What stands behind the `#` of the link. */
            readonly token: string;
        };
        readonly SignInMethods: {
            /** @enum {string} */
            readonly object: "sign_in_methods";
            /** @description Whether a browser can sign in at all: over a network this needs https, see `FERRY_BASE_URL`. */
            readonly browser: boolean;
            /** @enum {boolean} */
            readonly password: true;
            readonly oidc: components["schemas"]["OidcMethod"];
            /** @description Whether anybody may make an account of their own here. */
            readonly sign_up: boolean;
            readonly service: components["schemas"]["Service"];
        };
        readonly SignUp: {
            /** Format: email */
            readonly email: string;
            /** @description 10 to 128 characters, any. */
            readonly password: string;
            /** @description Default: the e-mail address. */
            readonly name?: string | null;
        };
        readonly SignedOut: {
            /** @enum {string} */
            readonly object: "signed_out";
            /** @description Whether every other session and command line of this person ended, too. */
            readonly everywhere: boolean;
        };
        readonly StartDeviceLogin: {
            /** @description What whoever approves is shown, such as the name of the computer. Becomes the name of the token. */
            readonly name?: string | null;
        };
        readonly StartedDeviceLogin: {
            /** @description For the command line alone. */
            readonly device_code: string;
            /** @description For the person. */
            readonly user_code: string;
            /** @description The page on which it is approved. */
            readonly verification_uri: string | null;
            /** @description The same with the code filled in. */
            readonly verification_uri_complete: string | null;
            /** @description What approves it, on a computer where `ferry` is signed in. */
            readonly approve_command: string;
            /** @description Seconds. */
            readonly expires_in: number;
            /** @description Seconds between two questions. */
            readonly interval: number;
        };
        readonly UpdateNode: {
            readonly name?: string;
            /** @description The cluster to move to. */
            readonly cluster_id?: string;
        };
        readonly Usage: {
            /** @enum {string} */
            readonly object: "usage";
            /**
             * Format: date-time
             * @description ISO 8601, UTC; the beginning of an hour.
             */
            readonly since: string;
            /**
             * Format: date-time
             * @description The end.
             */
            readonly until: string;
            /** @enum {string} */
            readonly by: "model" | "node" | "key" | "cluster" | "dialect" | "hour";
            readonly data: readonly components["schemas"]["UsageGroup"][];
            /** @description There are groups beyond those shown; `totals` counts them, too. */
            readonly has_more: boolean;
            readonly totals: components["schemas"]["UsageFigures"];
        };
        readonly UsageFigures: {
            readonly requests: number;
            readonly completed: number;
            readonly failed: number;
            readonly cancelled: number;
            readonly timed_out: number;
            readonly rejected: number;
            readonly input_tokens: number;
            /** @description Of the input. */
            readonly cached_tokens: number;
            readonly output_tokens: number;
            /** @description Of the output. */
            readonly reasoning_tokens: number;
            /** @description Requests whose tokens the relay estimated, because neither engine nor node reported them. */
            readonly estimated_requests: number;
        };
        readonly UsageGroup: {
            readonly requests: number;
            readonly completed: number;
            readonly failed: number;
            readonly cancelled: number;
            readonly timed_out: number;
            readonly rejected: number;
            readonly input_tokens: number;
            /** @description Of the input. */
            readonly cached_tokens: number;
            readonly output_tokens: number;
            /** @description Of the output. */
            readonly reasoning_tokens: number;
            /** @description Requests whose tokens the relay estimated, because neither engine nor node reported them. */
            readonly estimated_requests: number;
            /** @description An id, a dialect, or the beginning of an hour; null: requests that never had one. */
            readonly key: string | null;
            readonly name: string | null;
        };
        readonly UsageSeries: {
            /** @enum {string} */
            readonly object: "usage_series";
            /** @enum {string} */
            readonly bucket: "hour" | "day";
            /** @enum {string} */
            readonly by: "model" | "key" | "node" | "none";
            readonly time_zone: string;
            /**
             * Format: date-time
             * @description The end of the last bucket that was asked for.
             */
            readonly until: string;
            /** @description The beginnings of the buckets, ISO 8601. Every list of numbers has one for each of them, zero where nothing was. */
            readonly buckets: readonly string[];
            /** @description Those with the most tokens, descending. */
            readonly groups: readonly components["schemas"]["SeriesGroup"][];
            /** @description All other groups; null: there are none. */
            readonly others: components["schemas"]["OtherSeries"] | null;
            /** @description From the request log, as far back as that is kept; null: no request was completed. */
            readonly latency: readonly (components["schemas"]["SeriesLatency"] | null)[];
            /** @description From the request log, most frequent first. */
            readonly errors: readonly components["schemas"]["ErrorCount"][];
        };
        readonly User: {
            /** @enum {string} */
            readonly object: "user";
            readonly user_id: string;
            readonly email: string;
            readonly name: string;
            /**
             * @description Each can do what those before it can, and more.
             * @enum {string}
             */
            readonly role: "member" | "admin" | "owner";
            /** @description Signed out everywhere and cannot sign in. */
            readonly disabled: boolean;
            /** @description When the person joined. Seconds since 1970. */
            readonly created: number;
            /** @description null: never. Seconds since 1970. */
            readonly last_sign_in: number | null;
            /** @description Until when a password that was made for this person is good; null: it is their own, or they have none. Seconds since 1970. */
            readonly password_expires: number | null;
        };
        readonly UserCode: {
            /** @description With or without the dash, in any case. */
            readonly user_code: string;
        };
        readonly WhoAmI: {
            readonly account_id: string;
            /**
             * @description What the credential may do now: that of its user, or less.
             * @enum {string}
             */
            readonly role: "member" | "admin" | "owner";
            /** @description null: the account's own token, which is nobody's. */
            readonly user: components["schemas"]["User"] | null;
            /** @description Whether the person can sign in with a password. False for the first owner until one is chosen, and with OpenID only. */
            readonly has_password: boolean;
            readonly credential: components["schemas"]["Credential"];
            readonly service: components["schemas"]["Service"];
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}

/** Bodies of `/api` by the names of the document. */
export type Schemas = components['schemas'];
