/** The `ferry` command. Start-up is kept lean: what a command needs is imported when it runs. */
import { tolerateClosedPipes } from './core/output/closed-pipes.js';
import { runCli } from './program.js';

tolerateClosedPipes();

/** Settled when the command has ended. Not awaited here, because the bundle is made of scripts. */
export const ended = runCli(process.argv.slice(2)).then((code) => {
  process.exitCode = code;
});
