// Own engine: the program that FERRY_TEST_MLX_LM names.
import { runMlxLm } from './programs/mlx-lm.js';
import { withProgram } from './programs/named-program.js';
import { servesThroughFerry } from './serves-through-ferry.js';

withProgram('FERRY_TEST_MLX_LM', "mlx-lm's server", (program) => {
  servesThroughFerry({
    name: 'mlx-lm',
    kind: 'mlx-lm',
    lacks: {
      load: { operation: 'unsupported' },
      unload: { operation: 'unsupported' },
      requiredTool: { dropped: 'tool_choice' },
      schema: { dropped: 'response_format' },
      contextLimit: { nothing: 'it has no limit of its own' },
    },
    begin: () => runMlxLm(program),
  });
});
