/** Converts the messages of a chat request to the format of Ollama's `/api/chat`. */
import { parseExactOrNothing } from '../../../kernel/exact-json.js';
import { isJsonObject } from '../../../kernel/json-object.js';
import { EngineFailure } from '../engine.js';

type Fields = Readonly<Record<string, unknown>>;

interface Content {
  readonly content: string;
  /** Base64, without the head of a data URI. Audio, too. */
  readonly images: readonly string[];
}

/**
 * @param knowsDeveloper whether the model's template has the role `developer`; without it such messages become those of the system
 * @throws EngineFailure for what Ollama would refuse on its OpenAI-compatible route
 */
export function nativeMessages(messages: unknown, knowsDeveloper: boolean): readonly Fields[] {
  if (!Array.isArray(messages)) throw malformed('`messages` is not a list.', 'messages');
  const toolNames = new Map<string, string>();
  return messages.map((message: unknown, index) => {
    const at = `messages[${index}]`;
    if (!isJsonObject(message)) throw malformed('A message is not an object.', at);
    const asked = !knowsDeveloper && message['role'] === 'developer' ? { ...message, role: 'system' } : message;
    return nativeMessage(asked, toolNames, at);
  });
}

/** @param toolNames by the id of the call; messages with calls come before those with their results */
function nativeMessage(message: Fields, toolNames: Map<string, string>, at: string): Fields {
  const { role, tool_calls: toolCalls, tool_call_id: callId } = message;
  const { content, images } = contentOf(message['content'], `${at}.content`);
  const thinking = message['reasoning'] ?? message['reasoning_content'];
  const calls = Array.isArray(toolCalls)
    ? toolCalls.map((call: unknown, index) => nativeCall(call, index, toolNames, `${at}.tool_calls[${index}]`))
    : [];
  const toolName = message['name'] ?? (typeof callId === 'string' ? toolNames.get(callId) : undefined);
  return {
    role,
    content,
    ...(images.length > 0 && { images }),
    ...(typeof thinking === 'string' && thinking !== '' && { thinking }),
    ...(calls.length > 0 && { tool_calls: calls }),
    ...(role === 'tool' && typeof toolName === 'string' && { tool_name: toolName }),
    ...(typeof callId === 'string' && { tool_call_id: callId }),
  };
}

function contentOf(content: unknown, at: string): Content {
  if (content === undefined || content === null) return { content: '', images: [] };
  if (typeof content === 'string') return { content, images: [] };
  if (!Array.isArray(content)) throw malformed('The content of a message is neither text nor a list of parts.', at);
  const texts: string[] = [];
  const images: string[] = [];
  for (const [index, part] of (content as readonly unknown[]).entries()) {
    takePart(part, texts, images, `${at}[${index}]`);
  }
  return { content: texts.join('\n'), images };
}

function takePart(part: unknown, texts: string[], images: string[], at: string): void {
  if (!isJsonObject(part)) throw malformed('A part of a message is not an object.', at);
  const { type, text, image_url: image, input_audio: audio } = part;
  if (type === 'text' && typeof text === 'string') texts.push(text);
  else if (type === 'image_url') images.push(imageData(isJsonObject(image) ? image['url'] : image, at));
  else if (type === 'input_audio' && isJsonObject(audio) && typeof audio['data'] === 'string')
    images.push(audio['data']);
  else throw malformed('Ollama accepts parts of the types text, image_url and input_audio.', at);
}

function imageData(url: unknown, at: string): string {
  const head = typeof url === 'string' ? /^data:(?:image\/[\w.+-]+)?;base64,/i.exec(url) : null;
  if (head === null) throw malformed('Ollama accepts images only as base64 data URIs.', at);
  return head.input.slice(head[0].length);
}

function nativeCall(call: unknown, index: number, toolNames: Map<string, string>, at: string): Fields {
  const called = isJsonObject(call) ? call['function'] : undefined;
  if (!isJsonObject(call) || !isJsonObject(called)) throw malformed('A tool call has no function.', at);
  const { id } = call;
  const { name, arguments: text } = called;
  if (typeof id === 'string' && typeof name === 'string') toolNames.set(id, name);
  const parsed = typeof text === 'string' && text.trim() !== '' ? parseExactOrNothing(text, true) : (text ?? {});
  const values = parsed === '' ? {} : parsed;
  if (!isJsonObject(values)) throw malformed('The arguments of a tool call are not a JSON object.', at);
  return { ...(typeof id === 'string' && { id }), function: { index, name, arguments: values } };
}

const malformed = (message: string, param: string): EngineFailure =>
  new EngineFailure({ code: 'invalid_request', status: 400, message, param, retry_after_seconds: null });
