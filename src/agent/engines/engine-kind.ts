/** Entry point of an engine folder: the schema of its entries in `engines.json`, and the factory. */
import type { z } from 'zod';
import type { Clock } from '../../kernel/clock.js';
import type { EngineProblem } from './engine-problem.js';
import type { Engine } from './engine.js';
import type { GpuSetting } from './llamacpp/gpu/gpu-setting.js';

/** Allowed sources of installs: the public internet only, or also private networks. */
export type InstallSources = 'public' | 'private';

export interface EngineContext {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Base of relative paths in the engines file. */
  readonly directory: string;
  readonly userAgent: string;
  /** Absent: `public`. */
  readonly installSources?: InstallSources;
  /** FERRY_LLAMACPP_GPU. Absent: `auto`. */
  readonly gpu?: GpuSetting;
  readonly clock: Clock;
  readonly log: (engine: string, level: 'info' | 'warn', message: string) => void;
}

/** @typeParam Entry with `kind` and an optional `name`; every engine on a node has a name of its own */
export interface EngineKind<Entry extends { readonly kind: string; readonly name?: string | undefined }> {
  readonly kind: Entry['kind'];
  readonly schema: z.ZodType<Entry>;
  /** Without any I/O that can fail: an engine that is not there yet appears when it starts. @throws EnginesFileError */
  readonly create: (entry: Entry, context: EngineContext) => Engine | Promise<Engine>;
  /** Problems that can be found without starting the engine. Absent: there is no such check. */
  readonly check?: (entry: Entry, context: EngineContext) => Promise<readonly EngineProblem[]>;
}
