import { OperationFailure, type EngineManagement } from '../engine-management.js';
import type { InstallSources } from '../engine-kind.js';
import { command } from '../http/engine-command.js';
import type { EngineHttp } from '../http/engine-http.js';
import { engineError } from '../failures/failures.js';
import type { EngineAdapter, EngineHandle } from '../http/engine-adapter.js';
import { httpEngineKind } from '../http/http-entry.js';
import { probeEngine, probeIfPresent, UnusableEngineError, type EngineSnapshot } from '../http/probe.js';
import { modelStates, untilGone } from '../http/model-states.js';
import { shortText } from '../http/model-facts.js';
import { installFrom } from './localai-install.js';
import { readLocalAiModels, residentIn } from './localai-models.js';

const { stateOf, untilState } = modelStates((model) => `LocalAI has no model ${model}.`);

/** LocalAI loads models on request and stops them itself (watchdog, memory); only `/system` lists the resident ones. */
class LocalAiAdapter implements EngineAdapter {
  readonly kind = 'localai';
  private http: EngineHttp | undefined;

  constructor(private readonly installSources: InstallSources = 'public') {}

  readonly probe = async (http: EngineHttp): Promise<EngineSnapshot> => {
    this.http = http;
    const [system, capabilities, about] = await Promise.all([
      probeEngine(http, '/system'),
      probeIfPresent(http, '/v1/models/capabilities'),
      probeIfPresent(http, '/version'),
    ]);
    const models = readLocalAiModels({ models: capabilities ?? (await probeEngine(http, '/v1/models')), system });
    if (models === undefined) throw new UnusableEngineError('answers /v1/models without a list of models');
    return { version: shortText(about?.['version']), models };
  };

  /** LocalAI would reload a model that its watchdog has stopped since the last probe. */
  readonly admit = async (model: string): Promise<string> => {
    const system =
      this.http === undefined ? undefined : await probeIfPresent(this.http, '/system').catch(() => undefined);
    if (system !== undefined && residentIn(system).has(model)) return model;
    throw engineError('The model is no longer in memory.');
  };

  readonly management = (handle: EngineHandle): EngineManagement => ({
    load: async (model, { contextTokens }, { signal, report }) => {
      if (contextTokens !== undefined) {
        throw new OperationFailure('unsupported', 'LocalAI takes the context length from the YAML file of the model.');
      }
      if ((await stateOf(handle, model)) === 'loaded') return;
      report({ phase: 'loading', completedBytes: null, totalBytes: null });
      await command(handle.http, { method: 'POST', path: '/backend/load', json: { model }, signal });
      await untilState(handle, model, 'loaded', signal);
    },
    unload: async (model, { signal, report }) => {
      if ((await stateOf(handle, model)) !== 'loaded') return;
      report({ phase: 'unloading', completedBytes: null, totalBytes: null });
      await command(handle.http, { method: 'POST', path: '/backend/shutdown', json: { model }, signal });
      await untilState(handle, model, 'installed', signal);
    },
    install: (source, context) => installFrom(handle, source, context, this.installSources),
    remove: async (model, { signal, report }) => {
      await stateOf(handle, model);
      report({ phase: 'removing', completedBytes: null, totalBytes: null });
      await command(handle.http, { method: 'POST', path: `/models/delete/${encodeURIComponent(model)}`, signal });
      await untilGone(handle, model, signal);
    },
  });
}

export const localAiKind = httpEngineKind('localai', ({ installSources }) => new LocalAiAdapter(installSources));
