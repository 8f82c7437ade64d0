import { homedir } from 'node:os';
import path from 'node:path';
import stringWidth from 'string-width';
import { describe, expect, it } from '@jest/globals';
import type { Schemas } from '../../core/api/management-api.types.js';
import { readyFacts } from './ready-facts.js';
import type { ReadyReport } from './ready-report.js';
import { readyScreen } from './ready-screen.js';

type Node = Schemas['Node'];

const key = `sk-ferry-${'x'.repeat(61)}`;
const link = `http://127.0.0.1:8787/console/start#ferry-web-${'y'.repeat(61)}`;

const engine = (kind: string, name = kind, fields: Partial<Node['engines'][number]> = {}): Node['engines'][number] => ({
  name,
  kind,
  version: '1',
  slots_total: 4,
  slots_used: 0,
  queue_depth: 0,
  problem: null,
  problem_since: null,
  ...fields,
});
const model = (engineName: string, name: string, state: string, size: number | null): Node['models'][number] =>
  ({
    engine: engineName,
    display_name: name,
    selector: name,
    state,
    size_bytes: size,
    reason: null,
    embedding: false,
  }) as Node['models'][number];

const tiny = model('llamacpp', 'tiny', 'loaded', 1_100_000);
const nodeWith = (engines: Node['engines'], models: Node['models']): Node => ({ engines, models }) as Node;

interface Variant {
  readonly host?: string;
  readonly consoleUrl?: string | null;
  readonly model?: string | null;
  readonly node?: Node;
  readonly join?: ReadyReport['join'];
}

const report = ({
  host = '127.0.0.1',
  consoleUrl = link,
  model: loaded = 'tiny',
  node = nodeWith([engine('llamacpp')], [tiny]),
  join = null,
}: Variant = {}): ReadyReport => ({
  facts: readyFacts(
    {
      base_url: 'http://127.0.0.1:8787',
      api_key: key,
      console_url: consoleUrl,
      cluster_id: 'cl_1',
      node_id: 'nd_1',
      model: loaded,
      data_dir: path.join(homedir(), '.local/share/ferry'),
    },
    host,
    () => ['192.168.1.5', '10.0.0.8'],
  ),
  node,
  others: [],
  join,
});

const piped = (variant?: Variant): string => readyScreen(report(variant), { colors: false });

describe('the screen of a ready quickstart', () => {
  it('shows the address for each kind of client, the key, a curl line and the data directory', () => {
    const lines = piped().split('\n');
    expect(lines).toContain('  OpenAI clients      http://127.0.0.1:8787/v1');
    expect(lines).toContain('  Anthropic clients   http://127.0.0.1:8787');
    expect(lines).toContain(`  API key             ${key}`);
    expect(lines.filter((line) => line.startsWith('curl '))).toHaveLength(1);
    expect(lines).toContain('  Ctrl-C stops it. Data: ~/.local/share/ferry');
  });

  it('fits 80 columns, but for the link and the curl line, which are whole', () => {
    const lines = readyScreen(report(), { colors: false, columns: 80 }).split('\n');
    const wide = lines.filter((line) => stringWidth(line) > 80);
    expect(wide).toEqual([expect.stringContaining(link), expect.stringMatching(/^curl /)]);
    expect(lines).toContain(`  ${key}`);
    expect(lines).toContain('  Website             signs you in, once');
  });

  it('shows how to get a model when none is loaded', () => {
    const screen = piped({ model: null });
    expect(screen).toContain('ferry models search');
    expect(screen).not.toContain('curl');
    expect(screen).not.toContain('ferry chat');
  });

  it('names the process of a running instance, and how it is stopped', () => {
    const elsewhere = readyScreen(report(), { colors: false, elsewhere: { pid: 4_711, isService: false } });
    expect(elsewhere).toContain('running already (process 4711)');
    expect(elsewhere).toContain('ferry down stops it.');
    expect(elsewhere).toContain('  ferry down, then ferry up --host 0.0.0.0');
    const service = readyScreen(report(), { colors: false, elsewhere: { pid: 4_711, isService: true } });
    expect(service).toContain('ferry service status');
    expect(service).not.toContain('Ctrl-C');
  });

  it('shows the one-time link of the website where a browser can sign in', () => {
    expect(piped().split('\n')).toContain(`  Website             ${link}   signs you in, once`);
    expect(piped({ consoleUrl: null })).not.toContain('Website');
  });

  it('shows how the shell finds ferry where it does not', () => {
    expect(piped()).not.toContain('npm link');
    expect(readyScreen(report(), { colors: false, pathLine: 'cd /opt/ferry && npm link' })).toContain(
      '  First, once         cd /opt/ferry && npm link   so that the shell finds ferry\n',
    );
  });

  it('the screen of a ready quickstart has no escape sequences in a pipe', () => {
    expect(piped()).not.toContain('\u001b');
  });
});

