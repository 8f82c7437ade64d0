/**
 * `npm run cluster`: Postgres, nats-server, several relays and nginx on this computer, to try them out (docs/operate/scaling.md#several-relays-on-one-database).
 * Everything is temporary and ends with it.
 */
import { parseArgs } from 'node:util';
import { RelayCluster } from '../test/support/replicas/relay-cluster.js';

const USAGE = 'npm run cluster -- [--replicas NUMBER] [--port PORT]';
const REPLICAS_LIMIT = 9;

function fail(message: string, advice: string): never {
  process.stderr.write(`error: ${message}\n  try: ${advice}\n`);
  process.exit(1);
}

function integer(name: string, text: string, highest: number): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1 || value > highest) fail(`--${name} needs 1 to ${highest}`, USAGE);
  return value;
}

function readOptions(): { replicas: number; port: number } {
  try {
    const { values } = parseArgs({ options: { replicas: { type: 'string' }, port: { type: 'string' } } });
    return {
      replicas: integer('replicas', values.replicas ?? '3', REPLICAS_LIMIT),
      port: integer('port', values.port ?? '8080', 65_535),
    };
  } catch (error) {
    return fail(error instanceof Error ? error.message : String(error), USAGE);
  }
}

const { replicas, port } = readOptions();
let step = '';
try {
  // A signal during the start takes effect after it, and further ones (npm passes on what the terminal sent, too) change nothing:
  // nothing is left behind.
  const ended = new Promise<void>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => resolve());
  });
  const cluster = await RelayCluster.start({
    replicas,
    port,
    onStep: (name) => {
      step = name;
      process.stderr.write(`starting ${name}\n`);
    },
  });
  step = '';
  const { base_url: address, api_key: key, cli_token: token } = cluster.front.credentials;
  process.stdout.write(`address    ${address}\nAPI key    ${key}\nCLI token  ${token}\n`);
  for (const relay of cluster.relays)
    process.stdout.write(`${relay.name}    ${relay.baseUrl}, process ${relay.process.pid}\n`);
  process.stderr.write('Ctrl-C stops everything and removes its data.\n');
  await ended;
  process.stderr.write('stopping\n');
  await cluster.stop();
} catch (error) {
  const [message = ''] = (error instanceof Error ? error.message : String(error)).split('\n');
  fail(
    step === '' ? message : `${step}: ${message}`,
    'sudo apt-get install nats-server nginx-light postgresql; and npm run build',
  );
}
