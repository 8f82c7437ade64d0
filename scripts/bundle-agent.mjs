/**
 * Makes what a relay gives to new computers (`dist/agent-bundle`): the agent as one file, and the built-in engine's manifest and model as
 * an archive, both named by their SHA-256. The same input gives the same bytes.
 */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { create } from 'tar';
import { engineFiles } from './engine-files.mjs';
import { leaveOut, modernForms } from './leave-out.mjs';
import { root } from './run.mjs';

/** CommonJS packages inside of an ES module need what CommonJS gives them. Node's version is looked at before anything else runs. */
const banner = `import { createRequire as ferryCreateRequire } from 'node:module';
import { fileURLToPath as ferryFileUrlToPath } from 'node:url';
const require = ferryCreateRequire(import.meta.url);
const __filename = ferryFileUrlToPath(import.meta.url);
const __dirname = ferryFileUrlToPath(new URL('.', import.meta.url));
{
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major < 20 || (major === 20 && minor < 19)) {
    process.stderr.write('error: ferry-node needs Node 20.19 or newer; this is ' + process.version + '\\n  try: nvm install 24, or https://nodejs.org\\n');
    process.exit(1);
  }
}`;

const version = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')).version;

/** @returns {Promise<{ code: Buffer, inputs: string[] }>} the program, and the files that went into it, relative to the project */
export async function bundleAgent() {
  const { outputFiles, metafile } = await build({
    absWorkingDir: root,
    entryPoints: ['src/cli/node-main.ts'],
    outfile: 'ferry-node.mjs',
    write: false,
    metafile: true,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20.19',
    // Only the syntax is minified, so that stack traces and the installed program stay readable.
    minifySyntax: true,
    legalComments: 'none',
    define: { FERRY_BUNDLE: JSON.stringify({ version }) },
    // Optional for the package that asks for it, and native code, which one file cannot carry.
    external: ['kerberos'],
    alias: modernForms,
    plugins: [leaveOut],
    banner: { js: banner },
    logLevel: 'warning',
  });
  const inputs = Object.keys(metafile.inputs).sort();
  return { code: Buffer.concat([outputFiles[0].contents, Buffer.from(licences(inputs))]), inputs };
}

/** The licences of the packages inside ask to be kept with every copy. */
function licences(inputs) {
  const packages = new Set(
    inputs.map((input) => /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(input)?.[0]).filter((found) => found),
  );
  const texts = [...packages].sort().map((folder) => {
    const {
      name,
      version: packageVersion,
      license,
    } = JSON.parse(readFileSync(path.join(root, folder, 'package.json'), 'utf8'));
    const file = readdirSync(path.join(root, folder)).find((entry) => /^licen[cs]e/i.test(entry));
    const text = file === undefined ? '' : `\n\n${readFileSync(path.join(root, folder, file), 'utf8').trim()}`;
    return `${name} ${packageVersion} (${license})${text}`;
  });
  const lines = texts.join(`\n\n${'-'.repeat(80)}\n\n`).split(/\r?\n/);
  return `\n// Packages in this file, and their licences:\n//\n${lines.map((line) => `// ${line}`.trimEnd()).join('\n')}\n`;
}

async function engineArchive() {
  const chunks = [];
  const archive = create({ cwd: path.join(root, 'engines'), portable: true, noMtime: true, follow: true }, engineFiles);
  for await (const chunk of archive) chunks.push(chunk);
  const packed = gzipSync(Buffer.concat(chunks), { level: 9 });
  // The one byte of the header that names the operating system: 255, unknown.
  packed[9] = 255;
  return packed;
}

const sha256 = (bytes) => createHash('sha256').update(bytes).digest('hex');

/** Writes the files for the relay into `directory`. */
export async function writeAgentBundle(directory) {
  const [{ code }, engine] = await Promise.all([bundleAgent(), engineArchive()]);
  if (existsSync(directory)) rmSync(directory, { recursive: true });
  mkdirSync(directory, { recursive: true });
  const agent = { sha256: sha256(code), size: code.length };
  writeFileSync(path.join(directory, 'ferry-node.mjs'), code, { mode: 0o755 });
  writeFileSync(path.join(directory, 'ferry-node.mjs.sha256'), `${agent.sha256}  ferry-node.mjs\n`);
  writeFileSync(path.join(directory, 'engine.tgz'), engine);
  const facts = {
    version,
    ...agent,
    engine: { sha256: sha256(engine), size: engine.length },
  };
  // Last: whoever finds it finds the rest.
  writeFileSync(path.join(directory, 'version.json'), `${JSON.stringify(facts, null, 2)}\n`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await writeAgentBundle(process.argv[2]);
