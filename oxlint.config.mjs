/**
 * `oxlint -c oxlint.config.mjs`: the strict rules of typescript-eslint, the typed ones included (oxlint hands those to tsgolint), and a few
 * more. `npm run check:cycles` checks the layers.
 *
 * `npm run lint` sets GOMEMLIMIT: without a limit tsgolint takes 2.9 GB, and with one of 1,400 MB twice the processor time, for collecting garbage.
 */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const root = import.meta.dirname;
const rawDatabaseAccess = ['Repository', 'DataSource', 'EntityManager', 'InjectRepository', 'InjectDataSource'];

/** Whose imports the compiler may keep as values for the metadata of decorators: Nest injects by them, and oxlint knows nothing of it. */
const decorated = ['src', 'test'].flatMap((folder) =>
  readdirSync(path.join(root, folder), { recursive: true })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => path.join(folder, file))
    .filter((file) => /^ *@[A-Z]\w*\(/m.test(readFileSync(path.join(root, file), 'utf8'))),
);

export default {
  plugins: ['typescript', 'react'],
  // Every rule is named below.
  categories: { correctness: 'off' },
  options: { typeAware: true, reportUnusedDisableDirectives: 'error' },
  ignorePatterns: [
    'dist/',
    'dist.*/',
    'coverage/',
    '/engines/',
    'test/fixtures/',
    'bin/',
    '/openapi/',
    '**/*.js',
    '!jest.config.js',
    '**/*.cjs',
  ],
  rules: {
    'max-lines': ['error', { max: 400, skipBlankLines: true, skipComments: true }],
    'no-array-constructor': 'error',
    'no-console': 'error',
    'no-unused-expressions': 'error',
    // With any option, names with a leading underscore count as well.
    'no-unused-vars': ['error', { args: 'after-used', ignoreRestSiblings: true }],
    'no-useless-constructor': 'error',
    'typescript/ban-ts-comment': ['error', { minimumDescriptionLength: 10 }],
    'typescript/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
    'typescript/no-duplicate-enum-values': 'error',
    'typescript/no-dynamic-delete': 'error',
    'typescript/no-empty-object-type': 'error',
    'typescript/no-explicit-any': 'error',
    'typescript/no-extra-non-null-assertion': 'error',
    'typescript/no-extraneous-class': ['error', { allowWithDecorator: true }],
    'typescript/no-invalid-void-type': 'error',
    'typescript/no-misused-new': 'error',
    'typescript/no-namespace': 'error',
    'typescript/no-non-null-asserted-nullish-coalescing': 'error',
    'typescript/no-non-null-asserted-optional-chain': 'error',
    'typescript/no-non-null-assertion': 'error',
    'typescript/no-require-imports': 'error',
    'typescript/no-this-alias': 'error',
    'typescript/no-unnecessary-type-constraint': 'error',
    'typescript/no-unsafe-declaration-merging': 'error',
    'typescript/no-unsafe-function-type': 'error',
    'typescript/no-wrapper-object-types': 'error',
    'typescript/prefer-as-const': 'error',
    'typescript/prefer-literal-enum-member': 'error',
    'typescript/prefer-namespace-keyword': 'error',
    'typescript/triple-slash-reference': 'error',
    'typescript/unified-signatures': 'error',
  },
  overrides: [
    {
      // JavaScript has no parameter types, so rules that need types would report every use of a parameter.
      files: ['**/*.{ts,tsx}'],
      rules: {
        'no-var': 'error',
        'prefer-const': 'error',
        'prefer-rest-params': 'error',
        'prefer-spread': 'error',
        'typescript/await-thenable': 'error',
        'typescript/no-array-delete': 'error',
        'typescript/no-base-to-string': 'error',
        'typescript/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
        'typescript/no-deprecated': 'error',
        'typescript/no-duplicate-type-constituents': 'error',
        'typescript/no-floating-promises': 'error',
        'typescript/no-for-in-array': 'error',
        'typescript/no-generated-empty-object-type': 'error',
        'typescript/no-implied-eval': 'error',
        'typescript/no-meaningless-void-operator': 'error',
        'typescript/no-misused-promises': 'error',
        // Answers of the API are object literals: their classes carry the description for the OpenAPI document and are never instantiated.
        'typescript/no-misused-spread': [
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
        'typescript/no-mixed-enums': 'error',
        'typescript/no-redundant-type-constituents': 'error',
        'typescript/no-unnecessary-boolean-literal-compare': 'error',
        'typescript/no-unnecessary-condition': ['error', { allowConstantLoopConditions: true }],
        'typescript/no-unnecessary-template-expression': 'error',
        'typescript/no-unnecessary-type-arguments': 'error',
        'typescript/no-unnecessary-type-assertion': 'error',
        'typescript/no-unnecessary-type-conversion': 'error',
        'typescript/no-unnecessary-type-parameters': 'error',
        'typescript/no-unsafe-argument': 'error',
        'typescript/no-unsafe-assignment': 'error',
        'typescript/no-unsafe-call': 'error',
        'typescript/no-unsafe-enum-assignment': 'error',
        'typescript/no-unsafe-enum-comparison': 'error',
        'typescript/no-unsafe-member-access': 'error',
        'typescript/no-unsafe-return': 'error',
        'typescript/no-unsafe-unary-minus': 'error',
        'typescript/no-useless-default-assignment': 'error',
        'typescript/only-throw-error': 'error',
        'typescript/prefer-promise-reject-errors': 'error',
        'typescript/prefer-reduce-type-parameter': 'error',
        'typescript/prefer-return-this-type': 'error',
        'typescript/related-getter-setter-pairs': 'error',
        'typescript/require-await': 'error',
        'typescript/restrict-plus-operands': [
          'error',
          {
            allowAny: false,
            allowBoolean: false,
            allowNullish: false,
            allowNumberAndString: false,
            allowRegExp: false,
          },
        ],
        'typescript/restrict-template-expressions': ['error', { allowNumber: true, allowBoolean: true }],
        'typescript/return-await': ['error', 'error-handling-correctness-only'],
        'typescript/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
        'typescript/unbound-method': 'error',
        'typescript/use-unknown-in-catch-callback-variable': 'error',
      },
    },
    {
      files: ['console/src/**/*.{ts,tsx}'],
      rules: {
        // Parameters of routes are thrown redirects (the router's own way).
        'typescript/only-throw-error': 'off',
        // A promise in an event handler ends in a mutation, which keeps its error.
        'typescript/no-misused-promises': ['error', { checksVoidReturn: { attributes: false } }],
        // Names and answers are hostile text.
        'react/no-danger': 'error',
        'no-restricted-properties': [
          'error',
          { property: 'dangerouslySetInnerHTML', message: 'Names and answers are hostile text.' },
          { property: 'innerHTML', message: 'Names and answers are hostile text.' },
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
      excludeFiles: ['src/relay/**/*.store.ts', 'src/relay/platform/database/**', '**/*.spec.ts'],
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
      files: decorated,
      rules: { 'typescript/consistent-type-imports': 'off' },
    },
    {
      files: ['**/*.spec.ts', 'test/**/*.ts'],
      rules: {
        'typescript/no-non-null-assertion': 'off',
        // OpenAI deprecates `max_tokens`; our spec names it, so our tests send it.
        'typescript/no-deprecated': 'off',
      },
    },
    {
      files: ['**/*.mjs', 'jest.config.js'],
      globals: {
        AbortController: 'readonly',
        AbortSignal: 'readonly',
        Buffer: 'readonly',
        clearInterval: 'readonly',
        clearTimeout: 'readonly',
        fetch: 'readonly',
        performance: 'readonly',
        process: 'readonly',
        setImmediate: 'readonly',
        setInterval: 'readonly',
        setTimeout: 'readonly',
        URL: 'readonly',
      },
      // What the compiler reports in TypeScript.
      rules: {
        'constructor-super': 'error',
        'getter-return': 'error',
        'no-class-assign': 'error',
        'no-const-assign': 'error',
        'no-dupe-class-members': 'error',
        'no-dupe-keys': 'error',
        'no-func-assign': 'error',
        'no-import-assign': 'error',
        'no-obj-calls': 'error',
        'no-redeclare': 'error',
        'no-setter-return': 'error',
        'no-this-before-super': 'error',
        'no-undef': 'error',
        'no-unreachable': 'error',
        'no-unsafe-negation': 'error',
      },
    },
  ],
};
