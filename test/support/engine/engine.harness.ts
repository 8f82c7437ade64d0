/** OpenAI-compatible engines with scripted servers, cleaned up together. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  OpenAiCompatibleEngine,
  type OpenAiCompatibleOptions,
} from '../../../src/agent/engines/openai-compatible/openai-compatible-engine.js';
import { FakeEngine, type FakeEngineOptions } from './fake-engine.js';

type Handler = (request: IncomingMessage, response: ServerResponse, body: string) => void;

export class EngineHarness {
  private readonly cleanups: (() => Promise<unknown>)[] = [];

  engineAt(url: string, options: Partial<OpenAiCompatibleOptions> = {}): OpenAiCompatibleEngine {
    const engine = new OpenAiCompatibleEngine({
      name: 'test',
      baseUrl: new URL(url),
      apiKey: undefined,
      slots: 4,
      pollMs: 20,
      resident: null,
      routes: null,
      only: null,
      maxModels: 5_000,
      inputs: null,
      tools: null,
      contextTokens: null,
      displayNames: {},
      userAgent: 'ferry-node/test',
      onProblem: () => undefined,
      ...options,
    });
    this.cleanups.push(() => engine.stop());
    return engine;
  }

  /** A server that responds with exactly the bytes of the test. */
  async serve(result: Handler): Promise<string> {
    const server = createServer((request, response) => {
      let body = '';
      request.setEncoding('utf8').on('data', (chunk: string) => (body += chunk));
      request.on('end', () => result(request, response, body));
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    this.cleanups.push(async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    });
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  async fake(options: FakeEngineOptions = {}): Promise<FakeEngine> {
    const engine = await FakeEngine.start(options);
    let running = true;
    const stop = engine.stop.bind(engine);
    engine.stop = async () => {
      if (running) await stop();
      running = false;
    };
    this.cleanups.push(() => engine.stop());
    return engine;
  }

  async close(): Promise<void> {
    for (const cleanup of this.cleanups.splice(0).reverse()) await cleanup();
  }
}
