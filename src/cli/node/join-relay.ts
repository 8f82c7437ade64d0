import { dataDirectory } from '../../kernel/data-directory.js';
import { findRelayAddress } from '../connection/find-connection.js';
import { CliError } from '../failure/cli-error.js';
import { exitCodes } from '../failure/exit-codes.js';
import type { Invocation } from '../invocation.js';
import { printable } from '../output/printable.js';
import { classifyAgentFailure } from './agent-failure.js';

interface JoinFlags {
  readonly relay?: string;
  readonly name?: string;
  readonly force?: true;
  readonly forceInsecure?: true;
}

/** Makes this computer a node. The node's id alone on stdout. */
export async function joinRelay(invocation: Invocation, joinToken: string, flags: JoinFlags): Promise<void> {
  const { terminal, env, global } = invocation;
  const relayUrl = flags.relay ?? (await findRelayAddress(invocation));
  if (relayUrl === undefined) {
    throw new CliError('usage', exitCodes.usage, 'which relay shall this computer join?', {
      hint: 'ferry node join <token> --relay https://relay.example.com',
    });
  }
  const agent = await import('../../agent/main.js');
  const joined = await agent
    .joinCluster({
      relayUrl,
      joinToken,
      name: flags.name,
      dataDirectory: dataDirectory(env),
      replace: flags.force,
      allowInsecure: flags.forceInsecure,
    })
    .catch((error: unknown) => {
      throw classifyAgentFailure(agent, error);
    });
  terminal.note(`Joined ${joined.relayUrl} as ${printable(joined.nodeName)}. Next: ferry node run`);
  const facts = {
    node_id: joined.nodeId,
    name: joined.nodeName,
    cluster_id: joined.clusterId,
    relay_url: joined.relayUrl,
  };
  terminal.print(global.output === 'json' ? JSON.stringify(facts) : joined.nodeId);
}
