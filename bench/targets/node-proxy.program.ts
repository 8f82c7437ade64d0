/** The minimal proxy in Node: an `http` server, an `http` client, and pipes between them. */
import { Agent, createServer, request } from 'node:http';

const engine = new URL(process.env['BENCH_ENGINE'] ?? '');
const agent = new Agent({ keepAlive: true, maxSockets: Infinity });

createServer({ keepAliveTimeout: 300_000 }, (incoming, outgoing) => {
  const upstream = request(
    {
      host: engine.hostname,
      port: engine.port,
      path: incoming.url,
      method: incoming.method,
      headers: incoming.headers,
      agent,
    },
    (response) => {
      outgoing.writeHead(response.statusCode ?? 502, response.headers);
      // A whole response follows its headers at once, and both leave in one write.
      if (response.headers['content-length'] === undefined) outgoing.flushHeaders();
      response.pipe(outgoing);
    },
  );
  upstream.on('error', () => outgoing.destroy());
  outgoing.on('close', () => upstream.destroy());
  incoming.pipe(upstream);
}).listen(Number(process.env['BENCH_PORT']), '127.0.0.1');
process.on('disconnect', () => process.exit(0));
