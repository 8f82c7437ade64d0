/**
 * Loaded into a node with `--import`: writes one line per response of the built-in engine into `TOKEN_LOG`, with the tokens that
 * llama.cpp sampled for it. Counts in the binding, below all code of Ferry, so that Ferry's figures can be compared with it.
 */
import { appendFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const file = process.env['TOKEN_LOG'];
// node-llama-cpp tests its binary in a child process, which must not load it before that.
delete process.env['NODE_OPTIONS'];
const packages = createRequire(path.resolve(import.meta.dirname, '../../../engines/llamacpp/package.json'));
const { LlamaContextSequence } = await import(pathToFileURL(packages.resolve('node-llama-cpp')).href);
const { evaluate } = LlamaContextSequence.prototype;

LlamaContextSequence.prototype.evaluate = async function* counted(tokens, options) {
  const input = this.nextTokenIndex + tokens.length;
  let output = 0;
  const sampled = evaluate.call(this, tokens, options);
  let replacement;
  try {
    for (;;) {
      const next = await sampled.next(replacement);
      if (next.done === true) return;
      output += 1;
      replacement = yield next.value;
    }
  } finally {
    await sampled.return();
    appendFileSync(file, `${JSON.stringify({ input, output })}\n`);
  }
};
