import type { Invocation } from '../../invocation.js';
import { runAsService } from '../service/run-as-service.js';
import { classifyAgentFailure } from './agent-failure.js';

interface RunFlags {
  readonly relay?: string;
  readonly engine?: readonly string[];
  readonly forceInsecure?: true;
}

/**
 * Serves this computer's models until SIGTERM, Ctrl-C or its supervisor stops it. @throws CliError (not signed in) when the relay refuses
 * the node
 */
export async function runNode({ terminal, env, global }: Invocation, flags: RunFlags): Promise<void> {
  const agent = await import('../../../agent/main.js');
  const rethrow = (error: unknown): never => {
    throw classifyAgentFailure(agent, error);
  };
  await runAsService('node', env, async () => {
    const node = await agent
      .startNode({ env, relayUrl: flags.relay, engineUrls: flags.engine, allowInsecure: flags.forceInsecure })
      .catch(rethrow);
    const facts = { node_id: node.nodeId, relay_url: node.relayUrl, pid: process.pid };
    if (global.output === 'json') terminal.print(JSON.stringify(facts));
    // A supervisor keeps it with the log, where it is no line of it.
    else if (process.send === undefined) {
      terminal.note(`This computer is the node ${node.status().node_name} of ${node.relayUrl}. Ctrl-C stops it.`);
    }
    return {
      facts,
      close: () => node.close(),
      reload: () => {
        node.reload();
      },
      reconnect: () => {
        node.reconnect();
      },
      failed: node.failed.catch(rethrow),
      settled: node.tried,
    };
  });
}
