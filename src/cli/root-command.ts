import { Command, Option, type HelpContext, type ParseOptions } from 'commander';
import type { Cli } from './invocation.js';
import { packageVersion } from './core/package-version.js';

const exitCodeHelp = `
Exit codes: 0 ok · 1 failure · 2 usage · 3 relay unreachable · 4 not signed in
  5 not found · 6 no eligible node · 130 Ctrl-C
Data goes to stdout, everything else to stderr. NO_COLOR and FORCE_COLOR are
respected.
`;

const rootOf = (command: Command): Command => (command.parent === null ? command : rootOf(command.parent));

/** The help of a program with many commands is short, unless all of it is asked for. */
class Program extends Command {
  shortHelp: (() => string) | undefined;
  /** The help comes before options are looked at. */
  private words: readonly string[] = [];

  override parseAsync(argv: readonly string[] = [], options?: ParseOptions): Promise<this> {
    this.words = argv;
    return super.parseAsync(argv, options);
  }

  override helpInformation(context?: HelpContext): string {
    return this.isShort ? `${this.shortHelp?.() ?? ''}\n` : super.helpInformation(context);
  }

  get isShort(): boolean {
    return this.shortHelp !== undefined && !this.words.includes('--all');
  }
}

/** A program without commands yet: what is added to it inherits its options, and where its texts go. */
export function createRootCommand(name: string, description: string, cli: Cli): Program {
  const program = new Program(name);
  return program
    .description(description)
    .version(packageVersion())
    .exitOverride()
    .configureHelp({
      showGlobalOptions: true,
      // Options of the program, not those of a command such as `ferry login` that has sub-commands, too.
      visibleGlobalOptions: (command) => (command.parent === null ? [] : [...rootOf(command).options]),
    })
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
    .option('--data-dir <directory>', 'where Ferry keeps its files on this computer (FERRY_DATA_DIR)')
    .option(
      '--config <file>',
      'settings of relay and node (FERRY_CONFIG_FILE, default ferry.toml in the data directory)',
    )
    .addOption(new Option('--output <form>', 'form of the data').choices(['table', 'json', 'yaml']))
    .option('--json', 'short for --output json; errors become JSON too')
    .option('--wide', 'tables with every column, ids included, and nothing shortened')
    .addHelpText('after', () => (program.isShort ? '' : exitCodeHelp));
}
