/**
 * What a chat template can do, found by rendering it with marked texts: whether it takes tools, how a call is written, whether it knows
 * reasoning. No table of model families; a template nobody has seen works as long as it writes the arguments of a call as JSON.
 */
import type { CallSyntax } from '../output/call-syntax.js';
import { knownReasoningMarkers, type ReasoningMarkers } from '../output/reasoning-markers.js';
import type { ChatMessage } from '../request/chat-messages.js';
import type { ChatTool } from '../request/chat-tools.js';
import type { CallConvention, ChatTemplate, SpecialTexts } from './chat-template.js';

export interface TemplateTraits {
  readonly reasoning: ReasoningMarkers | undefined;
  /** Absent where the template takes no tools, or writes calls in a way that cannot be read back. */
  readonly calls: CallSyntax | undefined;
  readonly convention: CallConvention;
}

const USER = 'ferryuser';
const NAME = 'ferrytool';
const ANSWER = 'ferryanswer';
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
    // Long enough for templates that print its last nine characters.
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

/** One template with one convention; undefined where it refuses. */
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

  /** What the template writes for an assistant turn: from the end of the prompt to the end of the text. */
  assistantTurn(turn: ChatMessage): string | undefined {
    const prompt = this.render([user], [TOOL], true);
    const whole = this.render([user, turn], [TOOL], false);
    if (prompt === undefined || whole === undefined) return undefined;
    // Some prompts begin the reasoning already; finished turns have none, or an empty block.
    const open = this.reasoning?.open ?? '';
    const bare = open !== '' && prompt.trimEnd().endsWith(open) ? prompt.slice(0, prompt.lastIndexOf(open)) : prompt;
    const written = whole.slice(commonPrefix(bare, whole).length);
    const close = this.reasoning?.close ?? '';
    const end = close === '' ? -1 : written.indexOf(close);
    const marker = turn.toolCalls === undefined ? ANSWER : NAME;
    return end >= 0 && end < written.indexOf(marker) ? written.slice(end + close.length) : written;
  }
}

function callSyntax(probe: Probe, eos: string): CallSyntax | undefined {
  const withTool = probe.render([user], [TOOL], true);
  // A template that does not show the tools to the model takes none, whatever it does with calls.
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
  const answer = probe.assistantTurn({ role: 'assistant', content: ANSWER });
  const afterLast = withoutTurnEnd(single.after, answer?.split(ANSWER).at(-1) ?? '', eos);

  const pair = readCall(probe.assistantTurn(assistantCalls(2)));
  const joint = pair?.after.split(NAME)[0];
  if (pair?.before !== single.before || joint === undefined || joint === pair.after) {
    return { ...base, suffix: afterLast, close: '' };
  }
  // What follows the arguments whether or not another call comes belongs to the call itself.
  const suffix = commonPrefix(joint, afterLast);
  return { ...base, suffix, separator: joint.slice(suffix.length), close: afterLast.slice(suffix.length) };
}

/** A turn with calls usually ends like any other; the end-of-text token ends it in any case, and is the model's own to write. */
function withoutTurnEnd(text: string, turnEnd: string, eos: string): string {
  const rest = text.endsWith(turnEnd) ? text.slice(0, text.length - turnEnd.length) : text;
  return (eos === '' ? rest : (rest.split(eos)[0] ?? '')).trimEnd();
}

interface CallPieces {
  readonly before: string;
  readonly between: string;
  readonly after: string;
}

function readCall(turn: string | undefined): CallPieces | undefined {
  const at = turn?.indexOf(NAME) ?? -1;
  if (turn === undefined || at < 0) return undefined;
  const rest = turn.slice(at + NAME.length);
  const found = ARGUMENTS.exec(rest);
  // Arguments before the name, or far from it, are a syntax that cannot be forced token by token.
  if (found === null || rest.slice(0, found.index).includes(NAME)) return undefined;
  const before = turn.slice(0, at);
  return {
    before: before.trimStart(),
    between: rest.slice(0, found.index),
    after: rest.slice(found.index + found[0].length),
  };
}

/** The marker before the JSON begins: up to the first bracket, without the blanks around. */
const triggerOf = (prefix: string): string => (/^(?:(?!\s*(?:\[\s*)?\{).)*/s.exec(prefix)?.[0] ?? '').trim();

function commonPrefix(first: string, second: string): string {
  let length = 0;
  while (length < first.length && first[length] === second[length]) length += 1;
  return first.slice(0, length);
}
