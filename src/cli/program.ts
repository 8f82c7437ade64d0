import type { Command } from 'commander';
import { addExamples } from './command-examples.js';
import { registerClusters } from './commands/clusters/clusters.command.js';
import { registerLogin } from './commands/login/login.command.js';
import { registerProfiles } from './commands/profiles/profiles.command.js';
import { registerStatus } from './commands/status/status.command.js';
import { registerAudit } from './commands/audit/audit.command.js';
import { registerUsage } from './commands/usage/usage.command.js';
import { registerExplain } from './commands/explain/explain.command.js';
import { registerChat } from './commands/chat/chat.command.js';
import { registerEnv } from './commands/env/env.command.js';
import { registerCompletion } from './commands/completion/completion.command.js';
import { registerUsers } from './commands/users/users.command.js';
import type { Cli } from './invocation.js';
import { registerKeys } from './commands/keys/keys.command.js';
import { registerModels } from './commands/models/models.command.js';
import { registerNode } from './commands/node/node.command.js';
import { registerNodes } from './commands/nodes/nodes.command.js';
import { registerRelay } from './commands/relay/relay.command.js';
import { registerUp } from './commands/up/up.command.js';
import { createRootCommand } from './root-command.js';

/** The command tree. Each command imports what it does when it runs: `ferry --help` must be instant. */
export function createProgram(cli: Cli): Command {
  const program = createRootCommand(
    'ferry',
    'One OpenAI- and Anthropic-compatible address for the models on your own computers',
    cli,
  )
    .option('--base-url <url>', 'relay to talk to, without /v1 (FERRY_BASE_URL)')
    .option('--token <token>', 'CLI token to use instead of the stored one (FERRY_TOKEN)')
    .option('--profile <name>', 'sign-in to use: see ferry profiles (FERRY_PROFILE)');
  registerUp(program, cli);
  registerRelay(program, cli);
  registerNode(program, cli);
  registerLogin(program, cli);
  registerStatus(program, cli);
  registerProfiles(program, cli);
  registerClusters(program, cli);
  registerNodes(program, cli);
  registerModels(program, cli);
  registerKeys(program, cli);
  registerUsers(program, cli);
  registerChat(program, cli);
  registerEnv(program, cli);
  registerUsage(program, cli);
  registerExplain(program, cli);
  registerAudit(program, cli);
  registerCompletion(program, cli);
  addExamples(program);
  return program;
}
