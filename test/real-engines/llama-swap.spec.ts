// Own engine: the programs that FERRY_TEST_LLAMA_SWAP and FERRY_TEST_LLAMA_SERVER name.
import { runLlamaSwap } from './programs/llama-swap.js';
import { withProgram } from './programs/named-program.js';
import { servesThroughFerry } from './serves-through-ferry.js';

withProgram('FERRY_TEST_LLAMA_SWAP', 'llama-swap', (program) => {
  withProgram('FERRY_TEST_LLAMA_SERVER', 'llama-server behind llama-swap', (llamaServer) => {
    servesThroughFerry({
      name: 'llama-swap',
      kind: 'llama-swap',
      lacks: { contextLimit: { nothing: 'it does not tell the context of the servers behind it' } },
      begin: () => runLlamaSwap(program, llamaServer),
    });
  });
});
