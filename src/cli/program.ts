import { Argument, type Command } from 'commander';
import { addExamples } from './command-examples.js';
import { registerAccounts } from './commands/accounts/accounts.command.js';
import { registerBackup } from './commands/backup/backup.command.js';
import { registerChat, registerEnv } from './commands/env/clients.command.js';
import { registerClusters } from './commands/clusters/clusters.command.js';
import { registerConnect } from './commands/connect/connect.command.js';
import { COMPLETE, completionScripts, shells, type CompletionShell } from './commands/completion/shell-scripts.js';
import { registerDb } from './commands/db/db.command.js';
import { registerDoctor } from './commands/doctor/doctor.command.js';
import { registerExtensions } from './commands/extensions/extensions.command.js';
import { registerKeys } from './commands/keys/keys.command.js';
import { registerLogs } from './commands/logs/logs.command.js';
import { registerLogin, registerProfiles, registerStatus } from './commands/login/login.command.js';
import { registerModels } from './commands/models/models.command.js';
import { registerNode } from './commands/node/node.command.js';
import { registerNodes } from './commands/nodes/nodes.command.js';
import { registerProbe } from './commands/probe/probe.command.js';
import { registerRelay, registerUp } from './commands/relay/relay.command.js';
import { registerExplain } from './commands/explain/explain.command.js';
import { registerRequests } from './commands/requests/requests.command.js';
import { registerRun } from './commands/run/run.command.js';
import { registerShortForms, SHORT_FORMS } from './commands/short-forms/short-forms.command.js';
import { registerService } from './commands/service/service.command.js';
import { registerUninstall } from './commands/uninstall/uninstall.command.js';
import { registerTop } from './commands/top/top.command.js';
import { registerAudit, registerUsage } from './commands/usage/usage.command.js';
import { registerUsers } from './commands/users/users.command.js';
import { relaySettingsOf } from './core/args/relay-settings.js';
import { exitCodes } from './core/errors/exit-codes.js';
import { createTerminal } from './core/output/terminal.js';
import type { Cli } from './invocation.js';
import { createRootCommand } from './root-command.js';
import { runProgram } from './run-program.js';
import { renderShortHelp } from './short-help.js';

/** The whole of `ferry`. Resolves to the exit code; failures are shown, never thrown. */
export async function runCli(
  argv: readonly string[],
  cli: Cli = { terminal: createTerminal(process.stdout, process.stderr, process.env), env: process.env },
): Promise<number> {
  const program = createProgram(cli);
  // Not a command of the tree: the words that follow are unfinished, and must not be parsed.
  if (argv[0] === COMPLETE) {
    const { printCandidates } = await import('./commands/completion/print-candidates.js');
    await printCandidates(program, argv.slice(1), cli);
    return exitCodes.ok;
  }
  return runProgram(program, argv, cli);
}

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
  program.shortHelp = () => renderShortHelp(program, cli.terminal.stdoutColors);
  program.commandsGroup('Use models:');
  registerRun(program, cli);
  registerChat(program, cli);
  registerModels(program, cli);
  registerConnect(program, cli);
  registerEnv(program, cli);
  program.commandsGroup('Watch:');
  registerStatus(program, cli);
  registerTop(program, cli);
  registerRequests(program, cli);
  registerExplain(program, cli);
  registerLogs(program, cli);
  registerUsage(program, cli);
  registerAudit(program, cli);
  registerProbe(program, cli);
  registerDoctor(program, cli);
  program.commandsGroup('Computers:');
  registerNodes(program, cli);
  registerClusters(program, cli);
  registerNode(program, cli);
  program.commandsGroup('Keys and people:');
  registerKeys(program, cli);
  registerExtensions(program, cli);
  registerUsers(program, cli);
  registerLogin(program, cli);
  registerProfiles(program, cli);
  program.commandsGroup('Run a relay:');
  registerUp(program, cli);
  registerRelay(program, cli);
  registerAccounts(program, cli);
  registerBackup(program, cli);
  registerDb(program, cli);
  registerService(program, cli, async (env, flags) => (await relaySettingsOf(env, flags)).values);
  registerUninstall(program, cli, 'all');
  program.commandsGroup('This command line:');
  registerCompletion(program, cli);
  program.commandsGroup(SHORT_FORMS);
  registerShortForms(program, cli);
  program.helpCommand('help [command]', 'show the help of a command');
  addExamples(program);
  return program;
}

/** `ferry completion`: the completion script of a shell. */
function registerCompletion(program: Command, cli: Cli): void {
  program
    .command('completion')
    .addArgument(new Argument('<shell>', 'shell').choices(shells))
    .description('print a completion script: eval "$(ferry completion bash)"')
    .action((shell: CompletionShell) => {
      cli.terminal.print(completionScripts[shell]);
    });
}
