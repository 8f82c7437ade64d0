/** What a new computer needs for `npm ci` of the built-in engine, and the model that comes along. Relative to `engines/`. */
export const engineFiles = [
  'llamacpp/.npmrc',
  'llamacpp/package-lock.json',
  'llamacpp/package.json',
  'llamacpp/stub/package.json',
  'models/tiny.gguf',
];
