/** Real templates, small ones: the forms in which published models write tool calls. */
import path from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { parseExact } from '../../../../kernel/exact-json.js';
import { EngineFailure } from '../../engine.js';
import { loadBinding, type Binding } from '../binding.js';
import type { ChatMessage } from '../request/chat-messages.js';
import { ChatTemplate } from './chat-template.js';
import { templateTraits } from './template-traits.js';

const texts = { bos: '<s>', eos: '</s>' };
const anyConvention = { argumentsAsObject: true, shortIds: false };
const toolsShown = '{%- if tools %}{% for t in tools %}{{ t | tojson }}{% endfor %}{% endif %}';
/** One turn in the manner of ChatML; `calls` is what an assistant turn writes for its calls. */
const chatMl = (calls: string, prompt = '<|im_start|>assistant\n') =>
  `${toolsShown}{%- for m in messages %}{{ '<|im_start|>' + m.role + '\n' + m.content }}{%- if m.tool_calls %}${calls}{%- endif %}{{ '<|im_end|>\n' }}{% endfor %}` +
  `{%- if add_generation_prompt %}{{ '${prompt}' }}{% endif %}`;

describe('template traits', () => {
  let Template: Binding['Template'];
  beforeAll(async () => {
    ({ Template } = await loadBinding(path.resolve('engines/llamacpp')));
  }, 60_000);

  const traits = (source: string) => templateTraits(new ChatTemplate(Template, source), texts);

  it('reads calls with a marker around each', () => {
    const source = chatMl(
      '{% for c in m.tool_calls %}{{ "\n<tool_call>\n{\\"name\\": \\"" + c.function.name + "\\", \\"arguments\\": " + (c.function.arguments | tojson) + "}\n</tool_call>" }}{% endfor %}',
    );
    expect(traits(source)).toEqual({
      reasoning: undefined,
      convention: anyConvention,
      calls: {
        trigger: '<tool_call>',
        onlyAtStart: false,
        prefix: '<tool_call>\n{"name": "',
        nameToArguments: '", "arguments": ',
        suffix: '}\n</tool_call>',
        separator: '\n<tool_call>\n{"name": "',
        close: '',
      },
    });
  });

  it('shows the model every digit of a declaration and of earlier arguments', () => {
    const template = new ChatTemplate(
      Template,
      chatMl(
        '{% for c in m.tool_calls %}{% for k, v in c.function.arguments.items() %}{{ k }}={{ v }};{% endfor %}{{ c.function.arguments | tojson }}{% endfor %}',
      ),
    );
    const parameters = parseExact('{"properties":{"id":{"maximum":9223372036854775807}}}');
    const call = { id: 'c1', name: 'look', arguments: '{"id": 9007199254740993, "rate": 1.0, "text": "7"}' };
    const prompt = template.render(
      {
        messages: [{ role: 'assistant', content: '', toolCalls: [call] }],
        tools: [{ name: 'look', parameters, declaration: { type: 'function', function: { parameters } } }],
        addGenerationPrompt: false,
      },
      texts,
      anyConvention,
    );
    expect(prompt).toContain('"maximum": 9223372036854775807}');
    expect(prompt).toContain('id=9007199254740993;rate=1.0;text=7;');
    expect(prompt).toContain('{"id": 9007199254740993, "rate": 1.0, "text": "7"}');
  });

  it('reads a list of calls behind one marker, with ids of nine characters', () => {
    const source =
      '{{ bos_token }}{% for m in messages %}{% if m.role == "user" %}' +
      toolsShown +
      '{{ "[INST]" + m.content + "[/INST]" }}{% elif m.tool_calls %}{{ "[TOOL_CALLS] [" }}{% for c in m.tool_calls %}' +
      '{% if c.id | length != 9 %}{{ raise_exception("ids have nine characters") }}{% endif %}' +
      '{{ "{\\"name\\": \\"" + c.function.name + "\\", \\"arguments\\": " + (c.function.arguments | tojson) + "}" }}{% if not loop.last %}{{ ", " }}{% endif %}{% endfor %}{{ "]" + eos_token }}' +
      '{% else %}{{ m.content + eos_token }}{% endif %}{% endfor %}';
    expect(traits(source)).toMatchObject({
      convention: { argumentsAsObject: true, shortIds: true },
      calls: {
        trigger: '[TOOL_CALLS]',
        prefix: '[TOOL_CALLS] [{"name": "',
        suffix: '}',
        separator: ', {"name": "',
        close: ']',
      },
    });
  });

  it('reads a bare call, one per turn', () => {
    const source = chatMl(
      '{% if m.tool_calls | length != 1 %}{{ raise_exception("one call at a time") }}{% endif %}{{ "{\\"name\\": \\"" + m.tool_calls[0].function.name + "\\", \\"parameters\\": " + (m.tool_calls[0].function.arguments | tojson) + "}" }}',
    );
    expect(traits(source).calls).toEqual({
      trigger: '{"name": "',
      onlyAtStart: true,
      prefix: '{"name": "',
      nameToArguments: '", "parameters": ',
      suffix: '}',
      close: '',
    });
  });

  it('reads arguments as text, and names outside the JSON', () => {
    const source = chatMl(
      "{% for c in m.tool_calls %}{{ '<call>' + c.function.name + '\n```json\n' + c.function.arguments + '\n```</call>' }}{% endfor %}{{ eos_token }}",
      '<|im_start|>assistant\n<think>\n',
    ).replace('m.content }}', "m.content.split('</think>')[-1] }}");
    expect(traits(source)).toMatchObject({
      reasoning: { open: '<think>', close: '</think>' },
      convention: { argumentsAsObject: false },
      calls: {
        trigger: '<call>',
        nameToArguments: '\n```json\n',
        suffix: '\n```</call>',
        separator: '<call>',
        close: '',
      },
    });
  });

  it('finds no tool support in templates without JSON calls', () => {
    expect(traits(chatMl('').replace(toolsShown, '')).calls).toBeUndefined();
    expect(traits(chatMl('')).calls).toBeUndefined();
    const xml = chatMl(
      "{% for c in m.tool_calls %}{{ '<call ' + c.function.name + '>' }}{% for k, v in c.function.arguments.items() %}{{ '<' + k + '>' + v }}{% endfor %}{% endfor %}",
    );
    expect(traits(xml).calls).toBeUndefined();
  });
});

