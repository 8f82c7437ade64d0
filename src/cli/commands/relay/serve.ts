import type { Invocation } from '../../invocation.js';
import { runService } from '../../core/supervision/run-service.js';

/** Runs the relay until SIGTERM, Ctrl-C or its supervisor stops it; streams may finish within `FERRY_DRAIN_TIMEOUT_MS`. */
export async function serve(
  { terminal, env, global }: Invocation,
  flags: { host?: string; port?: string },
): Promise<void> {
  const { startRelay } = await import('../../../relay/main.js');
  await runService(async () => {
    const relay = await startRelay({ env, flags });
    const facts = { base_url: relay.baseUrl, port: relay.port };
    if (global.output === 'json') terminal.print(JSON.stringify(facts));
    else terminal.note(`Relay ready at ${relay.baseUrl}`);
    return { facts, close: (drainLimitMs) => relay.close(drainLimitMs) };
  });
}
