/** scripts/bundle-script.mjs: what the loader of the bundle is given. */
import { expect, it } from '@jest/globals';
import { runInThisContext } from 'node:vm';
import { scriptOf } from '../../scripts/bundle-script.mjs';

type Run = (
  exported: object,
  require: (name: string) => unknown,
  module: { exports: object },
  file: string,
  folder: string,
  url: string,
  later: (name: string) => Promise<unknown>,
) => void;

interface Ran {
  readonly exports: Readonly<Record<string, unknown>>;
  readonly imported: readonly string[];
}

async function run(code: string, require: (name: string) => unknown = () => ({})): Promise<Ran> {
  const script = runInThisContext(await scriptOf(code)) as Run;
  const imported: string[] = [];
  const module = { exports: {} };
  script(module.exports, require, module, '/b/a.js', '/b', 'file:///b/a.js', (name) => {
    imported.push(name);
    return Promise.resolve({});
  });
  return { exports: module.exports, imported };
}

it('lets the loader import whatever is imported dynamically', async () => {
  const { imported } = await run(`
    const name = 'of-an-address';
    void import("./of-the-bundle.js");
    void import('of-a-package');
    void import(/* a comment */ \`\${name}\`);`);
  expect(imported).toEqual(['./of-the-bundle.js', 'of-a-package', 'of-an-address']);
});

it('leaves imports in texts alone, which are for other processes', async () => {
  const { exports, imported } = await run(`
    const text = "await import('node:fs')", template = \`await import('node:fs')\`, pattern = /import("x")/.source;
    export { text, template, pattern };`);
  expect(exports).toMatchObject({
    text: `await import('node:fs')`,
    template: `await import('node:fs')`,
    pattern: 'import("x")',
  });
  expect(imported).toEqual([]);
});

it('exports what changes later as it is then', async () => {
  const { exports } = await run('let count = 0; const add = () => { count += 1; }; export { add, count };');
  (exports['add'] as () => void)();
  expect(exports['count']).toBe(1);
});

it('gives the exports out before it loads others, which may load it', async () => {
  let seen: unknown;
  const module = { exports: {} as Record<string, unknown> };
  const script = runInThisContext(
    await scriptOf('import { other } from "./other.js"; function own() { return other; } export { own };'),
  ) as Run;
  const require = (): object => {
    seen = (module.exports['own'] as () => void).name;
    return { other: 1 };
  };
  script(module.exports, require, module, '', '', '', () => Promise.resolve());
  expect(seen).toBe('own');
});

it('is ASCII, and its expressions and templates mean the same', async () => {
  const code = `
    const word = /^[ä-ü€]+$/.test('äü€'), face = /^😀{2}$/u.test('😀😀');
    const cooked = ([text]) => text;
    const tagged = cooked\`· €\`;
    export { word, face, tagged };`;
  expect(await scriptOf(code)).toMatch(/^[\0-\x7f]*$/);
  expect((await run(code)).exports).toMatchObject({ word: true, face: true, tagged: '· €' });
});
