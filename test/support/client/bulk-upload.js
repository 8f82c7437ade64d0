/**
 * Big uploads that cost the test's own process nothing, since it measures other streams meanwhile. Two programs:
 * `engine` takes a body of any size, throws it away and answers; `client URL KEY BYTES` uploads once per line on stdin and
 * prints when it began and ended, in microseconds of the clock that all processes share.
 */
import { createServer, request } from 'node:http';
import { createInterface } from 'node:readline';

const micros = () => Number(process.hrtime.bigint() / 1_000n);

function engine() {
  const models = JSON.stringify({
    object: 'list',
    data: [{ id: 'bulk', object: 'model', created: 1, owned_by: 'test' }],
  });
  const response = JSON.stringify({
    id: 'chatcmpl-bulk',
    object: 'chat.completion',
    created: 1,
    model: 'bulk',
    choices: [{ index: 0, message: { role: 'assistant', content: 'taken' }, finish_reason: 'stop' }],
  });
  const server = createServer((incoming, outgoing) => {
    incoming.resume().on('end', () => {
      const known = incoming.method === 'POST' || incoming.url.endsWith('/models');
      outgoing.writeHead(known ? 200 : 404, { 'content-type': 'application/json' });
      outgoing.end(incoming.method === 'POST' ? response : known ? models : '{}');
    });
  });
  server.listen(0, '127.0.0.1', () => console.log(server.address().port));
}

function client(url, key, bytes) {
  const head = '{"model":"bulk","messages":[{"role":"user","content":"';
  const tail = '"}]}';
  const body = Buffer.from(head + 'a'.repeat(Number(bytes) - head.length - tail.length) + tail);
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json', 'content-length': body.length };
  createInterface({ input: process.stdin }).on('line', () => {
    const from = micros();
    const sender = request(`${url}/v1/chat/completions`, { method: 'POST', headers }, (response) => {
      response
        .resume()
        .on('end', () => console.log(JSON.stringify({ from, to: micros(), status: response.statusCode })));
    });
    sender.on('error', (error) => console.log(JSON.stringify({ from, to: micros(), status: error.message })));
    sender.end(body);
  });
}

const [program, ...args] = process.argv.slice(2);
if (program === 'engine') engine();
else client(...args);
