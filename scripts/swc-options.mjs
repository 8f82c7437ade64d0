/**
 * How TypeScript becomes JavaScript: in `dist` (compile.mjs) and wherever Node runs a source itself (swc-loader.mjs), so that the tests run the
 * code that is built. They follow tsconfig.json, which only checks the types.
 */
export const swcOptions = {
  swcrc: false,
  sourceMaps: true,
  module: { type: 'es6' },
  jsc: {
    target: 'es2023',
    parser: { syntax: 'typescript', decorators: true },
    transform: { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: true },
  },
};
