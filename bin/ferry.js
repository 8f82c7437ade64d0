#!/usr/bin/env node
const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  process.stderr.write(
    `error: ferry needs Node 20.19 or newer; this is ${process.version}\n  try: nvm install 24, or https://nodejs.org\n`,
  );
  process.exit(1);
}
const { enableCompileCache } = await import('node:module');
const { fileURLToPath } = await import('node:url');
// From Node 22.8 on. In the build, so that it goes with it; where this user may not write there, there is none.
enableCompileCache?.(fileURLToPath(new URL('../dist/.compile-cache', import.meta.url)));
await import('../dist/bundle/ferry.js');
