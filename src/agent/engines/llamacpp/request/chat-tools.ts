import { z } from 'zod';
import { invalidRequest } from '../failures.js';

export interface ChatTool {
  readonly name: string;
  /** JSON schema of the arguments object. */
  readonly parameters: unknown;
  /** The client's declaration, which the template shows to the model. */
  readonly declaration: Readonly<Record<string, unknown>>;
}

export interface ToolUse {
  /** Shown to the model. Empty with `tool_choice: none`. */
  readonly tools: readonly ChatTool[];
  /** `required`: the response is a call of one of `tools`. */
  readonly mode: 'auto' | 'required';
  readonly parallel: boolean;
}

export const toolFields = {
  tools: z
    .array(
      z.looseObject({
        type: z.string().nullish(),
        function: z.looseObject({ name: z.string().min(1).max(200), parameters: z.unknown().optional() }).nullish(),
      }),
    )
    .nullish(),
  tool_choice: z
    .union([
      z.string(),
      z.looseObject({
        type: z.string(),
        function: z.looseObject({ name: z.string() }).nullish(),
        allowed_tools: z
          .looseObject({
            mode: z.string().nullish(),
            tools: z.array(z.looseObject({ function: z.looseObject({ name: z.string() }).nullish() })),
          })
          .nullish(),
      }),
    ])
    .nullish(),
  parallel_tool_calls: z.boolean().nullish(),
};

type ToolBody = z.output<z.ZodObject<typeof toolFields>>;

const narrowed = (tools: readonly ChatTool[], names: readonly string[]): readonly ChatTool[] => {
  for (const name of names) {
    if (!tools.some((tool) => tool.name === name)) {
      throw invalidRequest('tool_choice', `tool_choice names ${name.slice(0, 100)}, which is not among the tools`);
    }
  }
  return tools.filter((tool) => names.includes(tool.name));
};

function choose(choice: ToolBody['tool_choice'], tools: readonly ChatTool[]): Pick<ToolUse, 'tools' | 'mode'> {
  if (choice == null || choice === 'auto') return { tools, mode: 'auto' };
  if (choice === 'none') return { tools: [], mode: 'auto' };
  if (choice === 'required') return { tools, mode: 'required' };
  if (typeof choice === 'string')
    throw invalidRequest('tool_choice', 'tool_choice must be none, auto, required or name a tool');
  if (choice.type === 'function' && choice.function != null) {
    return { tools: narrowed(tools, [choice.function.name]), mode: 'required' };
  }
  if (choice.type === 'allowed_tools' && choice.allowed_tools != null) {
    const names = choice.allowed_tools.tools.flatMap((tool) => (tool.function == null ? [] : [tool.function.name]));
    return { tools: narrowed(tools, names), mode: choice.allowed_tools.mode === 'required' ? 'required' : 'auto' };
  }
  throw invalidRequest('tool_choice', 'unknown type of tool_choice');
}

/** Tools other than functions (such as hosted tools) are ignored. */
export function readToolUse(body: ToolBody): ToolUse {
  const declared = (body.tools ?? []).flatMap((tool): readonly ChatTool[] =>
    tool.function == null
      ? []
      : [
          {
            name: tool.function.name,
            parameters: tool.function.parameters,
            declaration: { type: 'function', function: tool.function },
          },
        ],
  );
  const { tools, mode } = choose(body.tool_choice, declared);
  if (mode === 'required' && tools.length === 0)
    throw invalidRequest('tool_choice', 'tool_choice requires a call, but there are no tools');
  return { tools, mode, parallel: body.parallel_tool_calls ?? true };
}
