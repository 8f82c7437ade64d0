/** Reported as skipped when no program is configured: nothing here may pass without one. */
import { describe, it } from '@jest/globals';
import { behavesAsAnEngine } from './engine-behaviour.js';
import { beginRouter, beginSingle, llamaServerProgram } from './real-llama-server.js';

if (llamaServerProgram === undefined || llamaServerProgram === '') {
  process.stderr.write('\nSKIPPED: the real llama-server. Set FERRY_TEST_LLAMA_SERVER to its program to run it.\n\n');
  describe.skip('a real llama-server (FERRY_TEST_LLAMA_SERVER is not set)', () => {
    it.each(['in single-model mode', 'in router mode'])('behaves as an engine %s', () => {
      throw new Error('not run');
    });
  });
} else {
  const program = llamaServerProgram;
  behavesAsAnEngine('a real llama-server with one model', {
    kind: 'llama-server',
    begin: (options) => beginSingle(program, options),
    evicts: false,
    loads: false,
    removes: false,
  });
  behavesAsAnEngine('a real llama-server in router mode', {
    kind: 'llama-server',
    begin: (options) => beginRouter(program, options),
    evicts: true,
    loads: true,
    install: 'needs the internet',
    removes: false,
  });
}
