#!/usr/bin/env node
const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  process.stderr.write(
    `error: ferry needs Node 20.19 or newer; this is ${process.version}\n  try: nvm install 24, or https://nodejs.org\n`,
  );
  process.exit(1);
}
const { enableCompileCache } = require('node:module');
const path = require('node:path');
const { loadBundle } = require('./load-bundle.js');
const dist = path.join(__dirname, '../dist');
// In the build, so that it goes with it; where this user may not write there, there is none.
const compiled = path.join(dist, '.compile-cache');
// For packages beside the bundle, from Node 22.8 on.
enableCompileCache?.(compiled);
let hasEnded = false;
// As for a module that awaits this: Node's exit status of a program that has nothing left to do and has not ended.
process.once('exit', (code) => {
  if (!hasEnded && code === 0) process.exitCode = 13;
});
loadBundle(
  path.join(dist, 'bundle'),
  compiled,
)('ferry.js').ended.finally(() => {
  hasEnded = true;
});
