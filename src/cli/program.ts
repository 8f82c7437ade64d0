import { Command, Option } from 'commander';
import { registerClusters } from './clusters/clusters.command.js';
import type { Cli } from './invocation.js';
import { registerKeys } from './keys/keys.command.js';
import { registerModels } from './models/models.command.js';
import { registerNode } from './node/node.command.js';
import { registerNodes } from './nodes/nodes.command.js';
import { registerRelay } from './relay/relay.command.js';
import { registerUp } from './up/up.command.js';
import { packageVersion } from './package-version.js';

const exitCodeHelp = `
Exit codes: 0 ok · 1 failure · 2 usage · 3 relay unreachable · 4 not signed in · 5 not found · 6 no eligible node · 130 Ctrl-C
Data goes to stdout, everything else to stderr. NO_COLOR is respected.
`;

/** The command tree. Each command imports what it does when it runs: `ferry --help` must be instant. */
export function createProgram(cli: Cli): Command {
  const program = new Command('ferry')
    .description('One OpenAI- and Anthropic-compatible address for the models on your own computers')
    .version(packageVersion())
    // Before the commands are added: they inherit all of this.
    .exitOverride()
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({
      writeOut: (text) => {
        cli.terminal.print(text.replace(/\n$/, ''));
      },
      writeErr: (text) => {
        cli.terminal.note(text.replace(/\n$/, ''));
      },
      // Errors are shown by the caller, as text or as JSON.
      outputError: () => undefined,
    })
    .option('--base-url <url>', 'relay to talk to, without /v1 (FERRY_BASE_URL)')
    .option('--token <token>', 'CLI token to use instead of the stored one (FERRY_TOKEN)')
    .option('--data-dir <directory>', 'where Ferry keeps its files on this computer (FERRY_DATA_DIR)')
    .addOption(new Option('--output <form>', 'form of the data').choices(['table', 'json']))
    .option('--json', 'short for --output json; errors become JSON too')
    .addHelpText('after', exitCodeHelp);

  registerUp(program, cli);
  registerRelay(program, cli);
  registerNode(program, cli);
  registerKeys(program, cli);
  registerClusters(program, cli);
  registerNodes(program, cli);
  registerModels(program, cli);
  return program;
}
