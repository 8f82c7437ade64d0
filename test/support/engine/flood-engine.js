/**
 * An engine that costs the test's own process nothing, since it measures other streams meanwhile: `flood-engine.js BYTES_PER_SECOND`.
 * A prompt that says "flood" is answered with an endless stream at that rate, one HTTP chunk for each small event, as far as the
 * connection takes it; any other with twenty events in two hundred milliseconds. Prints its port.
 */
import { createServer } from 'node:http';

const TURN_MS = 10;
const CONTENT = 'x'.repeat(64);
const PACED_EVENTS = 20;

const bytesPerSecond = Number(process.argv[2]);

const eventOf = (delta, finishReason = null) =>
  `data: ${JSON.stringify({
    id: 'chatcmpl-flood',
    object: 'chat.completion.chunk',
    created: 1,
    model: 'flood',
    choices: [{ index: 0, delta, finish_reason: finishReason }],
  })}\n\n`;

const asChunk = (text) => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`;

/** What a stream writes in one turn, made once for all of them. */
const FLOOD_CHUNK = asChunk(eventOf({ content: CONTENT }));
const FLOOD = Buffer.from(FLOOD_CHUNK.repeat(Math.ceil((bytesPerSecond * TURN_MS) / 1_000 / FLOOD_CHUNK.length)));

const flooded = new Set();
setInterval(() => {
  for (const socket of flooded) if (!socket.writableNeedDrain) socket.write(FLOOD);
}, TURN_MS);

function flood(outgoing) {
  outgoing.writeHead(200, { 'content-type': 'text/event-stream', 'transfer-encoding': 'chunked' });
  outgoing.flushHeaders();
  flooded.add(outgoing.socket);
  outgoing.on('close', () => flooded.delete(outgoing.socket));
}

function paced(outgoing) {
  outgoing.writeHead(200, { 'content-type': 'text/event-stream' });
  let sent = 0;
  const timer = setInterval(() => {
    outgoing.write(eventOf({ content: CONTENT }));
    sent += 1;
    if (sent < PACED_EVENTS) return;
    clearInterval(timer);
    outgoing.end(`${eventOf({}, 'stop')}data: [DONE]\n\n`);
  }, TURN_MS);
}

const models = JSON.stringify({
  object: 'list',
  data: [{ id: 'flood', object: 'model', created: 1, owned_by: 'test' }],
});

const server = createServer(async (incoming, outgoing) => {
  let body = '';
  for await (const chunk of incoming) body += chunk;
  if (incoming.method === 'POST') (body.includes('"flood') && body.includes('flood please') ? flood : paced)(outgoing);
  else {
    const known = incoming.url.endsWith('/models');
    outgoing.writeHead(known ? 200 : 404, { 'content-type': 'application/json' }).end(known ? models : '{}');
  }
});
server.listen(0, '127.0.0.1', () => console.log(server.address().port));