describe('chat template', () => {
  let Template: Binding['Template'];
  beforeAll(async () => {
    ({ Template } = await loadBinding(path.resolve('engines/llamacpp')));
  }, 60_000);

  const render = (source: string | undefined, messages: readonly ChatMessage[]) =>
    new ChatTemplate(Template, source).render({ messages, tools: [], addGenerationPrompt: true }, texts, anyConvention);
  const system: ChatMessage = { role: 'system', content: 'Be brief.' };
  const user: ChatMessage = { role: 'user', content: 'Hello' };
  const plain = "{% for m in messages %}{{ '[' + m.role + ']' + m.content }}{% endfor %}";

  it('replaces a missing or unreadable template', () => {
    const expected = '<|im_start|>user\nHello<|im_end|>\n<|im_start|>assistant\n';
    expect(render(undefined, [user])).toBe(expected);
    expect(render('{% broken', [user])).toBe(expected);
    expect(new ChatTemplate(Template, '{% broken').isOwn).toBe(false);
  });

  it('moves system messages to a position that the template accepts', () => {
    const onlyFirst =
      "{% if messages[1:] | selectattr('role', 'equalto', 'system') | list %}{{ raise_exception('system first') }}{% endif %}";
    expect(render(onlyFirst + plain, [user, system])).toBe('[user]Hello\n\nBe brief.');
    expect(render(onlyFirst + plain, [system, user, system])).toBe('[system]Be brief.[user]Hello\n\nBe brief.');
    const none =
      "{% if messages | selectattr('role', 'equalto', 'system') | list %}{{ raise_exception('no system') }}{% endif %}";
    expect(render(none + plain, [system, user])).toBe('[user]Be brief.\n\nHello');
  });

  it('reports messages that the template refuses', () => {
    const refuse = () => render("{{ raise_exception('roles must alternate') }}", [user]);
    expect(refuse).toThrow(EngineFailure);
    expect(refuse).toThrow(/roles must alternate/);
  });
});
