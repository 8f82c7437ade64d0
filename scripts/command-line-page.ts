/** `docs/reference/command-line.md` is generated from the command tree and the JSON shapes: `npm run docs:cli`. A test fails when they differ. */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Argument, Command, Option } from 'commander';
import { z } from 'zod';
import { commandExamples } from '../src/cli/command-examples.js';
import { shortForms } from '../src/cli/commands/short-forms/short-forms.command.js';
import { jsonShapes, type JsonShape } from '../src/cli/json-shapes.js';
import { createTerminal } from '../src/cli/core/output/terminal.js';
import { createProgram } from '../src/cli/program.js';
import { inJsonFormSchema } from './openapi/json-form-schema.js';
import { managementOpenApiPath } from './openapi/paths.js';
import { plainSchema, type PlainSchema } from './openapi/plain-schema.js';

interface ManagementDocument {
  readonly components: { readonly schemas: Readonly<Record<string, object>> };
}

export const commandLinePagePath = path.resolve(import.meta.dirname, '../docs/reference/command-line.md');

const introduction = `# Command line

<!-- Generated from the command tree in src/cli by \`npm run docs:cli\`. Do not edit. -->

How to sign in, script and switch relays: [The command line](../guide/command-line.md).

- **Data goes to stdout, everything else to stderr**: \`$(ferry keys create laptop)\` is the key and nothing else.
- \`--output table|json|yaml\` selects the format, \`--json\` is short for \`--output json\`. With JSON, errors are JSON on stderr, too:
  \`{"error":{"code","message","hint","request_id"}}\`. Rely on \`code\` and on the exit code, not on messages.
- A list is one document, \`{"object":"list","data":[…]}\`, however many pages the relay sends. Commands that watch a job print one JSON
  document per line; the last one has \`"type":"result"\` and the shape given below. A command without a shape prints the relay's response.
- In JSON and YAML an id has the same name in its own row and in references to it (\`node_id\`, \`operation_id\`, \`request_id\`); \`model\` is the name
  to send as \`model\`, \`selector\` its stable id. Times are ISO 8601 in UTC and end in \`_at\`, sizes are numbers and end in \`_bytes\`, durations end in
  \`_ms\`, and what something does is its \`state\`. Responses of [the management API](management-api.md) have other names and seconds since 1970.
- Tables fit the terminal: names are cut in the middle, less important columns are left out, times below a day are relative. \`--wide\` shows
  every column whole, ids included. In a pipe nothing is cut, the columns are always the same, times are dates, an empty cell is \`-\`.
  \`NO_COLOR\` disables colours, \`FORCE_COLOR\` enables them in a pipe.
- **Names**: a model, cluster, node or key is given by its id, its name in any case, or a part that only one of them has; an engine also by its
  kind, such as \`ollama\`. What is deleted or revoked is named as a whole. A request or job is given by any part of its id, a request also by
  the number of its row in \`ferry requests\`.
- Values are taken from, in this order: flag, environment, profile, default. \`ferry status\` shows where each one came from.

## Exit codes

| Code | Meaning |
| --- | --- |
| 0 | it worked |
| 1 | it failed |
| 2 | the command line was wrong, or a confirmation is missing (\`--yes\`) |
| 3 | the relay cannot be reached |
| 4 | not signed in, or no longer: \`ferry login\` |
| 5 | there is no such thing |
| 6 | no node can do it now |
| 130 | Ctrl-C |

## Files and environment

| What | Where |
| --- | --- |
| sign-in of the profile \`default\` | \`credentials.json\` in the configuration directory (\`$XDG_CONFIG_HOME/ferry\`, \`FERRY_CONFIG_DIR\`), mode 0600 |
| sign-ins of other profiles | \`profiles/NAME.json\` beside it, mode 0600 |
| what \`ferry connect\` has changed | \`connections/PROGRAM.json\` beside it, mode 0600: the key, and the program's file before and after |
| the rows that \`ferry requests\` showed last, for \`ferry explain N\` | \`shown-requests.json\` beside it, mode 0600 |
| the profile in use | \`config.json\` beside it; \`--profile\` and \`FERRY_PROFILE\` win over it |
| the id of this computer, in the descriptions of keys made for its programs | \`computer-id\` in the data directory |
| where \`ferry up\` listened the last time | \`listen.json\` in the data directory |
| data of a relay or node on this computer | \`$XDG_DATA_HOME/ferry\`, \`FERRY_DATA_DIR\`, \`--data-dir\` |
| relay | \`FERRY_BASE_URL\` |
| CLI token | \`FERRY_TOKEN\`; never an API key |
| API key of \`ferry chat\` and \`ferry env\` | \`FERRY_API_KEY\`; never a CLI token |

\`ferry up\` signs its own user in, to the profile \`default\`, unless that is signed in to another relay. A token from a file is only
ever sent to the relay that the same file names.

`;

