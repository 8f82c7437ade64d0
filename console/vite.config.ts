/** The website: built into `dist/console`, served by the relay under `/console`. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { defineConfig, type Plugin } from 'vite';

/** Of a running relay, for `npm run console`. */
const relay = process.env.FERRY_CONSOLE_RELAY ?? 'http://127.0.0.1:8787';

/** Below this size, in bytes, the headers of a response weigh more than what compression saves. */
const WORTH_COMPRESSING_BYTES = 1_024;

/**
 * Chunks of which every page calls most functions at its start. Their first line lets Chromium compile all functions beside the download, in
 * another thread, instead of parsing each a second time on the main thread when it is called: 8 to 18 % less of its time until a page can be
 * used. Pages and overlays are left out: most of what they define waits for a click. Written here, because Vite puts lines of its own first.
 */
const compileOnLoad = (): Plugin => ({
  name: 'compile-on-load',
  apply: 'build',
  writeBundle({ dir = '' }, bundle) {
    for (const chunk of Object.values(bundle)) {
      if (chunk.type !== 'chunk' || !(chunk.isEntry || ['vendor', 'shared'].includes(chunk.name))) continue;
      const file = path.join(dir, chunk.fileName);
      writeFileSync(file, `//# allFunctionsCalledOnLoad\n${readFileSync(file, 'utf8')}`);
    }
  },
});

/** Writes `.gz` and `.br` beside each asset, so that the relay never compresses while it serves requests. */
const precompress = (): Plugin => ({
  name: 'precompress',
  apply: 'build',
  writeBundle({ dir }) {
    if (dir === undefined) throw new Error('no folder to write to');
    const assets = path.join(dir, 'assets');
    for (const name of readdirSync(assets).filter((file) => /\.(?:js|css|svg)$/.test(file))) {
      const file = path.join(assets, name);
      const content = readFileSync(file);
      if (content.length < WORTH_COMPRESSING_BYTES) continue;
      writeFileSync(`${file}.gz`, gzipSync(content, { level: 9 }));
      const params = { [constants.BROTLI_PARAM_SIZE_HINT]: content.length };
      writeFileSync(`${file}.br`, brotliCompressSync(content, { params }));
    }
  },
});

/** The font's licence asks for a copy of it beside the font. */
const fontLicence = (): Plugin => ({
  name: 'font-licence',
  apply: 'build',
  generateBundle() {
    const file = path.resolve(import.meta.dirname, '../node_modules/@fontsource-variable/inter/LICENSE');
    this.emitFile({ type: 'asset', fileName: 'assets/inter-LICENSE.txt', source: readFileSync(file) });
  },
});

/**
 * A chunk that imports another one which imports the first: the modules of one of them run before those that they need, and the page is
 * empty. A new import can close such a circle, because it moves modules between the groups below.
 */
const noChunkCycles = (): Plugin => ({
  name: 'no-chunk-cycles',
  apply: 'build',
  generateBundle(_options, bundle) {
    const importsOf = (file: string): readonly string[] => {
      const chunk = bundle[file];
      return chunk?.type === 'chunk' ? chunk.imports : [];
    };
    const done = new Set<string>();
    const visit = (file: string, way: readonly string[]): void => {
      if (way.includes(file)) {
        this.error(`chunks import each other: ${[...way.slice(way.indexOf(file)), file].join(' → ')}`);
      }
      if (done.has(file)) return;
      for (const next of importsOf(file)) visit(next, [...way, file]);
      done.add(file);
    };
    for (const file of Object.keys(bundle)) visit(file, []);
  },
});

const proxy = Object.fromEntries(['/api', '/v1', '/docs', '/openapi.json'].map((prefix) => [prefix, relay]));

export default defineConfig({
  root: import.meta.dirname,
  base: '/console/',
  cacheDir: path.resolve(import.meta.dirname, '../node_modules/.vite'),
  plugins: [noChunkCycles(), compileOnLoad(), precompress(), fontLicence()],
  server: { proxy, strictPort: true },
  preview: { proxy, strictPort: true },
  build: {
    outDir: path.resolve(import.meta.dirname, '../dist/console'),
    emptyOutDir: true,
    target: ['chrome111', 'firefox114', 'safari16.4'],
    // The Content-Security-Policy of the relay allows no `data:` scripts, and a preload polyfill would be an inline script.
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    // One style sheet: each page's own is smaller than the request for it.
    cssCodeSplit: false,
    rolldownOptions: {
      // "use client" says nothing outside of a server that renders.
      checks: { moduleLevelDirective: false },
      output: {
        codeSplitting: {
          groups: [
            // What few releases change.
            {
              name: 'vendor',
              test: /node_modules[\\/](?:(?:react|react-dom|scheduler)[\\/]|@tanstack[\\/](?!react-virtual|virtual-core|react-table|table-core))/,
            },
            { name: 'start', tags: ['$initial'] },
            // What opens above a page: few pages need it before something is opened. Left out is what parts of `shared` import from there.
            {
              name: 'overlays',
              test: /[\\/](?:@floating-ui|react-remove-scroll[\w-]*|Popover|ScrollArea(?![\\/]utils[\\/]to-int)|Select|Modal|ModalBase|Overlay)[\\/]|[\\/]Combobox[\\/](?!Combobox\.module|ComboboxChevron|get-parsed)|utils[\\/]Floating[\\/]|src[\\/]components[\\/](?:(?:opened-confirm|form|name|secret)-dialog|snippet-tabs|choice|model-actions[\\/]computer-choice)/,
              includeDependenciesRecursively: false,
            },
            // What most pages and dialogs need. What it needs is needed at least as often, so it waits for no file below.
            { name: 'shared', minShareCount: 6 },
            // Parts of few pages that are smaller than the requests for them.
            {
              name: 'access',
              test: /console[\\/]src[\\/](?:features[\\/]access[\\/](?!device|node)|layout[\\/]access-)|[\\/]components[\\/](?:Anchor|Text)[\\/]/,
              includeDependenciesRecursively: false,
            },
            {
              name: 'password',
              test: /console[\\/]src[\\/]components[\\/](?:change-password|new-)|[\\/]PasswordInput[\\/]/,
              includeDependenciesRecursively: false,
            },
            {
              name: 'parts',
              minShareCount: 2,
              test: /console[\\/]src[\\/](?:api|components|layout|features[\\/](?:computers|requests))[\\/]|[\\/]components[\\/](?:Badge|Radio|Stack|Switch)[\\/]|get-auto-contrast-value/,
              includeDependenciesRecursively: false,
            },
            {
              name: 'settings',
              test: /console[\\/]src[\\/](?:features[\\/]settings[\\/](?:settings[-.]|describe-)|layout[\\/]section-tabs)|notifications\.store|@mantine[\\/]store[\\/]/,
              includeDependenciesRecursively: false,
            },
          ],
        },
      },
    },
  },
});
