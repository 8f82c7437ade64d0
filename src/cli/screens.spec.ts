/** What lists look like: in a terminal of 80 columns, without colours, and in a pipe. Every name is longer than its column. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import stringWidth from 'string-width';
import { CommandLine } from '../../test/support/cli/command-line.js';
import { respondToEverything } from '../../test/support/cli/management-responses.js';
import { NODE } from '../../test/support/cli/node-responses.js';

const ESCAPE = String.fromCharCode(27);
const LONG = {
  desk: 'workstation-of-the-machine-learning-group.example.internal',
  tiny: 'hf.co/unsloth/Qwen3-30B-A3B-Instruct-2507-GGUF:UD-Q4_K_XL',
  laptop: 'continuous-integration-of-the-machine-learning-group',
  home: 'research-and-development-laboratory',
  'qwen3:8b': 'hf.co/unsloth/Qwen3-30B-A3B-Instruct-2507-GGUF:UD-Q8_K_XL',
  'ann@example.com': 'augusta.ada.king.countess.of.lovelace@analytical-engine.example',
};
const lists = [
  'nodes list',
  `nodes show ${NODE}`,
  'clusters list',
  'models list',
  'models show mdl_0123456789abcdef',
  'models search qwen3 coder',
  'models ps',
  'models jobs list',
  'keys list',
  'users list',
  'users invites',
  'users tokens',
  'nodes join-tokens',
  'profiles list',
  'usage',
  'audit',
  'requests',
  'explain req_1',
  'top --once',
  'config',
  'whoami',
];

let line: CommandLine;
beforeAll(async () => {
  line = await CommandLine.start();
  const renamed = <Value>(value: Value): Value =>
    JSON.parse(
      Object.entries(LONG).reduce(
        (text, [short, long]) => text.replaceAll(`"${short}"`, `"${long}"`),
        JSON.stringify(value),
      ),
    ) as Value;
  respondToEverything({
    respond: (route, body, status) => {
      line.respond(route, renamed(body), status);
    },
    list: (route, ...data) => {
      line.list(route, ...renamed(data));
    },
    handle: (route, handler) => {
      line.handle(route, handler);
    },
  });
});
afterAll(() => line.stop());

const run = (words: string, env: Record<string, string>, columns?: number) =>
  line.run(
    words.split(' '),
    { FERRY_BASE_URL: line.baseUrl, FERRY_TOKEN: 'ferry-cli-x', ...env },
    columns === undefined ? {} : { columns },
  );

describe.each(lists)('ferry %s', (words) => {
  it.each([80, 120])(
    'has no line wider than a terminal of %d columns, and no escape sequence with NO_COLOR',
    async (columns) => {
      const { code, stdout, stderr } = await run(words, { NO_COLOR: '1' }, columns);
      expect({ code, escapes: `${stdout}${stderr}`.includes(ESCAPE) }).toEqual({ code: 0, escapes: false });
      expect(stdout.split('\n').filter((text) => stringWidth(text) > columns)).toEqual([]);
    },
  );

  it('has no escape sequence in a pipe', async () => {
    const { code, stdout, stderr } = await run(words, {});
    expect({ code, escapes: `${stdout}${stderr}`.includes(ESCAPE) }).toEqual({ code: 0, escapes: false });
  });
});

it('a list has colours in a terminal otherwise', async () => {
  expect((await run('nodes list', {}, 80)).stdout).toContain(ESCAPE);
});

it.each([
  ['clusters list', LONG['qwen3:8b']],
  ['nodes list', LONG.desk],
  ['keys list', LONG.laptop],
  ['requests', LONG.tiny],
])('has names whole in the pipe of ferry %s', async (words, name) => {
  expect((await run(words, {})).stdout).toContain(name);
});
