/**
 * mlx-lm's server as recorded (0.32.2): lists the Hugging Face cache and the folder of `--model`, which it has in memory from its start; loads
 * whatever a request names, by the words that name it; answers 404 to every failure; tells its progress through the prompt in comments; loses its
 * only thread to a prompt that is no text, and fails from then on.
 */
import { respondToChat } from './chat-responses.js';
import { FakeServer, type FakeRequest, type FakeRoute } from './fake-server.js';

export const MLX_FOLDER = '/models/tiny-hf';

export interface MlxLmOptions {
  /** Repositories in the Hugging Face cache; null without such a folder, which makes it answer with an empty list of zero bytes. */
  readonly cached?: readonly string[] | null;
}

export class MlxLm {
  /** What requests made it load. With a correct adapter nothing. */
  readonly loads: string[] = [];
  /** The words that named each requested model. */
  readonly asked: unknown[] = [];
  died = false;
  /** The next request fails so. */
  failure: string | undefined;
  cached: readonly string[] | null;
  /** As it was given on the command line; the list has the absolute path. */
  private resident = './tiny-hf';

  private constructor(
    readonly server: FakeServer,
    { cached = [] }: MlxLmOptions,
  ) {
    this.cached = cached;
    server.on(
      'GET /v1/models',
      signed((request) => this.list(request)),
    );
    server.on(
      'GET /health',
      signed((request) =>
        this.died ? request.json(503, { status: 'unavailable' }) : request.json(200, { status: 'ok' }),
      ),
    );
    for (const route of ['chat/completions', 'completions'])
      server.on(
        `POST /v1/${route}`,
        signed((request) => this.respond(request)),
      );
  }

  static async start(options: MlxLmOptions = {}): Promise<MlxLm> {
    const notFound = signed(({ response }) => void response.writeHead(404).end('Not Found'));
    return new MlxLm(await FakeServer.start(notFound), options);
  }

  private list(request: FakeRequest): void {
    // It has sent the head by the time it looks for the folder.
    if (this.cached === null) request.response.writeHead(200, { 'content-type': 'application/json' }).end();
    else {
      const data = [...this.cached, MLX_FOLDER].map((id) => ({ id, object: 'model', created: 1_795_758_131 }));
      request.json(200, { object: 'list', data });
    }
  }

  private async respond(request: FakeRequest): Promise<void> {
    const named = request.body['model'];
    this.asked.push(named);
    const { prompt } = request.body;
    if (prompt !== undefined && typeof prompt !== 'string') this.died = true;
    if (this.died) this.failure = 'generation thread died';
    if (this.failure !== undefined) {
      request.json(404, { error: this.failure });
      this.failure = undefined;
      return;
    }
    const wanted = typeof named !== 'string' || named === 'default_model' ? './tiny-hf' : named;
    if (wanted !== this.resident) this.loads.push(wanted);
    this.resident = wanted;
    await respondToChat(request, { roleOnEveryDelta: true, comments: ['keepalive 8/9', 'keepalive 9/9'] });
  }
}

const signed =
  (response: FakeRoute): FakeRoute =>
  (request) => {
    request.response.setHeader('server', 'BaseHTTP/0.6 Python/3.11.7');
    return response(request);
  };
