/** Everything that is wrong with the configuration, in one go. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError';
  constructor(readonly problems: readonly string[]) {
    super(
      problems.length === 1
        ? `invalid configuration: ${problems[0] ?? ''}`
        : `invalid configuration:\n${problems.map((problem) => `  ${problem}`).join('\n')}`,
    );
  }
}
