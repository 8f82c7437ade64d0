// Own engine: the program that FERRY_TEST_VLLM names.
import { withProgram } from './programs/named-program.js';
import { runVllm } from './programs/vllm.js';
import { servesThroughFerry } from './serves-through-ferry.js';

withProgram('FERRY_TEST_VLLM', 'vLLM', (program) => {
  servesThroughFerry({
    name: 'vLLM',
    kind: 'vllm',
    lacks: {
      load: { operation: 'unsupported' },
      unload: { operation: 'unsupported' },
      // No parser of vLLM reads the blocks of `tiny` by their tags alone.
      reasoning: { nothing: 'no reasoning parser is set' },
    },
    begin: () => runVllm(program),
  });
});
