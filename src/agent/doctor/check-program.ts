import { agentVersion } from '../agent-version.js';
import { ok, problem, type Finding } from './finding.js';

/** As package.json says; below it the program may start and fail later. */
const NEEDED: readonly [major: number, minor: number] = [20, 19];

export function checkNode(version: string = process.versions.node): Finding {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const enough = major > NEEDED[0] || (major === NEEDED[0] && minor >= NEEDED[1]);
  const facts = { node_version: version, agent_version: agentVersion, platform: `${process.platform}-${process.arch}` };
  return enough
    ? ok('program', `ferry ${agentVersion} on Node ${version}, ${facts.platform}`, facts)
    : problem('fail', 'program', `Node ${version} is too old`, `install Node ${NEEDED.join('.')} or newer`, facts);
}
