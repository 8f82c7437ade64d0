/**
 * Real nodes, several in one process: with one process each, a machine with few cores would measure the scheduler. Each has its own
 * folder, identity, engine list and link.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type * as agentProgram from '../../src/agent/main.js';
import { builtProgram } from '../built-program.js';

const SLOTS = 1_024;
const POLL_MS = 60_000;

interface StartNodesCommand {
  readonly relayUrl: string;
  readonly engineUrl: string;
  readonly directory: string;
  readonly joinTokens: readonly string[];
}

async function startNodes({ relayUrl, engineUrl, directory, joinTokens }: StartNodesCommand): Promise<void> {
  const { joinCluster, startNode } = await builtProgram<typeof agentProgram>('agent/main.js');
  for (const [index, joinToken] of joinTokens.entries()) {
    const data = path.join(directory, `node-${index}`);
    mkdirSync(path.join(data, 'node'), { recursive: true });
    const engines = [{ kind: 'openai-compatible', base_url: engineUrl, slots: SLOTS, poll_ms: POLL_MS }];
    writeFileSync(path.join(data, 'node/engines.json'), JSON.stringify({ engines }));
    await joinCluster({ relayUrl, joinToken, name: `bench-${index}`, dataDirectory: data });
    await startNode({
      env: {
        ...process.env,
        FERRY_DATA_DIR: data,
        FERRY_CONFIG_DIR: data,
        FERRY_NODE_LOG_LEVEL: 'warn',
        FERRY_DISCOVERY: 'off',
      },
    });
  }
}

process.on('message', (command: StartNodesCommand) => {
  startNodes(command).then(
    () => process.send?.({ reply: 'started' }),
    (error: unknown) => process.send?.({ failure: error instanceof Error ? error.message : String(error) }),
  );
});
// An orderly exit writes the CPU profile.
process.on('SIGTERM', () => process.exit(0));
process.on('disconnect', () => process.exit(0));
