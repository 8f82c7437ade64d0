/** No cycles of files or of folders, type imports included. ESLint checks the layers (eslint.layers.mjs). */
module.exports = {
  forbidden: [
    { name: 'no-file-cycles', severity: 'error', from: {}, to: { circular: true } },
    { name: 'no-folder-cycles', severity: 'error', scope: 'folder', from: {}, to: { circular: true } },
    {
      name: 'relay-and-agent-never-meet',
      severity: 'error',
      from: { path: '^src/(relay|agent)/' },
      to: { path: '^src/(relay|agent)/', pathNot: '^src/$1/' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    // A test may use what its folder must not; nothing imports a test. ESLint keeps specs within the layers.
    exclude: { path: '\\.spec\\.ts$' },
    tsConfig: { fileName: 'tsconfig.json' },
    // Type imports are dependencies, too.
    tsPreCompilationDeps: true,
  },
};
