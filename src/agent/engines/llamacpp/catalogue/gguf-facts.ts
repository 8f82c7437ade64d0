import type { EngineModel } from '../../engine.js';
import type { Binding } from '../binding.js';
import { ChatTemplate } from '../prompt/chat-template.js';
import { templateTraits } from '../prompt/template-traits.js';
import type { GgufFile } from './gguf-files.js';
import { identityDigest, quantizationOfFileType } from './gguf-identity.js';

/** Facts from the metadata of the file. */
export interface GgufFacts {
  readonly report: Omit<EngineModel, 'state' | 'context_length'>;
  readonly trainContextTokens: number | null;
  readonly template: ChatTemplate;
}

/** Long lists that are not needed here. */
export const ignoreKeys = ['tokens', 'scores', 'token_type', 'merges', 'token_scores'].map(
  (key) => `tokenizer.ggml.${key}`,
);
/** Encoders, which produce embeddings only. */
const embeddingArchitectures = new Set([
  'bert',
  'nomic-bert',
  'nomic-bert-moe',
  'jina-bert-v2',
  'jina-bert-v3',
  'modern-bert',
  'neo-bert',
  't5encoder',
  'gemma-embedding',
]);
/** Mean, first and last token of GGUF's numbers: a decoder that was trained for embeddings. Scores of rerankers (4) are no vectors. */
const poolings: readonly unknown[] = [1, 2, 3];
const pools = (type: unknown): boolean => poolings.includes(type);

/** Projectors, which are parts of another model. */
const companionArchitectures = new Set(['clip']);

/** In bytes from the beginning of the file, which is cut off where it is shorter. @throws when it is not a readable GGUF file */
export async function lastTensorStart(binding: Binding, file: string): Promise<number> {
  const { tensorInfo = [] } = await binding.llamaCpp.readGgufFileInfo(file, {
    readTensorInfo: true,
    sourceType: 'filesystem',
    spliceSplitFiles: false,
    logWarnings: false,
    ignoreKeys,
  });
  return tensorInfo.reduce((last, { fileOffset }) => Math.max(last, Number(fileOffset)), 0);
}

/** Undefined for a part of another model. @throws when the file is not a readable GGUF file */
export async function readGgufFacts(binding: Binding, file: GgufFile): Promise<GgufFacts | undefined> {
  const info = await binding.llamaCpp.readGgufFileInfo(file.path, {
    readTensorInfo: false,
    sourceType: 'filesystem',
    spliceSplitFiles: false,
    logWarnings: false,
    ignoreKeys,
  });
  const { general, tokenizer } = info.metadata;
  const architecture = general?.architecture ?? '';
  if (companionArchitectures.has(architecture)) return undefined;
  const embedding = embeddingArchitectures.has(architecture) || pools(info.architectureMetadata.pooling_type);
  const template = new ChatTemplate(binding.Template, tokenizer?.chat_template);
  // Without the special tokens, which only the loaded model has; loading reads the traits again with them.
  const traits = template.isOwn ? templateTraits(template, { bos: '', eos: '' }) : undefined;
  return {
    trainContextTokens: info.architectureMetadata.context_length ?? null,
    template,
    report: {
      engine_model: file.engineModel,
      display_name: file.engineModel.slice(0, 200),
      canonical_name: file.canonicalName.slice(0, 200),
      digest: await identityDigest(file.path),
      quantization: file.quantization ?? quantizationOfFileType(general?.file_type),
      size_bytes: file.sizeBytes,
      dialects: embedding ? [] : ['chat', 'completions'],
      extension_routes: embedding ? ['embeddings'] : ['count'],
      inputs: ['text'],
      tools: traits?.calls !== undefined,
      reasoning: traits?.reasoning !== undefined,
      embedding,
    },
  };
}
