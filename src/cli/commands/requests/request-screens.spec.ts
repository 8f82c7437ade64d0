/** What commands about requests print for people. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CommandLine } from '../../../../test/support/cli/command-line.js';
import {
  respondToEverything,
  logged as completed,
  request,
} from '../../../../test/support/cli/management-responses.js';
import { NODE } from '../../../../test/support/cli/node-responses.js';

let line: CommandLine;
beforeAll(async () => {
  line = await CommandLine.start();
  respondToEverything(line);
});
afterAll(() => line.stop());

describe('human-readable ferry explain', () => {
  it('shows the chosen node, its cost and the outcome', async () => {
    const { stdout } = await line.ferry('explain req_1');
    expect(stdout).toMatch(/^req_1 · tiny · completed · 41 tokens · 1\.19 s$/m);
    expect(stdout).toMatch(/^first token +0\.10 s +0\.19 s$/m);
    expect(stdout).toMatch(/^total +0\.34 s +1\.19 s$/m);
    expect(stdout).toMatch(/^waited 0\.01 s, at position 1 of the queue$/m);
    expect(stdout).toMatch(/^Decision: desk \(cheapest\)$/m);
    expect(stdout).toMatch(/^✓ +desk +0\.10 s +0\.34 s +- +chosen: cheapest, warm prefix saves 0\.00 s$/m);
    const wide = await line.ferry('explain --wide');
    expect(wide.stdout).toMatch(/^✓ +desk +0\.10 s +0\.34 s +- +0\.00 s +0\.10 s +0\.24 s +0\.00 s +-0\.00 s +chosen/m);
  });

  it('counts the nodes of a large fleet, where only some are compared and listed', async () => {
    const [decision] = request.decisions;
    const explained = async (considered: number) => {
      line.respond('GET /api/requests/req_1', {
        ...request,
        decisions: [{ ...decision!, considered, placements: 900 }],
      });
      return (await line.ferry('explain req_1')).stdout;
    };
    const listed = decision!.candidates.length;
    expect(await explained(64)).toMatch(new RegExp(`^64 of 900 nodes were compared, ${listed} are listed$`, 'm'));
    expect(await explained(listed)).toMatch(new RegExp(`^${listed} of 900 nodes were compared$`, 'm'));
  });

  it('shows every attempt where there were several', async () => {
    const [attempt] = request.attempts;
    line.respond('GET /api/requests/req_1', {
      ...request,
      attempts: [{ ...attempt!, result: 'lost', reason: 'link_lost' }, attempt!],
    });
    const { stdout } = await line.ferry('explain req_1');
    expect(stdout).toContain('desk: lost (link lost)');
    expect(stdout).toContain('desk: answered');
  });
});

describe('ferry requests', () => {
  it('shows tokens, speed and times, and complete ids in a pipe', async () => {
    const { stdout } = await line.ferry('requests');
    expect(stdout).toMatch(/laptop +tiny +desk +completed +41 +40\.0 +0\.19 s +1\.19 s +req_1$/m);
  });

  it('sends the filters to the relay, by id', async () => {
    line.list('GET /api/usage/requests?key_id=key_1&node_id=' + NODE + '&outcome=failed&since=24h&limit=5');
    const { code, stderr } = await line.ferry(
      'requests --key laptop --node desk --outcome failed --since 24h --limit 5',
    );
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringContaining('no requests') });
  });
});

describe('a request that a person names', () => {
  /** Ids of one minute: only their ends differ. */
  const id = (end: string): string => `req_9d01a21d4dae4462bf8c0437${end}`;
  const ids = [id('e054aaaa'), id('e054bbbb'), id('e054cccc')];
  const logged = ids.map((own, index) => ({ ...completed, id: own, key_name: `key-${index + 1}` }));
  const explained = async (words: string) => {
    line.received.length = 0;
    const { code, stderr } = await line.ferry(`explain ${words}`);
    const asked = line.received.flatMap(({ route }) => /^GET \/api\/requests\/(\S+)$/.exec(route)?.[1] ?? []);
    return { code, stderr, asked };
  };

  beforeAll(() => {
    line.list('GET /api/usage/requests?limit=20', ...logged);
    line.list('GET /api/requests?limit=200', ...ids.map((own) => ({ id: own })));
    line.list('GET /api/requests?limit=2', ...ids.slice(0, 2).map((own) => ({ id: own })));
    for (const own of ids) line.respond(`GET /api/requests/${own}`, { ...request, id: own });
  });

  it('a request that a person names is listed with what tells it apart, its key and its node, in 80 columns', async () => {
    const env = { FERRY_BASE_URL: line.baseUrl, FERRY_TOKEN: 'ferry-cli-x', NO_COLOR: '1' };
    const { stdout } = await line.run(['requests'], env, { columns: 80 });
    const [heading, ...rows] = stdout.trimEnd().split('\n');
    expect(heading).toMatch(/^ +# +WHEN +KEY +MODEL +NODE +OUTCOME +TOKENS .*REQUEST$/);
    expect(rows.map((row) => row.replaceAll(/^. +(\d) .*(key-\d) .* (\S+)$/g, '$1 $2 $3'))).toEqual([
      '1 key-1 …54aaaa',
      '2 key-2 …54bbbb',
      '3 key-3 …54cccc',
    ]);
  });

  it('a request that a person names is the row that was shown, whatever has come since', async () => {
    line.list('GET /api/usage/requests?limit=20', { ...completed, id: id('e054dddd') }, ...logged);
    expect(await explained('2')).toMatchObject({ code: 0, asked: [ids[1]] });
    expect(await explained('#3')).toMatchObject({ code: 0, asked: [ids[2]] });
    expect(await explained('4')).toMatchObject({ code: 5, stderr: expect.stringContaining('there are 3 rows') });
  });

  it.each(['…54bbbb', '54bbbb', '54BBBB', 'bbb', id('e054bbbb')])(
    'a request that a person names is found by %s',
    async (part) => {
      expect(await explained(part)).toMatchObject({ code: 0, asked: [ids[1]] });
    },
  );

  it('a request that a person names must be the only one with that part', async () => {
    const { code, stderr } = await explained('9d01a21d');
    expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining('3 requests have 9d01a21d in') });
    for (const own of ids) expect(stderr).toContain(own);
  });

  it('a request that a person names may be several of the latest', async () => {
    expect(await explained('--last 2')).toMatchObject({ code: 0, asked: ids.slice(0, 2) });
    const { stdout } = await line.ferry('explain --last 2 --json');
    expect(JSON.parse(stdout)).toMatchObject({
      object: 'list',
      data: [{ request_id: ids[0] }, { request_id: ids[1] }],
    });
    expect(await explained('2 --last 2')).toMatchObject({ code: 2 });
  });
});

describe('ferry top', () => {
  it('needs a terminal, except with --once', async () => {
    expect(await line.ferry('top')).toMatchObject({ code: 2, stderr: expect.stringContaining('--once') });
    const { stdout } = await line.ferry('top --once');
    expect(stdout).toMatch(/^● desk +Qwen3 8B +█░░░ 1\/4 +41\.1 +0 +\S.* GB +1\.5 ms$/m);
    expect(stdout).toMatch(/^…a1f352 +laptop +qwen3:8b +desk +decode +412 +41\.1 +10 s$/m);
    expect(stdout).toContain('tiny: engine_error on desk');
  });
});

describe('ferry requests --follow', () => {
  it('ends with 3 where the relay cannot be reached, rather than to wait without a word', async () => {
    const unreachable = await line.run(['requests', '--follow', '--base-url', 'http://127.0.0.1:9', '--token', 'x']);
    expect(unreachable).toMatchObject({ code: 3, stderr: expect.stringContaining('cannot reach the relay') });
  });
});
