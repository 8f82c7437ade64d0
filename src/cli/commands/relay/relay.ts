import type { Invocation } from '../../invocation.js';
import { runAsService } from '../service/run-as-service.js';

/** Runs the relay until SIGTERM, Ctrl-C or its supervisor stops it; streams may finish within `FERRY_DRAIN_TIMEOUT_MS`. */
export async function serve(
  { terminal, env, global }: Invocation,
  flags: { host?: string; port?: string },
): Promise<void> {
  const { isWorker, runWorker, startRelay } = await import('../../../relay/app/main.js');
  // Its primary process runs as the service.
  if (isWorker()) {
    await runWorker({ env, flags });
    return;
  }
  await runAsService('serve', env, async (begin) => {
    const relay = await startRelay({ env, flags, begin });
    const facts = { base_url: relay.baseUrl, port: relay.port };
    if (global.output === 'json') terminal.print(JSON.stringify(facts));
    // A supervisor keeps it with the log, where it is no line of it, and says itself what to do next.
    else if (process.send === undefined) {
      terminal.note(`Relay ready at ${relay.baseUrl}`);
      if (!(await relay.hasUsers())) {
        terminal.note(
          '  next: ferry users create-owner YOU@EXAMPLE.COM  (here, in another terminal; prints a password)',
        );
        terminal.note(`        then sign in at ${relay.baseUrl}/console/ or with: ferry login --email YOU@EXAMPLE.COM`);
      }
    }
    return {
      facts,
      close: (drainLimitMs) => relay.close(drainLimitMs),
      reload: () => {
        relay.reload();
      },
    };
  });
}
