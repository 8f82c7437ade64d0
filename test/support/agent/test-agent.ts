import { systemClock, type Clock } from '../../../src/kernel/clock.js';
import { createNodeId } from '../../../src/kernel/ids.js';
import { loadSettings } from '../../../src/kernel/settings/settings.js';
import { agentSettings } from '../../../src/agent/agent-settings.js';
import { createAgent, type Agent, type AgentConfig, type AgentLog } from '../../../src/agent/agent.js';
import { systemTimers } from '../../../src/agent/connection/timers.js';
import { createNodeKey } from '../../../src/agent/enrolment/node-key.js';

interface TestAgentOptions {
  readonly relayUrl: string;
  readonly dataDirectory: string;
  readonly engines?: AgentConfig['engines'];
  readonly env?: Readonly<Record<string, string>>;
  readonly nodeId?: AgentConfig['identity']['node_id'];
  readonly privateKey?: string;
  readonly log?: AgentLog;
  readonly clock?: Clock;
}

const quiet: AgentLog = { info: () => undefined, warn: () => undefined, error: () => undefined };

/** A complete node `desk` that is enrolled at the relay and not yet started. */
export const testAgent = ({
  relayUrl,
  dataDirectory,
  engines = [],
  env = {},
  nodeId = createNodeId(),
  privateKey = createNodeKey().exportPrivateKey(),
  log = quiet,
  clock = systemClock,
}: TestAgentOptions): Agent =>
  createAgent(
    {
      settings: loadSettings(agentSettings, env).values,
      identity: {
        version: 1,
        node_id: nodeId,
        node_name: 'desk',
        account_id: 'acc_1',
        cluster_id: 'cl_12345678',
        relay_url: relayUrl,
        relay_host: 'relay.example',
        private_key: privateKey,
      },
      relay: new URL(relayUrl),
      relayHost: 'relay.example',
      nodeName: 'desk',
      dataDirectory,
      engines,
    },
    // Reconnects without random delay.
    { clock, timers: systemTimers, random: () => 0.01, log },
  );
