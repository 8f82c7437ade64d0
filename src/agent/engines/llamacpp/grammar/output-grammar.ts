/** Grammar for the tool calls or JSON that a request requires. Reasoning before the response is not constrained. */
import type { CallSyntax } from '../output/call-syntax.js';
import type { JsonFormat } from '../request/chat-request.js';
import type { ChatTool, ToolUse } from '../request/chat-tools.js';
import { alternatives, GrammarRules, literal } from './grammar-rules.js';
import { JsonSchemaGrammar } from './json-schema-grammar.js';

/** Stops a model that would repeat calls without end. */
const MAX_PARALLEL_CALLS = 16;

interface OutputGrammar {
  /** For the whole response; absent when it is unconstrained. */
  readonly whole?: string;
  /** Applies after the trigger of an optional tool call. */
  readonly afterTrigger?: string;
}

/** Start rule of a response after reasoning, which allows blank lines. */
export const AFTER_REASONING = 'after-reasoning';

interface OutputGrammarInput {
  readonly toolUse: ToolUse;
  readonly format: JsonFormat | undefined;
  readonly calls: CallSyntax | undefined;
}

/** @throws EngineFailure when a schema is too large. */
export function outputGrammar({ toolUse, format, calls }: OutputGrammarInput): OutputGrammar {
  const mayCall = calls !== undefined && toolUse.tools.length > 0;
  const mustCall = mayCall && toolUse.mode === 'required';
  if (format === undefined && !mustCall) {
    if (!mayCall) return {};
    const head = calls.prefix.slice(calls.trigger.length);
    return { afterTrigger: grammarText((rules) => callRules(rules, calls, toolUse, head)) };
  }
  const whole = grammarText((rules) =>
    alternatives([
      ...(mayCall ? [callRules(rules, calls, toolUse, calls.prefix)] : []),
      ...(format !== undefined && !mustCall ? [new JsonSchemaGrammar(rules, format.schema).rule()] : []),
    ]),
  );
  return { whole };
}

function grammarText(root: (rules: GrammarRules) => string): string {
  const rules = new GrammarRules();
  rules.define('root', root(rules));
  rules.define(AFTER_REASONING, String.raw`[ \n]{0,4} root`);
  return rules.toString();
}

/** @param head text before the first name */
function callRules(rules: GrammarRules, syntax: CallSyntax, { tools, parallel }: ToolUse, head: string): string {
  const call = rules.add('call', alternatives(tools.map((tool) => `(${callOf(rules, syntax, tool)})`)));
  const more =
    parallel && syntax.separator !== undefined
      ? ` (${literal(syntax.separator)} ${call}){0,${MAX_PARALLEL_CALLS - 1}}`
      : '';
  const close = syntax.close === '' ? '' : ` ${literal(syntax.close)}`;
  return rules.add('calls', `${head === '' ? '' : `${literal(head)} `}${call}${more}${close}`);
}

function callOf(rules: GrammarRules, syntax: CallSyntax, tool: ChatTool): string {
  // Arguments are always an object, also when the declaration does not say so.
  const schema = { type: 'object', ...(typeof tool.parameters === 'object' ? tool.parameters : undefined) };
  const argumentsRule = new JsonSchemaGrammar(rules, schema).rule();
  const suffix = syntax.suffix === '' ? '' : ` ${literal(syntax.suffix)}`;
  return `${literal(tool.name)} ${literal(syntax.nameToArguments)} ${argumentsRule}${suffix}`;
}
