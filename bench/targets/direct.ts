import type { Target } from './target.js';

/** The engine without a proxy: the baseline cost of engine and generator. */
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
