/** What commands about requests print for people. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CommandLine } from '../../../../test/support/cli/command-line.js';
import { answerEverything, NODE, request } from '../../../../test/support/cli/management-answers.js';

let line: CommandLine;
beforeAll(async () => {
  line = await CommandLine.start();
  answerEverything(line);
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
      line.answer('GET /api/requests/req_1', {
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
    line.answer('GET /api/requests/req_1', {
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

describe('ferry top', () => {
  it('needs a terminal, except with --once', async () => {
    expect(await line.ferry('top')).toMatchObject({ code: 2, stderr: expect.stringContaining('--once') });
    const { stdout } = await line.ferry('top --once');
    expect(stdout).toMatch(/^● desk +Qwen3 8B +█░░░ 1\/4 +41\.1 +0 +\S.* GB +1\.5 ms$/m);
    expect(stdout).toMatch(/^req_9f2c1a7e… +laptop +qwen3:8b +desk +decode +412 +41\.1 +10 s$/m);
    expect(stdout).toContain('tiny: engine_error on desk');
  });
});
