/** The `ferry` command. Start-up is kept lean: what a command needs is imported when it runs. */
import { runCli } from './run-cli.js';

// `ferry models list | head -1` closes the pipe early: that is no failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit(0);
});
// When the supervisor dies, the pipe behind stderr dies with it; a last log line must not end an orderly stop.
process.stderr.on('error', () => undefined);

process.exitCode = await runCli(process.argv.slice(2));
