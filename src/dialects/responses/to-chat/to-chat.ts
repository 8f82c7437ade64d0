/**
 * Converts a responses request to a chat request, which every engine supports (docs/reference/engines.md#adapter-rules,
 * docs/reference/translation.md#responses-request-to-chat).
 */
import { elementsOf, type JsonObject } from '../../../kernel/json-object.js';
import type { ResponseItem } from '../items.js';
import { wantsLogprobs } from '../requirements.js';
import { declaredTools } from '../tools/declared-tools.js';
import type { ResponseTranslation, ChatTranslation, ToChatOptions } from '../translation.js';
import { chatMessages } from './chat-messages.js';
import { chatSettings } from './chat-settings.js';
import { chatToolFields } from './chat-tools.js';
import { DroppedFields } from './dropped-fields.js';
import { checkToolOutputs, readInputItems } from './input-items.js';

/**
 * @param request a body that `readResponsesEnvelope` has accepted
 * @throws FerryError 400 for a tool output without a call and for media without an equivalent in chat; 404 `previous_response_not_found`
 *   for a reference to an unknown item
 */
export function responsesToChat(request: JsonObject, options: ToChatOptions): ChatTranslation {
  const { earlier, findItem, reasoning = null } = options;
  const dropped = new DroppedFields();
  const inContext = new Set(earlier.map((item) => item['id']));
  const input = readInputItems(request['input'], (id) => (inContext.has(id) ? 'context' : findItem?.(id)));
  checkToolOutputs(input, earlier);
  const { tools, dropped: ofTools } = declaredTools(request);
  for (const path of ofTools) dropped.add(path);
  const items = input.map(({ item }) => item);
  const { messages, withoutLaterSystem, changed } = chatMessages(
    { instructions: request['instructions'], earlier, input },
    tools,
    dropped,
  );
  const body = {
    model: request['model'],
    messages,
    ...chatToolFields(request, tools),
    ...chatSettings(request, reasoning, dropped),
  };
  const response: ResponseTranslation = {
    tools: new Map(tools.map((tool) => [tool.chatName, tool])),
    parallelToolCalls: request['parallel_tool_calls'] !== false,
    logprobs: wantsLogprobs(request),
    encryptedReasoning: elementsOf(request['include']).includes('reasoning.encrypted_content'),
    usedCallIds: callIdsOf([...earlier, ...items]),
  };
  return {
    body,
    ...(withoutLaterSystem !== undefined && {
      withoutLaterSystem: () => ({ ...body, messages: withoutLaterSystem() }),
    }),
    dropped: dropped.list(),
    changed,
    items,
    response,
  };
}

function callIdsOf(items: readonly ResponseItem[]): ReadonlySet<string> {
  const ids = new Set<string>();
  for (const item of items) if (typeof item['call_id'] === 'string') ids.add(item['call_id']);
  return ids;
}
