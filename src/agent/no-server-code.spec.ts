/**
 * The node runs on people's computers: no web framework, no database (docs/reference/data.md#layers). Lint says so too; this looks at
 * what is really imported.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';

const sources = fileURLToPath(new URL('..', import.meta.url));
const layers = ['kernel', 'link', 'dialects', 'agent'];
const forbidden = /^(@nestjs\/|typeorm$|typeorm\/|pg$|@electric-sql\/|express$)/;

const filesOf = (directory: string): string[] =>
  readdirSync(directory, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.spec.ts'))
    .map((name) => path.join(directory, name));

const importsOf = (file: string): string[] =>
  [...readFileSync(file, 'utf8').matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/g)].map((match) => match[1] ?? '');

describe('the agent and the layers under it', () => {
  const files = layers
    .map((layer) => path.join(sources, layer))
    .filter(existsSync)
    .flatMap(filesOf);

  it('the agent and the layers under it are scanned', () => {
    expect(files.length).toBeGreaterThan(50);
    expect(importsOf(path.join(sources, 'agent/main.ts'))).toEqual(expect.arrayContaining(['pino', './agent.js']));
    expect(importsOf(path.join(sources, 'agent/engines/llamacpp/llamacpp-kind.ts'))).toContain('./llamacpp-engine.js');
  });

  it('import no Nest, no TypeORM and no database', () => {
    const found = files.flatMap((file) =>
      importsOf(file)
        .filter((name) => forbidden.test(name))
        .map((name) => [file, name]),
    );
    expect(found).toEqual([]);
  });

  it('import nothing of the relay or the command line, even transitively', () => {
    const seen = new Set<string>();
    const queue = [...files];
    for (let file = queue.pop(); file !== undefined; file = queue.pop()) {
      if (seen.has(file)) continue;
      seen.add(file);
      for (const name of importsOf(file)) {
        if (name.startsWith('.')) queue.push(path.resolve(path.dirname(file), name.replace(/\.js$/, '.ts')));
      }
    }
    const folders = new Set([...seen].map((file) => path.relative(sources, file).split(path.sep)[0]));
    expect([...folders].filter((folder) => !layers.includes(folder ?? ''))).toEqual([]);
  });
});