describe('the engines found on this computer', () => {
  const found = (node: Node): string[] => {
    const lines = piped({ node }).split('\n');
    const start = lines.indexOf('  Found on this computer');
    return lines.slice(start + 1, lines.indexOf('', start));
  };

  it('the engines found on this computer are listed with port and models, the built-in engine last', () => {
    const ollama = engine('ollama', 'ollama@127.0.0.1:11434');
    const models = ['qwen3:8b', 'gemma3:4b', 'phi4', 'llama3'].map((name, index) =>
      model(ollama.name, name, index < 2 ? 'loaded' : 'installed', 5e9),
    );
    expect(found(nodeWith([engine('llamacpp'), ollama], [tiny, ...models]))).toEqual([
      '    Ollama 11434      4 models, 2 loaded: qwen3:8b, gemma3:4b',
      '    built-in          tiny (1.1 MB, for trying out)',
    ]);
  });

  it('the engines found on this computer are listed with their problem, their configured name, and also without models', () => {
    const away = engine('lmstudio', 'gpu-box', { problem: 'does not answer' });
    const builtIn = engine('llamacpp', 'llamacpp', { version: null });
    expect(found(nodeWith([away, engine('vllm', 'vllm@10.0.0.9:8000'), builtIn], []))).toEqual([
      '    LM Studio gpu-box does not answer',
      '    vLLM 10.0.0.9:8000 no models',
      '    built-in          does not run: ferry node doctor says why',
    ]);
  });

  it('suggests a real model that is there', () => {
    const ollama = engine('ollama', 'ollama@127.0.0.1:11434');
    const node = nodeWith([ollama, engine('llamacpp')], [tiny, model(ollama.name, 'qwen3:8b', 'installed', 5e9)]);
    expect(piped({ node })).toContain('  Next                ferry run qwen3:8b · ferry connect codex');
  });

  it('prints nothing that could rewrite the terminal, and one line each', () => {
    const evil = model('llamacpp', `a\u001b[2J\nb${'c'.repeat(200)}`, 'loaded', 1);
    const [line = '', ...more] = found(nodeWith([engine('llamacpp')], [evil]));
    expect(line).not.toContain('\u001b');
    expect(stringWidth(line)).toBeLessThanOrEqual(80);
    expect(more).toEqual([]);
  });
});

describe('the reachability of the relay', () => {
  const join = {
    expires_at: 1_800_000_000,
    commands: { unix: 'curl -fsSL http://192.168.1.5:8787/install.sh | sh -s -- --token t --force-insecure' },
  } as Schemas['JoinToken'];

  it('the reachability of the relay is limited to this computer on loopback', () => {
    expect(piped()).toContain('Only this computer can reach Ferry. For others: ferry up --host 0.0.0.0');
    expect(piped()).toContain('ferry nodes add');
    expect(piped()).not.toContain('192.168.1.5');
  });

  it('includes the network, with addresses and the line for another computer, when it listens on all interfaces', () => {
    const screen = piped({ host: '0.0.0.0', join });
    const lines = screen.split('\n');
    expect(lines).toContain('  In your network     http://192.168.1.5:8787');
    expect(lines).toContain('                      http://10.0.0.8:8787');
    expect(lines).toContain(join.commands.unix);
    expect(screen).toContain('--force-insecure: the connection is not encrypted');
    expect(screen).not.toContain('Only this computer');
  });
});
