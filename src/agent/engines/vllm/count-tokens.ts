import { objectIn, parseJson, isJsonObject } from '../../../kernel/json-object.js';
import { askEngine } from '../http/extension-response.js';
import type { AnswerExtension } from '../http/engine-adapter.js';

/** Its prompts are not made by a template, so that `/tokenize` counts others. */
const HARMONY = /gpt-?oss/i;

/** Whether `/tokenize` of vLLM reads a chat request of the model as its chat route does. */
export const countsExactly = (...names: readonly unknown[]): boolean =>
  !names.some((name) => typeof name === 'string' && HARMONY.test(name));

/** The tokens of a chat request, with the template of the model applied by vLLM. */
export const countTokens: AnswerExtension = async (request) => {
  const parsed = parseJson(request.body.toString('utf8'));
  const chat = isJsonObject(parsed) ? parsed : {};
  const { messages, tools, reasoning_effort: effort } = chat;
  const kwargs = { ...(effort != null && { reasoning_effort: effort }), ...objectIn(chat, 'chat_template_kwargs') };
  const body = JSON.stringify({
    model: request.engineModel,
    messages,
    ...(tools != null && { tools }),
    ...(Object.keys(kwargs).length > 0 && { chat_template_kwargs: kwargs }),
    add_generation_prompt: true,
  });
  const { count } = await askEngine(request, { route: 'count', path: '/tokenize', body: [Buffer.from(body)] });
  return { input_tokens: count };
};
