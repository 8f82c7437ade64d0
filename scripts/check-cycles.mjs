/**
 * Checks the imports of the working directory: the rules of .dependency-cruiser.cjs, the layers of layers.mjs, and that no two sibling
 * folders import each other anywhere below them. dependency-cruiser's folder rule compares only the folders that hold the two files, so it
 * misses `a/one` → `b/x` together with `b/y` → `a/two`.
 */
import { cruise } from 'dependency-cruiser';
import extractDepcruiseOptions from 'dependency-cruiser/config-utl/extract-depcruise-options';
import extractTsConfig from 'dependency-cruiser/config-utl/extract-ts-config';
import { layerProblems } from '../layers.mjs';

const options = await extractDepcruiseOptions('./.dependency-cruiser.cjs');
const tsConfig = extractTsConfig('tsconfig.json');
const { output } = await cruise(['src', 'console/src'], options, undefined, { tsConfig });
const problems = [
  ...output.summary.violations.map(({ rule, from, to }) => `${rule.name}: ${from} → ${to}`),
  ...output.modules.flatMap(layerProblems),
];
for (const problem of problems) process.stderr.write(`error: ${problem}\n`);

/** One import for every ordered pair of sibling folders that has any. */
const examples = new Map();
for (const { source, dependencies } of output.modules) {
  if (!source.startsWith('src/')) continue;
  const from = source.split('/').slice(0, -1);
  for (const { resolved } of dependencies) {
    const to = resolved.split('/').slice(0, -1);
    const depth = from.findIndex((name, index) => name !== to[index]);
    if (depth < 1 || depth >= to.length) continue;
    const parent = from.slice(0, depth).join('/');
    examples.set(`${parent}/${from[depth]} → ${parent}/${to[depth]}`, `${source} → ${resolved}`);
  }
}

const reversed = (pair) => pair.split(' → ').reverse().join(' → ');
const cycles = [...examples.keys()].filter((pair) => pair < reversed(pair) && examples.has(reversed(pair)));
for (const pair of cycles) {
  process.stderr.write(`error: ${pair} and back:\n  ${examples.get(pair)}\n  ${examples.get(reversed(pair))}\n`);
}
process.stdout.write(`${output.summary.totalCruised} files, ${output.summary.totalDependenciesCruised} imports\n`);
process.exitCode = cycles.length + problems.length === 0 ? 0 : 1;
