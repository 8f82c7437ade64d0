import { agentVersion } from '../agent-version.js';
import { NodeIdentityError, readIdentity, type NodeIdentity } from '../enrolment/node-identity.js';
import { ok, problem, type Finding } from './finding.js';

interface IdentityFinding {
  readonly finding: Finding;
  readonly identity: NodeIdentity | undefined;
}

export async function checkIdentity(dataDirectory: string): Promise<IdentityFinding> {
  let identity: NodeIdentity | undefined;
  try {
    identity = await readIdentity(dataDirectory);
  } catch (error) {
    if (!(error instanceof NodeIdentityError)) throw error;
    const finding = problem('fail', 'identity', error.message, 'join again: ferry node join --force <token>');
    return { finding, identity: undefined };
  }
  if (identity === undefined) {
    const next = 'ferry nodes join-token, then here: ferry node join <token>';
    return { finding: problem('fail', 'identity', 'this computer has not joined a cluster', next), identity };
  }
  const { node_id, node_name, cluster_id, relay_url } = identity;
  const summary = `${node_name} (${node_id}) of cluster ${cluster_id}`;
  return { finding: ok('identity', summary, { node_id, node_name, cluster_id, relay_url }), identity };
}

/** A node that does not run is a warning, not a failure. */
export function checkProcess(status: { readonly connected?: unknown; readonly pid?: unknown } | undefined): Finding {
  if (status === undefined) {
    return problem('warn', 'process', 'the node is not running', 'ferry node run (or ferry up)', { running: false });
  }
  const facts = { running: true, pid: status.pid, connected: status.connected };
  return status.connected === true
    ? ok('process', `running (process ${String(status.pid)}), connected to the relay`, facts)
    : problem('fail', 'process', 'running, but not connected to the relay', 'see the relay checks, and its log', facts);
}

/** Models that a running node could not load. */
export function checkModels(status: { readonly models?: unknown } | undefined): Finding[] {
  const models = Array.isArray(status?.models)
    ? (status.models as readonly { display_name?: unknown; state?: unknown }[])
    : [];
  return models
    .filter(({ state }) => state === 'failed')
    .map(({ display_name: name }) =>
      problem('fail', 'model', `${String(name)} could not be loaded`, `see why: ferry models load ${String(name)}`, {
        model: name,
      }),
    );
}

/** As in package.json: an older Node may start the program and fail later. */
const NEEDED: readonly [major: number, minor: number] = [20, 19];

export function checkNode(version: string = process.versions.node): Finding {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const enough = major > NEEDED[0] || (major === NEEDED[0] && minor >= NEEDED[1]);
  const facts = { node_version: version, agent_version: agentVersion, platform: `${process.platform}-${process.arch}` };
  return enough
    ? ok('program', `ferry ${agentVersion} on Node ${version}, ${facts.platform}`, facts)
    : problem('fail', 'program', `Node ${version} is too old`, `install Node ${NEEDED.join('.')} or newer`, facts);
}
