/** `ferry connect`: a key for another program, its configuration file, and one request to test it. */
import os from 'node:os';
import path from 'node:path';
import { printable } from '../../../kernel/printable.js';
import { findConnection } from '../../core/api/find-connection.js';
import { ManagementApi } from '../../core/api/management-api.js';
import type { Schemas } from '../../core/api/management-api.types.js';
import { isLoopbackHost } from '../../core/api/relay-address.js';
import { CliError } from '../../core/errors/cli-error.js';
import { exitCodes } from '../../core/errors/exit-codes.js';
import { confirm } from '../../core/output/confirm.js';
import { printData } from '../../core/output/print-data.js';
import type { Terminal } from '../../core/output/terminal.js';
import type { Invocation } from '../../invocation.js';
import type { ConnectedProgram } from './connect.shape.js';
import { isAccepted, keyRecordOf, makeProgramKey } from '../../core/api/program-key.js';
import type { ConnectableProgram } from './program-names.js';
import { changeOf, readIfPresent, renderChange, writeWithBackup } from './program-file.js';
import { programOf, type Program, type ProgramAccess } from './programs.js';
import { testRequest } from './test-request.js';

interface ConnectOptions {
  readonly model?: string;
  readonly default?: true;
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
  const connection = await findConnection(invocation);
  const { baseUrl } = connection;
  const api = new ManagementApi(connection);
  const program = programOf(name, invocation.env, options.default === true);
  const before = program.file === null ? '' : await readIfPresent(program.file.path);
  const model = await chooseModel(api, options);
  const known = await knownKey(program, before, baseUrl);
  const access: ProgramAccess = {
    baseUrl,
    apiKey: known ?? PLACEHOLDER,
    model,
    asDefault: options.default === true,
  };
  const change = program.file === null ? [] : changeOf(before, program.file.edit(before, access));
  const { terminal } = invocation;
  if (options.print === true) {
    const shown = { ...access, apiKey: PLACEHOLDER };
    await printData(invocation, resultOf(name, program, shown, {}), () => {
      if (program.file !== null) terminal.note(`${program.file.path}:`);
      for (const line of change) terminal.print(renderChange(line, terminal.stdoutColors));
      for (const step of program.steps(shown)) terminal.note(`  ${step}`);
    });
    return;
  }
  if (!(await announce(invocation, name, program, change, { known, yes: options.yes === true }))) {
    terminal.note('Nothing was changed.');
    return;
  }
  const key = known === undefined ? await makeProgramKey(api, name) : undefined;
  const final: ProgramAccess = { ...access, apiKey: key?.key ?? access.apiKey };
  const backup = await write(program, final, terminal);
  warnOfAddress(name, baseUrl, terminal);
  const test = await testRequest(api, final, model);
  const speed = test.tokens_per_second === null ? 'answered' : `${String(Math.round(test.tokens_per_second))} tok/s`;
  terminal.note(`✓ test request: ${speed}${test.node === null ? '' : ` on ${printable(test.node)}`}`);
  const keyId = key?.key_id ?? (await keyRecordOf(api, final.apiKey))?.key_id ?? null;
  const changed = key !== undefined || change.length > 0;
  await printData(
    invocation,
    resultOf(name, program, final, { keyId, backup, changed: changed && program.file !== null, test }),
    () => {
      terminal.note(program.startsByCommand ? 'Start it with:' : `Set ${program.title} up:`);
      for (const step of program.steps(final)) terminal.print(`  ${step}`);
    },
  );
}

/** Prints the planned changes and asks for confirmation. */
async function announce(
  { terminal }: Invocation,
  name: ConnectableProgram,
  { title, file }: Program,
  change: readonly string[],
  { known, yes }: { readonly known: string | undefined; readonly yes: boolean },
): Promise<boolean> {
  if (known !== undefined && change.length === 0) {
    terminal.note(`${title} is set up already, and its key works.`);
    return true;
  }
  const key = known === undefined ? `Makes a key "${name}" (inference, 60/min)` : 'Keeps its key';
  terminal.note(file === null ? `${key} for ${title}.` : `${key} and changes ${withTilde(file.path)}:`);
  for (const line of change) terminal.note(renderChange(line, terminal.stderrColors));
  return yes || confirm(terminal, 'Apply?', { initialValue: true });
}

async function write(program: Program, access: ProgramAccess, { note }: Terminal): Promise<string | null> {
  const { file } = program;
  if (file === null) return null;
  const before = await readIfPresent(file.path);
  const after = file.edit(before, access);
  if (after === before) return null;
  const backup = await writeWithBackup(file.path, after, new Date());
  note(`✓ ${withTilde(file.path)}${backup === null ? '' : `   backup: ${path.basename(backup)}`}`);
  return backup;
}

async function knownKey({ file }: Program, text: string, baseUrl: string): Promise<string | undefined> {
  const key = file?.keyIn(text);
  return key !== undefined && (await isAccepted(baseUrl, key)) ? key : undefined;
}

/** @throws CliError when the model does not exist, or none is loaded */
async function chooseModel(api: ManagementApi, { model, print }: ConnectOptions): Promise<string> {
  const models = await api.list<Schemas['Model']>('/api/models');
  if (model === undefined) {
    const loaded = models.find((candidate) => candidate.loaded)?.id;
    if (loaded !== undefined) return loaded;
    if (print === true) return 'MODEL';
    throw new CliError('no_model_loaded', exitCodes.noEligibleNode, 'no model is loaded', {
      hint: 'ferry run NAME, or choose an installed one with -m MODEL',
    });
  }
  const found = models.find(({ id, selector }) => id === model || selector === model);
  if (found !== undefined) return found.id;
  throw new CliError('model_not_found', exitCodes.notFound, `there is no model "${model}"`, {
    hint: 'ferry models list',
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
    readonly keyId?: string | null;
    readonly backup?: string | null;
    readonly changed?: boolean;
    readonly test?: ConnectedProgram['test'];
  },
): ConnectedProgram {
  return {
    object: 'connected_program',
    program: name,
    base_url: access.baseUrl,
    model: access.model,
    key_id: done.keyId ?? null,
    file: program.file?.path ?? null,
    backup: done.backup ?? null,
    changed: done.changed ?? false,
    steps: [...program.steps(access)],
    test: done.test ?? null,
  };
}

function withTilde(file: string): string {
  const home = os.homedir();
  return file.startsWith(`${home}${path.sep}`) ? `~${file.slice(home.length)}` : file;
}
