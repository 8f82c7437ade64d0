/**
 * `npm run release [-- FOLDER]`: what a release consists of, in FOLDER (`release`): the npm package, the list of its packages (CycloneDX) and
 * the checksums of both. Refused with a package under a licence that is not allowed, one with a known vulnerability, or when the registry does
 * not say; `--offline` does not ask the registry, for a trial.
 */
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { findNpm, root, run, StepError } from './run.mjs';
import { productionLock } from './shrinkwrap.mjs';

const offline = process.argv.includes('--offline');
const folder = path.resolve(process.argv.slice(2).find((word) => word !== '--offline') ?? path.join(root, 'release'));
const npm = findNpm();
const { name, version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));

await run([path.join(root, 'scripts/check-supply-chain.mjs'), ...(offline ? ['--offline'] : [])], {
  name: 'the check of the supply chain',
  output: 'stderr',
}).catch((error) => {
  if (!(error instanceof StepError)) throw error;
  process.stderr.write(
    `no release: ${error.message}. A trial that does not ask the registry: npm run release -- --offline\n`,
  );
  process.exit(1);
});

mkdirSync(folder, { recursive: true });
if (readdirSync(folder).length > 0) throw new Error(`${folder} is not empty`);

// The project's .npmrc turns scripts off; without `prepack` the package would have no build.
await run([npm, 'pack', '--ignore-scripts=false', '--pack-destination', folder], {
  name: 'npm pack',
  output: 'stderr',
});

const chunks = [];
await run([npm, 'sbom', '--workspaces=false', '--package-lock-only', '--sbom-format', 'cyclonedx'], {
  name: 'npm sbom',
  output: (text) => chunks.push(text),
});
const sbom = productionOnly(JSON.parse(chunks.join('')));
// npm takes the name of the folder that the checkout is in.
sbom.metadata.component.name = name;
writeFileSync(path.join(folder, `${name}-${version}.cdx.json`), `${JSON.stringify(sbom, null, 2)}\n`);

const sums = readdirSync(folder)
  .sort()
  .map(
    (name) =>
      `${createHash('sha256')
        .update(readFileSync(path.join(folder, name)))
        .digest('hex')}  ${name}\n`,
  );
writeFileSync(path.join(folder, 'SHA256SUMS'), sums.join(''));
process.stdout.write(sums.join(''));

/** What the package installs. npm's own `--omit dev` also leaves out most packages that development needs, too, such as `@nestjs/core`. */
function productionOnly(sbom) {
  const { packages } = productionLock(JSON.parse(readFileSync(path.join(root, 'package-lock.json'), 'utf8')));
  const entries = Object.entries(packages).filter(([place]) => place !== '');
  const nameOf = (place) => place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length);
  const kept = new Set(entries.map(([place, entry]) => `${nameOf(place)}@${entry.version}`));
  kept.add(sbom.metadata.component['bom-ref']);
  return {
    ...sbom,
    components: sbom.components.filter((component) => kept.has(component['bom-ref'])),
    dependencies: sbom.dependencies
      .filter(({ ref }) => kept.has(ref))
      .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((other) => kept.has(other)) })),
  };
}
