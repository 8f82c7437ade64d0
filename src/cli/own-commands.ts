/** Maps a text written for `ferry` to that of `ferry-node`; the first match wins. */
const replacements: readonly (readonly [RegExp, string])[] = [
  [/\bferry up, or ferry node\b/g, 'ferry-node'],
  [/ \(or ferry up\)/g, ''],
  [/\bferry service (install|status|uninstall|logs) node\b/g, 'ferry-node service $1'],
  [/\bferry (?:node )?(doctor|uninstall)\b(?! URL)/g, 'ferry-node $1'],
  [/\bferry config --help\b/g, 'ferry-node run --help'],
  [/\bferry node\b/g, 'ferry-node'],
];

/** Texts name the commands of `ferry`; in `ferry-node` the same ones have another name, and a hint must work when it is pasted. */
export const inOwnCommands = (text: string): string =>
  replacements.reduce((result, [pattern, own]) => result.replaceAll(pattern, own), text);
