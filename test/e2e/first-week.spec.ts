// Own processes: what three people type on two computers in a first week, in terminals of 80 columns.
/** From the first start to the last: every command as a newcomer types it, with the screen that answers. */
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import stringWidth from 'string-width';
import { FakeOllama } from '../engines/fakes/ollama.js';
import { eventually } from '../support/clock/eventually.js';
import { freePort } from '../support/network/free-port.js';
import { ferry } from '../support/process/ferry-process.js';
import { TypedComputers, type Typed, type TypedComputer } from '../support/terminal/typed-computer.js';

/** Needs Linux and tmux. */
const possibly = TypedComputers.arePossible ? describe : describe.skip;
/** Only the kernel decides who may mount a small disk. */
const withSmallDisk = spawnSync('unshare', ['-rm', 'true']).status === 0 ? it : it.skip;

/** What happened, and what to do: no third line but the id of a request, however long each is. */
const twoLines = (first: string, advice: string): ReturnType<typeof expect.stringMatching> =>
  expect.stringMatching(new RegExp(`^error: ${first}\n  try: ${advice}(\n  request: \\w+)?$`));

possibly('a first week', () => {
  const computers = new TypedComputers();
  let [engine, laptopEngine, port] = [] as unknown as [FakeOllama, FakeOllama, number];
  /** Ada owns the account. Her computers are `studio`, where the relay runs, and `laptop`. Bob and Cleo use them, too. */
  let [studio, laptop, bob, cleo] = [] as unknown as [TypedComputer, TypedComputer, TypedComputer, TypedComputer];
  /** The terminal of `laptop` in which its node runs. */
  let node: TypedComputer;
  /** Each computer reaches the relay at its own address; 127.0.0.2 is, as any network, none of a tunnel. */
  const [here, overNetwork] = [(): string => `http://127.0.0.1:${port}`, (): string => `http://127.0.0.2:${port}`];

  beforeAll(async () => {
    engine = await FakeOllama.start({
      models: [{ name: 'qwen3:8b' }, { name: 'gemma3:4b' }],
      resident: ['gemma3:4b', 'qwen3:8b'],
    });
    laptopEngine = await FakeOllama.start({ models: [{ name: 'llama3.2:3b' }], resident: ['llama3.2:3b'] });
    port = await freePort();
    studio = computers.add({ name: 'studio', ollamaUrl: engine.url });
    laptop = computers.add({ name: 'laptop', ollamaUrl: laptopEngine.url });
    [bob, cleo] = [computers.add({ name: 'bob' }), computers.add({ name: 'cleo' })];
  });

  afterAll(async () => {
    // Where a test has failed, it may still run there.
    await ferry(['down', '--data-dir', path.resolve(studio.data, '../../../moved')]);
    await computers.close();
    await Promise.all([engine.stop(), laptopEngine.stop()]);
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
    for (const words of ['-m GEMMA3:4B', '-m gem --cluster HOME', '-m gem']) {
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

  it('lets its owner sign in on another computer, with a key for chats', async () => {
    const asked = await laptop.begin(`ferry login ${overNetwork()}`, /Code: \S+/);
    const code = /Code: (\S+)/.exec(asked)?.[1] ?? '';
    expect(await studio.type(`ferry login approve ${code} --yes`)).toMatchObject({ code: 0 });
    await laptop.sees(/has no API key/);
    await laptop.press('Enter', /next: ferry chat/);
    expect((await laptop.ended()).code).toBe(0);

    await laptop.begin('ferry chat -m gemma', /^>$/m);
    await laptop.respond('"""', /^…$/m);
    await laptop.respond('Say hello', /Say hello\n…$/m);
    await laptop.respond('in one word"""', /tok\/s|first token/);
    await laptop.respond('/bye', /^exit 0$/m);
    expect(engine.inferences.at(-1)).toMatchObject({ messages: [{ role: 'user', content: 'Say hello\nin one word' }] });
  }, 120_000);

  it('Ferry has a second computer serve its models, once its address is right', async () => {
    const token = /ferry-join-\S+$/.exec(oneLine(await studio.type('ferry nodes add 2>/dev/null')))?.[0];
    const join = `ferry node join ${String(token)} --name laptop --force-insecure --relay`;
    expect(await laptop.type(`${join} https://127.0.0.2:${port}`)).toMatchObject({
      code: 3,
      screen: expect.stringMatching(/\n {2}try: there is no TLS on that port, use http:\/\/$/),
    });
    expect(await laptop.type(`${join} ${overNetwork()}`)).toMatchObject({ code: 0 });

    node = laptop.another('node');
    await node.begin('ferry node run', /connected/i);
    const nodes = await eventually('the laptop serves', async () => {
      const { screen } = await studio.type('ferry nodes');
      return /^● laptop .*llama3\.2:3b/m.test(screen) && screen;
    });
    expect(nodes).toMatch(/^● \S+ .*gemma3:4b/m);
    expect(await studio.type('ferry chat -m llama --max-tokens 4 hi')).toMatchObject({ code: 0 });
    expect(laptopEngine.inferences).toHaveLength(1);
  }, 120_000);

  it('invites two people, who choose their passwords where nobody listens', async () => {
    expect(await studio.type('ferry users invite --role viewer')).toMatchObject({
      code: 2,
      screen: twoLines('--role cannot be "viewer"', 'one of owner, admin, member'),
    });
    for (const [person, name, role] of [
      [bob, 'bob', 'member'],
      [cleo, 'cleo', 'admin'],
    ] as const) {
      const invited = await studio.type(`ferry users invite --role ${role} 2>/dev/null`);
      const token = /ferry-inv-\S+$/.exec(oneLine(invited))?.[0];
      const accept = `ferry users accept ${String(token)} --email ${name}@example.com --base-url`;
      if (person === bob) {
        const refused = await bob.type(`${accept} ${overNetwork()}`);
        expect({ code: refused.code, screen: oneLine(refused) }).toEqual({
          code: 2,
          screen: expect.stringMatching(/^error: a password is not sent over plain http: .* try: ssh -N -L /),
        });
      }
      // Through the tunnel.
      await person.begin(`${accept} ${here()}`, /Password/);
      await person.respond(`long enough for ${name}`, /has no API key/);
      await person.press('Enter', /next: ferry chat/);
      expect((await person.ended()).code).toBe(0);
      expect(await person.type('ferry chat -m gemma --max-tokens 4 hi')).toMatchObject({ code: 0 });
    }
  }, 240_000);

  it('tells a member what only an admin may do, and who decides that', async () => {
    expect(await bob.type('ferry clusters create lab')).toMatchObject({
      code: 1,
      screen: twoLines(
        'This needs the role admin; yours is member\\.',
        'ask an owner of the account; ferry whoami shows your role',
      ),
    });
    expect(await cleo.type('ferry clusters create lab')).toMatchObject({ code: 0 });
  }, 120_000);

  it('leaves a removed person with nothing, and says so', async () => {
    expect(await cleo.type('ferry users remove bob@example.com --revoke-keys --yes')).toMatchObject({
      code: 0,
      screen: expect.stringContaining('Their API keys are revoked: chat-2.'),
    });
    const [commands, chat] = [await bob.type('ferry models'), await bob.type('ferry chat hi')];
    expect([commands.code, chat.code]).toEqual([4, 4]);
    expect(commands.lines[1]).toMatch(/^ {2}try: ferry login http/);
    expect(chat.screen).toMatch(/^ {2}try: /m);
    expect(await cleo.type('ferry chat -m gemma --max-tokens 4 hi')).toMatchObject({ code: 0 });
  }, 120_000);

  withSmallDisk(
    'says that a disk is full or a directory missing, and leaves no half of a backup',
    async () => {
      const mounted = 'mount -t tmpfs -o size=4k small small && ferry backup small/x; code=$?; ls small; exit $code';
      expect(await studio.type(`mkdir small; unshare -rm sh -c '${mounted}'`)).toMatchObject({
        code: 1,
        screen: twoLines('the disk( of \\S+)? is full', 'free some space.*'),
      });
      expect(await studio.type('ferry backup nowhere/x')).toMatchObject({
        code: 1,
        screen: twoLines('there is no directory \\S+/nowhere', 'make it with mkdir -p, or name another one'),
      });
    },
    120_000,
  );

  it('says what to do while the relay is stopped', async () => {
    expect(await studio.type('ferry down')).toMatchObject({ code: 0, screen: expect.stringContaining('has stopped') });
    expect(await studio.type('ferry down')).toMatchObject({
      code: 5,
      screen: expect.stringContaining('try: ferry up'),
    });
    for (const [person, address] of [
      [studio, here()],
      [laptop, overNetwork()],
    ] as const) {
      for (const words of ['chat hi', 'nodes']) {
        expect(await person.type(`ferry ${words}`)).toMatchObject({
          code: 3,
          screen: twoLines(
            `cannot reach the relay at ${address} \\(ECONNREFUSED\\)`,
            'is it running\\? ferry up starts one here; --base-url names another',
          ),
        });
      }
    }
    expect((await studio.type('ferry status')).lines[0]).toBe(`● The relay does not answer: ${here()}`);
  }, 120_000);

  it('goes on from a data directory that was moved, at its address, and its computers return', async () => {
    await studio.type('mv .local/share/ferry moved');
    const started = await studio.type('ferry up --detach --data-dir moved');
    expect(started).toMatchObject({ code: 0, screen: expect.stringContaining(`${here()}/v1`) });
    expect(started.screen).not.toContain('Only this computer can reach Ferry');
    await eventually('the laptop is back', async () => /^● laptop /m.test((await studio.type('ferry nodes')).screen));
    expect(await laptop.type('ferry chat -m gemma --max-tokens 4 hi')).toMatchObject({ code: 0 });
    expect(await studio.type('ferry down --data-dir moved')).toMatchObject({ code: 0 });
    await studio.type('mv moved .local/share/ferry');
  }, 240_000);

  it('says which computers a start for this one only strands', async () => {
    const alone = await studio.type('ferry up --detach --host 127.0.0.1');
    expect(alone).toMatchObject({ code: 0, screen: expect.stringContaining(`joined on port ${port}: laptop\n`) });
    expect(alone.screen).toContain(`  try: ferry up --host 0.0.0.0 --port ${port}`);
  }, 120_000);

  it('Ferry is removed from a computer, after showing what', async () => {
    expect(await laptop.type('ferry uninstall --data')).toMatchObject({
      code: 1,
      screen: expect.stringMatching(/^ {2}try: stop it first: Ctrl-C where it was started$/m),
    });
    await node.press('C-c', /exit 0$/m);
    await laptop.begin('ferry uninstall --data', /Remove this\? The data cannot be restored/);
    await laptop.press('Left', /● Yes/);
    await laptop.press('Enter', /^exit \d$/m);
    const { screen, code } = await laptop.ended();
    expect({ code, screen }).toEqual({ code: 0, screen: expect.stringContaining('Removed.') });
    expect(screen).toMatch(/^ {2}data +~\/\.local\/share\/ferry/m);
    expect((await laptop.type('ls .local/share .config')).screen).not.toContain('ferry');
  }, 120_000);
});

/** A value of more than a row. */
const oneLine = ({ lines }: Typed): string => lines.join('');
