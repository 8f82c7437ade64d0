/**
 * Detects the traits of a chat template by rendering it with marked texts: tools, syntax of calls, reasoning. Works without a table of
 * model families, for every template that writes the arguments of a call as JSON.
 */
import type { CallSyntax } from '../output/call-syntax.js';
import { knownReasoningMarkers, type ReasoningMarkers } from '../output/reasoning-markers.js';
import type { ChatMessage } from '../request/chat-messages.js';
import type { ChatTool } from '../request/chat-tools.js';
import type { CallConvention, ChatTemplate, SpecialTexts } from './chat-template.js';

export interface TemplateTraits {
  readonly reasoning: ReasoningMarkers | undefined;
  /** Absent when the template has no tools, or its syntax of calls cannot be parsed. */
  readonly calls: CallSyntax | undefined;
  readonly convention: CallConvention;
}

const USER = 'ferryuser';
const NAME = 'ferrytool';
const RESPONSE = 'ferryanswer';
const KEY = 'ferrykey';
const VALUE = 'ferryvalue';
const ARGUMENTS = new RegExp(`\\{\\s*"${KEY}"\\s*:\\s*"${VALUE}"\\s*\\}`);
const TOOL: ChatTool = {
  name: NAME,
  parameters: undefined,
  declaration: {
    type: 'function',
    function: {
      name: NAME,
      description: 'A tool.',
      parameters: { type: 'object', properties: { [KEY]: { type: 'string' } }, required: [KEY] },
    },
  },
};

const conventions: readonly CallConvention[] = [
  { argumentsAsObject: true, shortIds: false },
  { argumentsAsObject: false, shortIds: false },
  { argumentsAsObject: true, shortIds: true },
  { argumentsAsObject: false, shortIds: true },
];

const user: ChatMessage = { role: 'user', content: USER };
const assistantCalls = (count: number): ChatMessage => ({
  role: 'assistant',
  content: '',
  toolCalls: Array.from({ length: count }, (_, index) => ({
    // At least nine characters, because some templates print the last nine.
    id: `call_ferry${index}000`,
    name: NAME,
    arguments: `{"${KEY}":"${VALUE}"}`,
  })),
});

export function templateTraits(template: ChatTemplate, texts: SpecialTexts): TemplateTraits {
  const reasoning = knownReasoningMarkers.find(
    ({ open, close }) => template.source.includes(open) && template.source.includes(close),
  );
  for (const convention of conventions) {
    const calls = callSyntax(new Probe(template, texts, convention, reasoning), texts.eos);
    if (calls !== undefined) return { reasoning, calls, convention };
  }
  return { reasoning, calls: undefined, convention: { argumentsAsObject: true, shortIds: false } };
}

/** Renders one template with one convention; undefined when the template refuses. */
class Probe {
  constructor(
    private readonly template: ChatTemplate,
    private readonly texts: SpecialTexts,
    private readonly convention: CallConvention,
    private readonly reasoning: ReasoningMarkers | undefined,
  ) {}

  render(
    messages: readonly ChatMessage[],
    tools: readonly ChatTool[],
    addGenerationPrompt: boolean,
  ): string | undefined {
    try {
      return this.template.renderOnce({ messages, tools, addGenerationPrompt }, this.texts, this.convention);
    } catch {
      return undefined;
    }
  }

  /** The text of an assistant turn: from the end of the prompt to the end of the text. */
  assistantTurn(turn: ChatMessage): string | undefined {
    const prompt = this.render([user], [TOOL], true);
    const whole = this.render([user, turn], [TOOL], false);
    if (prompt === undefined || whole === undefined) return undefined;
    // Some prompts open the reasoning block; finished turns have none, or an empty one.
    const open = this.reasoning?.open ?? '';
    const bare = open !== '' && prompt.trimEnd().endsWith(open) ? prompt.slice(0, prompt.lastIndexOf(open)) : prompt;
    const written = whole.slice(commonPrefix(bare, whole).length);
    const close = this.reasoning?.close ?? '';
    const end = close === '' ? -1 : written.indexOf(close);
    const marker = turn.toolCalls === undefined ? RESPONSE : NAME;
    return end >= 0 && end < written.indexOf(marker) ? written.slice(end + close.length) : written;
  }
}

function callSyntax(probe: Probe, eos: string): CallSyntax | undefined {
  const withTool = probe.render([user], [TOOL], true);
  // A template that does not show the tools to the model does not support them.
  if (withTool?.includes(NAME) !== true) return undefined;
  const single = readCall(probe.assistantTurn(assistantCalls(1)));
  if (single === undefined) return undefined;

  const trigger = triggerOf(single.before);
  const base = {
    trigger: trigger === '' ? single.before : trigger,
    onlyAtStart: trigger === '',
    prefix: single.before,
    nameToArguments: single.between,
  };
  const response = probe.assistantTurn({ role: 'assistant', content: RESPONSE });
  const afterLast = withoutTurnEnd(single.after, response?.split(RESPONSE).at(-1) ?? '', eos);

  const pair = readCall(probe.assistantTurn(assistantCalls(2)));
  const joint = pair?.after.split(NAME)[0];
  if (pair?.before !== single.before || joint === undefined || joint === pair.after) {
    return { ...base, suffix: afterLast, close: '' };
  }
  // The common text after the arguments, with and without another call, is part of the call.
  const suffix = commonPrefix(joint, afterLast);
  return { ...base, suffix, separator: joint.slice(suffix.length), close: afterLast.slice(suffix.length) };
}

/** Removes the common end of turns and the end-of-text token, which the model writes itself. */
function withoutTurnEnd(text: string, turnEnd: string, eos: string): string {
  const rest = text.endsWith(turnEnd) ? text.slice(0, text.length - turnEnd.length) : text;
  return (eos === '' ? rest : (rest.split(eos)[0] ?? '')).trimEnd();
}

interface CallChunks {
  readonly before: string;
  readonly between: string;
  readonly after: string;
}

function readCall(turn: string | undefined): CallChunks | undefined {
  const at = turn?.indexOf(NAME) ?? -1;
  if (turn === undefined || at < 0) return undefined;
  const rest = turn.slice(at + NAME.length);
  const found = ARGUMENTS.exec(rest);
  // A syntax with the arguments before the name, or far from it, cannot be constrained token by token.
  if (found === null || rest.slice(0, found.index).includes(NAME)) return undefined;
  const before = turn.slice(0, at);
  return {
    before: before.trimStart(),
    between: rest.slice(0, found.index),
    after: rest.slice(found.index + found[0].length),
  };
}

/** The marker before the JSON: up to the first bracket, trimmed. */
const triggerOf = (prefix: string): string => (/^(?:(?!\s*(?:\[\s*)?\{).)*/s.exec(prefix)?.[0] ?? '').trim();

function commonPrefix(first: string, second: string): string {
  let length = 0;
  while (length < first.length && first[length] === second[length]) length += 1;
  return first.slice(0, length);
}
