/** All engine kinds, for `engines.json` and discovery. */
import { registerKind, type RegisteredKind } from './engine-entry.js';
import { llamaServerKind } from './llama-server/llama-server-adapter.js';
import { llamacppKind } from './llamacpp/llamacpp-kind.js';
import { ollamaKind } from './ollama/ollama-kind.js';
import { lmStudioKind } from './lmstudio/lm-studio-adapter.js';
import { llamaSwapKind } from './llama-swap/llama-swap-adapter.js';
import { localAiKind } from './localai/localai-adapter.js';
import { openAiCompatibleKind } from './openai-compatible/openai-compatible-engine.js';
import { sglangKind } from './sglang/sglang-adapter.js';
import { vllmKind } from './vllm/vllm-adapter.js';

export const engineKinds: readonly RegisteredKind[] = [
  registerKind(llamacppKind),
  registerKind(ollamaKind),
  registerKind(lmStudioKind),
  registerKind(llamaServerKind),
  registerKind(llamaSwapKind),
  registerKind(vllmKind),
  registerKind(sglangKind),
  registerKind(localAiKind),
  registerKind(openAiCompatibleKind),
];
