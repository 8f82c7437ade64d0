// Once, for all workers.
import './test/runner/temporary-folder.js';
import './test/runner/time-factor.js';

const project = (displayName, testMatch, extra = {}) => ({
  displayName,
  testMatch,
  // Spec files are ordinary modules of the worker's process, compiled by scripts/swc-loader.mjs (test/runner/native-runtime.js).
  runtime: '<rootDir>/test/runner/native-runtime.js',
  testEnvironment: '<rootDir>/test/runner/process-environment.js',
  transform: {},
  // `find` would read all of `node_modules` and leave it out afterwards.
  haste: { forceNodeFilesystemAPI: true },
  // Packages of one name, of which Jest would warn for each project.
  modulePathIgnorePatterns: ['<rootDir>/engines/[^/]+/stub/'],
  // For `--findRelatedTests` and `--onlyChanged`, which read import statements; Node itself resolves through the loader.
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  injectGlobals: false,
  ...extra,
});

const relayTemplate = { globalSetup: '<rootDir>/test/support/db/relay-template.setup.js' };

/**
 * What the run on Node 24 and a real Postgres repeats, and which fault no other run would find there (docs/internals/decisions/0008). A run
 * against `DATABASE_URL` takes these files alone.
 */
const repeated = {
  e2e: [
    // SQL, constraints and transactions of the server; commands that open its database beside a relay.
    'accounts',
    'backup',
    'db-move',
    'inventory',
    'metering',
    'people',
    'sign-up',
    // Connections that are lost and come back; writes that a killed relay has acknowledged.
    'database-outage',
    'durability',
    'frozen-database',
    // Node's HTTP parser, sockets and streams: bodies, refusals, answers whole and streamed, and what is counted of them.
    'body-limit',
    'openai-client',
    'openapi-examples',
    'request-log',
    'spec-errors',
    // What Node does with a rejection that nobody handles.
    'unhandled-failures',
    // Disconnects and lost processes, as the sockets of Node report them.
    'cancellation',
    'node-loss',
    // Rows that several requests change at the same time.
    'operations',
    // Several processes that one relay consists of: they need Postgres.
    'workers',
    // Another Node installs, builds and starts it: the one place where the embedded database runs on Node 24.
    'npm-run-up',
  ],
  alone: [
    // Backpressure, as Node reports it.
    'flow-control',
    // Memory and allocations, which V8 decides.
    'hot-path-allocations',
    'unread-responses',
  ],
  // Every way in which an engine's answer ends, through every dialect: resets and broken streams, as Node reports them.
  contract: ['engine-misbehaviour'],
};

const withDatabase = process.env.DATABASE_URL !== undefined && process.env.DATABASE_URL !== '';

/** `FERRY_TEST_WORKERS`: each relay on that Postgres has so many workers, of which every file may find something. */
const repeatsAll = !withDatabase || process.env.FERRY_TEST_WORKERS !== undefined;

/** They need the Postgres of `DATABASE_URL`: a run on the embedded database leaves them out. */
const onPostgres = ['db-move', 'workers'].map((name) => `/test/e2e/${name}.spec.ts`);

const filesOf = (suite) =>
  repeatsAll
    ? [`<rootDir>/test/${suite}/**/*.spec.ts`]
    : repeated[suite].map((name) => `<rootDir>/test/${suite}/${name}.spec.ts`);

/**
 * What takes another way without `FERRY_FAST_PATH`: the response writer, upgrades; and a relay in its own
 * process, once through every inference route, whole and streamed, accepted and refused.
 */
const fastPathOff = [
  'src/relay/platform/http/{client-writer,event-stream,json-response,relay-http-adapter,unhandled-request}.spec.ts',
  'src/relay/platform/http/event-stream.slow-client.spec.ts',
  'src/relay/platform/http/server/*.spec.ts',
  'src/relay/routing/request/inference-request.whole-response.spec.ts',
  'test/e2e/{openai-client,openapi-examples,request-log,spec-errors}.spec.ts',
].map((pattern) => `<rootDir>/${pattern}`);

export default {
  // As all time limits of tests, longer on a busy computer (test/runner/time-factor.js).
  testTimeout: 30_000,
  // Not below the temporary folder, which is a new one in each run.
  cacheDirectory: '<rootDir>/node_modules/.cache/jest',
  testSequencer: '<rootDir>/test/runner/longest-first.js',
  reporters: ['default', '<rootDir>/test/runner/run.reporter.js'],
  // Every spec file leaves something behind in its process: one that has grown is replaced, before it collects garbage all the time.
  workerIdleMemoryLimit: '1GB',
  projects: [
    project(
      'unit',
      ['src', 'console/src', 'test/unit', 'test/engines'].map((folder) => `<rootDir>/${folder}/**/*.spec.ts`),
      { globalSetup: '<rootDir>/test/support/db/migrated-database.setup.js' },
    ),
    project('contract', filesOf('contract'), relayTemplate),
    // The official SDKs for Python: CI runs them always, `npm test` by name.
    project('python', ['<rootDir>/test/python/**/*.spec.ts'], relayTemplate),
    project('e2e', filesOf('e2e'), { ...relayTemplate, testPathIgnorePatterns: withDatabase ? [] : onPostgres }),
    // They measure memory or fractions of a second: on a busy core, garbage is collected late and answers come late.
    project('alone', filesOf('alone'), relayTemplate),
    project('fast-path-off', fastPathOff, {
      globalSetup: relayTemplate.globalSetup,
      setupFiles: ['<rootDir>/test/support/relay/fast-path-off.setup.js'],
    }),
    // Real programs of engines (scripts/real-engines.mjs).
    project('engines', ['<rootDir>/test/real-engines/**/*.spec.ts'], relayTemplate),
    // A Vulkan device in software (scripts/gpu-test-device.mjs).
    project('gpu', ['<rootDir>/test/gpu/**/*.spec.ts']),
    project('faults', ['<rootDir>/test/faults/**/*.spec.ts'], relayTemplate),
    // Several relays, on one Postgres server or one nats-server.
    project('cluster', ['<rootDir>/test/cluster/**/*.spec.ts'], relayTemplate),
    // nginx, HAProxy, Caddy and Traefik, with TLS, in front of one relay.
    project('proxies', ['<rootDir>/test/proxies/**/*.spec.ts'], relayTemplate),
    // Needs Go, of Debian's packages.
    project('helm', ['<rootDir>/test/helm/**/*.spec.ts']),
    project('browser', ['<rootDir>/test/browser/**/*.spec.ts'], relayTemplate),
    project('screens', ['<rootDir>/test/screens/**/*.spec.ts'], relayTemplate),
    project('website-speed', ['<rootDir>/test/website-speed/**/*.spec.ts'], relayTemplate),
    // Packs, and installs from the npm registry.
    project('package', ['<rootDir>/test/package/**/*.spec.ts']),
    // Client libraries in other languages, from their registries.
    project('clients', ['<rootDir>/test/clients/**/*.spec.ts'], relayTemplate),
    // Its server, of some hundred Python packages.
    project('open-webui', ['<rootDir>/test/open-webui/**/*.spec.ts'], relayTemplate),
    project('agents', ['<rootDir>/test/agents/**/*.spec.ts'], relayTemplate),
  ],
};
