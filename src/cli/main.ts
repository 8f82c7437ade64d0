/** The `ferry` command. Start-up is kept lean: what a command needs is imported when it runs. */
import { isSetup } from './commands/up/supervisor/is-setup.js';
import { tolerateClosedPipes } from './core/output/closed-pipes.js';

tolerateClosedPipes();

/** Settled when the command has ended. Not awaited here, because the bundle is made of scripts. */
export const ended = run(process.argv.slice(2)).then((code) => {
  process.exitCode = code;
});

async function run(argv: readonly string[]): Promise<number> {
  if (argv[0] === 'up' && !isSetup) {
    const { superviseUp } = await import('./commands/up/supervisor/supervise-up.js');
    return superviseUp(argv);
  }
  const { runCli } = await import('./program.js');
  return runCli(argv);
}
