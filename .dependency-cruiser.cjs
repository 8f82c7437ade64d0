/** No cycles of files or of folders, type imports included. scripts/check-cycles.mjs checks the layers (layers.mjs) in the same run. */
module.exports = {
  forbidden: [
    { name: 'no-file-cycles', severity: 'error', from: { path: '^src/' }, to: { circular: true } },
    { name: 'no-folder-cycles', severity: 'error', scope: 'folder', from: { path: '^src/' }, to: { circular: true } },
    {
      name: 'relay-and-agent-never-meet',
      severity: 'error',
      from: { path: '^src/(relay|agent)/' },
      to: { path: '^src/(relay|agent)/', pathNot: '^src/$1/' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    // A spec of one feature may assemble an application of several: its imports say nothing about the layers, and nothing imports it.
    exclude: { path: '^src/.*\\.spec\\.ts$' },
    tsConfig: { fileName: 'tsconfig.json' },
    // Type imports are dependencies, too.
    tsPreCompilationDeps: true,
  },
};
