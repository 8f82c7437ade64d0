import { inputKinds } from '../../../kernel/dialect.js';
import type { EngineModel } from '../engine.js';
import type { EngineHttp } from '../http/engine-http.js';
import { adaptWithContinuousUsage } from '../http/chat-adapter.js';
import { EngineLoadReader } from '../http/engine-load.js';
import type { EngineAdapter } from '../http/engine-adapter.js';
import { httpEngineKind } from '../http/http-entry.js';
import { probeEngine, probeIfPresent, UnusableEngineError, type EngineSnapshot } from '../http/probe.js';
import { canonicalName, describeModel, positiveCount, readModels, shortText } from '../http/model-facts.js';
import { listedFacts, untriedExtensions } from '../http/model-list.js';

/** Continuous batching; the limit that SGLang reports (thousands) is what fits in memory, not what is served well. */
const BATCH_SLOTS = 32;

/**
 * SGLang: one model per server, always resident; reports its inputs and parsers (docs/reference/engines.md#other-engines).
 */
class SglangAdapter implements EngineAdapter {
  readonly kind = 'sglang';
  readonly adapt = adaptWithContinuousUsage;
  private readonly load = new EngineLoadReader({
    running: 'sglang:num_running_reqs',
    waiting: 'sglang:num_queue_reqs',
  });

  readonly probe = async (http: EngineHttp): Promise<EngineSnapshot> => {
    const [list, model, server, load] = await Promise.all([
      probeEngine(http, '/v1/models'),
      probeIfPresent(http, '/get_model_info'),
      probeIfPresent(http, '/get_server_info'),
      this.load.read(http),
    ]);
    const facts = factsOf(model ?? {}, server ?? {});
    const path = shortText(model?.['model_path']);
    const models = readModels(list['data'], 'id', (id, entry) => {
      const listed = listedFacts(entry);
      return describeModel(id, {
        ...listed,
        ...facts,
        context_length: listed.context_length ?? facts.context_length,
        state: 'loaded',
        dialects: ['chat', 'completions'],
        // --served-model-name changes the name, not the weights, so the identity is the path.
        canonical_name: canonicalName(path ?? id),
      });
    });
    if (models === undefined) throw new UnusableEngineError('answers /v1/models without a list of models');
    return { version: shortText(server?.['version']), models, slots: BATCH_SLOTS, load };
  };
}

export const sglangKind = httpEngineKind('sglang', () => new SglangAdapter());

type Facts = Pick<EngineModel, 'extension_routes' | 'inputs' | 'tools' | 'reasoning' | 'embedding' | 'context_length'>;

function factsOf(model: Record<string, unknown>, server: Record<string, unknown>): Facts {
  const image = model['is_multimodal'] === true || model['has_image_understanding'] === true;
  const audio = model['has_audio_understanding'] === true;
  return {
    inputs: inputKinds.filter((kind) => kind === 'text' || (kind === 'image' && image) || (kind === 'audio' && audio)),
    // Without a parser, tool calls would reach the client as text. Older servers do not report it.
    tools: parserOf(server, 'tool_call_parser'),
    reasoning: parserOf(server, 'reasoning_parser'),
    ...(model['is_generation'] === false && untriedExtensions()),
    embedding: model['is_generation'] === false,
    context_length: positiveCount(server['context_length']) ?? positiveCount(server['max_model_len']),
  };
}

function parserOf(server: Record<string, unknown>, name: string): boolean | null {
  if (!(name in server)) return null;
  return typeof server[name] === 'string';
}
