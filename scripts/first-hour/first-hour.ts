/**
 * The first hour of a new user, typed into real terminals: relay, node, second node, member and client are processes of their own, which
 * reach each other over the network address of this computer. Only the Ollama is played by a test server.
 */
import { mkdtempSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { networkAddresses } from '../../src/kernel/network-addresses.js';
import { FakeOllama } from '../../test/engines/fakes/ollama.js';
import { createComputer, type Computer } from './computers.js';
import { serviceManager } from './service-manager.js';
import { TerminalWindow } from './terminal-window.js';

export interface Scene {
  readonly title: string;
  readonly text: string;
  readonly screen: string;
}

interface FirstHourOptions {
  /** A checkout that is installed and built. Absent: it is cloned from {@link repository} first, as a new user does. */
  readonly checkout?: string;
  readonly repository: string;
}

const READY_WITHIN_MS = 600_000;
const STEP_WITHIN_MS = 60_000;
const SECRET = /\b(sk-ferry-|ferry-join-|ferry-inv-|ferry-cli-|start#)[\w-]{6,}/g;
const SERVER = `ferry-first-hour-${process.pid}`;
const CLONE_ADDRESS = 'https://git.example/ferry.git';

export class FirstHour {
  private readonly scenes: Scene[] = [];
  private readonly root = mkdtempSync(path.join(os.tmpdir(), 'ferry-first-hour-'));
  private readonly replacements: (readonly [text: string, shown: string])[] = [];
  private readonly running: TerminalWindow[] = [];
  private readonly windows: TerminalWindow[] = [];
  private readonly secrets = new Map<string, string>();

  private constructor(
    private readonly options: FirstHourOptions,
    private readonly engine: FakeOllama,
    private readonly secondEngine: FakeOllama,
    private readonly address: string,
  ) {
    this.replacements.push(
      [new URL(engine.url).port, '11434'],
      [new URL(secondEngine.url).port, '11434'],
      [address, '192.0.2.7'],
    );
  }

  /** @returns undefined where this computer has no network but its own, or no tmux */
  static async record(options: FirstHourOptions): Promise<readonly Scene[] | undefined> {
    const [address] = networkAddresses();
    if (address === undefined || !TerminalWindow.areThere()) return undefined;
    const engine = await FakeOllama.start({
      models: [{ name: 'qwen3:8b', contextTokens: 40_960 }, { name: 'gemma3:4b' }],
      resident: ['qwen3:8b'],
    });
    const secondEngine = await FakeOllama.start({ models: [{ name: 'llama3.2:3b' }] });
    const hour = new FirstHour(options, engine, secondEngine, address);
    try {
      await hour.play();
      return hour.scenes.map((scene) => ({ ...scene, screen: hour.shown(scene.screen) }));
    } finally {
      await hour.end();
      await engine.stop();
      await secondEngine.stop();
    }
  }

  private async play(): Promise<void> {
    const first = this.computer('first', this.engine);
    const port = await this.start(first);
    const shell = this.open(first, 'shell');
    await this.useIt(shell);
    await this.addComputer(shell, port);
    await this.watch(shell, first);
    await this.addMember(shell, port);
    await this.runAsService();
  }

  private computer(name: string, engine: FakeOllama | undefined): Computer {
    return createComputer({
      server: SERVER,
      name,
      root: this.root,
      env: {
        // The port of the first one is taken: they share one machine.
        ...(name === 'third' && { FERRY_PORT: '0' }),
        FERRY_DISCOVERY_PORTS: engine === undefined ? '1' : new URL(engine.url).port,
        npm_config_cache: process.env['npm_config_cache'] ?? path.join(os.homedir(), '.npm'),
        GIT_CONFIG_COUNT: '1',
        GIT_CONFIG_KEY_0: `url.${this.options.repository}.insteadOf`,
        GIT_CONFIG_VALUE_0: CLONE_ADDRESS,
      },
      ...(name !== 'second' && { ferry: this.options.checkout ?? path.join(this.root, 'first', 'ferry') }),
    });
  }

  private open(computer: Computer, name: string): TerminalWindow {
    const window = computer.open(name);
    this.windows.push(window);
    return window;
  }

  private async start(first: Computer): Promise<string> {
    const window = this.open(first, 'up');
    this.running.push(window);
    if (this.options.checkout === undefined) {
      await window.run(`git clone -q ${CLONE_ADDRESS}`, STEP_WITHIN_MS);
      await window.run('cd ferry');
    } else {
      await window.run(`cd ${this.options.checkout}`);
    }
    await window.clear();
    // 0 takes a free port, because another Ferry may run here.
    const port = this.options.checkout === undefined ? '' : ' --port 0';
    window.enter(`npm run --silent up -- --host 0.0.0.0${port}`);
    await window.until(/Ctrl-C/, READY_WITHIN_MS);
    const screen = window.screen();
    const listening = /OpenAI clients +http:\/\/[^:]+:(\d+)/.exec(screen)?.[1] ?? '';
    this.replacements.push([listening, '8787']);
    this.add(
      'From a clone to an address',
      `\`git clone ${CLONE_ADDRESS} && cd ferry\`, then \`npm run up\`. With \`--host 0.0.0.0\` other computers reach it, too. ` +
        'Ollama runs on this computer, and is found.',
      screen,
    );
    return listening;
  }

  private async useIt(shell: TerminalWindow): Promise<void> {
    const line = /^ *(curl -sN .*)$/m.exec(this.running[0]?.screen({ joined: true }) ?? '')?.[1];
    if (line === undefined) throw new Error('ferry up prints no curl line');
    const response = await shell.run(`${line} | tail -n 4`, STEP_WITHIN_MS);
    if (!response.includes('data: [DONE]')) throw new Error(`no answer to curl:\n${response}`);
    this.add('The first answer', 'The curl line that was printed, pasted into another terminal.', response);
    this.add('What is there', 'The engine that was found, with its models.', await shell.run('ferry models'));
    const question = 'ferry run gemma3:4b "Say hello in one word"';
    this.add(
      'A model in one line',
      '`ferry run` finds the model, loads it where it fits, and asks it.',
      await this.succeeding(shell, question),
    );
  }

  private async addComputer(shell: TerminalWindow, port: string): Promise<void> {
    const token = await this.succeeding(shell, 'ferry nodes join-token');
    const line = /^ *(curl -fsSL .*)$/m.exec(shell.screen({ joined: true }))?.[1];
    if (line === undefined) throw new Error(`join-token prints no installer line:\n${token}`);
    if (!line.includes(`${this.address}:${port}`)) throw new Error(`the line does not name the LAN address: ${line}`);
    this.add('A line for the second computer', 'It works once, and for 15 minutes.', token);

    const second = this.computer('second', this.secondEngine);
    const window = this.open(second, 'node');
    this.running.push(window);
    const installed = await this.succeeding(window, `${line} --without-engine`);
    await window.clear();
    window.enter('ferry-node run');
    await window.until(/connected/i, STEP_WITHIN_MS);
    this.add(
      'On the second computer',
      'The line is pasted there; `--without-engine` leaves the built-in engine out, because Ollama runs there, too.',
      `${installed}\n${window.screen()}`,
    );
    await this.eventually(shell, 'ferry models', /llama3\.2:3b/);
    this.add('Both computers', 'Two computers of one name are told apart.', await shell.run('ferry nodes'));
  }

  private async watch(shell: TerminalWindow, first: Computer): Promise<void> {
    // The test server streams an endless text.
    const chat = this.open(first, 'chat');
    chat.enter('ferry chat -m qwen3:8b "Tell me a long story"');
    await shell.clear();
    shell.enter('ferry top');
    const screen = await shell.until(/ decode +\d+ +\d+\.\d/, STEP_WITHIN_MS);
    this.add(
      'Watching',
      '`ferry top` shows nodes, loaded models and requests, here one of a `ferry chat` in another terminal; q ends it.',
      screen,
    );
    shell.keys('q');
    chat.keys('C-c');
    this.add(
      'A coding agent',
      'With `--print` nothing is changed: the configuration of Codex is shown.',
      await this.succeeding(shell, 'ferry connect codex --model qwen3:8b --print'),
    );
  }

  private async addMember(shell: TerminalWindow, port: string): Promise<void> {
    const invited = await this.succeeding(shell, 'ferry users invite');
    const screen = shell.screen({ joined: true });
    const invite = /^https?:\/\/\S+\/console\/invite#(ferry-inv-\S+)$/m.exec(screen)?.[1];
    if (invite === undefined) throw new Error(`users invite prints no way to accept it:\n${invited}`);
    this.add(
      'A second person',
      'The link is passed on to the person who is invited, who opens it in a browser, or accepts it by command line. Over plain http that needs a tunnel.',
      invited,
    );
    const computer = createComputer({
      server: SERVER,
      name: 'member',
      root: this.root,
      env: {},
      ferry: this.options.checkout ?? path.join(this.root, 'first', 'ferry'),
    });
    const member = this.open(computer, 'shell');
    // The near end of the tunnel that the invite names: both computers are one here.
    const accept = `ferry users accept ${invite} --base-url http://127.0.0.1:${port} --email ada@example.com --password-stdin`;
    await this.succeeding(member, `echo 'a long pass phrase' | ${accept}`);
    const accepted = member.screen();
    const who = await this.succeeding(member, 'ferry whoami');
    this.add(
      'As that person',
      'Accepted, and signed in with it. Passwords are not sent over a network without TLS: this goes through the tunnel that the invite ' +
        'names.',
      `${accepted.replace(/\n\$ ?$/, '')}\n${who}`,
    );
  }

  private async runAsService(): Promise<void> {
    const third = this.computer('third', undefined);
    writeFileSync(path.join(third.programs, 'systemctl'), serviceManager, { mode: 0o755 });
    const window = this.open(third, 'shell');
    try {
      const installed = await this.succeeding(window, 'ferry service install');
      const unit = await this.succeeding(window, 'cat ~/.config/systemd/user/ferry-up.service');
      this.add(
        'With the computer',
        'On a computer of its own: a service starts Ferry with it. Here systemd is played by a script that runs the file.',
        `${installed}\n${unit}`,
      );
    } finally {
      await window.run('ferry service uninstall', STEP_WITHIN_MS);
    }
  }

  private async succeeding(window: TerminalWindow, line: string): Promise<string> {
    const screen = await window.run(line, STEP_WITHIN_MS);
    if (/^error: /m.test(screen)) throw new Error(`${line} failed:\n${screen}`);
    return screen;
  }

  private async eventually(window: TerminalWindow, line: string, wanted: RegExp): Promise<void> {
    const endMs = Date.now() + STEP_WITHIN_MS;
    for (;;) {
      const screen = await window.run(line);
      if (wanted.test(screen)) return;
      if (Date.now() > endMs) throw new Error(`${String(wanted)} did not come:\n${screen}`);
    }
  }

  private add(title: string, text: string, screen: string): void {
    // Whole only where lines are joined that the window has wrapped.
    for (const window of this.windows) {
      for (const [secret, prefix = ''] of window.screen({ joined: true }).matchAll(SECRET)) {
        this.secrets.set(secret, `${prefix}…`);
      }
    }
    this.scenes.push({ title, text, screen });
  }

  /** Without secrets and values specific to this computer. */
  private shown(screen: string): string {
    let masked = screen;
    for (const [secret, shown] of this.secrets) {
      masked = masked.replaceAll(new RegExp(Array.from(secret).join('\\n?'), 'g'), shown);
    }
    return this.replacements.reduce(
      (text, [own, shown]) => (own === '' ? text : text.replaceAll(own, shown)),
      ['first', 'second', 'third'].reduce((text, name) => withoutHome(text, path.join(this.root, name)), masked),
    );
  }

  private async end(): Promise<void> {
    for (const window of this.running.reverse()) {
      window.keys('C-c');
      await window.until(/\$ ?$/, STEP_WITHIN_MS).catch(() => undefined);
    }
    TerminalWindow.closeAll(SERVER);
    // A process that is exiting may write once more.
    await rm(this.root, { recursive: true, force: true, maxRetries: 10, retryDelay: 300 });
  }
}

/** Also where the window has wrapped it. */
const withoutHome = (text: string, home: string): string =>
  text.replaceAll(new RegExp(Array.from(home, escaped).join('\\n?'), 'g'), '~');

const escaped = (character: string): string => character.replace(/[.\\]/, '\\$&');
