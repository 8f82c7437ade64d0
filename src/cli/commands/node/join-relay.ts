import { dataDirectory } from '../../../kernel/data-directory.js';
import { findRelayAddress } from '../../core/api/find-connection.js';
import { CliError } from '../../core/errors/cli-error.js';
import { exitCodes } from '../../core/errors/exit-codes.js';
import type { Invocation } from '../../invocation.js';
import { printData } from '../../core/output/print-data.js';
import { printable } from '../../../kernel/printable.js';
import { classifyAgentFailure } from './agent-failure.js';

interface JoinFlags {
  readonly deviceCode?: true;
  readonly relay?: string;
  readonly name?: string;
  readonly force?: true;
  readonly forceInsecure?: true;
}

/** Makes this computer a node. The node's id alone on stdout. */
export async function joinRelay(
  invocation: Invocation,
  joinToken: string | undefined,
  flags: JoinFlags,
): Promise<void> {
  const { terminal, env } = invocation;
  if ((joinToken === undefined) !== (flags.deviceCode === true)) {
    throw new CliError('usage', exitCodes.usage, 'give a join token or --device-code, one of the two', {
      hint: 'ferry nodes add makes a token where ferry is signed in; --device-code needs none',
    });
  }
  const relayUrl = flags.relay ?? (await findRelayAddress(invocation));
  if (relayUrl === undefined) {
    throw new CliError('usage', exitCodes.usage, 'which relay shall this computer join?', {
      hint: 'ferry node join <token> --relay https://relay.example.com',
    });
  }
  const agent = await import('../../../agent/main.js');
  const target = {
    relayUrl,
    name: flags.name,
    dataDirectory: dataDirectory(env),
    replace: flags.force,
    allowInsecure: flags.forceInsecure,
    caFile: agent.loadAgentSettings(env).values.caFile,
  };
  // Before the token is spent: the node would not start with a file that it cannot use.
  await agent.checkEnginesFile(env).catch((error: unknown) => {
    throw classifyAgentFailure(agent, error);
  });
  const joining =
    joinToken === undefined
      ? agent.joinByDeviceCode({
          ...target,
          show: ({ userCode, verificationUri, verificationUriComplete, fingerprint, expiresInSeconds }) => {
            const page = verificationUriComplete ?? verificationUri;
            terminal.note(`Code:        ${userCode}   (for ${String(Math.ceil(expiresInSeconds / 60))} minutes)`);
            terminal.note(`Fingerprint: ${fingerprint}`);
            terminal.note(`Approve it as an admin where ferry is signed in: ferry nodes approve ${userCode}`);
            if (page !== null) terminal.note(`or in a browser: ${printable(page)}`);
            terminal.note('Then repeat the fingerprint there.');
          },
        })
      : agent.joinCluster({ ...target, joinToken });
  const joined = await joining.catch((error: unknown) => {
    throw classifyAgentFailure(agent, error);
  });
  terminal.note(`Joined ${joined.relayUrl} as ${printable(joined.nodeName)}. Next: ferry node run`);
  const facts = {
    node_id: joined.nodeId,
    name: joined.nodeName,
    cluster_id: joined.clusterId,
    relay_url: joined.relayUrl,
  };
  await printData(invocation, facts, () => {
    terminal.print(joined.nodeId);
  });
}
