/** Describes a program for `ferry connect`: its configuration file, what belongs into it, and how to start it. */
import type { ExtensionName } from '../../../../kernel/extension.js';
import { isJsonObject } from '../../../../kernel/json-object.js';
import type { Environment } from '../../../invocation.js';
import type { LoadedModel, ModelLimits } from '../../models/loaded-models.js';
import type { ToolAccess } from '../../env/tool-setup.js';

export interface ProgramAccess extends ToolAccess {
  readonly isLoaded: boolean;
  readonly limits: ModelLimits;
  /** The program uses Ferry by default. */
  readonly asDefault: boolean;
  /** Whether the model takes images. */
  readonly images: boolean;
  /** Null if unknown. */
  readonly tools: boolean | null;
  /** Everything that is loaded, the chosen model first. */
  readonly models: readonly LoadedModel[];
}

export interface Program {
  readonly title: string;
  readonly file: ProgramFile | null;
  /** Whether the steps are the command that starts it. */
  readonly startsByCommand: boolean;
  /** True for a program whose first prompt has tens of thousands of tokens. */
  readonly isAgent: boolean;
  /** Extensions of the public API that it uses where they are on, and what for: the end of “to …”. Absent: none. */
  readonly gains?: Readonly<Partial<Record<ExtensionName, string>>>;
  /** The remaining steps, as commands or sentences. */
  readonly steps: (access: ProgramAccess) => readonly string[];
}

export interface ProgramFile {
  readonly path: string;
  /** The file's new text. @throws CliError when it cannot be changed without loss */
  readonly edit: (text: string, access: ProgramAccess) => string;
  /** The key for Ferry in the file. @throws CliError when the file cannot be read */
  readonly keyIn: (text: string) => string | undefined;
}

/** Where the program is looked for. */
export interface ProgramPlace {
  readonly home: string;
  readonly env: Environment;
  /** Set where the program's file depends on it. */
  readonly asDefault: boolean;
}

export function stringAt(root: unknown, keys: readonly string[]): string | undefined {
  const value = keys.reduce<unknown>((inner, key) => (isJsonObject(inner) ? inner[key] : undefined), root);
  return typeof value === 'string' ? value : undefined;
}
