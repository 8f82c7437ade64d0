/** Runs the installer for Linux and macOS with this computer's `sh` and an empty home directory. */
import { spawn } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { InstallerHarness } from '../../../../test/support/relay/installer.harness.js';
import { ferryJoinCommand, powerShellInstallCommand, shellInstallCommand } from '../../clusters/install-commands.js';

const TOKEN = `ferry-join-${'a'.repeat(61)}`;

let app: InstallerHarness;
let home: string;
beforeAll(async () => {
  app = await InstallerHarness.start();
});
afterAll(async () => {
  await app.close();
});
beforeEach(async () => {
  // Names that break scripts without correct quoting.
  home = await mkdtemp(path.join(os.tmpdir(), "ferry it's $HOME-"));
});
afterEach(async () => {
  await rm(home, { recursive: true, force: true });
});

interface Run {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

const scriptText = async (): Promise<string> => (await fetch(`${app.url}/install.sh`)).text();

/** Without a terminal, like `curl … | sh -s -- <args>` on a server. */
const install = async (args: readonly string[], env: Record<string, string> = {}, script?: string): Promise<Run> => {
  const shell = spawn('sh', ['-s', '--', ...args], {
    env: { PATH: process.env['PATH'], HOME: home, TMPDIR: os.tmpdir(), ...env },
    detached: true,
  });
  let [stdout, stderr] = ['', ''];
  shell.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  shell.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  shell.stdin.on('error', () => undefined).end(script ?? (await scriptText()));
  return new Promise((resolve) => {
    shell.on('close', (code) => {
      resolve({ code, stdout, stderr });
    });
  });
};
const launcher = (): string => path.join(home, '.local/bin/ferry-node');
const lastLine = (stdout: string): unknown => JSON.parse(stdout.trim().split('\n').at(-1) ?? '');

describe('install.sh', () => {
  it('installs the agent with its command, joins, and prints the next steps', async () => {
    const { code, stdout, stderr } = await install(['--token', TOKEN, '--name', 'the desk', '--without-engine']);
    expect(stderr).toContain('Installed the Ferry node 1.2.3');
    expect(code).toBe(0);
    expect(lastLine(stdout)).toEqual({
      args: ['join', TOKEN, '--relay', app.url, '--name', 'the desk'],
      ca: null,
    });
    expect(stderr).toContain(`${launcher()} run`);
    expect(await readdir(path.join(home, '.local/share/ferry/agent'))).toEqual(['ferry-node.mjs']);
    const started = await install([], {}, `exec "$HOME/.local/bin/ferry-node" run --engine 'a b'`);
    expect(lastLine(started.stdout)).toEqual({ args: ['run', '--engine', 'a b'], ca: null });
  });

  it.each(['/bin/bash', '/bin/sh'])(
    'prints the line that puts the command on the PATH of %s when it is missing',
    async (shell) => {
      const { stderr } = await install(['--token', TOKEN, '--without-engine'], { SHELL: shell });
      const [, line = 'false'] = /^So that the shell finds ferry-node, once: (.+)$/m.exec(stderr) ?? [];
      const found = await install(
        [],
        { SHELL: shell },
        `${line}; command -v ferry-node; cat ~/.bashrc ~/.profile 2>/dev/null`,
      );
      expect(found.stdout).toBe(`${launcher()}\nexport PATH="$HOME/.local/bin:$PATH"\n`);
      const PATH = `${path.dirname(launcher())}:${process.env['PATH'] ?? ''}`;
      expect((await install(['--token', TOKEN, '--without-engine'], { PATH })).stderr).not.toContain('So that');
      await Promise.all(['.bashrc', '.profile'].map((file) => rm(path.join(home, file), { force: true })));
    },
  );

  it('only updates without a token, and explains how to join', async () => {
    const { code, stdout, stderr } = await install(['--without-engine']);
    expect([code, stdout]).toEqual([0, '']);
    expect(stderr).toContain(`join ferry-join-... --relay ${app.url}`);
  });

  it('install.sh does not prompt without a terminal, and skips the engine', async () => {
    expect((await install([])).code).toBe(0);
    expect(await readdir(path.join(home, '.local/share/ferry/agent'))).toEqual(['ferry-node.mjs']);
  });

  it('installs nothing with a wrong checksum', async () => {
    const script = (await scriptText()).replace(app.agentSha256, 'f'.repeat(64));
    const { code, stderr } = await install(['--token', TOKEN, '--without-engine'], {}, script);
    expect(code).toBe(1);
    expect(stderr).toContain('Nothing was installed');
    expect(await readdir(path.join(home, '.local/share/ferry/agent'))).toEqual([]);
    expect(await readdir(path.join(home, '.local/bin'))).toEqual([]);
  });

  it('runs nothing of a truncated download', async () => {
    const script = await scriptText();
    const end = script.trimEnd().length;
    const cuts = [
      ...Array.from({ length: 12 }, (_, part) => Math.floor((end * (part + 1)) / 13)),
      end - 1,
      end - 8,
      end - 20,
    ];
    for (const cut of cuts) {
      await install(['--token', TOKEN, '--without-engine'], {}, script.slice(0, cut));
      expect([cut, await readdir(home)]).toEqual([cut, []]);
    }
  });

  it('trusts a custom certificate authority from then on', async () => {
    const file = path.join(home, 'authority.pem');
    await writeFile(file, 'PEM');
    const { code, stdout } = await install(['--token', TOKEN, '--without-engine', '--ca-file', file]);
    const kept = path.join(home, '.local/share/ferry/agent/ca.pem');
    expect(code).toBe(0);
    expect(lastLine(stdout)).toMatchObject({ ca: kept });
    expect(await readFile(kept, 'utf8')).toBe('PEM');
    // Also after an update without the option.
    expect((await install(['--without-engine'])).code).toBe(0);
    const started = await install([], {}, `exec "$HOME/.local/bin/ferry-node" run`);
    expect(lastLine(started.stdout)).toEqual({ args: ['run'], ca: kept });
  });

  it('uses the data directory that the user has set', async () => {
    const data = path.join(home, 'elsewhere');
    expect((await install(['--without-engine'], { XDG_DATA_HOME: data })).code).toBe(0);
    expect(await readdir(path.join(data, 'ferry/agent'))).toEqual(['ferry-node.mjs']);
    expect((await stat(launcher())).mode & 0o777).toBe(0o755);
  });

  it('works with wget when curl is missing', async () => {
    const wget = await onlyWith(['wget']);
    if (wget === undefined) return;
    expect((await install(['--without-engine'], { PATH: wget })).code).toBe(0);
  });

  it.each([
    ['an older Node', '#!/bin/sh\n[ "$1" = --version ] && echo v18.20.0\nexit 1\n', 'this is v18.20.0'],
    ['no Node', undefined, 'https://nodejs.org'],
  ])('explains how to get Node where there is %s', async (_name, node, message) => {
    const bin = (await onlyWith([]))!;
    await rm(path.join(bin, 'node'), { force: true });
    if (node !== undefined) {
      await writeFile(path.join(bin, 'node'), node);
      await chmod(path.join(bin, 'node'), 0o755);
    }
    const { code, stderr } = await install(['--token', TOKEN], { PATH: bin });
    expect(code).toBe(1);
    expect(stderr).toContain('Node.js 20.19 or newer is needed');
    expect(stderr).toContain(message);
  });

  it('refuses a relay on another computer without TLS, unless forced', async () => {
    const script = (await scriptText()).replace(/^RELAY_URL=.*$/m, 'RELAY_URL=http://relay.invalid:8787');
    const refused = await install(['--token', TOKEN], {}, script);
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain('not encrypted');
    expect((await install(['--token', TOKEN, '--force-insecure'], {}, script)).stderr).toContain('cannot download');
  });

  it.each([
    [['--token'], '--token needs a value'],
    [['--tokn', TOKEN], 'unknown option --tokn'],
    [['--ca-file', '/nowhere/ca.pem'], 'cannot read the certificates'],
  ])('refuses %j', async (args, message) => {
    const { code, stderr } = await install(args);
    expect(code).toBe(1);
    expect(stderr).toContain(message);
  });

  it('shows its options', async () => {
    const { code, stdout } = await install(['--help']);
    expect(code).toBe(0);
    expect(stdout).toContain('--with-engine');
    expect(await readdir(home)).toEqual([]);
  });
});

/** A folder with links to the tools that the script needs and `extra`; undefined when this computer lacks one of them. */
async function onlyWith(extra: readonly string[]): Promise<string | undefined> {
  const bin = path.join(home, 'bin');
  await mkdir(bin);
  const tools = ['sh', 'cat', 'cp', 'mv', 'rm', 'mkdir', 'mktemp', 'chmod', 'sed', 'cut', 'uname', 'sha256sum', 'node'];
  const found = await install([], {}, [...tools, ...extra].map((tool) => `command -v ${tool} || echo -`).join('\n'));
  const paths = found.stdout.trim().split('\n');
  for (const [index, file] of paths.entries()) {
    const name = [...tools, ...extra][index]!;
    if (file === '-' && extra.includes(name)) return undefined;
    if (file === '-') continue;
    await writeFile(path.join(bin, name), `#!/bin/sh\nexec '${file}' "$@"\n`);
    await chmod(path.join(bin, name), 0o755);
  }
  return bin;
}

describe('the install command', () => {
  it('the install command is one line, for shells and for PowerShell', () => {
    expect(shellInstallCommand('https://relay.example', TOKEN)).toBe(
      `curl -fsSL https://relay.example/install.sh | sh -s -- --token ${TOKEN}`,
    );
    expect(powerShellInstallCommand('https://relay.example', TOKEN)).toBe(
      `& ([scriptblock]::Create((irm 'https://relay.example/install.ps1'))) -Token '${TOKEN}'`,
    );
  });

  it('starts the node and allows a relay without TLS when requested', () => {
    const options = { insecure: true, run: true };
    expect(shellInstallCommand('http://10.0.0.7:8787', TOKEN, options)).toBe(
      `curl -fsSL http://10.0.0.7:8787/install.sh | sh -s -- --token ${TOKEN} --force-insecure && ~/.local/bin/ferry-node run`,
    );
    expect(powerShellInstallCommand('http://10.0.0.7:8787', TOKEN, options)).toBe(
      `& ([scriptblock]::Create((irm 'http://10.0.0.7:8787/install.ps1'))) -Token '${TOKEN}' -ForceInsecure; & "$env:LOCALAPPDATA\\ferry\\agent\\ferry-node.cmd" run`,
    );
    expect(ferryJoinCommand('http://10.0.0.7:8787', TOKEN, options)).toBe(
      `ferry node join ${TOKEN} --relay http://10.0.0.7:8787 --force-insecure && ferry node run`,
    );
  });

  it('escapes the address', () => {
    expect(shellInstallCommand("https://relay.example/'$(id)", TOKEN)).toContain(
      `'https://relay.example/'\\''$(id)/install.sh'`,
    );
    expect(powerShellInstallCommand('https://relay.example/\u2019;id', TOKEN)).toContain(
      `'https://relay.example/\u2019\u2019;id/install.ps1'`,
    );
  });
});
