/** Settings of a running program, some of which a reload of the settings file changes. */
import { isDeepStrictEqual } from 'node:util';
import type { SettingsOf, SettingsTable } from './setting.js';
import { SettingsError } from './settings-error.js';

export interface SettingsChanges {
  /** These settings take effect at once. */
  readonly changed: readonly string[];
  /** These settings take effect after a restart. */
  readonly needRestart: readonly string[];
}

export class LiveSettings<Table extends SettingsTable> {
  /** The same object for the life of the program. Whoever reads a setting at each use, and keeps no copy, sees a change. */
  readonly values: SettingsOf<Table>;
  private readonly current: Record<string, unknown>;

  constructor(
    private readonly table: Table,
    values: SettingsOf<Table>,
  ) {
    this.current = { ...values };
    this.values = this.current as SettingsOf<Table>;
  }

  replace(next: SettingsOf<Table>): SettingsChanges {
    const different = Object.entries(this.table).filter(([name]) => !isDeepStrictEqual(this.current[name], next[name]));
    const changed = different.filter(([, setting]) => setting.reload === true);
    for (const [name] of changed) this.current[name] = next[name];
    const envOf = (entries: typeof different): readonly string[] => entries.map(([, { env }]) => env);
    return { changed: envOf(changed), needRestart: envOf(different.filter((entry) => !changed.includes(entry))) };
  }
}

interface ReloadLog {
  info(details: object, message: string): void;
  warn(details: object, message: string): void;
  error(details: object, message: string): void;
}

/** A wrong configuration changes nothing. Values are not logged: some are secrets. */
export function reloadSettings<Table extends SettingsTable>(
  live: LiveSettings<Table>,
  load: () => { readonly values: SettingsOf<Table> },
  log: ReloadLog,
): void {
  try {
    const { changed, needRestart } = live.replace(load().values);
    log.info({ changed }, 'settings reloaded');
    if (needRestart.length > 0) log.warn({ settings: needRestart }, 'changed settings need a restart');
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    log.error({ problems: error.problems }, 'settings not reloaded');
  }
}
