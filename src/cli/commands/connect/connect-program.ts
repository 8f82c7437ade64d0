/** `ferry connect PROGRAM`: a key for another program, its configuration file, and one request to test it. */
import type { ExtensionName } from '../../../kernel/extension.js';
import { printable } from '../../../kernel/printable.js';
import type { Limit } from '../../core/args/parse-count.js';
import { findConnection } from '../../core/api/find-connection.js';
import { ManagementApi } from '../../core/api/management-api.js';
import { isLoopbackHost } from '../../core/api/relay-address.js';
import { printData } from '../../core/output/print-data.js';
import type { Terminal } from '../../core/output/terminal.js';
import type { Invocation } from '../../invocation.js';
import { announce, showWarnings, type Plan } from './announce-plan.js';
import { chooseModel } from './choose-model.js';
import type { ConnectedProgram } from './connect.shape.js';
import { readConnection, writeConnection } from './connections/connection-store.js';
import { missingExtensions, showMissing } from './missing-extensions.js';
import { carryOut, limitText, planKey } from './planned-key.js';
import { changeOf, readIfPresent, renderChange } from './program-file.js';
import type { ConnectableProgram } from './program-names.js';
import { programOf } from './programs/program-of.js';
import type { Program, ProgramAccess } from './programs/program.js';
import { testRequest } from './test-request.js';
import { warningsOf, type Warning } from './warnings.js';
import { writeProgramFile } from './write-program-file.js';

export interface ConnectOptions {
  readonly model?: string;
  readonly default?: true;
  readonly rpm?: Limit;
  readonly print?: true;
  readonly yes?: true;
}

/** Placeholder for a key that is not created yet. */
const PLACEHOLDER = 'sk-ferry-YOUR-KEY';

/** Checks everything that may fail before a key is created; the file is read again when it is written. */
export async function connectProgram(
  invocation: Invocation,
  name: ConnectableProgram,
  options: ConnectOptions,
): Promise<void> {
  const { env, terminal } = invocation;
  const connection = await findConnection(invocation);
  const { baseUrl } = connection;
  const api = new ManagementApi(connection);
  const asDefault = options.default === true;
  const program = programOf(name, env, asDefault);
  const before = program.file === null ? '' : ((await readIfPresent(program.file.path)) ?? '');
  const earlier = await readConnection(env, name);
  const chosen = await chooseModel(api, {
    model: options.model,
    used: earlier?.model,
    mayBeMissing: options.print === true,
  });
  const base = { baseUrl, asDefault, ...chosen };
  const missing = await missingExtensions(api, program);
  if (options.print === true) {
    await printPlan(invocation, { name, program, before, access: { ...base, apiKey: PLACEHOLDER }, missing });
    return;
  }
  const key = await planKey(api, env, {
    program: name,
    baseUrl,
    inFile: program.file?.keyIn(before),
    connection: earlier,
  });
  const access = { ...base, apiKey: key.kind === 'kept' ? key.key : PLACEHOLDER };
  const change = program.file === null ? [] : changeOf(before, program.file.edit(before, access));
  const rpm = options.rpm === 'none' ? null : options.rpm;
  const plan: Plan = { name, program, access, key, rpm, change, warnings: warningsOf(program, access), earlier };
  if (!(await announce(terminal, plan, options.yes === true))) {
    terminal.note('Nothing was changed.');
    return;
  }
  await apply(invocation, api, plan, missing);
}

interface ShownPlan {
  readonly name: ConnectableProgram;
  readonly program: Program;
  /** The file as it is. */
  readonly before: string;
  readonly access: ProgramAccess;
  readonly missing: readonly ExtensionName[];
}