const nowhere = { write: (): boolean => true };

export const commandTree = (): Command => createProgram({ terminal: createTerminal(nowhere, nowhere, {}), env: {} });

/** The words of a command behind `ferry`. */
export const wordsOf = (command: Command): string =>
  command.parent === null ? '' : `${wordsOf(command.parent)} ${command.name()}`.trim();

/** Every command that does something, parents before children. */
export const leavesOf = (command: Command): readonly Command[] =>
  command.commands.length === 0 ? [command] : command.commands.flatMap(leavesOf);

export function renderCommandLinePage(): string {
  const program = commandTree();
  const shown = new Map<string, string>();
  const whole = program.commands.filter((command) => shortForms[command.name()] === undefined);
  const sections = [...whole.map((command) => section(command, shown)), shortFormsSection()];
  const globals = program.options.filter(({ long }) => long !== '--version').map(optionRow);
  return `${introduction}## Options of every command\n\n${table(globals)}\n\n${sections.join('\n')}`;
}

/** Commands that are another one under a shorter name. */
const shortFormsSection = (): string => {
  const rows = Object.entries(shortForms).flatMap(([name, long]) =>
    long === undefined ? [] : [`| \`ferry ${name}\` | \`ferry ${long}\` |`],
  );
  return ['## Short forms', '', table(rows), ''].join('\n');
};

/** Texts of shapes, and the heading of the command that shows each: a shape that several commands print is written out once. */
type ShownShapes = Map<string, string>;

const section = (command: Command, shown: ShownShapes): string => {
  if (command.commands.length === 0) return entry(command, shown);
  const entries = leavesOf(command).map((leaf) => entry(leaf, shown));
  // Such as `ferry login`, which is a command and has subcommands.
  const rows = [...command.registeredArguments.map(argumentRow), ...command.options.map(optionRow)];
  const own = [...(rows.length === 0 ? [] : [table(rows), '']), ...exampleLines(command.name())];
  return [`## ferry ${command.name()}`, '', sentence(command.description()), '', ...own, ...entries].join('\n');
};

const usageOf = (command: Command): string =>
  ['ferry', wordsOf(command), ...command.registeredArguments.map(argumentName)].join(' ');

function entry(command: Command, shown: ShownShapes): string {
  const words = wordsOf(command);
  const usage = usageOf(command);
  const aliases = command.aliases();
  const also = aliases.length === 0 ? '' : ` Also: \`${aliases.join('`, `')}\`.`;
  const rows = [...command.registeredArguments.map(argumentRow), ...command.options.map(optionRow)];
  const parts = [
    `${command.parent?.parent === null ? '##' : '###'} \`${usage}\``,
    '',
    `${sentence(command.description())}${also}`,
    '',
  ];
  if (rows.length > 0) parts.push(table(rows), '');
  parts.push(...exampleLines(words));
  const shape = jsonShapes[words];
  if (shape !== undefined) parts.push(...shapeLines(shape, usage, shown));
  return parts.join('\n');
}

function exampleLines(words: string): readonly string[] {
  const examples = commandExamples[words];
  return examples === undefined ? [] : ['```sh', ...examples, '```', ''];
}

