/** One engine folder's entry point: what its part of `engines.json` looks like, and how an engine is made of it. */
import type { z } from 'zod';
import type { Clock } from '../../kernel/clock.js';
import type { EngineProblem } from './engine-problem.js';
import type { Engine } from './engine.js';

/** Whether models may be installed from everywhere that this computer reaches, or from the public internet only. */
export type InstallSources = 'public' | 'private';

export interface EngineContext {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Relative paths of the engines file begin here. */
  readonly directory: string;
  readonly userAgent: string;
  /** Absent: `public`. */
  readonly installSources?: InstallSources;
  readonly clock: Clock;
  readonly log: (engine: string, level: 'info' | 'warn', message: string) => void;
}

/** @typeParam Entry with `kind` and an optional `name`; every engine on a node has a name of its own */
export interface EngineKind<Entry extends { readonly kind: string; readonly name?: string | undefined }> {
  readonly kind: Entry['kind'];
  readonly schema: z.ZodType<Entry>;
  /** Without any I/O that can fail: an engine that is not there yet appears when it starts. @throws EnginesFileError */
  readonly create: (entry: Entry, context: EngineContext) => Engine | Promise<Engine>;
  /** What keeps such an engine from serving, without starting it. Absent: nothing can be said but by asking its address. */
  readonly check?: (entry: Entry, context: EngineContext) => Promise<readonly EngineProblem[]>;
}
