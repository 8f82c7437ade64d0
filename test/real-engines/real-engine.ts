/** What the suite of real engines needs to know of one. */
import type { EngineRoute } from '../../src/agent/engines/engine.js';
import type { RealDeployment } from './deployment.js';
import type { Program } from './programs/program.js';

/** Each is true of an engine unless its table says what happens instead. */
export type Ability =
  /** Loads a model on command. */
  | 'load'
  /** Unloads one on command. */
  | 'unload'
  /** Text completions. */
  | 'completions'
  /** Calls tools. */
  | 'tools'
  /** `tool_choice: "required"` is enforced. */
  | 'requiredTool'
  /** A JSON schema is enforced. */
  | 'schema'
  /** Reasoning in a field of its own. */
  | 'reasoning'
  /** Refuses an image that the model cannot see. */
  | 'imageRefusal'
  /** Its limit of the context is known, and a longer prompt refused. */
  | 'contextLimit'
  /** It is a program of the test's, which may be killed. */
  | 'restart';

/** What Ferry does about an ability that is missing. */
export type Instead =
  /** The request is refused so. */
  | { readonly refused: { readonly status: number; readonly code: string } }
  /** The request is answered, and `x-ferry-translation` names the field. */
  | { readonly dropped: string }
  /** The operation fails with this code. */
  | { readonly operation: 'unsupported' }
  /** Nothing is refused or reported; for people. */
  | { readonly nothing: string };

export interface RunningEngine {
  readonly url: string;
  /** The engine's own name of the model that is in memory at the start. */
  readonly resident: string;
  /** One that is installed and not in memory. Absent: the engine has only models in memory. */
  readonly installed?: string;
  /** What the engine itself says is in memory, in its own names. */
  readonly loaded: () => Promise<readonly string[]>;
  /** Takes the resident model out of memory behind Ferry's back. */
  readonly evict?: () => Promise<void>;
  /** Puts it back, behind Ferry's back too. */
  readonly bringBack?: () => Promise<void>;
  readonly program?: Program;
  readonly stop: () => Promise<void>;
}

export interface RealEngine {
  readonly name: string;
  /** What discovery must take it for; null: whatever it is. */
  readonly kind: string | null;
  readonly lacks: Partial<Record<Ability, Instead>>;
  /** Differences between a response through Ferry and the engine's own that are meant, with the reason. */
  readonly differences?: Partial<Record<EngineRoute | 'tools' | 'reasoning', Readonly<Record<string, string>>>>;
  /** Fields of a chat that make its response last for seconds. Absent: the token that ends it is forbidden. */
  readonly longAnswer?: object;
  /** How long its start may take, the restart after a kill too. Absent: the usual bound. */
  readonly startMs?: number;
  readonly begin: () => Promise<RunningEngine>;
  /** Declares cases of this engine alone, which are asked of the same program. */
  readonly also?: (current: () => RealDeployment) => void;
}
