/** Every engine that `engines.json` can name. Discovery makes its entries of these, too. */
import { registerKind, type RegisteredKind } from './engine-entry.js';
import { llamaServerKind } from './llama-server/llama-server-kind.js';
import { llamacppKind } from './llamacpp/llamacpp-kind.js';
import { ollamaKind } from './ollama/ollama-kind.js';
import { lmStudioKind } from './lmstudio/lm-studio-kind.js';
import { localAiKind } from './localai/localai-kind.js';
import { openAiCompatibleKind } from './openai-compatible/openai-compatible-kind.js';
import { sglangKind } from './sglang/sglang-kind.js';
import { vllmKind } from './vllm/vllm-kind.js';

export const engineKinds: readonly RegisteredKind[] = [
  registerKind(llamacppKind),
  registerKind(ollamaKind),
  registerKind(lmStudioKind),
  registerKind(llamaServerKind),
  registerKind(vllmKind),
  registerKind(sglangKind),
  registerKind(localAiKind),
  registerKind(openAiCompatibleKind),
];
