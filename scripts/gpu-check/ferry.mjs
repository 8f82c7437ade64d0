/** A Ferry of its own for the check: relay and node on a free port, with their files in a folder of the check. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const START_MS = 180_000;
const STOP_MS = 20_000;
const COMMAND_MS = 180_000;

export class Ferry {
  #command;
  #folder;
  #child;
  address;
  /** Seconds from the command to the ready line, and what the first screen said. */
  startSeconds;
  screen = '';

  /** @param {{ command: string[], folder: string, engine: object }} options `engine`: the entry of the built-in engine in `engines.json` */
  constructor({ command, folder, engine }) {
    this.#command = command;
    this.#folder = folder;
    mkdirSync(path.join(folder, 'node'), { recursive: true });
    const file = path.join(folder, 'node', 'engines.json');
    writeFileSync(file, JSON.stringify({ discover: false, engines: [{ kind: 'llamacpp', ...engine }] }));
  }

  async start() {
    const began = performance.now();
    const [program, ...words] = this.#words('up', '--port', '0', '--json');
    const child = spawn(program, words, { stdio: ['ignore', 'pipe', 'pipe'] });
    this.#child = child;
    this.screen = '';
    child.stderr.on('data', (text) => (this.screen += text));
    let output = '';
    const ready = new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`ferry up is not ready after ${START_MS} ms`)), START_MS);
      child.stdout.on('data', (text) => {
        output += text;
        if (!output.includes('\n')) return;
        clearTimeout(timer);
        resolve(JSON.parse(output));
      });
      child.once('exit', (code) => {
        clearTimeout(timer);
        reject(new Error(`ferry up ended with ${code}: ${this.screen.slice(-2_000)}`));
      });
    });
    this.address = await ready;
    this.startSeconds = (performance.now() - began) / 1_000;
  }

  async stop() {
    const child = this.#child;
    this.#child = undefined;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    const timer = setTimeout(() => child.kill('SIGKILL'), STOP_MS);
    await ended;
    clearTimeout(timer);
  }

  /** @returns {Promise<{ code: number, lines: object[] }>} the JSON that a command prints */
  async run(...words) {
    const [program, ...all] = this.#words(...words, '--json');
    const child = spawn(program, all, { stdio: ['ignore', 'pipe', 'pipe'], timeout: COMMAND_MS });
    let output = '';
    let errors = '';
    child.stdout.on('data', (text) => (output += text));
    child.stderr.on('data', (text) => (errors += text));
    const [code] = await once(child, 'close');
    const lines = `${output}\n${errors}`.split('\n').filter((line) => line.startsWith('{'));
    return { code, lines: lines.map((line) => JSON.parse(line)), errors };
  }

  /** @returns {Promise<object>} the end of the operation; `seconds` is what it took on the node */
  async operate(...words) {
    const { code, lines, errors } = await this.run(...words);
    const end = lines.findLast(({ object }) => object === 'operation');
    if (end === undefined) throw new Error(`ferry ${words.join(' ')} ended with ${code}: ${errors.slice(-1_000)}`);
    return { ...end, seconds: (Date.parse(end.finished_at) - Date.parse(end.created_at)) / 1_000 };
  }

  /** Waits for a model that loads by itself; the first load on a device also compiles its shaders. @returns {Promise<number>} seconds */
  async loaded(name, timeoutMs) {
    const began = performance.now();
    for (;;) {
      const models = (await this.node())?.models ?? [];
      const seconds = (performance.now() - began) / 1_000;
      const state = models.find(({ display_name }) => display_name === name)?.state;
      if (state === 'loaded') return seconds;
      if (state === 'failed' || seconds * 1_000 > timeoutMs)
        throw new Error(`${name} is ${state ?? 'not there'} after ${Math.round(seconds)} s`);
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  }

  /** This computer, as the relay sees it. */
  async node() {
    const { lines } = await this.run('nodes', 'ls');
    return lines[0]?.data?.[0];
  }

  #words(...words) {
    return [...this.#command, '--data-dir', this.#folder, ...words];
  }
}
