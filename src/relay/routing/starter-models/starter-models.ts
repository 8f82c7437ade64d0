/**
 * Models to begin with, by the names under which engines install them: open ones of several sizes that chat and call tools, then small ones that
 * embed. Sizes are those of the downloads, rounded.
 */

export interface StarterModel {
  readonly name: string;
  readonly about: string;
  /** Of its weights, how much is read for each token: less than 1 for a mixture of experts. */
  readonly activeShare: number;
  /** It serves `POST /v1/embeddings` and no chat. */
  readonly embedding?: true;
  /** Of Ollama. */
  readonly ollama: { readonly source: string; readonly sizeBytes: number };
  /** Of the built-in engine. null: its file comes in several parts, which that engine does not install. */
  readonly hub: { readonly source: string; readonly sizeBytes: number } | null;
}

const GB = 1_000_000_000;

export const starterModels: readonly StarterModel[] = [
  {
    name: 'Qwen3 0.6B',
    about: 'For trying out, on any computer',
    activeShare: 1,
    ollama: { source: 'qwen3:0.6b', sizeBytes: 0.52 * GB },
    hub: { source: 'hf:Qwen/Qwen3-0.6B-GGUF/Qwen3-0.6B-Q8_0.gguf', sizeBytes: 0.64 * GB },
  },
  {
    name: 'Qwen3 4B',
    about: 'Chat and tools on a laptop',
    activeShare: 1,
    ollama: { source: 'qwen3:4b', sizeBytes: 2.5 * GB },
    hub: { source: 'hf:Qwen/Qwen3-4B-GGUF/Qwen3-4B-Q4_K_M.gguf', sizeBytes: 2.5 * GB },
  },
  {
    name: 'Qwen3 8B',
    about: 'Chat, tools and simple code',
    activeShare: 1,
    ollama: { source: 'qwen3:8b', sizeBytes: 5.2 * GB },
    hub: { source: 'hf:Qwen/Qwen3-8B-GGUF/Qwen3-8B-Q4_K_M.gguf', sizeBytes: 5 * GB },
  },
  {
    name: 'Qwen3 14B',
    about: 'Better answers, on a larger graphics processor',
    activeShare: 1,
    ollama: { source: 'qwen3:14b', sizeBytes: 9.3 * GB },
    hub: { source: 'hf:Qwen/Qwen3-14B-GGUF/Qwen3-14B-Q4_K_M.gguf', sizeBytes: 9 * GB },
  },
  {
    name: 'Qwen3 30B-A3B',
    about: 'Mixture of experts: large and fast',
    activeShare: 3.3 / 30.5,
    ollama: { source: 'qwen3:30b', sizeBytes: 19 * GB },
    hub: { source: 'hf:Qwen/Qwen3-30B-A3B-GGUF/Qwen3-30B-A3B-Q4_K_M.gguf', sizeBytes: 18.6 * GB },
  },
  {
    name: 'Qwen3 32B',
    about: 'Code and long tasks',
    activeShare: 1,
    ollama: { source: 'qwen3:32b', sizeBytes: 20 * GB },
    hub: { source: 'hf:Qwen/Qwen3-32B-GGUF/Qwen3-32B-Q4_K_M.gguf', sizeBytes: 19.8 * GB },
  },
  {
    name: 'gpt-oss 120B',
    about: 'Mixture of experts for large graphics processors',
    activeShare: 5.1 / 117,
    ollama: { source: 'gpt-oss:120b', sizeBytes: 65 * GB },
    hub: null,
  },
  {
    name: 'Nomic Embed Text 1.5',
    about: 'Embeddings: finds English texts by meaning',
    activeShare: 1,
    embedding: true,
    ollama: { source: 'nomic-embed-text', sizeBytes: 0.27 * GB },
    hub: { source: 'hf:nomic-ai/nomic-embed-text-v1.5-GGUF/nomic-embed-text-v1.5.Q8_0.gguf', sizeBytes: 0.15 * GB },
  },
  {
    name: 'Qwen3 Embedding 0.6B',
    about: 'Embeddings: finds texts by meaning, in a hundred languages',
    activeShare: 1,
    embedding: true,
    ollama: { source: 'qwen3-embedding:0.6b', sizeBytes: 0.64 * GB },
    hub: { source: 'hf:Qwen/Qwen3-Embedding-0.6B-GGUF/Qwen3-Embedding-0.6B-Q8_0.gguf', sizeBytes: 0.64 * GB },
  },
];
