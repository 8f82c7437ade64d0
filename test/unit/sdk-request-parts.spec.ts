/**
 * As sdk-request-fields.spec.ts, for what stands within a request: a member of a tool, of a block or of a setting that changes what the model is
 * given is honoured, refused, or named in `x-ferry-translation`.
 */
import { describe, expect, it } from '@jest/globals';
import {
  ANTHROPIC,
  ANTHROPIC_BETA,
  bases,
  fieldsOf,
  OPENAI_RESPONSES,
  outcomeOf,
  understand,
  type Body,
  type Probe,
  type SdkType,
} from '../support/client/sdk-request-types.js';

/** An interface within a request: its members are fields too. */
interface Part {
  readonly types: readonly SdkType[];
  readonly route: 'messages' | 'responses';
  /** What the members stand beside. */
  readonly base: Body;
  readonly probes: Readonly<Record<string, Probe>>;
  /** The fields of the request that hold the part. */
  readonly inRequest: (part: Body) => Body;
}

const tool = { name: 'f', input_schema: { type: 'object' } };
const responsesTool = { type: 'function', name: 'f', parameters: { type: 'object' } };
const cacheHint = 'where a cache may end: engines keep every prefix';
const asBlock = (block: Body): Body => ({
  messages: [{ role: 'user', content: [block, { type: 'text', text: 'hi' }] }],
});
const asItem = (part: Body): Body => ({
  input: [{ role: 'user', content: [part, { type: 'input_text', text: 'hi' }] }],
});
const kind: Probe = { value: 'text', noEffect: 'names the part' };
const png = { type: 'base64', media_type: 'image/png', data: 'iVBORw0KGgo=' };
const pdf = { type: 'base64', media_type: 'application/pdf', data: 'JVBERi0=' };