async function printPlan(invocation: Invocation, plan: ShownPlan): Promise<void> {
  const { name, program, before, access, missing } = plan;
  const { terminal } = invocation;
  const warnings = warningsOf(program, access);
  const known = program.file?.keyIn(before);
  // The key of the file is no part of the change, and is not shown.
  const kept = { ...access, apiKey: known ?? access.apiKey };
  const change = program.file === null ? [] : changeOf(before, program.file.edit(before, kept));
  await printData(invocation, resultOf(name, program, access, { warnings, missing }), () => {
    if (program.file !== null) terminal.note(`${program.file.path}:`);
    if (program.file !== null && change.length === 0) terminal.note('  nothing to change');
    for (const line of change) terminal.print(renderChange(line, terminal.stdoutColors));
    for (const step of program.steps(access)) terminal.note(`  ${step}`);
    showWarnings(terminal, warnings);
    showMissing(terminal, program, missing);
  });
}

async function apply(
  invocation: Invocation,
  api: ManagementApi,
  plan: Plan,
  missing: readonly ExtensionName[],
): Promise<void> {
  const { env, terminal } = invocation;
  const { name, program, key: planned, rpm, warnings } = plan;
  const { key, record, isOwn } = await carryOut(api, planned, rpm);
  const access = { ...plan.access, apiKey: key };
  const { backup, files } = await writeProgramFile(program, access, plan.earlier, terminal);
  await writeConnection(env, {
    version: 1,
    program: name,
    base_url: access.baseUrl,
    model: access.model,
    context_tokens: access.limits.contextTokens,
    key_id: record?.key_id ?? null,
    api_key: key,
    is_own_key: isOwn,
    connected: Math.floor(Date.now() / 1_000),
    files: [...files],
  });
  warnOfAddress(name, access.baseUrl, terminal);
  const test = await testRequest(api, access, access.model);
  const speed = test.tokens_per_second === null ? 'answered' : `${String(Math.round(test.tokens_per_second))} tok/s`;
  terminal.note(`✓ test request: ${speed}${test.node === null ? '' : ` on ${printable(test.node)}`}`);
  const changed = program.file !== null && (planned.kind === 'made' || plan.change.length > 0);
  const done = {
    keyId: record?.key_id,
    rpm: record?.limits.requests_per_minute,
    backup,
    changed,
    warnings,
    missing,
    test,
  };
  await printData(invocation, resultOf(name, program, access, done), () => {
    terminal.note(program.startsByCommand ? 'Start it with:' : `Set ${program.title} up:`);
    for (const step of program.steps(access)) terminal.print(`  ${step}`);
    if (record !== undefined) {
      terminal.note(`Limit of the key: ${limitText(record)}. Change it: ferry connect ${name} --rpm COUNT`);
    }
    showMissing(terminal, program, missing);
    terminal.note(`Take it back: ferry connect --undo ${name}`);
  });
}

/** Cursor's servers send the requests, not the computer that it runs on. */
function warnOfAddress(name: ConnectableProgram, baseUrl: string, { note }: Terminal): void {
  const { hostname, protocol } = new URL(baseUrl);
  if (name !== 'cursor' || (protocol === 'https:' && !isLoopbackHost(hostname))) return;
  note(`Cursor calls ${baseUrl} from its own servers, so it needs an address that is public and begins with https.`);
}

function resultOf(
  name: ConnectableProgram,
  program: Program,
  access: ProgramAccess,
  done: {
    readonly keyId?: string | undefined;
    readonly rpm?: number | null | undefined;
    readonly backup?: string | null;
    readonly changed?: boolean;
    readonly warnings: readonly Warning[];
    readonly missing: readonly ExtensionName[];
    readonly test?: ConnectedProgram['test'];
  },
): ConnectedProgram {
  return {
    object: 'connected_program',
    program: name,
    base_url: access.baseUrl,
    model: access.model,
    context_tokens: access.limits.contextTokens,
    output_tokens: access.limits.outputTokens,
    key_id: done.keyId ?? null,
    requests_per_minute: done.rpm ?? null,
    file: program.file?.path ?? null,
    backup: done.backup ?? null,
    changed: done.changed ?? false,
    warnings: done.warnings.map(({ text }) => text),
    extensions_off: [...done.missing],
    steps: [...program.steps(access)],
    test: done.test ?? null,
  };
}
