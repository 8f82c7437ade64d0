import { describe, expect, it } from '@jest/globals';
import { readyFacts } from './ready-facts.js';
import { readyScreen } from './ready-screen.js';

const facts = readyFacts({
  base_url: 'http://127.0.0.1:8787',
  api_key: 'sk-ferry-abc',
  console_url: null,
  cluster_id: 'cl_1',
  node_id: 'nd_1',
  model: 'tiny',
});

describe('the screen of a ready quickstart', () => {
  it('shows the address for each kind of client, the key, and a curl line', () => {
    const lines = readyScreen(facts, false).split('\n');
    expect(lines).toContain('  OpenAI clients      http://127.0.0.1:8787/v1');
    expect(lines).toContain('  Anthropic clients   http://127.0.0.1:8787');
    expect(lines).toContain('  API key             sk-ferry-abc');
    expect(lines.filter((line) => line.startsWith('curl '))).toHaveLength(1);
    expect(lines.join('\n')).toContain('Ctrl-C');
  });

  it('shows how to load a model when none is loaded', () => {
    const screen = readyScreen({ ...facts, model: null }, false);
    expect(screen).toContain('ferry models load MODEL');
    expect(screen).not.toContain('curl');
  });

  it('names the process of a running instance', () => {
    expect(readyScreen(facts, false, 4_711)).toContain('running already (process 4711)');
  });

  it('shows the one-time link of the website where a browser can sign in', () => {
    expect(readyScreen(facts, false)).not.toContain('Website');
    const withLink = { ...facts, console_url: 'http://127.0.0.1:8787/console/start#ferry-web-x' };
    expect(readyScreen(withLink, false).split('\n')).toContain(
      '  Website             http://127.0.0.1:8787/console/start#ferry-web-x   signs you in, once',
    );
  });

  it('has no escape sequences in a pipe', () => {
    expect(readyScreen(facts, false)).not.toContain('\u001b');
  });
});
