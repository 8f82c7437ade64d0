// Own engine: the program that FERRY_TEST_TRANSFORMERS names.
import { withProgram } from './programs/named-program.js';
import { runTransformersServe } from './programs/transformers.js';
import { servesThroughFerry } from './serves-through-ferry.js';

withProgram('FERRY_TEST_TRANSFORMERS', 'transformers serve', (program) => {
  servesThroughFerry({
    name: 'transformers serve',
    kind: 'transformers-serve',
    lacks: {
      load: { operation: 'unsupported' },
      unload: { operation: 'unsupported' },
      schema: { nothing: 'it ignores it without a word' },
      requiredTool: { nothing: 'it ignores it without a word' },
      reasoning: { nothing: 'it leaves the thoughts in the text' },
      imageRefusal: { nothing: 'it leaves out the image without a word' },
      contextLimit: { nothing: 'it does not tell the context' },
    },
    begin: () => runTransformersServe(program),
  });
});
