/** Runs one operation on its engine. */
import type { OperationKind } from '../../link/messages.js';
import { OperationFailure, type EngineManagement, type OperationContext } from '../engines/engine-management.js';
import { modelKey } from '../engines/engine-catalogue.js';
import {
  waitFor,
  type HeadStart,
  type OperableEngine,
  type OperableEngines,
  type OperableModel,
} from './operable-engines.js';
import type { OperationCommand } from './operation-command.js';

interface OperationRun {
  readonly command: OperationCommand;
  /** It ran in an earlier process of this node: finished steps are not repeated. */
  readonly resumed: boolean;
  readonly engines: OperableEngines;
  readonly headStart: HeadStart;
  readonly context: OperationContext;
  /** Called with the engine of an install at its first progress report. */
  readonly onEngineSettled: (engine: string) => void;
  /** Called when an install with `load` has its model on disk. From then on, also after a restart, the operation is this load. */
  readonly onInstalled: (load: LoadCommand) => void;
}

/** A newly installed model appears in the node's inventory within this time. */
const LISTED_WITHIN_MS = 10_000;

/** @returns the key of the model. @throws OperationFailure, or an error of the engine */
export async function runOperation(run: OperationRun): Promise<string> {
  const { command } = run;
  switch (command.verb) {
    case 'install': {
      const key = await install(run, command);
      if (command.load === true) await loadInstalled(run, command, key);
      return key;
    }
    case 'load':
    case 'unload':
    case 'remove':
      await manage(run, command);
      return command.model_key;
    default:
      return command satisfies never;
  }
}

type ModelCommand = Exclude<OperationCommand, { readonly verb: 'install' }>;
type InstallCommand = Extract<OperationCommand, { readonly verb: 'install' }>;
type LoadCommand = Extract<OperationCommand, { readonly verb: 'load' }>;

async function loadInstalled(run: OperationRun, { operation_id: id }: InstallCommand, key: string): Promise<void> {
  const load: LoadCommand = { verb: 'load', operation_id: id, model_key: key, context_tokens: null };
  run.onInstalled(load);
  const { clock } = run.headStart;
  const headStart = { ...run.headStart, endsAtMs: clock.monotonicMs() + LISTED_WITHIN_MS };
  try {
    await manage({ ...run, resumed: false, headStart }, load);
  } catch (error) {
    if (!(error instanceof OperationFailure)) throw error;
    throw new OperationFailure(error.code, `The model is installed, but not loaded: ${error.message}`, {
      cause: error,
    });
  }
}

async function manage(run: OperationRun, command: ModelCommand): Promise<void> {
  const { engines, headStart, context } = run;
  const key = command.model_key;
  const reachable = (): OperableModel | undefined => {
    const found = engines.find(key);
    return found?.report.engine_unreachable === true ? undefined : found;
  };
  const model = await waitFor(reachable, engines, headStart, context.signal);
  const away = model === undefined ? engines.find(key) : undefined;
  if (away !== undefined) {
    throw new OperationFailure('engine_unreachable', `The engine ${away.engine.name} does not answer. Start it first.`);
  }
  if (run.resumed && doneBefore(command, model, engines)) return;
  if (model === undefined) throw missingModel(key, engines);
  const { engine, report } = model;
  const { management } = engine;
  if (management[command.verb] === undefined) throw unsupported(engine, command.verb);
  switch (command.verb) {
    case 'load':
      await management.load?.(report.engine_model, { contextTokens: command.context_tokens ?? undefined }, context);
      checkContext(command.context_tokens, engines.find(key));
      return;
    case 'unload':
      await management.unload?.(report.engine_model, context);
      return;
    case 'remove':
      await management.remove?.(report.engine_model, context);
      return;
    default:
      command satisfies never;
  }
}

/** Some engines load a model with less context than requested and report success. */
function checkContext(wanted: number | null, model: OperableModel | undefined): void {
  const loaded = model?.report.context_length ?? null;
  if (wanted === null || loaded === null || loaded >= wanted) return;
  throw new OperationFailure(
    'engine_error',
    `The engine loaded the model with ${loaded} tokens of context instead of ${wanted}; requests are limited to that.`,
  );
}

