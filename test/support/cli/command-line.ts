/** Runs the command line in this process, against a small HTTP server instead of the relay. */
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { createTerminal } from '../../../src/cli/core/output/terminal.js';
import { runCli } from '../../../src/cli/program.js';

type Handler = (request: IncomingMessage, response: ServerResponse, body: string) => void;

export interface ReceivedRequest {
  readonly route: string;
  readonly body: string;
  readonly authorization: string | undefined;
}

export interface CommandOutput {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export class CommandLine {
  readonly received: ReceivedRequest[] = [];
  readonly #handlers = new Map<string, Handler>();

  private constructor(
    readonly baseUrl: string,
    readonly directory: string,
    private readonly server: Server,
  ) {}

  static async start(): Promise<CommandLine> {
    const server = createServer((request, response) => {
      line.serve(request, response);
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const directory = await mkdtemp(path.join(os.tmpdir(), 'ferry-cli-'));
    const line = new CommandLine(
      `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`,
      directory,
      server,
    );
    return line;
  }

  /** @param route method and path, including the query */
  respond(route: string, body: unknown, status = 200): void {
    this.handle(route, (_request, response) => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    });
  }

  list(route: string, ...data: unknown[]): void {
    this.respond(route, { object: 'list', data, has_more: false, next_cursor: null });
  }

  handle(route: string, handler: Handler): void {
    this.#handlers.set(route, handler);
  }

  /** Signed in by the environment. @param words as on a shell's command line, without quotes */
  ferry(words: string, env: Record<string, string> = {}): Promise<CommandOutput> {
    return this.run(words.split(' '), { FERRY_BASE_URL: this.baseUrl, FERRY_TOKEN: 'ferry-cli-x', ...env });
  }

  /** Sees only the files of this test. @param tty a terminal of this width; without one, pipes */
  async run(
    argv: readonly string[],
    env: Record<string, string> = {},
    tty: { readonly columns?: number } = {},
  ): Promise<CommandOutput> {
    let [stdout, stderr] = ['', ''];
    const full = { FERRY_CONFIG_DIR: path.join(this.directory, 'config'), ...env };
    const terminal = createTerminal(
      { write: (text: string) => (stdout += text), isTTY: tty.columns !== undefined, columns: tty.columns },
      { write: (text: string) => (stderr += text), isTTY: tty.columns !== undefined },
      full,
    );
    const code = await runCli(argv, { terminal, env: full });
    return { code, stdout, stderr };
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
    await rm(this.directory, { recursive: true, force: true });
  }

  private serve(request: IncomingMessage, response: ServerResponse): void {
    const route = `${String(request.method)} ${String(request.url)}`;
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      this.received.push({ route, body, authorization: request.headers.authorization });
      const handler = this.#handlers.get(route);
      if (handler !== undefined) handler(request, response, body);
      else response.writeHead(404).end(JSON.stringify({ code: 'not_found', detail: `nothing at ${route}` }));
    });
  }
}
