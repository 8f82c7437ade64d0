/** No cycles, anywhere: data flows one way. Layers themselves are checked by ESLint (eslint.layers.mjs). */
module.exports = {
  forbidden: [
    { name: 'no-circular', severity: 'error', from: {}, to: { circular: true, dependencyTypesNot: ['type-only'] } },
    {
      name: 'relay-and-agent-never-meet',
      severity: 'error',
      from: { path: '^src/(relay|agent)/' },
      to: { path: '^src/(relay|agent)/', pathNot: '^src/$1/' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
  },
};