/** The previous process may have ended after the engine finished and before that was saved. */
function doneBefore(command: ModelCommand, model: OperableModel | undefined, engines: OperableEngines): boolean {
  switch (command.verb) {
    case 'load':
      return model?.report.state === 'loaded' && command.context_tokens === null;
    case 'unload':
      return model?.report.state === 'installed';
    case 'remove':
      return model === undefined && engineOf(command.model_key, engines) !== undefined;
    default:
      return command satisfies never;
  }
}

async function install(run: OperationRun, command: InstallCommand): Promise<string> {
  const { engines, headStart, context, onEngineSettled } = run;
  const candidates = await waitFor(() => installers(engines, command), engines, headStart, context.signal);
  let refusal: OperationFailure | undefined;
  for (const engine of candidates ?? []) {
    if (engine.management.install === undefined) throw unsupported(engine, 'install');
    if (command.load === true && engine.management.load === undefined) throw unsupported(engine, 'load');
    const attempt = { reported: false };
    const report: OperationContext['report'] = (progress) => {
      if (!attempt.reported) onEngineSettled(engine.name);
      attempt.reported = true;
      context.report(progress);
    };
    try {
      const installed = await engine.management.install(command.source, { signal: context.signal, report });
      return modelKey(engine.name, installed);
    } catch (error) {
      // Not started: the source may be in another engine's syntax. The first engine's error is the most relevant one.
      if (attempt.reported || !(error instanceof OperationFailure) || error.code !== 'invalid_source') throw error;
      refusal ??= error;
    }
  }
  if (refusal !== undefined) throw refusal;
  throw command.engine === null ? noInstaller() : missingEngine(command.engine);
}

/** Undefined when there is none. */
function installers(engines: OperableEngines, { engine, source }: InstallCommand): OperableEngine[] | undefined {
  const found =
    engine === null
      ? installCandidates(engines.engines, source)
      : engines.engines.filter(({ name }) => name === engine);
  return found.length > 0 ? found : undefined;
}

const engineOf = (key: string, { engines }: OperableEngines): OperableEngine | undefined =>
  engines.find(({ name }) => key.startsWith(`${name}/`));

function missingModel(key: string, engines: OperableEngines): OperationFailure {
  const engine = engineOf(key, engines);
  return engine === undefined
    ? missingEngine(key.split('/', 1)[0] ?? '')
    : new OperationFailure(
        'unknown_model',
        `${engine.name} has no model ${key.slice(engine.name.length + 1)} on this computer now. \`ferry models list\` shows the available models.`,
      );
}

const missingEngine = (name: string): OperationFailure =>
  new OperationFailure(
    'unknown_engine',
    `The engine ${name} is not on this computer now. Start it; \`ferry node doctor\` there shows which engines it finds.`,
  );

const noInstaller = (): OperationFailure =>
  new OperationFailure(
    'unsupported',
    'No engine on this computer can install models for Ferry. Install the model with the engine itself; it is then listed automatically.',
  );

const verbs: Record<OperationKind & keyof EngineManagement, string> = {
  install: 'install models',
  load: 'load a model',
  unload: 'unload a model',
  remove: 'remove a model',
};

const unsupported = ({ name }: OperableEngine, verb: OperationKind): OperationFailure =>
  new OperationFailure('unsupported', `The engine ${name} does not let Ferry ${verbs[verb]}.`);

/** Engines whose own spelling it is, the likeliest first. */
const preferredKinds = (source: string): readonly string[] =>
  /^(?:hf:|https:)/i.test(source) ? ['llamacpp', 'lmstudio', 'ollama'] : ['ollama', 'lmstudio', 'llamacpp'];

/**
 * Which engines to ask for a model from a source when the owner named none. All that can install: those for which the source looks made
 * first, the others in the order of the node.
 */
function installCandidates<Candidate extends OperableEngine>(
  engines: readonly Candidate[],
  source: string,
): Candidate[] {
  const kinds = preferredKinds(source);
  const rank = ({ kind }: Candidate): number => (kinds.includes(kind) ? kinds.indexOf(kind) : kinds.length);
  return engines.filter(({ management }) => management.install !== undefined).sort((a, b) => rank(a) - rank(b));
}
