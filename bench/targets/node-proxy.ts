import { freePort } from '../../test/support/network/free-port.js';
import { listening, pidOf, startProgram, stop } from '../child.js';
import type { Target } from './target.js';

export const nodeProxy: Target = {
  name: 'bare Node proxy',
  version: () => process.version,
  async start(engineUrl) {
    const port = await freePort();
    const child = startProgram('targets/node-proxy.program.ts', { BENCH_ENGINE: engineUrl, BENCH_PORT: String(port) });
    await listening(port);
    return {
      url: `http://127.0.0.1:${port}/v1/chat/completions`,
      headers: {},
      relayPids: [pidOf(child)],
      isNode: true,
      nodePids: [],
      stop: () => stop(child),
    };
  },
};
