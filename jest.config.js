const transform = {
  '^.+\\.ts$': [
    '@swc/jest',
    {
      swcrc: false,
      sourceMaps: 'inline',
      module: { type: 'es6' },
      jsc: {
        target: 'es2023',
        keepClassNames: true,
        parser: { syntax: 'typescript', decorators: true },
        transform: { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: false },
      },
    },
  ],
};

const project = (displayName, testMatch, extra = {}) => ({
  displayName,
  testMatch,
  transform,
  testEnvironment: 'node',
  extensionsToTreatAsEsm: ['.ts'],
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  ...extra,
});

export default {
  testTimeout: 30_000,
  reporters: ['default', '<rootDir>/test/support/closing-line.reporter.js'],
  projects: [
    project('unit', [
      '<rootDir>/src/**/*.spec.ts',
      '<rootDir>/test/unit/**/*.spec.ts',
      '<rootDir>/test/engines/**/*.spec.ts',
    ]),
    project('contract', ['<rootDir>/test/contract/**/*.spec.ts'], {
      globalSetup: '<rootDir>/test/support/relay-template.setup.js',
    }),
    project('e2e', ['<rootDir>/test/e2e/**/*.spec.ts'], {
      globalSetup: '<rootDir>/test/support/relay-template.setup.js',
    }),
    project('faults', ['<rootDir>/test/faults/**/*.spec.ts'], {
      globalSetup: '<rootDir>/test/support/relay-template.setup.js',
    }),
  ],
};
