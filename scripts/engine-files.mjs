/** What a new computer needs for `npm ci` of the built-in engine, without a graphics processor and with one, and the model that comes along. Relative to `engines/`. */
export const engineFiles = [
  'llamacpp/.npmrc',
  'llamacpp/package-lock.json',
  'llamacpp/package.json',
  'llamacpp/stub/package.json',
  ...['vulkan', 'cuda'].flatMap((backend) =>
    ['.npmrc', 'package-lock.json', 'package.json', 'stub/package.json'].map((file) => `llamacpp-${backend}/${file}`),
  ),
  'models/tiny.gguf',
];