const parts: readonly Part[] = [
  {
    types: [
      [ANTHROPIC, 'Tool'],
      [ANTHROPIC_BETA, 'BetaTool'],
    ],
    route: 'messages',
    base: tool,
    inRequest: (part) => ({ tools: [part] }),
    probes: {
      allowed_callers: { value: ['code_execution_20250825'] },
      cache_control: { value: { type: 'ephemeral' }, noEffect: cacheHint },
      defer_loading: { value: true },
      description: { value: 'counts' },
      eager_input_streaming: { value: true, noEffect: 'how arguments are cut into events' },
      input_examples: { value: [{ a: 1 }] },
      input_schema: { value: { type: 'object', properties: { a: {} } } },
      name: { value: 'g' },
      strict: { value: true },
      type: { value: 'custom', noEffect: 'the same as without' },
    },
  },
  {
    types: [[ANTHROPIC, 'TextBlockParam']],
    route: 'messages',
    base: { type: 'text', text: 'a' },
    inRequest: asBlock,
    probes: {
      cache_control: { value: { type: 'ephemeral' }, noEffect: cacheHint },
      citations: { value: [], noEffect: 'where an earlier text came from' },
      text: { value: 'b' },
      type: kind,
    },
  },
  {
    types: [
      [ANTHROPIC, 'ImageBlockParam'],
      [ANTHROPIC_BETA, 'BetaImageBlockParam'],
    ],
    route: 'messages',
    base: { type: 'image', source: png },
    inRequest: asBlock,
    probes: {
      cache_control: { value: { type: 'ephemeral' }, noEffect: cacheHint },
      source: { value: { ...png, data: 'iVBORw0KGgoA' } },
      transformations: { value: [{ type: 'resize' }] },
      type: { ...kind, value: 'image' },
    },
  },
  {
    types: [
      [ANTHROPIC, 'DocumentBlockParam'],
      [ANTHROPIC_BETA, 'BetaRequestDocumentBlock'],
    ],
    route: 'messages',
    base: { type: 'document', source: pdf },
    inRequest: asBlock,
    probes: {
      cache_control: { value: { type: 'ephemeral' }, noEffect: cacheHint },
      citations: { value: { enabled: true } },
      context: { value: 'of last year' },
      source: { value: { type: 'text', media_type: 'text/plain', data: 'a' } },
      title: { value: 'Report' },
      type: { ...kind, value: 'document' },
    },
  },
  {
    types: [
      [ANTHROPIC, 'SearchResultBlockParam'],
      [ANTHROPIC_BETA, 'BetaSearchResultBlockParam'],
    ],
    route: 'messages',
    base: { type: 'search_result', source: 's', title: 't', content: [{ type: 'text', text: 'a' }] },
    inRequest: asBlock,
    probes: {
      cache_control: { value: { type: 'ephemeral' }, noEffect: cacheHint },
      citations: { value: { enabled: true } },
      content: { value: [{ type: 'text', text: 'b' }] },
      source: { value: 'other' },
      title: { value: 'other' },
      type: { ...kind, value: 'search_result' },
    },
  },
  {
    types: [
      [ANTHROPIC, 'OutputConfig'],
      [ANTHROPIC_BETA, 'BetaOutputConfig'],
    ],
    route: 'messages',
    base: {},
    inRequest: (part) => ({ output_config: part }),
    probes: {
      effort: { value: 'low' },
      format: { value: { type: 'json_schema', schema: { type: 'object' } } },
      task_budget: { value: { type: 'tokens', total: 5_000 } },
    },
  },
  {
    types: [[OPENAI_RESPONSES, 'FunctionTool']],
    route: 'responses',
    base: responsesTool,
    inRequest: (part) => ({ tools: [part] }),
    probes: {
      allowed_callers: { value: ['programmatic'] },
      async: { value: true },
      defer_loading: { value: true },
      description: { value: 'counts' },
      name: { value: 'g' },
      output_schema: { value: { type: 'object' } },
      parameters: { value: { type: 'object', properties: { a: {} } } },
      strict: { value: true },
      type: { ...kind, value: 'function' },
    },
  },
  {
    types: [[OPENAI_RESPONSES, 'CustomTool']],
    route: 'responses',
    base: { type: 'custom', name: 'f' },
    inRequest: (part) => ({ tools: [part] }),
    probes: {
      allowed_callers: { value: ['programmatic'] },
      async: { value: true },
      defer_loading: { value: true },
      description: { value: 'counts' },
      format: { value: { type: 'grammar', syntax: 'lark', definition: 'start: "a"' } },
      name: { value: 'g' },
      type: { ...kind, value: 'custom' },
    },
  },
  {
    types: [[OPENAI_RESPONSES, 'NamespaceTool']],
    route: 'responses',
    base: { type: 'namespace', name: 'n', tools: [responsesTool] },
    inRequest: (part) => ({ tools: [part] }),
    probes: {
      description: { value: 'counts' },
      name: { value: 'm' },
      tools: { value: [{ ...responsesTool, name: 'g' }] },
      type: { ...kind, value: 'namespace' },
    },
  },
  {
    types: [[OPENAI_RESPONSES, 'EasyInputMessage']],
    route: 'responses',
    base: { role: 'assistant', content: 'a' },
    inRequest: (part) => ({ input: [part, { role: 'user', content: 'hi' }] }),
    probes: {
      content: { value: 'b' },
      phase: { value: 'commentary' },
      role: { value: 'user' },
      type: { ...kind, value: 'message' },
    },
  },
  {
    types: [[OPENAI_RESPONSES, 'ResponseInputText']],
    route: 'responses',
    base: { type: 'input_text', text: 'a' },
    inRequest: asItem,
    probes: {
      prompt_cache_breakpoint: { value: { type: 'x' }, noEffect: cacheHint },
      text: { value: 'b' },
      type: { ...kind, value: 'input_text' },
    },
  },
  {
    types: [[OPENAI_RESPONSES, 'ResponseInputImage']],
    route: 'responses',
    base: { type: 'input_image', image_url: 'data:image/png;base64,iVBORw0KGgo=' },
    inRequest: asItem,
    probes: {
      detail: { value: 'low' },
      file_id: { value: 'file_1', noEffect: 'the image itself is there' },
      image_url: { value: 'data:image/png;base64,iVBORw0KGgoA' },
      prompt_cache_breakpoint: { value: { type: 'x' }, noEffect: cacheHint },
      type: { ...kind, value: 'input_image' },
    },
  },
  {
    types: [[OPENAI_RESPONSES, 'ResponseInputFile']],
    route: 'responses',
    base: { type: 'input_file', file_data: 'data:application/pdf;base64,JVBERi0=' },
    inRequest: asItem,
    probes: {
      detail: { value: 'low' },
      file_data: { value: 'data:application/pdf;base64,JVBERi0A' },
      file_id: { value: 'file_1', noEffect: 'the file itself is there' },
      file_url: { value: 'https://files.example/a.pdf', noEffect: 'the file itself is there' },
      filename: { value: 'a.pdf' },
      prompt_cache_breakpoint: { value: { type: 'x' }, noEffect: cacheHint },
      type: { ...kind, value: 'input_file' },
    },
  },
  {
    types: [['openai/resources/shared.d.ts', 'Reasoning']],
    route: 'responses',
    base: {},
    inRequest: (part) => ({ reasoning: part }),
    probes: {
      context: { value: 'all_turns' },
      effort: { value: 'low' },
      generate_summary: { value: 'auto', noEffect: 'reasoning is given as a summary in any case' },
      mode: { value: 'pro' },
      summary: { value: 'auto', noEffect: 'as generate_summary' },
    },
  },
  {
    types: [[OPENAI_RESPONSES, 'ResponseTextConfig']],
    route: 'responses',
    base: {},
    inRequest: (part) => ({ text: part }),
    probes: { format: { value: { type: 'json_object' } }, verbosity: { value: 'low' } },
  },
];

describe.each(parts.map((part) => ({ title: part.types.map(([, name]) => name).join(' and '), ...part })))(
  '$title',
  ({ types, route, base, probes, inRequest }) => {
    it('$title has a row for every member of the SDK’s type, and no other', async () => {
      expect(Object.keys(probes).sort()).toEqual(await fieldsOf(types));
    });

    it.each(Object.entries(probes))(
      'the translation never drops %s without reporting it',
      (member, { value, noEffect }) => {
        const body = (part: Body): Body => ({ ...bases[route], ...inRequest(part) });
        const asked = body({ ...base, [member]: value });
        const outcome = outcomeOf(understand[route], body(base), asked, (path) => path.endsWith(`.${member}`));
        if (noEffect === undefined) expect(outcome).not.toBe('silent');
        else expect([outcome, noEffect]).toEqual(['silent', noEffect]);
      },
    );
  },
);
