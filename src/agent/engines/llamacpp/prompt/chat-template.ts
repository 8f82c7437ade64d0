/** Renders a conversation with the Jinja template of the GGUF file. */
import { parseExact, renderExact } from '../../../../kernel/exact-json.js';
import type { Binding, JinjaTemplate } from '../binding.js';
import { engineRejected } from '../failures.js';
import type { ChatMessage, TemplateToolCall } from '../request/chat-messages.js';
import type { ChatTool } from '../request/chat-tools.js';

/** Default for files without a template; the most common format. */
const chatMl =
  "{% for message in messages %}{{ '<|im_start|>' + message.role + '\n' + message.content + '<|im_end|>\n' }}{% endfor %}" +
  "{% if add_generation_prompt %}{{ '<|im_start|>assistant\n' }}{% endif %}";

interface TemplateInput {
  readonly messages: readonly ChatMessage[];
  readonly tools: readonly ChatTool[];
  readonly addGenerationPrompt: boolean;
  readonly variables?: Readonly<Record<string, unknown>>;
}

/** Format of past tool calls in a template, detected by trial (see `template-traits`). */
export interface CallConvention {
  readonly argumentsAsObject: boolean;
  /** Some templates accept only ids of nine letters and digits. */
  readonly shortIds: boolean;
}

export interface SpecialTexts {
  readonly bos: string;
  readonly eos: string;
}

export class ChatTemplate {
  /** False when the default template is used. */
  readonly isOwn: boolean;
  readonly source: string;
  private readonly template: JinjaTemplate;

  constructor(Template: Binding['Template'], source: string | undefined) {
    let template: JinjaTemplate | undefined;
    try {
      if (source !== undefined) template = new Template(source);
    } catch {
      // The renderer does not support the template's dialect of Jinja.
    }
    this.isOwn = template !== undefined;
    this.source = template === undefined ? chatMl : (source ?? chatMl);
    this.template = template ?? new Template(chatMl);
  }

  /**
   * Many templates accept one system message, at the beginning, and some none. A refused conversation is tried again with later system texts
   * as text of the user in their place, which keeps what was read of the prompt before, then with all system texts first, then inside the
   * first user message.
   * @throws EngineFailure engine_rejected_request when the template refuses the conversation in every form.
   */
  render(input: TemplateInput, texts: SpecialTexts, convention: CallConvention): string {
    let refusal: unknown;
    for (const messages of [
      input.messages,
      laterSystemAsUser(input.messages),
      systemFirst(input.messages),
      systemInUser(input.messages),
    ]) {
      try {
        return this.renderOnce({ ...input, messages }, texts, convention);
      } catch (error) {
        refusal ??= error;
      }
    }
    const reason = refusal instanceof Error ? refusal.message.slice(0, 300) : 'unknown reason';
    throw engineRejected(`the chat template of the model refuses this conversation: ${reason}`, 'messages');
  }

  /** @throws whatever the template raises. */
  renderOnce(input: TemplateInput, texts: SpecialTexts, convention: CallConvention): string {
    const variables = {
      ...input.variables,
      messages: input.messages.map((message) => templateMessage(message, convention)),
      ...(input.tools.length > 0 && { tools: input.tools.map((tool) => tool.declaration) }),
      add_generation_prompt: input.addGenerationPrompt,
      bos_token: texts.bos,
      eos_token: texts.eos,
    };
    return renderExact(variables, (marked) => this.template.render(marked));
  }
}

const systemTexts = (messages: readonly ChatMessage[]): string =>
  messages
    .filter((message) => message.role === 'system')
    .map((message) => message.content)
    .join('\n\n');

const withoutSystem = (messages: readonly ChatMessage[]): readonly ChatMessage[] =>
  messages.filter((message) => message.role !== 'system');

/** In turns of the user that may be joined: roles must alternate in some of these templates. */
function laterSystemAsUser(messages: readonly ChatMessage[]): readonly ChatMessage[] {
  const turns: ChatMessage[] = [];
  for (const [index, message] of messages.entries()) {
    const role = message.role === 'system' && index > 0 ? 'user' : message.role;
    const last = turns.at(-1);
    if (role !== 'user' || last?.role !== 'user') turns.push({ ...message, role });
    else turns[turns.length - 1] = { ...last, content: `${last.content}\n\n${message.content}` };
  }
  return turns;
}

const systemFirst = (messages: readonly ChatMessage[]): readonly ChatMessage[] => {
  const content = systemTexts(messages);
  return content === '' ? withoutSystem(messages) : [{ role: 'system', content }, ...withoutSystem(messages)];
};

function systemInUser(messages: readonly ChatMessage[]): readonly ChatMessage[] {
  const content = systemTexts(messages);
  const rest = withoutSystem(messages);
  if (content === '') return rest;
  const [first, ...others] = rest;
  return first?.role === 'user'
    ? [{ ...first, content: `${content}\n\n${first.content}` }, ...others]
    : [{ role: 'user', content }, ...rest];
}

const shortId = (id: string): string => {
  // Deterministic, so that a result matches its call.
  let hash = 0n;
  for (const character of id) hash = (hash * 131n + BigInt(character.codePointAt(0) ?? 0)) % 36n ** 9n;
  return hash.toString(36).padStart(9, '0');
};

function parsedArguments(text: string): unknown {
  try {
    return text.trim() === '' ? {} : parseExact(text, true);
  } catch {
    return text;
  }
}

function templateMessage(message: ChatMessage, convention: CallConvention): Record<string, unknown> {
  const id = (text: string): string => (convention.shortIds ? shortId(text) : text);
  const call = (toolCall: TemplateToolCall): Record<string, unknown> => ({
    id: id(toolCall.id),
    type: 'function',
    function: {
      name: toolCall.name,
      arguments: convention.argumentsAsObject ? parsedArguments(toolCall.arguments) : toolCall.arguments,
    },
  });
  return {
    role: message.role,
    content: message.content,
    ...(message.reasoning !== undefined && { reasoning_content: message.reasoning }),
    ...(message.toolCalls !== undefined && { tool_calls: message.toolCalls.map(call) }),
    ...(message.toolCallId !== undefined && { tool_call_id: id(message.toolCallId) }),
    ...(message.name !== undefined && { name: message.name }),
  };
}
