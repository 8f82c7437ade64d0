// Own processes: what people type on two computers in a first week, in terminals of 80 columns.
/** Starting, stopping, finding and leaving: every command as a newcomer types it, with the screen that answers. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import stringWidth from 'string-width';
import { FakeOllama } from '../engines/fakes/ollama.js';
import { freePort } from '../support/network/free-port.js';
import { TypedComputers, type TypedComputer } from '../support/terminal/typed-computer.js';

/** Needs Linux and tmux. */
const possibly = TypedComputers.arePossible ? describe : describe.skip;

possibly('a first week', () => {
  const computers = new TypedComputers();
  let [engine, port, studio, laptop] = [] as unknown as [FakeOllama, number, TypedComputer, TypedComputer];

  beforeAll(async () => {
    engine = await FakeOllama.start({
      models: [{ name: 'qwen3:8b' }, { name: 'gemma3:4b' }],
      resident: ['gemma3:4b', 'qwen3:8b'],
    });
    port = await freePort();
    studio = computers.add({ name: 'studio', ollamaUrl: engine.url });
    laptop = computers.add({ name: 'laptop' });
  });

  afterAll(async () => {
    await computers.close();
    await engine.stop();
  }, 60_000);

  it('starts in the background, says so, and fills no line of its progress', async () => {
    const { screen, lines, code } = await studio.type(`ferry up --detach --host 0.0.0.0 --port ${port}`);
    expect({ code, screen }).toMatchObject({
      code: 0,
      screen: expect.stringContaining('Ferry is running in the back'),
    });
    expect(lines.filter((line) => line.includes('✓'))).toEqual([
      expect.stringMatching(/^ {2}✓ Ferry, in the background/),
    ]);
    expect(screen).toMatch(/^ {2}ferry down stops it\. Data: ~\/\.local\/share\/ferry$/m);
  }, 120_000);

  it('tells a start with another address what to do, and changes nothing', async () => {
    for (const [flag, wanted] of [
      [`--host 127.0.0.1`, '--host 127.0.0.1'],
      [`--port 9`, '--port 9'],
    ]) {
      const { lines, code } = await studio.type(`ferry up ${String(flag)}`);
      expect({ code, lines }).toEqual({
        code: 1,
        lines: [
          expect.stringMatching(new RegExp(`^error: Ferry runs already, on 0\\.0\\.0\\.0:${port} \\(process \\d+\\)$`)),
          `  try: ferry down, then: ferry up ${String(wanted)}`,
        ],
      });
    }
    expect(await studio.type(`ferry up --port ${port}`)).toMatchObject({
      code: 0,
      screen: expect.stringContaining('Ferry is running already'),
    });
  }, 120_000);

  it('says first whether the relay answers', async () => {
    const { lines, code } = await studio.type('ferry status');
    expect(code).toBe(0);
    expect(lines[0]).toMatch(new RegExp(`^● The relay answers: http://127\\.0\\.0\\.1:${port} \\(Ferry \\d`));
  }, 60_000);

  it('finds a model by a part of its name, and a cluster by its name', async () => {
    for (const words of ['-m GEMMA3:4B', '-m gem', '-m gem --cluster HOME']) {
      expect(await studio.type(`ferry chat ${words} --max-tokens 4 "Say hello"`)).toMatchObject({ code: 0 });
    }
    expect(await studio.type('ferry chat -m gmema3:4b hi')).toMatchObject({
      code: 5,
      screen: expect.stringContaining('Did you mean gemma3:4b?'),
    });
    expect(await studio.type('ferry models load qwen --engine olama')).toMatchObject({
      code: 5,
      screen: expect.stringContaining('Did you mean ollama?'),
    });
  }, 120_000);

  it('tells requests apart, with key and node, and explains a row', async () => {
    const listed = async (): Promise<readonly string[]> => (await studio.type('ferry requests')).lines;
    let lines = await listed();
    // They are logged a few seconds after their end.
    for (const end = Date.now() + 30_000; lines.filter((row) => row.startsWith('●')).length < 3 && Date.now() < end;) {
      lines = await listed();
    }
    expect(lines[0]).toMatch(/# +WHEN +KEY +MODEL +NODE +OUTCOME .*REQUEST$/);
    expect(lines.filter((line) => stringWidth(line) > 80)).toEqual([]);
    const completed = lines.filter((row) => row.includes('completed'));
    const ends = completed.map((row) => row.slice(-7));
    expect(new Set(ends).size).toBe(ends.length);
    const [, number = '', end = ''] = /^● +(\d+) .*…(\w{6})$/.exec(completed.at(-1) ?? '') ?? [];
    for (const given of [number, end]) {
      expect(await studio.type(`ferry explain ${given}`)).toMatchObject({
        code: 0,
        screen: expect.stringMatching(new RegExp(`^…${end} · gemma3:4b · completed`)),
      });
    }
    expect((await studio.type('ferry explain --last 2')).screen.match(/^…\w{6} · /gm)).toHaveLength(2);
  }, 120_000);

  it('answers what other programs call its commands', async () => {
    expect(await studio.type('ferry ps')).toMatchObject({ code: 0, screen: expect.stringContaining('gemma3:4b') });
    expect(await studio.type('ferry ls')).toMatchObject({ code: 0, screen: expect.stringContaining('qwen3:8b') });
    expect(await studio.type('ferry show qwen')).toMatchObject({
      code: 0,
      screen: expect.stringContaining('qwen3:8b'),
    });
    expect(await studio.type('ferry stop qwen')).toMatchObject({
      code: 0,
      screen: expect.stringContaining('Unloaded'),
    });
    const update = await studio.type('ferry update');
    expect({ code: update.code, advice: update.lines[1] }).toEqual({
      code: 2,
      advice: expect.stringMatching(/^ {2}try: /),
    });
  }, 120_000);

  it('lets another computer sign in, with a key for its chats', async () => {
    const asked = await laptop.begin(`ferry login http://127.0.0.1:${port}`, /Code: \S+/);
    const code = /Code: (\S+)/.exec(asked)?.[1] ?? '';
    expect(await studio.type(`ferry login approve ${code} --yes`)).toMatchObject({ code: 0 });
    await laptop.sees(/has no API key/);
    await laptop.press('Enter', /next: ferry chat/);
    expect((await laptop.ended()).code).toBe(0);

    await laptop.begin('ferry chat -m gemma', /^>$/m);
    await laptop.answer('"""', /^…$/m);
    await laptop.answer('Say hello', /Say hello\n…$/m);
    await laptop.answer('in one word"""', /tok\/s|first token/);
    await laptop.answer('/bye', /^exit 0$/m);
    expect(engine.inferences.at(-1)).toMatchObject({ messages: [{ role: 'user', content: 'Say hello\nin one word' }] });
  }, 120_000);

  it('keeps its address over a restart, and says which computers a new one strands', async () => {
    const token = /ferry-join-\S+$/m.exec(
      (await studio.type('ferry nodes add 2>/dev/null | tr -d "\\n"; echo')).screen.replaceAll('\n', ''),
    )?.[0];
    const join = `ferry node join ${String(token)} --relay http://127.0.0.1:${port} --name laptop`;
    expect(await laptop.type(join)).toMatchObject({ code: 0 });

    expect(await studio.type('ferry down')).toMatchObject({ code: 0, screen: expect.stringContaining('has stopped') });
    expect(await studio.type('ferry down')).toMatchObject({
      code: 5,
      screen: expect.stringContaining('try: ferry up'),
    });
    const again = await studio.type('ferry up --detach');
    expect(again).toMatchObject({ code: 0, screen: expect.stringContaining(`http://127.0.0.1:${port}/v1`) });
    expect(again.screen).not.toContain('Only this computer can reach Ferry');

    await studio.type('ferry down');
    const alone = await studio.type('ferry up --detach --host 127.0.0.1');
    expect(alone).toMatchObject({ code: 0, screen: expect.stringContaining(`joined on port ${port}: laptop\n`) });
    expect(alone.screen).toContain(`  try: ferry up --host 0.0.0.0 --port ${port}`);
  }, 240_000);
});
