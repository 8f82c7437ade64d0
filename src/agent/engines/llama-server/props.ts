/** `GET /props` of a llama-server, or of one model of a router: capabilities and number of slots. */
import { isJsonObject } from '../../../kernel/json-object.js';
import { inputKinds, type InputKind } from '../../../kernel/dialect.js';
import type { EngineModel } from '../engine.js';
import { positiveCount } from '../http/model-facts.js';

export interface ServerProps {
  readonly facts: Partial<Pick<EngineModel, 'context_length' | 'inputs' | 'tools' | 'reasoning'>>;
  readonly slots: number | undefined;
  /** The weights are not in memory; the next request would wait for them. */
  readonly sleeping: boolean;
}

const modalities: Partial<Record<InputKind, string>> = { image: 'vision', audio: 'audio', video: 'video' };

export function readProps(props: Record<string, unknown>): ServerProps {
  const settings = isJsonObject(props['default_generation_settings']) ? props['default_generation_settings'] : {};
  const reported = isJsonObject(props['modalities']) ? props['modalities'] : undefined;
  const caps = isJsonObject(props['chat_template_caps']) ? props['chat_template_caps'] : {};
  const contextLength = positiveCount(settings['n_ctx']);
  return {
    facts: {
      // Per slot, which is the limit of one request.
      ...(contextLength === null ? {} : { context_length: contextLength }),
      ...(reported === undefined
        ? {}
        : { inputs: inputKinds.filter((kind) => kind === 'text' || isSupported(reported, kind)) }),
      tools: toolsOf(caps),
      // A template that preserves reasoning implies it; the opposite implies nothing.
      reasoning:
        caps['supports_preserve_reasoning'] === true || caps['supports_reasoning_effort'] === true ? true : null,
    },
    slots: positiveCount(props['total_slots']) ?? undefined,
    sleeping: props['is_sleeping'] === true,
  };
}

function isSupported(reported: Record<string, unknown>, kind: InputKind): boolean {
  const name = modalities[kind];
  return name !== undefined && reported[name] === true;
}

/** null instead of false: without tools in the template llama-server uses a generic grammar, which works with some models. */
const toolsOf = ({ supports_tools: tools, supports_tool_calls: calls }: Record<string, unknown>): boolean | null =>
  tools === true || calls === true ? true : null;