const KINDS = {
  document: 'JSON: an object',
  list: 'JSON: a list of objects',
  lines: 'JSON: a last line with an object',
  stream: 'JSON: a line with an object for each',
} as const;

function shapeLines({ kind, shape }: JsonShape, usage: string, shown: ShownShapes): string[] {
  const text = typeText(schemaOf(shape), '');
  const earlier = shown.get(text);
  if (earlier !== undefined) return [`${KINDS[kind]} as under [\`${earlier}\`](#${anchorOf(earlier)}).`, ''];
  shown.set(text, usage);
  return [`${KINDS[kind]}:`, '', '```ts', text, '```', ''];
}

const documented = (JSON.parse(readFileSync(managementOpenApiPath, 'utf8')) as ManagementDocument).components;
const schemas = inJsonFormSchema(documented.schemas);

function schemaOf(shape: JsonShape['shape']): PlainSchema {
  if (!('schema' in shape)) return inJsonFormSchema(z.toJSONSchema(shape) as PlainSchema);
  const responded = plainSchema(schemas[shape.schema] ?? {}, schemas);
  if (shape.added === undefined) return responded;
  const added = inJsonFormSchema(z.toJSONSchema(shape.added) as PlainSchema);
  return {
    ...responded,
    properties: { ...added.properties, ...responded.properties },
    required: [...(added.required ?? []), ...(responded.required ?? [])],
  };
}

/** As GitHub makes anchors of headings. */
const anchorOf = (heading: string): string => heading.replaceAll(/[^a-z -]/g, '').replaceAll(' ', '-');

const table = (rows: readonly string[]): string => ['| | |', '| --- | --- |', ...rows].join('\n');

const argumentName = (argument: Argument): string => {
  const name = `${argument.name()}${argument.variadic ? '...' : ''}`;
  return argument.required ? `<${name}>` : `[${name}]`;
};

const argumentRow = (argument: Argument): string =>
  `| \`${argumentName(argument)}\` | ${cell(`${argument.description}${choices(argument.argChoices)}`)} |`;

const optionRow = (option: Option): string => {
  const fallback = option.defaultValue === undefined ? '' : ` (default: ${String(option.defaultValue)})`;
  return `| \`${cell(option.flags)}\` | ${cell(`${option.description}${choices(option.argChoices)}${fallback}`)} |`;
};

const choices = (values: readonly string[] | undefined): string =>
  values === undefined ? '' : `: ${values.map((value) => `\`${value}\``).join(', ')}`;

const cell = (text: string): string => text.replaceAll('|', '\\|');

const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;

/** As TypeScript would write it, which most readers read at sight. */
function typeText(schema: PlainSchema, indent: string): string {
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum !== undefined) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
  if (schema.anyOf !== undefined) return schema.anyOf.map((option) => typeText(option, indent)).join(' | ');
  if (typeof schema.type === 'object') return schema.type.map((type) => typeText({ type }, indent)).join(' | ');
  if (schema.type === 'array') {
    const item = typeText(schema.items ?? {}, indent);
    return schema.items?.enum === undefined ? `${item}[]` : `(${item})[]`;
  }
  if (schema.type === 'integer') return 'number';
  if (schema.type !== 'object') return schema.type ?? 'unknown';
  if (schema.properties === undefined) return `{ [name]: ${typeText(valuesOf(schema), indent)} }`;
  const inner = `${indent}  `;
  const lines = Object.entries(schema.properties).map(([name, field]) => {
    const optional = schema.required?.includes(name) === true ? '' : '?';
    const comment = field.description === undefined ? '' : `  // ${field.description.replaceAll('\n', ' ')}`;
    return `${inner}${name}${optional}: ${typeText(field, inner)}${comment}`;
  });
  return `{\n${lines.join('\n')}\n${indent}}`;
}

const valuesOf = ({ additionalProperties }: PlainSchema): PlainSchema =>
  typeof additionalProperties === 'object' ? additionalProperties : {};

if (process.argv[1] === import.meta.filename) writeFileSync(commandLinePagePath, renderCommandLinePage());
