import boundaries from 'eslint-plugin-boundaries';
import prettier from 'eslint-config-prettier';
import tseslint from 'typescript-eslint';
import { layers } from './eslint.layers.mjs';

const elements = Object.keys(layers)
  // Longer patterns first: `relay/keys` must not be taken for `relay`.
  .sort((a, b) => b.length - a.length)
  .map((type) => ({ type, pattern: `src/${type}` }));

const policies = Object.entries(layers).map(([type, allowed]) => ({
  from: { element: { type } },
  allow: [type, ...allowed].map((to) => ({ to: { element: { type: to } } })),
}));

const consolePolicies = [
  ['api', ['layout', 'components', 'feature']],
  ['components', ['layout', 'feature']],
  ['layout', ['feature']],
]
  .map(([type, refused]) => ({
    from: { element: { type } },
    disallow: refused.map((to) => ({ to: { element: { type: to } } })),
  }))
  .concat({
    from: { element: { type: 'feature' } },
    disallow: [{ to: { element: { type: 'feature', captured: { feature: '!{{ from.element.captured.feature }}' } } } }],
  });

const rawDatabaseAccess = ['Repository', 'DataSource', 'EntityManager', 'InjectRepository', 'InjectDataSource'];

const nodeGlobals = [
  'AbortController',
  'AbortSignal',
  'Buffer',
  'clearInterval',
  'clearTimeout',
  'fetch',
  'performance',
  'process',
  'setImmediate',
  'setInterval',
  'setTimeout',
  'URL',
];

const compilerChecks = [
  'constructor-super',
  'getter-return',
  'no-class-assign',
  'no-const-assign',
  'no-dupe-args',
  'no-dupe-class-members',
  'no-dupe-keys',
  'no-func-assign',
  'no-import-assign',
  'no-obj-calls',
  'no-redeclare',
  'no-setter-return',
  'no-this-before-super',
  'no-undef',
  'no-unreachable',
  'no-unsafe-negation',
];

export default tseslint.config(
  {
    ignores: [
      'dist/',
      'node_modules/',
      'coverage/',
      'engines/',
      'test/fixtures/',
      'bin/',
      '**/management-api.types.ts',
      '**/*.js',
      '!jest.config.js',
      '**/*.cjs',
    ],
  },
  ...tseslint.configs.strictTypeChecked,
  {
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    rules: {
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
      '@typescript-eslint/no-extraneous-class': ['error', { allowWithDecorator: true }],
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true, allowBoolean: true }],
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
      '@typescript-eslint/no-unnecessary-condition': ['error', { allowConstantLoopConditions: true }],
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      // Nest declares its options as classes and takes object literals.
      '@typescript-eslint/no-unsafe-class-instance-assignment': 'off',
      // Answers of the API are object literals: their classes carry the description for the OpenAPI document and are never instantiated.
      '@typescript-eslint/no-misused-spread': [
        'error',
        {
          allow: [
            {
              from: 'file',
              name: [
                'DeviceRecord',
                'InviteRecord',
                'KeyRecord',
                'NewKeyRecord',
                'NodeRecord',
                'RequestSummary',
                'UsageFiguresRecord',
                'UserRecord',
              ],
            },
          ],
        },
      ],
      'max-lines': ['error', { max: 400, skipBlankLines: true, skipComments: true }],
      'no-console': 'error',
    },
  },
  {
    // A spec of one feature may assemble an application of several: its imports say nothing about the layers.
    files: ['src/**/*.ts'],
    ignores: ['src/**/*.spec.ts'],
    plugins: { boundaries },
    settings: { 'import/resolver': { typescript: true }, 'boundaries/elements': elements },
    rules: {
      'boundaries/dependencies': ['error', { default: 'disallow', policies }],
      'boundaries/no-unknown-files': 'error',
    },
  },
  {
    // The website: features build on api, components and layout, and never on each other.
    files: ['console/src/**/*.{ts,tsx}'],
    plugins: { boundaries },
    settings: {
      'import/resolver': { typescript: { project: 'console/tsconfig.json' } },
      'boundaries/elements': [
        { type: 'feature', pattern: 'console/src/features/*', capture: ['feature'] },
        { type: 'layout', pattern: 'console/src/layout' },
        { type: 'components', pattern: 'console/src/components' },
        { type: 'api', pattern: 'console/src/api' },
      ],
    },
    rules: {
      'boundaries/dependencies': ['error', { default: 'allow', policies: consolePolicies }],
      // Parameters of routes are thrown redirects (the router's own way).
      '@typescript-eslint/only-throw-error': 'off',
      // A promise in an event handler ends in a mutation, which keeps its error.
      '@typescript-eslint/no-misused-promises': ['error', { checksVoidReturn: { attributes: false } }],
      'no-restricted-properties': [
        'error',
        { property: 'dangerouslySetInnerHTML', message: 'Names and answers are hostile text.' },
        { property: 'innerHTML', message: 'Names and answers are hostile text.' },
      ],
      'no-restricted-syntax': [
        'error',
        {
          selector: "JSXAttribute[name.name='dangerouslySetInnerHTML']",
          message: 'Names and answers are hostile text.',
        },
      ],
    },
  },
  {
    // The agent runs on people's computers: it must start in a blink and drag no server along (docs/reference/data.md#layers).
    files: ['src/agent/**/*.ts', 'src/kernel/**/*.ts', 'src/link/**/*.ts', 'src/dialects/**/*.ts', 'src/cli/**/*.ts'],
    rules: {
      'no-restricted-imports': [
        'error',
        {
          patterns: [
            {
              group: ['@nestjs/*', 'typeorm', 'pg', '@electric-sql/*', 'express'],
              message: 'Only the relay may use it.',
            },
          ],
        },
      ],
    },
  },
  {
    // Every query is scoped by account, so only stores (and the machinery under them) may hold a repository
    // (docs/reference/security.md#tenant-isolation).
    files: ['src/relay/**/*.ts'],
    ignores: ['src/relay/**/*.store.ts', 'src/relay/platform/database/**', '**/*.spec.ts'],
    rules: {
      'no-restricted-imports': [
        'error',
        {
          paths: [
            {
              name: 'typeorm',
              importNames: rawDatabaseAccess,
              message: 'Database access belongs into a *.store.ts file.',
            },
            {
              name: '@nestjs/typeorm',
              importNames: rawDatabaseAccess,
              message: 'Database access belongs into a *.store.ts file.',
            },
          ],
        },
      ],
    },
  },
  {
    files: ['**/*.spec.ts', 'test/**/*.ts'],
    rules: {
      '@typescript-eslint/no-non-null-assertion': 'off',
      // OpenAI deprecates `max_tokens`; our spec names it, so our tests send it.
      '@typescript-eslint/no-deprecated': 'off',
    },
  },
  {
    // JavaScript has no parameter types, so rules that need types would report every use of a parameter.
    files: ['**/*.mjs', 'jest.config.js'],
    ...tseslint.configs.disableTypeChecked,
  },
  {
    files: ['**/*.mjs', 'jest.config.js'],
    languageOptions: { globals: Object.fromEntries(nodeGlobals.map((name) => [name, 'readonly'])) },
    // What the compiler reports in TypeScript.
    rules: Object.fromEntries(compilerChecks.map((rule) => [rule, 'error'])),
  },
  prettier,
);
