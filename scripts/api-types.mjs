/**
 * Makes `openapi/management.types.ts`, the types of `/api` for command line and website, from `openapi/management.json`. Not committed:
 * what reads types (`npm run lint`, `typecheck`, `check:unused` and `check:cycles`) makes it first. Does nothing when it is up to date.
 */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const folder = path.resolve(import.meta.dirname, '../openapi');
const documentFile = path.join(folder, 'management.json');
const typesFile = path.join(folder, 'management.types.ts');

const FOOTER = `\n/** Bodies of \`/api\` by the names of the document. */\nexport type Schemas = components['schemas'];\n`;

/** Of the document and of this program, which both decide what the types look like. */
const header = () => {
  const hash = createHash('sha256')
    .update(readFileSync(documentFile))
    .update(readFileSync(fileURLToPath(import.meta.url)));
  return `/** Generated from openapi/management.json by scripts/api-types.mjs. Do not edit. ${hash.digest('hex')} */\n`;
};

/** Paths, bodies and successful answers. @param document the parsed document; it is changed */
async function typesOf(document) {
  // Only here: they take a second to load, which an up to date file need not wait for.
  const [{ default: openapiTS, astToString }, { default: ts }] = await Promise.all([
    import('openapi-typescript'),
    import('typescript'),
  ]);
  for (const operations of Object.values(document.paths)) {
    for (const operation of Object.values(operations)) keepWhatClientsRead(operation);
  }
  const { schemas, parameters } = document.components;
  // Mutable: the types of openapi-fetch do not understand readonly arrays.
  const nodes = await openapiTS({ ...document, components: { schemas, parameters } });
  /** Empty declarations of kinds that the document does not have are left out. */
  const isNeeded = (node) =>
    ts.isInterfaceDeclaration(node) && ['paths', 'components', 'operations'].includes(node.name.text);
  return astToString(nodes.filter(isNeeded));
}

/** Failures are one class of each program, and their bodies, headers and prose would be nine tenths of the file. */
function keepWhatClientsRead(operation) {
  delete operation.description;
  delete operation.summary;
  const successes = Object.entries(operation.responses).filter(([status]) => Number(status) < 400);
  operation.responses = Object.fromEntries(successes);
  for (const [, response] of successes) delete response.headers;
}

/** Examples say nothing about a type. */
const withoutExamples = (key, value) => (key === 'example' ? undefined : value);

const firstLine = header();
if (!existsSync(typesFile) || !readFileSync(typesFile, 'utf8').startsWith(firstLine)) {
  const types = await typesOf(JSON.parse(readFileSync(documentFile, 'utf8'), withoutExamples));
  // Checks that run beside each other may make it at once.
  const made = `${typesFile}.${process.pid}`;
  writeFileSync(made, `${firstLine}\n${types}${FOOTER}`);
  renameSync(made, typesFile);
}
