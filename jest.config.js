// Measures once, for all workers.
import './test/runner/time-factor.js';

const project = (displayName, testMatch, extra = {}) => ({
  displayName,
  testMatch,
  // Spec files are ordinary modules of the worker's process, compiled by scripts/swc-loader.mjs (test/runner/native-runtime.js).
  runtime: '<rootDir>/test/runner/native-runtime.js',
  testEnvironment: '<rootDir>/test/runner/process-environment.js',
  transform: {},
  // For `--findRelatedTests` and `--onlyChanged`, which read import statements; Node itself resolves through the loader.
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  injectGlobals: false,
  ...extra,
});

const relayTemplate = { globalSetup: '<rootDir>/test/support/db/relay-template.setup.js' };

/**
 * They measure memory, allocations, or how soon something happens: a neighbour on the same two cores would be measured with them. And
 * `npm run up` installs and builds where that is missing. The project `alone` runs them one after the other.
 */
const alone = [
  'cancellation',
  'flow-control',
  'hot-path-allocations',
  'node-loss',
  'npm-run-up',
  'operations',
  'revocation',
  'unread-answers',
].map((name) => `/test/e2e/${name}.spec.ts`);

/**
 * The command line on one computer, and what happens on nodes, at engines or before the database is asked: the same with every database, so a
 * run against `DATABASE_URL` leaves it out (docs/internals/decisions/0008).
 */
const withoutDatabase = [
  'backup-in-use',
  'body-limit',
  'cli-terminal',
  'command-line',
  'connect',
  'discovery',
  'engine-loss',
  'first-hour',
  'headless-node',
  'hedging',
  'node-health',
  'node-metrics',
  'overload',
  'quickstart',
  'readme-snippets',
  'run-and-watch',
  'second-computer',
  'settings-reload',
  'spec-errors',
  'suspend',
  'this-computer',
  'traces',
  'unhandled-failures',
].map((name) => `/test/e2e/${name}.spec.ts`);

/** They move data into the Postgres of `DATABASE_URL`: a run on the embedded database leaves them out. */
const onPostgres = ['db-move'].map((name) => `/test/e2e/${name}.spec.ts`);

/** What depends most on how requests and answers pass through Node and Nest; repeated without `FERRY_FAST_PATH`. */
const fastPathOff = [
  'src/relay/platform/http/*.spec.ts',
  'src/relay/platform/http/server/*.spec.ts',
  'src/relay/protocols/{chat,messages,responses}/*.controller.spec.ts',
  'src/relay/routing/request/inference-request.whole-answer.spec.ts',
  'test/contract/vercel-ai.spec.ts',
  'test/e2e/{completions,openai-client,request-log,spec-errors}.spec.ts',
].map((pattern) => `<rootDir>/${pattern}`);

export default {
  // As all time limits of tests, longer on a busy computer (test/runner/time-factor.js).
  testTimeout: 30_000,
  reporters: ['default', '<rootDir>/test/runner/run.reporter.js'],
  // Every spec file leaves something behind in its process: one that has grown is replaced, before it collects garbage all the time.
  workerIdleMemoryLimit: '1GB',
  projects: [
    project(
      'unit',
      ['src', 'console/src', 'test/unit', 'test/engines'].map((folder) => `<rootDir>/${folder}/**/*.spec.ts`),
      { globalSetup: '<rootDir>/test/support/db/migrated-database.setup.js' },
    ),
    project('contract', ['<rootDir>/test/contract/**/*.spec.ts'], relayTemplate),
    project('e2e', ['<rootDir>/test/e2e/**/*.spec.ts'], {
      ...relayTemplate,
      testPathIgnorePatterns: [...alone, ...(process.env.DATABASE_URL ? withoutDatabase : onPostgres)],
    }),
    project(
      'alone',
      alone.map((file) => `<rootDir>${file}`),
      relayTemplate,
    ),
    project('fast-path-off', fastPathOff, {
      globalSetup: relayTemplate.globalSetup,
      setupFiles: ['<rootDir>/test/support/relay/fast-path-off.setup.js'],
    }),
    project('faults', ['<rootDir>/test/faults/**/*.spec.ts'], relayTemplate),
    // Several relays, on one Postgres server or one nats-server.
    project('cluster', ['<rootDir>/test/cluster/**/*.spec.ts'], relayTemplate),
    // nginx, HAProxy and Caddy, with TLS, in front of one relay.
    project('proxies', ['<rootDir>/test/proxies/**/*.spec.ts'], relayTemplate),
    // Needs Go, of Debian's packages.
    project('helm', ['<rootDir>/test/helm/**/*.spec.ts']),
    project('browser', ['<rootDir>/test/browser/**/*.spec.ts'], relayTemplate),
    project('website-speed', ['<rootDir>/test/website-speed/**/*.spec.ts'], relayTemplate),
    // Packs, and installs from the npm registry.
    project('package', ['<rootDir>/test/package/**/*.spec.ts']),
    project('agents', ['<rootDir>/test/agents/**/*.spec.ts']),
  ],
};
