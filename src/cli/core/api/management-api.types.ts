/** Generated from openapi-management.json by `npm run docs:openapi`. Do not edit. */

export interface components {
    schemas: {
        readonly AcceptInvite: {
            /** Format: email */
            readonly email: string;
            /** @description 10 to 128 characters of any kind. */
            readonly password: string;
            /** @description Default: the e-mail address. */
            readonly name?: string | null;
            /** @description The part of the link after `#`. */
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
            /** @description Active keys. */
            readonly keys: components["schemas"]["AccountUse"];
            /** @description Invites that can still be accepted. */
            readonly open_invites: number;
            readonly retention: components["schemas"]["AccountRetention"];
        };
        readonly AccountRetention: {
            /** @description Retention of the request log, which contains no prompts. */
            readonly request_log_days: number;
            /** @description Retention of hourly usage. */
            readonly usage_days: number;
            /** @description Retention of the audit trail. */
            readonly audit_days: number;
        };
        readonly AccountUse: {
            /** @description Current number. */
            readonly count: number;
            /** @description Maximum number. */
            readonly limit: number;
        };
        readonly ApproveAnyDevice: {
            /** @description Cluster of the new node. Default, and for null: `home`. */
            readonly cluster_id?: string | null;
            /** @description Name of the node. Default, and for null: the name that the computer reports. */
            readonly name?: string | null;
            /** @description For a node: its fingerprint, after comparison with the words on its screen. With it the node becomes active at once; without it, the node stays pending until `POST /api/nodes/{nodeId}/confirm`. */
            readonly fingerprint?: string | null;
        };
        readonly ApproveDevice: {
            /** @description Cluster of the new node. Default, and for null: `home`. */
            readonly cluster_id?: string | null;
            /** @description Name of the node. Default, and for null: the name that the computer reports. */
            readonly name?: string | null;
        };
        readonly ApproveDeviceLogin: {
            /** @description Case-insensitive, with or without the dash. */
            readonly user_code: string;
            /**
             * @description Role of the new token, at most your own. Default: your own.
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
             * @description `pending`, `active` or `revoked`: whether the node may connect, not whether it is connected.
             * @enum {string}
             */
            readonly status: "pending" | "active" | "revoked";
            readonly online: boolean;
            /** @description Paused by a user: it stays connected and gets no requests. */
            readonly paused: boolean;
            /** @description False while it is offline, paused, draining or congested. */
            readonly accepts_work: boolean;
            /**
             * @description Worst health of the node and its models, derived from their requests. `suspect` gets requests only if nothing better can serve them; `probing` gets one at a time.
             * @enum {string}
             */
            readonly health: "healthy" | "suspect" | "probing";
            /**
             * @description Why it is not healthy: `failures`, `unconfirmed_stop` or `stalled`; null if healthy.
             * @enum {string|null}
             */
            readonly health_reason: "failures" | "unconfirmed_stop" | "stalled" | null;
            /** @description Why it cannot serve requests, as text. */
            readonly problem: string | null;
            /** @description Since when its engines cannot serve requests, as reported to the relay, in seconds since 1970. */
            readonly problem_since: number | null;
            /** @description Fingerprint of its key, in words, as shown on the computer. */
            readonly fingerprint: string;
            /** @description Last connection, in seconds since 1970; null if never. */
            readonly last_seen: number | null;
            /** @description Time of enrolment, in seconds since 1970. */
            readonly created: number;
            /** @description Operating system and processor architecture. */
            readonly platform: string;
            readonly agent_version: string;
            readonly round_trip_ms: number | null;
            /** @description Memory of the computer; null if the node is offline or does not report it. */
            readonly memory: components["schemas"]["NodeMemory"] | null;
            /** @description Graphics processors with known memory. */
            readonly gpus: readonly components["schemas"]["NodeGpu"][];
            readonly engines: readonly components["schemas"]["NodeEngine"][];
            readonly models: readonly components["schemas"]["NodeModel"][];
            /** @description Of a single node: its last 20 connections to this relay and how they ended, since the relay started. */
            readonly link_events?: readonly components["schemas"]["NodeLinkEvent"][];
            readonly device: components["schemas"]["NodeDevice"];
        };
        readonly Attempt: {
            readonly node_id: string;
            readonly node_name: string;
            /** @description `running`, `refused`, `lost`, `overtaken` (another attempt responded first), `stopped`, or the outcome. */
            readonly result: string;
            readonly reason: string | null;
            /** @description Whether this is a hedge: a second attempt beside a late one. */
            readonly hedge: boolean;
            /**
             * Format: date-time
             * @description Start of the attempt.
             */
            readonly at: string;
        };
        readonly Attention: {
            /** @enum {string} */
            readonly code: "no_node_online" | "node_waits_for_confirmation" | "node_problem" | "engine_problem" | "node_suspect" | "key_expires";
            /** @description The problem, as text. */
            readonly message: string;
            /**
             * @description Page of the website where it can be fixed.
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
            /** @description The changed object. */
            readonly target: components["schemas"]["AuditTarget"];
            /** @description Further details, without secrets. */
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
            /** @description Predicted time to completion; null if not computed. */
            readonly cost_ms: number | null;
            /** @description Components of the cost. */
            readonly parts: components["schemas"]["CostParts"] | null;
        };
        readonly CandidateSlots: {
            readonly used: number;
            /** @description The reported slots, or fewer if the engine was observed to run fewer requests concurrently. */
            readonly usable: number;
            /** @description As reported by the node. */
            readonly advertised: number;
        };
        readonly CatalogFile: {
            /** @description Path in the repository. */
            readonly path: string;
            /** @description Value for `source` of an install; null for one part of a split model, which nodes cannot install. */
            readonly source: string | null;
            /** @description Taken from the file name. */
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
            /** @description Gated repository: the node needs a token with access (`HF_TOKEN`). */
            readonly gated: boolean;
            /** @description Seconds since 1970. */
            readonly updated: number | null;
        };
        readonly CatalogRepository: {
            /** @enum {string} */
            readonly object: "catalog_repository";
            readonly id: string;
            /** @description Gated repository: the node needs a token with access (`HF_TOKEN`). */
            readonly gated: boolean;
            /** @description In tokens. */
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
            /** @description null removes it. */
            readonly description?: string | null;
            /** @description A limit of null is removed. */
            readonly limits?: components["schemas"]["KeyLimitsChange"] | null;
        };
        readonly ChangePassword: {
            readonly current_password: string;
            /** @description 10 to 128 characters of any kind. */
            readonly new_password: string;
        };
        readonly ChangeUser: {
            /**
             * @description Each role includes the ones before it.
             * @enum {string|null}
             */
            readonly role?: "member" | "admin" | "owner" | null;
            /** @description A disabled user is signed out everywhere and cannot sign in. */
            readonly disabled?: boolean | null;
            readonly name?: string | null;
        };
        readonly Checklist: {
            readonly has_node: boolean;
            readonly has_loaded_model: boolean;
            readonly has_key: boolean;
            readonly has_request: boolean;
        };
        readonly CliToken: {
            /** @enum {string} */
            readonly object: "cli_token";
            readonly cli_token_id: string;
            /** @description Name that the command line gave itself. */
            readonly name: string;
            /** @description Id of its user; null for the token that `ferry up` stores on the computer of the relay. */
            readonly user_id: string | null;
            /**
             * @description Highest role; that of its user may be lower.
             * @enum {string}
             */
            readonly role: "member" | "admin" | "owner";
            /** @description Last four characters of the token. */
            readonly last4: string;
            /** @description Creation time, in seconds since 1970. */
            readonly created: number;
            /** @description Expiry, in seconds since 1970; null if it has none. */
            readonly expires: number | null;
        };
        readonly Cluster: {
            /** @enum {string} */
            readonly object: "cluster";
            /** @description Value for `X-Cluster-ID`. */
            readonly cluster_id: string;
            readonly name: string;
            /** @description Number of enrolled nodes, online or not. */
            readonly nodes: number;
            readonly online: number;
            /** @description Display names of the models loaded on online nodes, in alphabetical order. */
            readonly loaded: readonly string[];
            /** @description Number of models on its online nodes, loaded or not. */
            readonly models: number;
            /** @description Creation time, in seconds since 1970. */
            readonly created: number;
        };
        readonly ClusterAvailability: {
            readonly cluster_id: string;
            readonly loaded: boolean;
        };
        readonly ConfirmNode: {
            /** @description The words that the node shows on its own screen. */
            readonly fingerprint: string;
        };
        readonly ConsoleLink: {
            /** @enum {string} */
            readonly object: "console_link";
            /** @description One-time sign-in link for the owner. */
            readonly url: string;
            /** @description Expiry, in seconds since 1970. */
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
            /** @description Unique in the account; 1 to 64 printable characters. */
            readonly name: string;
        };
        readonly CreateInvite: {
            /**
             * @description Role of the invited user, at most your own. Default: member.
             * @enum {string|null}
             */
            readonly role?: "member" | "admin" | "owner" | null;
        };
        readonly CreateJoinToken: {
            /** @description Cluster of the new node. Default, and for null: `home`. */
            readonly cluster_id?: string | null;
        };
        readonly CreateKey: {
            /** @description Purpose of the key. Unique among the active keys of the account. */
            readonly name: string;
            /** @description Free text. Default: none. */
            readonly description?: string | null;
            /** @description Default: `inference`, which implies `models:read`. */
            readonly scopes?: readonly ("inference" | "models:read")[] | null;
            /** @description Clusters to which the key is limited. Default: all of the account, including future ones. */
            readonly cluster_ids?: readonly string[] | null;
            /** @description Seconds from now. Default: the key does not expire. */
            readonly expires_in_seconds?: number | null;
            /** @description Default: only the limits of the account. */
            readonly limits?: components["schemas"]["KeyLimitsChange"] | null;
        };
        readonly CreateOperation: {
            /** @enum {string} */
            readonly kind: "install" | "load" | "unload" | "remove";
            /** @description Default: the only possible node. */
            readonly node_id?: string | null;
            /** @description Public id, selector, or the name in its engine. Not for an install. */
            readonly model?: string | null;
            /** @description For an install: a name that the engine knows, such as `qwen3:8b`, `hf:owner/repo/file.gguf`, or an https URL without credentials. */
            readonly source?: string | null;
            /** @description For an install: load the model afterwards, even if the client has disconnected. Default: false. */
            readonly load?: boolean | null;
            /** @description Name of the engine on the node, if several are possible. */
            readonly engine?: string | null;
            /** @description For a load: the context length. Default: decided by the engine. */
            readonly context_tokens?: number | null;
        };
        readonly CreatedInvite: {
            /** @enum {string} */
            readonly object: "invite";
            readonly invite_id: string;
            /**
             * @description Each role includes the ones before it.
             * @enum {string}
             */
            readonly role: "member" | "admin" | "owner";
            /** @description Id of the user who created it; null for the token of the relay. */
            readonly created_by: string | null;
            /** @description Creation time, in seconds since 1970. */
            readonly created: number;
            /** @description Expiry, in seconds since 1970. */
            readonly expires: number;
            /** @description The token. It cannot be retrieved again. */
            readonly invite_token: string;
            /** @description Link for the invited person, to the page that accepts the invite. */
            readonly link: string | null;
            /** @description Command that accepts the invite without a browser, after the person has filled in e-mail address and password. */
            readonly accept_command: string;
            /** @description What keeps the link from working on another computer, and how to change it. */
            readonly warning: string | null;
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
             * @description A device sign-in or a node enrolment.
             * @enum {string}
             */
            readonly type: "login" | "node";
            readonly user_code: string;
            /** @description Name that the device reports. */
            readonly name: string;
            /** @description IP address of the request. */
            readonly ip: string | null;
            /** @description Node only. */
            readonly platform: string | null;
            /** @description Node only. */
            readonly agent_version: string | null;
            /** @description Node only. Compare it with the words on the screen of the computer. */
            readonly fingerprint: string | null;
            /** @description The fingerprint as separate words. */
            readonly fingerprint_words: readonly string[] | null;
            /**
             * @description Lowest role that may approve or deny it.
             * @enum {string}
             */
            readonly role_needed: "member" | "admin" | "owner";
            /** @description Expiry, in seconds since 1970. */
            readonly expires: number;
            /** @enum {string} */
            readonly state: "approved";
            /** @description The new node; null for a device sign-in. */
            readonly node: components["schemas"]["Node"] | null;
        };
        readonly Decision: {
            /**
             * Format: date-time
             * @description Time of the decision.
             */
            readonly at: string;
            readonly candidates: readonly components["schemas"]["Candidate"][];
            /** @description Number of candidates that were compared. Only the first 64 and the chosen one are listed. */
            readonly considered: number;
            /** @description Number of nodes with the model in scope, counted per engine. Of more than 64 a sample is compared. */
            readonly placements: number;
            /** @description Id of the chosen node. */
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
             * @description A device sign-in or a node enrolment.
             * @enum {string}
             */
            readonly type: "login" | "node";
            readonly user_code: string;
            /** @description Name that the device reports. */
            readonly name: string;
            /** @description IP address of the request. */
            readonly ip: string | null;
            /** @description Node only. */
            readonly platform: string | null;
            /** @description Node only. */
            readonly agent_version: string | null;
            /** @description Node only. Compare it with the words on the screen of the computer. */
            readonly fingerprint: string | null;
            /** @description The fingerprint as separate words. */
            readonly fingerprint_words: readonly string[] | null;
            /**
             * @description Lowest role that may approve or deny it.
             * @enum {string}
             */
            readonly role_needed: "member" | "admin" | "owner";
            /** @description Expiry, in seconds since 1970. */
            readonly expires: number;
        };
        readonly DeviceLogin: {
            /** @enum {string} */
            readonly object: "device_login";
            readonly user_code: string;
            /** @enum {string} */
            readonly state: "pending" | "approved" | "denied";
            /** @description Name that the command line reports. Deny a request that is not yours. */
            readonly client_name: string;
            /** @description IP address of the request. */
            readonly client_address: string | null;
            /** @description Start, in seconds since 1970. */
            readonly created: number;
            /** @description Expiry, in seconds since 1970. */
            readonly expires: number;
        };
        readonly DeviceLoginToken: {
            /** @description The token. It cannot be retrieved again. */
            readonly cli_token: string;
            readonly account_id: string;
            /** @description User whom the token signs in. */
            readonly user: components["schemas"]["User"];
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
        readonly ErasedUser: {
            /** @enum {string} */
            readonly object: "erased_user";
            readonly user_id: string;
            readonly pseudonym: string;
            /** @description Events of the audit trail by or about the user. */
            readonly audit_events: number;
        };
        readonly ErrorCount: {
            readonly code: string;
            readonly count: number;
        };
        readonly ExplainedRequest: {
            /** @description Value of `x-request-id`. */
            readonly id: string;
            /** @enum {string} */
            readonly object: "request";
            readonly model: string;
            readonly dialect: string;
            /**
             * Format: date-time
             * @description Time of the first decision.
             */
            readonly decided_at: string;
            /** @description null while it is running. */
            readonly outcome: string | null;
            readonly queue: components["schemas"]["RequestQueue"];
            readonly attempts: readonly components["schemas"]["Attempt"][];
            /** @description Whether the prompt may have run twice, because of a lost attempt or a hedge. */
            readonly retried: boolean;
            /** @description Whether a second attempt was started beside a late one. */
            readonly hedged: boolean;
            readonly decisions: readonly components["schemas"]["Decision"][];
            /** @description What is missing, as text, if the replica that routed the request has ended or forgotten it: the rest is from the request log. null if nothing is missing. */
            readonly missing: string | null;
        };
        readonly FirstPassword: {
            /** @description 10 to 128 characters of any kind. */
            readonly password: string;
            /**
             * Format: email
             * @description E-mail address for sign-in. Default: unchanged.
             */
            readonly email?: string | null;
            /** @description Default: unchanged. */
            readonly name?: string | null;
        };
        readonly Invite: {
            /** @enum {string} */
            readonly object: "invite";
            readonly invite_id: string;
            /**
             * @description Each role includes the ones before it.
             * @enum {string}
             */
            readonly role: "member" | "admin" | "owner";
            /** @description Id of the user who created it; null for the token of the relay. */
            readonly created_by: string | null;
            /** @description Creation time, in seconds since 1970. */
            readonly created: number;
            /** @description Expiry, in seconds since 1970. */
            readonly expires: number;
        };
        readonly InvitePreview: {
            /** @enum {string} */
            readonly object: "invite_preview";
            /** @description The account to join. */
            readonly account_name: string;
            /**
             * @description Each role includes the ones before it.
             * @enum {string}
             */
            readonly role: "member" | "admin" | "owner";
            /** @description Name of the user who created it; null for the token of the relay. */
            readonly inviter: string | null;
            /** @description Expiry, in seconds since 1970. */
            readonly expires: number;
        };
        readonly JoinCommands: {
            /** @description For Linux and macOS; needs only Node.js. */
            readonly unix: string;
            /** @description For Windows, in PowerShell; needs only Node.js. */
            readonly windows: string;
            /** @description For a computer with Ferry installed. */
            readonly ferry: string;
        };
        readonly JoinToken: {
            readonly join_token_id: string;
            /** @description The token. It cannot be retrieved again. */
            readonly join_token: string;
            /** @description Expiry, in seconds since 1970. */
            readonly expires_at: number;
            readonly cluster_id: string;
            /** @description Command for the new node, with Ferry installed. */
            readonly command: string;
            /** @description Command for Linux and macOS without Ferry; needs only Node.js. */
            readonly install_command: string;
            /** @description Command for Windows without Ferry, in PowerShell; needs only Node.js. */
            readonly install_command_windows: string;
            /** @description The same commands, each of which also starts the node. */
            readonly commands: components["schemas"]["JoinCommands"];
            /**
             * @description `loopback` if the address in the commands works only on the computer of the relay.
             * @enum {string}
             */
            readonly reachable: "loopback" | "network";
            /** @description Why the commands may not work on another computer, and what to change. */
            readonly warning: string | null;
        };
        readonly Key: {
            /** @enum {string} */
            readonly object: "api_key";
            /** @description Also the first characters of the key after `sk-ferry-`. */
            readonly key_id: string;
            readonly name: string;
            /** @description Free text; null if there is none. */
            readonly description: string | null;
            /** @description Last four characters of the key. */
            readonly last4: string;
            readonly scopes: readonly ("inference" | "models:read")[];
            /** @description Clusters to which the key is limited; null for all of the account. */
            readonly cluster_ids: readonly string[] | null;
            /** @description null if the key has no limits of its own. */
            readonly limits: components["schemas"]["KeyLimits"];
            /** @description User who owns the key; null for the account. */
            readonly created_by: string | null;
            /** @description Creation time, in seconds since 1970. */
            readonly created: number;
            /** @description Expiry, in seconds since 1970; null if it does not expire. */
            readonly expires: number | null;
            /** @description Last use to the minute, in seconds since 1970; null if never used. */
            readonly last_used: number | null;
            /** @description Time of revocation, in seconds since 1970; null if active. */
            readonly revoked: number | null;
        };
        readonly KeyLimits: {
            readonly requests_per_minute: number | null;
            /** @description Input and output tokens together. */
            readonly tokens_per_minute: number | null;
            /** @description Concurrent requests. */
            readonly concurrency: number | null;
        };
        readonly KeyLimitsChange: {
            readonly requests_per_minute?: number | null;
            /** @description Input and output tokens together. */
            readonly tokens_per_minute?: number | null;
            /** @description Concurrent requests. */
            readonly concurrency?: number | null;
        };
        readonly LocalReset: {
            readonly email: string;
            /** @description argon2id hash as a PHC string. */
            readonly password_hash: string;
            /** @description Lifetime of the password. Default: until it is changed. */
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
             * @description Time of arrival.
             */
            readonly started_at: string;
            readonly key_id: string;
            /** @description null if it no longer exists. */
            readonly key_name: string | null;
            readonly node_id: string | null;
            /** @description null if it no longer exists. */
            readonly node_name: string | null;
            readonly cluster_id: string | null;
            /** @description null if it no longer exists. */
            readonly cluster_name: string | null;
            /** @description Selector of the model. */
            readonly model: string | null;
            readonly model_name: string | null;
            readonly dialect: string;
            readonly stream: boolean;
            readonly outcome: string;
            /** @description Error code. */
            readonly code: string | null;
            readonly attempts: number;
            /** @description Whether the prompt may have run twice, because of a lost attempt or a hedge. */
            readonly retried: boolean;
            readonly input_tokens: number;
            /** @description Part of the input tokens. */
            readonly cached_tokens: number;
            readonly output_tokens: number;
            /** @description Part of the output tokens. */
            readonly reasoning_tokens: number;
            /**
             * @description Source of the token counts.
             * @enum {string|null}
             */
            readonly source: "engine" | "counted" | "estimated" | null;
            readonly queue_ms: number;
            /** @description Time to the first token. */
            readonly ttft_ms: number | null;
            readonly duration_ms: number;
        };
        readonly Model: {
            /** @description Name of the model in requests. */
            readonly id: string;
            /** @description Stable id of the model, which also works in requests. */
            readonly selector: string;
            readonly display_name: string;
            readonly canonical_name: string;
            /** @enum {string} */
            readonly object: "model";
            /** @description When the model was first seen, in seconds since 1970. */
            readonly created: number;
            readonly owned_by: string;
            /** @description Whether it is loaded on an online node. */
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
            /** @description Also the first characters of the key after `sk-ferry-`. */
            readonly key_id: string;
            readonly name: string;
            /** @description Free text; null if there is none. */
            readonly description: string | null;
            /** @description Last four characters of the key. */
            readonly last4: string;
            readonly scopes: readonly ("inference" | "models:read")[];
            /** @description Clusters to which the key is limited; null for all of the account. */
            readonly cluster_ids: readonly string[] | null;
            /** @description null if the key has no limits of its own. */
            readonly limits: components["schemas"]["KeyLimits"];
            /** @description User who owns the key; null for the account. */
            readonly created_by: string | null;
            /** @description Creation time, in seconds since 1970. */
            readonly created: number;
            /** @description Expiry, in seconds since 1970; null if it does not expire. */
            readonly expires: number | null;
            /** @description Last use to the minute, in seconds since 1970; null if never used. */
            readonly last_used: number | null;
            /** @description Time of revocation, in seconds since 1970; null if active. */
            readonly revoked: number | null;
            /** @description The key. It cannot be retrieved again. */
            readonly key: string;
            /** @description Warnings about the request, as text; usually empty. */
            readonly warnings: readonly string[];
        };
        readonly Node: {
            /** @enum {string} */
            readonly object: "node";
            readonly node_id: string;
            readonly name: string;
            readonly cluster_id: string;
            /**
             * @description `pending`, `active` or `revoked`: whether the node may connect, not whether it is connected.
             * @enum {string}
             */
            readonly status: "pending" | "active" | "revoked";
            readonly online: boolean;
            /** @description Paused by a user: it stays connected and gets no requests. */
            readonly paused: boolean;
            /** @description False while it is offline, paused, draining or congested. */
            readonly accepts_work: boolean;
            /**
             * @description Worst health of the node and its models, derived from their requests. `suspect` gets requests only if nothing better can serve them; `probing` gets one at a time.
             * @enum {string}
             */
            readonly health: "healthy" | "suspect" | "probing";
            /**
             * @description Why it is not healthy: `failures`, `unconfirmed_stop` or `stalled`; null if healthy.
             * @enum {string|null}
             */
            readonly health_reason: "failures" | "unconfirmed_stop" | "stalled" | null;
            /** @description Why it cannot serve requests, as text. */
            readonly problem: string | null;
            /** @description Since when its engines cannot serve requests, as reported to the relay, in seconds since 1970. */
            readonly problem_since: number | null;
            /** @description Fingerprint of its key, in words, as shown on the computer. */
            readonly fingerprint: string;
            /** @description Last connection, in seconds since 1970; null if never. */
            readonly last_seen: number | null;
            /** @description Time of enrolment, in seconds since 1970. */
            readonly created: number;
            /** @description Operating system and processor architecture. */
            readonly platform: string;
            readonly agent_version: string;
            readonly round_trip_ms: number | null;
            /** @description Memory of the computer; null if the node is offline or does not report it. */
            readonly memory: components["schemas"]["NodeMemory"] | null;
            /** @description Graphics processors with known memory. */
            readonly gpus: readonly components["schemas"]["NodeGpu"][];
            readonly engines: readonly components["schemas"]["NodeEngine"][];
            readonly models: readonly components["schemas"]["NodeModel"][];
            /** @description Of a single node: its last 20 connections to this relay and how they ended, since the relay started. */
            readonly link_events?: readonly components["schemas"]["NodeLinkEvent"][];
        };
        readonly NodeDevice: {
            /** @enum {string} */
            readonly object: "node_device";
            readonly user_code: string;
            readonly name: string;
            readonly platform: string;
            readonly agent_version: string;
            /** @description IP address of the request. */
            readonly ip: string;
            /** @description Compare it with the words on the screen of the computer. */
            readonly fingerprint: string;
            /** @description Expiry, in seconds since 1970. */
            readonly expires: number;
            /** @description Warning to show before the approval. */
            readonly warning: string;
        };
        readonly NodeEngine: {
            readonly name: string;
            readonly kind: string;
            readonly version: string | null;
            /** @description Number of requests that it can run concurrently. */
            readonly slots_total: number | null;
            readonly slots_used: number | null;
            readonly queue_depth: number | null;
            /** @description Why it cannot serve requests, as text. */
            readonly problem: string | null;
            /** @description When the problem was first reported, in seconds since 1970. */
            readonly problem_since: number | null;
        };
        readonly NodeGpu: {
            readonly name: string;
            readonly total_bytes: number;
            /** @description null if the driver does not report it. */
            readonly free_bytes: number | null;
            /** @description Whether it shares the memory of the computer, as on Apple silicon. */
            readonly unified: boolean;
        };
        readonly NodeLinkEvent: {
            /** Format: date-time */
            readonly at: string;
            /** @enum {string} */
            readonly event: "connected" | "disconnected";
            /**
             * @description Why the link ended: `dead` is silence, `backlog` a node that does not read; null for a new link.
             * @enum {string|null}
             */
            readonly reason: "peer_closed" | "closed_here" | "protocol_error" | "handshake_timeout" | "dead" | "backlog" | "internal" | null;
            /** @description What was said when it was closed; may be empty. */
            readonly detail: string;
        };
        readonly NodeMemory: {
            readonly total_bytes: number;
            /** @description Memory available to new processes. */
            readonly free_bytes: number;
        };
        readonly NodeModel: {
            /** @description Name of the model in its engine; accepted by operations. */
            readonly key: string;
            /** @description Stable id of the model for `/v1`. */
            readonly selector: string;
            readonly display_name: string;
            readonly engine: string;
            /** @description `loaded` is ready; `installed` is not. */
            readonly state: string;
            /** @description `engine_unreachable` if it cannot be loaded because its engine does not respond. */
            readonly reason: string | null;
            readonly quantization: string | null;
            readonly size_bytes: number | null;
            /** @description In tokens. */
            readonly context_length: number | null;
            /** @description Kinds of input that a request may contain. */
            readonly inputs: readonly ("text" | "image" | "audio" | "video" | "file")[];
            /** @description Whether it can call tools; null if unknown. */
            readonly tools: boolean | null;
            /** @description Whether it is a reasoning model; null if unknown. */
            readonly reasoning: boolean | null;
            /** @description Whether it is an embedding model, which generates no text. */
            readonly embedding: boolean;
            /**
             * @description Health of the model on this node, derived from its requests. `suspect` gets requests only if nothing better can serve them; `probing` gets one at a time.
             * @enum {string}
             */
            readonly health: "healthy" | "suspect" | "probing";
            /**
             * @description null if healthy.
             * @enum {string|null}
             */
            readonly health_reason: "failures" | "unconfirmed_stop" | "stalled" | null;
        };
        readonly OidcMethod: {
            /** @description Whether a provider is configured. If so, `/api/oidc/start` redirects to it. */
            readonly enabled: boolean;
            /** @description Host of the provider. */
            readonly name: string | null;
        };
        readonly OpenJoinToken: {
            /** @enum {string} */
            readonly object: "join_token";
            readonly join_token_id: string;
            readonly cluster_id: string;
            /** @description Id of the user who created it; null for the token of the relay. */
            readonly created_by: string | null;
            /** @description Creation time, in seconds since 1970. */
            readonly created: number;
            /** @description Expiry, in seconds since 1970. */
            readonly expires: number;
        };
        readonly Operation: {
            /** @enum {string} */
            readonly object: "operation";
            readonly id: string;
            /** @enum {string} */
            readonly kind: "install" | "load" | "unload" | "remove";
            readonly node_id: string;
            readonly node_name: string;
            /** @description If false, the state is the last reported one: the node continues, and reports when it is online again. */
            readonly node_online: boolean;
            readonly engine: string | null;
            /** @description Public id of the model; for an install, after success. */
            readonly model: string | null;
            /** @description Name of the model in its engine. */
            readonly model_key: string | null;
            /** @description For an install: its source. */
            readonly source: string | null;
            /** @description For an install: whether the model is loaded afterwards. */
            readonly load: boolean;
            readonly context_tokens: number | null;
            /**
             * @description `queued`, `running`, `succeeded`, `failed` or `cancelled`.
             * @enum {string}
             */
            readonly state: "queued" | "running" | "succeeded" | "failed" | "cancelled";
            /** @description As reported by the engine, such as `downloading`. */
            readonly phase: string | null;
            readonly completed_bytes: number | null;
            readonly total_bytes: number | null;
            readonly bytes_per_second: number | null;
            readonly failure: components["schemas"]["OperationFailure"] | null;
            readonly cancel_requested: boolean;
            /** @description Id of the credential that created it. */
            readonly created_by: string | null;
            /**
             * Format: date-time
             * @description Creation time.
             */
            readonly created_at: string;
            /**
             * Format: date-time
             * @description Time of the last change.
             */
            readonly updated_at: string;
            /**
             * Format: date-time
             * @description null until it has ended.
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
            /** @description Requests that failed, timed out or were rejected. */
            readonly failed: readonly number[];
            /** @description Current number. */
            readonly groups: number;
        };
        readonly Overview: {
            /** @enum {string} */
            readonly object: "overview";
            readonly today: components["schemas"]["OverviewFigures"];
            /** @description Yesterday up to the same time of day. */
            readonly yesterday: components["schemas"]["OverviewFigures"];
            readonly nodes: components["schemas"]["OverviewNodes"];
            /** @description Number of models loaded on at least one node. */
            readonly models_loaded: number;
            /** @description Most severe first. */
            readonly attention: readonly components["schemas"]["Attention"][];
            readonly checklist: components["schemas"]["Checklist"];
        };
        readonly OverviewFigures: {
            /**
             * Format: date-time
             * @description Start of the day.
             */
            readonly since: string;
            /** Format: date-time */
            readonly until: string;
            readonly requests: number;
            readonly input_tokens: number;
            readonly output_tokens: number;
            /** @description Requests that failed, timed out or were rejected. */
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
            /** @description URN of the error code. */
            readonly type: string;
            /** @description Title of the error code. */
            readonly title: string;
            /** @description HTTP status of the response. */
            readonly status: number;
            /** @description Description of this occurrence. */
            readonly detail: string;
            /** @description Error code; the last part of `type`. */
            readonly code: string;
            /** @description The invalid field, parameter or header. */
            readonly param: string | null;
            /** @description Same as the header `x-request-id`. */
            readonly request_id: string;
        };
        readonly RemovedNode: {
            /** @enum {string} */
            readonly object: "node";
            readonly node_id: string;
            /**
             * @description `revoked` nodes are kept and can be deleted; `deleted` ones are removed.
             * @enum {string}
             */
            readonly status: "revoked" | "deleted";
        };
        readonly RequestQueue: {
            readonly waited_ms: number;
            readonly position: number | null;
        };
        readonly RequestSummary: {
            /** @description Value of `x-request-id`. */
            readonly id: string;
            /** @enum {string} */
            readonly object: "request";
            readonly model: string;
            readonly dialect: string;
            /**
             * Format: date-time
             * @description Time of the first decision.
             */
            readonly decided_at: string;
            /** @description null while it is running. */
            readonly outcome: string | null;
            readonly queue: components["schemas"]["RequestQueue"];
            readonly attempts: readonly components["schemas"]["Attempt"][];
            /** @description Whether the prompt may have run twice, because of a lost attempt or a hedge. */
            readonly retried: boolean;
            /** @description Whether a second attempt was started beside a late one. */
            readonly hedged: boolean;
        };
        readonly ResetUser: {
            /** @enum {string} */
            readonly object: "user";
            readonly user_id: string;
            readonly email: string;
            readonly name: string;
            /**
             * @description Each role includes the ones before it.
             * @enum {string}
             */
            readonly role: "member" | "admin" | "owner";
            /** @description A disabled user is signed out everywhere and cannot sign in. */
            readonly disabled: boolean;
            /** @description Signs in through the OpenID provider, and has no password here. */
            readonly openid: boolean;
            /** @description Creation time, in seconds since 1970. */
            readonly created: number;
            /** @description Last sign-in, in seconds since 1970; null if never. */
            readonly last_sign_in: number | null;
            /** @description Expiry of a temporary password, in seconds since 1970; null without one. */
            readonly password_expires: number | null;
            /** @description Temporary password for the user. It cannot be retrieved again. */
            readonly temporary_password: string;
        };
        readonly RollKey: {
            /**
             * @description How long the old key stays valid.
             * @enum {string}
             */
            readonly overlap: "0" | "1h" | "24h" | "7d";
        };
        readonly RolledKey: {
            /** @enum {string} */
            readonly object: "api_key";
            /** @description Also the first characters of the key after `sk-ferry-`. */
            readonly key_id: string;
            readonly name: string;
            /** @description Free text; null if there is none. */
            readonly description: string | null;
            /** @description Last four characters of the key. */
            readonly last4: string;
            readonly scopes: readonly ("inference" | "models:read")[];
            /** @description Clusters to which the key is limited; null for all of the account. */
            readonly cluster_ids: readonly string[] | null;
            /** @description null if the key has no limits of its own. */
            readonly limits: components["schemas"]["KeyLimits"];
            /** @description User who owns the key; null for the account. */
            readonly created_by: string | null;
            /** @description Creation time, in seconds since 1970. */
            readonly created: number;
            /** @description Expiry, in seconds since 1970; null if it does not expire. */
            readonly expires: number | null;
            /** @description Last use to the minute, in seconds since 1970; null if never used. */
            readonly last_used: number | null;
            /** @description Time of revocation, in seconds since 1970; null if active. */
            readonly revoked: number | null;
            /** @description The key. It cannot be retrieved again. */
            readonly key: string;
            /** @description Warnings about the request, as text; usually empty. */
            readonly warnings: readonly string[];
            /** @description The replaced key, with its expiry. */
            readonly previous: components["schemas"]["Key"];
        };
        readonly RunningRequest: {
            /** @enum {string} */
            readonly object: "running_request";
            readonly id: string;
            /** @description Id of the API key, or of the user for the chat of the website. */
            readonly key_id: string;
            /** @description null if there is no key. */
            readonly key_name: string | null;
            /** @description Model name in the request. */
            readonly model: string;
            /** @description null without a node. */
            readonly node_id: string | null;
            readonly node_name: string | null;
            readonly dialect: string;
            readonly stream: boolean;
            /**
             * @description `queued`: waits for a slot · `prefill`: sent to a node · `decode`: the response has begun.
             * @enum {string}
             */
            readonly state: "queued" | "prefill" | "decode";
            /** @description Events of the response so far, about one per token; null without a node or if it does not stream. */
            readonly output_events: number | null;
            /** @description Time since arrival. */
            readonly age_ms: number;
            /** @description Time from arrival to the first output. */
            readonly ttft_ms: number | null;
        };
        readonly SeriesGroup: {
            readonly requests: readonly number[];
            readonly input_tokens: readonly number[];
            readonly output_tokens: readonly number[];
            /** @description Requests that failed, timed out or were rejected. */
            readonly failed: readonly number[];
            /** @description Id of the group; null for requests without one, or without grouping. */
            readonly key: string | null;
            /** @description null if it no longer exists. */
            readonly name: string | null;
        };
        readonly SeriesLatency: {
            /** @description null if no response had a first token. */
            readonly ttft_p50_ms: number | null;
            /** @description null if no response had a first token. */
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
             * @description A browser session or the token of a command line.
             * @enum {string}
             */
            readonly kind: "session" | "cli_token";
            /** @description Name of a command line. */
            readonly name: string | null;
            /** @description Time of the sign-in, in seconds since 1970. */
            readonly created: number;
            /** @description Last use to the minute, in seconds since 1970; null if not recorded, as for a command line. */
            readonly last_used: number | null;
            /** @description Expiry of the token of a command line, in seconds since 1970. */
            readonly expires: number | null;
            /** @description IP address of the browser at the sign-in. */
            readonly ip: string | null;
            /** @description User agent of the browser at the sign-in. */
            readonly user_agent: string | null;
            /** @description Whether this request used it. */
            readonly current: boolean;
        };
        readonly ShowInvite: {
            /** @description The part of the link after `#`. */
            readonly token: string;
        };
        readonly SignIn: {
            readonly email: string;
            readonly password: string;
        };
        readonly SignInLink: {
            /** @description The part of the link after `#`. */
            readonly token: string;
        };
        readonly SignInMethods: {
            /** @enum {string} */
            readonly object: "sign_in_methods";
            /** @description Whether browsers can sign in. Over a network this needs https; see `FERRY_BASE_URL`. */
            readonly browser: boolean;
            /** @enum {boolean} */
            readonly password: true;
            readonly oidc: components["schemas"]["OidcMethod"];
            /** @description Whether everybody may create an account. */
            readonly sign_up: boolean;
            readonly service: components["schemas"]["Service"];
        };
        readonly SignUp: {
            /** Format: email */
            readonly email: string;
            /** @description 10 to 128 characters of any kind. */
            readonly password: string;
            /** @description Default: the e-mail address. */
            readonly name?: string | null;
        };
        readonly SignedOut: {
            /** @enum {string} */
            readonly object: "signed_out";
            /** @description Whether all other sessions and CLI tokens of this user have ended, too. */
            readonly everywhere: boolean;
        };
        readonly StartDeviceLogin: {
            /** @description Shown to the user who approves, such as the name of the computer. Becomes the name of the token. */
            readonly name?: string | null;
        };
        readonly StartedDeviceLogin: {
            /** @description Secret of the command line, to poll for the token. */
            readonly device_code: string;
            /** @description Code that the user enters. */
            readonly user_code: string;
            /** @description Page on which the user approves the code. */
            readonly verification_uri: string | null;
            /** @description The same page with the code filled in. */
            readonly verification_uri_complete: string | null;
            /** @description Command that approves the code, on a computer where `ferry` is signed in. */
            readonly approve_command: string;
            /** @description Lifetime of the codes, in seconds. */
            readonly expires_in: number;
            /** @description Minimum polling interval, in seconds. */
            readonly interval: number;
        };
        readonly UpdateNode: {
            readonly name?: string;
            /** @description New cluster of the node. */
            readonly cluster_id?: string;
        };
        readonly Usage: {
            /** @enum {string} */
            readonly object: "usage";
            /**
             * Format: date-time
             * @description ISO 8601, UTC; start of an hour.
             */
            readonly since: string;
            /**
             * Format: date-time
             * @description End, exclusive.
             */
            readonly until: string;
            /** @enum {string} */
            readonly by: "model" | "node" | "key" | "cluster" | "dialect" | "hour";
            readonly data: readonly components["schemas"]["UsageGroup"][];
            /** @description Whether there are more groups; `totals` includes them. */
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
            /** @description Part of the input tokens. */
            readonly cached_tokens: number;
            readonly output_tokens: number;
            /** @description Part of the output tokens. */
            readonly reasoning_tokens: number;
            /** @description Requests with token counts estimated by the relay, because neither engine nor node reported them. */
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
            /** @description Part of the input tokens. */
            readonly cached_tokens: number;
            readonly output_tokens: number;
            /** @description Part of the output tokens. */
            readonly reasoning_tokens: number;
            /** @description Requests with token counts estimated by the relay, because neither engine nor node reported them. */
            readonly estimated_requests: number;
            /** @description Id, dialect, or start of an hour; null for requests without one. */
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
             * @description End of the last bucket.
             */
            readonly until: string;
            /** @description Start times of the buckets, ISO 8601. Every list of numbers has one value per bucket, 0 for an empty one. */
            readonly buckets: readonly string[];
            /** @description Groups with the most tokens, in descending order. */
            readonly groups: readonly components["schemas"]["SeriesGroup"][];
            /** @description All other groups together; null if there are none. */
            readonly others: components["schemas"]["OtherSeries"] | null;
            /** @description From the request log, within its retention; null if no request was completed. */
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
             * @description Each role includes the ones before it.
             * @enum {string}
             */
            readonly role: "member" | "admin" | "owner";
            /** @description A disabled user is signed out everywhere and cannot sign in. */
            readonly disabled: boolean;
            /** @description Signs in through the OpenID provider, and has no password here. */
            readonly openid: boolean;
            /** @description Creation time, in seconds since 1970. */
            readonly created: number;
            /** @description Last sign-in, in seconds since 1970; null if never. */
            readonly last_sign_in: number | null;
            /** @description Expiry of a temporary password, in seconds since 1970; null without one. */
            readonly password_expires: number | null;
        };
        readonly UserCode: {
            /** @description Case-insensitive, with or without the dash. */
            readonly user_code: string;
        };
        readonly WhoAmI: {
            readonly account_id: string;
            /**
             * @description Role of the credential: that of its user, or a lower one.
             * @enum {string}
             */
            readonly role: "member" | "admin" | "owner";
            /** @description null for the token of the relay, which belongs to no user. */
            readonly user: components["schemas"]["User"] | null;
            /** @description Whether the user can sign in with a password. False for the first owner until one is set, and for users of OpenID only. */
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
