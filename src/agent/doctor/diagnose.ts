/** The checks of `ferry node doctor`. Read-only; works whether or not the node runs. */
import path from 'node:path';
import { systemClock } from '../../kernel/clock.js';
import { dataDirectory } from '../../kernel/data-directory.js';
import { readInstance } from '../../kernel/instance-lock.js';
import type { AgentSettings } from '../agent-settings.js';
import { enginesFileOf } from '../engines-file-path.js';
import { loadAgentSettings } from '../load-agent-settings.js';
import { NODE_LOCK } from '../agent.js';
import { TargetProbe } from '../engines/discovery/target-probe.js';
import { engineKinds } from '../engines/engine-kinds.js';
import type { EngineContext } from '../engines/engine-kind.js';
import { planEngines, type EnginePlan } from '../engines/engine-plan.js';
import { LastKnownModels, lastKnownModelsFile } from '../engines/last-known/last-known-models.js';
import { engineDirectory, engineRemedy, isBuiltInEngineInstalled } from '../engines/llamacpp/engine-packages.js';
import { EnginesFileError } from '../engines/engines-file-error.js';
import { nodeDirectory, type NodeIdentity } from '../enrolment/node-identity.js';
import { checkDisk } from './check-disk.js';
import { checkEngines, checkEntries } from './check-engines.js';
import { checkGpu } from './check-gpu.js';
import { checkIdentity, checkModels, checkNode, checkProcess } from './check-identity.js';
import { pathFindings, userAgent } from './diagnose-relay.js';
import { problem, type Finding } from './finding.js';

interface DiagnoseOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** @throws SettingsError */
export async function diagnoseNode({ env }: DiagnoseOptions): Promise<readonly Finding[]> {
  const { values: settings } = loadAgentSettings(env);
  const directory = dataDirectory(env);
  const { finding: identified, identity } = await checkIdentity(directory);
  const relay = settings.relayUrl ?? identity?.relay_url;
  const status: { readonly connected?: unknown; readonly models?: unknown } | undefined = await readInstance(
    nodeDirectory(directory),
    NODE_LOCK,
  );
  const isLetIn = status?.connected === true;
  const [engines, relayFindings] = await Promise.all([
    engineFindings(settings, env),
    relay === undefined ? [] : findingsOfRelay(relay, settings.caFile, isLetIn ? undefined : identity),
  ]);
  const models = engines.modelsDirectory ?? path.join(directory, 'models');
  return [
    checkNode(),
    identified,
    ...(identity === undefined ? [] : [checkProcess(status), ...checkModels(status)]),
    ...relayFindings,
    await checkDisk('disk_data', directory),
    await checkDisk('disk_models', models),
    ...engines.findings,
  ];
}

/** @param identity of a node that is not connected */
const findingsOfRelay = async (
  address: string,
  caFile: string | undefined,
  identity: NodeIdentity | undefined,
): Promise<Finding[]> =>
  URL.canParse(address)
    ? pathFindings({ relay: new URL(address), caFile, identity, forClients: false })
    : [problem('fail', 'relay_dns', `${address} is not a valid address`, 'correct FERRY_NODE_RELAY_URL')];

/** Missing or broken files of the configured engines. @throws SettingsError */
export async function diagnoseEngineFiles({ env }: DiagnoseOptions): Promise<readonly Finding[]> {
  const { values: settings } = loadAgentSettings(env);
  try {
    const { entries } = await planOf(
      settings,
      enginesFileOf(settings, dataDirectory(env)),
      isBuiltInEngineInstalled(env),
    );
    return (await checkEntries(entries, contextOf(env))).findings;
  } catch (error) {
    if (!(error instanceof EnginesFileError)) throw error;
    return [problem('fail', 'engines', error.message, 'correct the file')];
  }
}

const planOf = (
  { discoveryPorts: ports, discoveryIntervalMs: intervalMs, discovery }: AgentSettings,
  file: string,
  hasBuiltIn: boolean,
): Promise<EnginePlan> =>
  planEngines({
    engineUrls: [],
    file,
    kinds: engineKinds,
    hasBuiltIn,
    discovery: { on: discovery === 'on', ports, intervalMs },
  });

const contextOf = (env: DiagnoseOptions['env']): EngineContext => ({
  env,
  directory: nodeDirectory(dataDirectory(env)),
  userAgent,
  clock: systemClock,
  log: () => undefined,
});

async function engineFindings(
  settings: AgentSettings,
  env: DiagnoseOptions['env'],
): Promise<{ readonly findings: readonly Finding[]; readonly modelsDirectory: string | undefined }> {
  const directory = dataDirectory(env);
  const file = enginesFileOf(settings, directory);
  const probe = new TargetProbe(userAgent);
  try {
    const plan = await planOf(settings, file, isBuiltInEngineInstalled(env));
    const { findings, usable } = await checkEntries(plan.entries, contextOf(env));
    const folder = plan.entries.find(({ modelsDirectory }) => modelsDirectory !== undefined)?.modelsDirectory;
    return {
      findings: [
        ...(await checkEngines({
          entries: usable,
          ports: settings.discoveryPorts,
          discovers: plan.places.length > 0,
          builtInRemedy: isBuiltInEngineInstalled(env) ? undefined : engineRemedy(engineDirectory(env)),
          foundBefore: await foundBefore(settings, directory),
          get: (base, where) => probe.get(base, where),
        })),
        ...findings,
        ...(await checkGpu({ entries: plan.entries, setting: settings.llamacppGpu, place: { env } })),
      ],
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
    // The node logs a damaged file.
    onFailure: () => undefined,
  });
  await known.load();
  return known.found;
}
