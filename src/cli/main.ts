/** The `ferry` command. Start-up is kept lean: what a command needs is imported when it runs. */
import { tolerateClosedPipes } from './core/output/closed-pipes.js';
import { runCli } from './program.js';

tolerateClosedPipes();
process.exitCode = await runCli(process.argv.slice(2));
