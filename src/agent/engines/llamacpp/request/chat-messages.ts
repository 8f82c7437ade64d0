/** Validates Chat Completions messages and converts them to the format of chat templates. */
import { z } from 'zod';
import { invalidRequest, unsupportedCapability } from '../failures.js';

export interface TemplateToolCall {
  readonly id: string;
  readonly name: string;
  /** JSON text, as the client sent it. */
  readonly arguments: string;
}

export interface ChatMessage {
  readonly role: 'system' | 'user' | 'assistant' | 'tool';
  readonly content: string;
  readonly reasoning?: string;
  readonly toolCalls?: readonly TemplateToolCall[];
  readonly toolCallId?: string;
  /** Function name of a tool result; some templates print it. */
  readonly name?: string;
}

const contentPart = z.looseObject({ type: z.string(), text: z.string().nullish(), refusal: z.string().nullish() });

export const messageFields = z.looseObject({
  role: z.enum(['system', 'developer', 'user', 'assistant', 'tool', 'function']),
  content: z.union([z.string(), z.array(contentPart)]).nullish(),
  name: z.string().nullish(),
  tool_call_id: z.string().nullish(),
  tool_calls: z
    .array(
      z.looseObject({
        id: z.string().nullish(),
        function: z.looseObject({ name: z.string(), arguments: z.string().nullish() }),
      }),
    )
    .nullish(),
  reasoning_content: z.string().nullish(),
  reasoning: z.string().nullish(),
});

type MessageBody = z.output<typeof messageFields>;

function textOf(content: MessageBody['content'], param: string): string {
  if (content == null) return '';
  if (typeof content === 'string') return content;
  return content
    .map((part, index) => {
      const where = `${param}[${index}]`;
      switch (part.type) {
        case 'text':
          if (part.text == null) throw invalidRequest(`${where}.text`, 'a text part needs text');
          return part.text;
        case 'refusal':
          return part.refusal ?? '';
        default:
          throw unsupportedCapability(where, `this model accepts text only, not ${part.type.slice(0, 100)}`);
      }
    })
    .join('');
}

/** @throws EngineFailure with the path of the malformed or unsupported part */
export function readMessages(bodies: readonly MessageBody[]): readonly ChatMessage[] {
  const nameOfCall = new Map<string, string>();
  return bodies.map((body, index): ChatMessage => {
    const param = `messages[${index}]`;
    const content = textOf(body.content, `${param}.content`);
    switch (body.role) {
      // Templates support `system` only, which means the same.
      case 'developer':
      case 'system':
        return { role: 'system', content };
      case 'user':
        return { role: 'user', content };
      case 'assistant': {
        const reasoning = body.reasoning_content ?? body.reasoning;
        const toolCalls = (body.tool_calls ?? []).map((call, position): TemplateToolCall => {
          const id = call.id ?? `call_${index}_${position}`;
          nameOfCall.set(id, call.function.name);
          return { id, name: call.function.name, arguments: call.function.arguments ?? '{}' };
        });
        return {
          role: 'assistant',
          content,
          ...(reasoning != null && reasoning !== '' && { reasoning }),
          ...(toolCalls.length > 0 && { toolCalls }),
        };
      }
      case 'function':
        return { role: 'tool', content, ...(body.name != null && { name: body.name }) };
      case 'tool': {
        if (body.tool_call_id == null)
          throw invalidRequest(`${param}.tool_call_id`, 'a tool message needs tool_call_id');
        const name = body.name ?? nameOfCall.get(body.tool_call_id);
        return { role: 'tool', content, toolCallId: body.tool_call_id, ...(name !== undefined && { name }) };
      }
      default:
        return body.role satisfies never;
    }
  });
}
