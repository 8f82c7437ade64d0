import type { Target } from './target.js';

/** No target at all: what engine and generator cost by themselves. */
export const direct: Target = {
  name: 'direct',
  version: () => '–',
  start: (engineUrl) =>
    Promise.resolve({
      url: `${engineUrl}/v1/chat/completions`,
      headers: {},
      relayPids: [],
      nodePids: [],
      stop: () => Promise.resolve(),
    }),
};
