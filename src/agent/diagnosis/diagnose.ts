/** Everything that `ferry node doctor` looks at. Changes nothing, and works whether or not the node runs. */
import path from 'node:path';
import { systemClock } from '../../kernel/clock.js';
import { dataDirectory } from '../../kernel/data-directory.js';
import { readInstance } from '../../kernel/instance-lock.js';
import { loadSettings } from '../../kernel/settings.js';
import { agentSettings, type AgentSettings } from '../agent-settings.js';
import { agentVersion } from '../agent-version.js';
import { NODE_LOCK } from '../agent.js';
import { relayNetwork } from '../connection/relay-network.js';
import { PlaceProbe } from '../engines/discovery/place-probe.js';
import { engineKinds } from '../engines/engine-kinds.js';
import { planEngines } from '../engines/engine-plan.js';
import { LastKnownModels, lastKnownModelsFile } from '../engines/last-known/last-known-models.js';
import { EnginesFileError } from '../engines/engines-file-error.js';
import { nodeDirectory } from '../enrolment/node-identity.js';
import { checkDisk } from './check-disk.js';
import { checkEngines } from './check-engines.js';
import { checkIdentity, checkProcess } from './check-identity.js';
import { checkNode } from './check-program.js';
import { checkRelay } from './check-relay.js';
import { problem, type Finding } from './finding.js';

export type { Finding, Verdict } from './finding.js';

export interface DiagnoseOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
}

const userAgent = `ferry-node/${agentVersion}`;

/** @throws SettingsError: without settings there is nothing to look for */
export async function diagnoseNode({ env }: DiagnoseOptions): Promise<readonly Finding[]> {
  const { values: settings } = loadSettings(agentSettings, env);
  const directory = dataDirectory(env);
  const { finding: identified, identity } = await checkIdentity(directory);
  const relay = settings.relayUrl ?? identity?.relay_url;
  const [status, engines, relayFindings] = await Promise.all([
    readInstance(nodeDirectory(directory), NODE_LOCK),
    lookAtEngines(settings, directory),
    relay === undefined ? [] : lookAtRelay(relay, settings),
  ]);
  const models = engines.modelsDirectory ?? path.join(directory, 'models');
  return [
    checkNode(),
    identified,
    ...(identity === undefined ? [] : [checkProcess(status)]),
    ...relayFindings,
    await checkDisk('disk_data', directory),
    await checkDisk('disk_models', models),
    ...engines.findings,
  ];
}

async function lookAtEngines(
  settings: AgentSettings,
  directory: string,
): Promise<{ readonly findings: readonly Finding[]; readonly modelsDirectory: string | undefined }> {
  const file = settings.enginesFile ?? path.join(nodeDirectory(directory), 'engines.json');
  const { discoveryPorts: ports, discoveryIntervalMs: intervalMs, discovery } = settings;
  const probe = new PlaceProbe(userAgent);
  try {
    const on = discovery === 'on';
    const plan = await planEngines({ engineUrls: [], file, kinds: engineKinds, discovery: { on, ports, intervalMs } });
    const folder = plan.entries.find(({ modelsDirectory }) => modelsDirectory !== undefined)?.modelsDirectory;
    return {
      findings: await checkEngines({
        entries: plan.entries,
        ports,
        discovers: plan.places.length > 0,
        foundBefore: await foundBefore(settings, directory),
        get: (base, where) => probe.get(base, where),
      }),
      modelsDirectory: folder === undefined ? undefined : path.resolve(nodeDirectory(directory), folder),
    };
  } catch (error) {
    if (!(error instanceof EnginesFileError)) throw error;
    return { findings: [problem('fail', 'engines', error.message, `correct ${file}`)], modelsDirectory: undefined };
  } finally {
    await probe.close();
  }
}

async function foundBefore(settings: AgentSettings, directory: string): Promise<LastKnownModels['found']> {
  const known = new LastKnownModels({
    file: lastKnownModelsFile(nodeDirectory(directory)),
    maxAgeMs: settings.lastKnownModelsMaxAgeMs,
    clock: systemClock,
    // A damaged file is forgotten, which the log of the node says.
    onFailure: () => undefined,
  });
  await known.load();
  return known.found;
}

async function lookAtRelay(address: string, settings: AgentSettings): Promise<Finding[]> {
  if (!URL.canParse(address)) {
    return [problem('fail', 'relay_dns', `${address} is no address`, 'correct FERRY_NODE_RELAY_URL')];
  }
  const relay = new URL(address);
  try {
    const { dispatcher, socket, proxyHost } = await relayNetwork(relay, settings.caFile);
    try {
      return await checkRelay({ relay, dispatcher, ca: socket.ca, proxyHost, userAgent, clock: systemClock });
    } finally {
      await dispatcher.destroy();
    }
  } catch (error) {
    // The proxy or the certificate file that was configured; their messages say what to do.
    return [problem('fail', 'relay_tcp', (error as Error).message, 'correct the proxy or FERRY_CA_FILE')];
  }
}
