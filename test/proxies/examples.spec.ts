/** A client and a node reach a relay through each proxy of `deploy/`, with TLS, configured as its example is. */
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { connect, type IncomingHttpHeaders, type IncomingHttpStatusHeader } from 'node:http2';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type OpenAI from 'openai';
import { Agent, request } from 'undici';
import { cutTextOf, eventsOf } from '../support/client/event-stream.js';
import type { FakeEngine } from '../support/engine/fake-engine.js';
import { ProxiedRelay } from './support/proxied-relay.js';
import { proxyPrograms } from './support/proxy-programs.js';

const MIB = 1_048_576;
const BODY_LIMIT_BYTES = 16 * MIB;

const ask = (stream: boolean) => ({ model: 'fake', stream, messages: [{ role: 'user', content: 'hi' }] });

describe.each(Object.values(proxyPrograms))('$name', (program) => {
  let proxied: ProxiedRelay;
  let typical: FakeEngine['respond'];

  beforeAll(async () => {
    proxied = await ProxiedRelay.start(program);
    typical = proxied.engine.respond;
  }, 120_000);

  afterEach(() => {
    proxied.engine.respond = typical;
  });

  afterAll(async () => {
    // Undefined where it did not start.
    await (proxied as ProxiedRelay | undefined)?.stop();
  }, 60_000);

  const upload = (bytes: number): Promise<Response> => {
    const frame = JSON.stringify({ model: 'fake', messages: [{ role: 'user', content: '' }] });
    const body = frame.replace('""', `"${'x'.repeat(bytes - frame.length)}"`);
    return proxied.relay.fetch('/v1/chat/completions', { method: 'POST', body });
  };

  it('passes on each event when it comes', async () => {
    const { engine, relay } = proxied;
    const arrived = engine.nextCall();
    engine.respond = () => undefined;
    const response = relay.chat(ask(true));
    const call = await arrived;
    call.startStream();
    call.chunk({ role: 'assistant', content: 'one' });
    const events = eventsOf(await response);
    expect((await events.next()).value).toMatchObject({ text: expect.stringContaining('one') });
    call.chunk({ content: 'two' });
    expect((await events.next()).value).toMatchObject({ text: expect.stringContaining('two') });
    call.finish();
    const rest: string[] = [];
    for await (const { text } of events) rest.push(text);
    expect(rest.at(-1)).toBe('data: [DONE]');
  });

  it('passes on the words of a stream that has failed, and that it has no end where the proxy can', async () => {
    const { engine, relay } = proxied;
    engine.respond = (call) => {
      call.startStream();
      call.chunk({ role: 'assistant', content: 'one' });
      call.event({ error: { message: 'the engine broke' } });
      call.end();
    };
    const response = await relay.chat(ask(true));
    const text = program.endsBrokenAnswers === true ? await response.text() : await cutTextOf(response);
    expect(text).toMatch(/"one"[^]*the engine broke/);
    expect(text).not.toContain('[DONE]');
    // The link and the relay's other connections go on.
    engine.respond = typical;
    expect((await relay.chat(ask(false))).status).toBe(200);
  });

  it.each([
    ['a streamed answer', true],
    ['a whole answer', false],
  ])('tells the relay that a client left during %s', async (_name, stream) => {
    const { engine, relay } = proxied;
    const arrived = engine.nextCall();
    engine.respond = (call) => {
      if (!call.streaming) return;
      call.startStream();
      call.chunk({ role: 'assistant', content: 'one' });
    };
    const leaving = new AbortController();
    const response = relay.chat(ask(stream), { signal: leaving.signal });
    const call = await arrived;
    if (stream) await eventsOf(await response).next();
    leaving.abort();
    await response.catch(() => undefined);
    // Resolves when the node has cancelled the engine's request.
    await call.aborted;
  });

  it.each([15 * MIB, BODY_LIMIT_BYTES])('passes on an upload of %d bytes', async (bytes) => {
    const { engine } = proxied;
    engine.respond = (call) => call.completion(String(call.raw.byteLength));
    const response = await upload(bytes);
    expect(response.status).toBe(200);
    const { choices } = (await response.json()) as OpenAI.ChatCompletion;
    expect(Number(choices[0]?.message.content)).toBeGreaterThan(bytes - 1_000);
  });

  it('passes on the answer of the relay to an upload that is too large', async () => {
    const response = await upload(BODY_LIMIT_BYTES + 1);
    expect(response.status).toBe(413);
    expect(await response.json()).toMatchObject({ error: { type: 'invalid_request_error' } });
  });

  it('tells the relay the address of the client, whatever the client says of it', async () => {
    const ca = await readFile(proxied.node.env['FERRY_CA_FILE'] ?? '', 'utf8');
    // All of 127.0.0.0/8 is this computer: a client with another address than the proxy.
    const dispatcher = new Agent({ connect: { ca, family: 4 }, localAddress: '127.0.0.2' });
    const { body } = await request(`${proxied.relay.baseUrl}/api/device-login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-forwarded-for': '203.0.113.9' },
      body: '{}',
      dispatcher,
    });
    const { user_code: code } = (await body.json()) as { user_code: string };
    await dispatcher.close();
    const login = await proxied.relay.manage<{ client_address: string }>('GET', `/device-login/${code}`);
    expect(login.client_address).toBe('127.0.0.2');
  });

  it('serves clients with HTTP/2', async () => {
    const ca = await readFile(proxied.node.env['FERRY_CA_FILE'] ?? '', 'utf8');
    const session = connect(proxied.relay.baseUrl, { ca });
    const stream = session.request({
      ':method': 'POST',
      ':path': '/v1/chat/completions',
      authorization: `Bearer ${proxied.relay.apiKey}`,
      'content-type': 'application/json',
    });
    stream.end(JSON.stringify(ask(true)));
    const [headers] = (await once(stream, 'response')) as [IncomingHttpHeaders & IncomingHttpStatusHeader];
    expect(headers[':status']).toBe(200);
    let text = '';
    for await (const chunk of stream.setEncoding('utf8')) text += String(chunk);
    expect(text).toMatch(/data: \[DONE\]\n\n$/);
    session.close();
  });

  it('keeps browsers on https, and their session in a cookie for it', async () => {
    const { relay } = proxied;
    const page = await fetch(`${relay.baseUrl}/console/`);
    // Added by the relay, and not once more by the proxy.
    expect([page.status, page.headers.get('strict-transport-security')]).toEqual([200, 'max-age=31536000']);
    const { url } = await relay.manage<{ url: string }>('POST', '/local/console-link');
    expect(url).toMatch(new RegExp(`^${relay.baseUrl}/`));
    const entered = await fetch(`${relay.baseUrl}/api/sign-in/link`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: relay.baseUrl },
      body: JSON.stringify({ token: url.split('#')[1] }),
    });
    expect([entered.status, entered.headers.getSetCookie()]).toEqual([
      200,
      [expect.stringMatching(/^__Host-ferry_session=\S+; Path=\/; Max-Age=\d+; HttpOnly; SameSite=Lax; Secure$/)],
    ]);
  });

  it('$name has kept the link that the node opened first', () => {
    expect(proxied.nodeLinks).toBe(1);
  });
});
