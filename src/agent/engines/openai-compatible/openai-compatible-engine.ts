import type { Observable } from 'rxjs';
import type { InputKind } from '../../../kernel/dialect.js';
import type { EngineFact } from '../../../link/messages.js';
import {
  EngineFailure,
  type Engine,
  type EngineAnswer,
  type EngineCall,
  type EngineModel,
  type EngineRoute,
} from '../engine.js';
import { EngineHttp } from './engine-http.js';
import { NotJsonObjectError } from '../../../kernel/json-members.js';
import { ModelWatch } from './model-watch.js';
import { readAnswer } from './read-answer.js';
import { rewriteRequestBody } from './request-body.js';

export interface OpenAiCompatibleOptions {
  /** Unique on this node. */
  readonly name: string;
  /** With or without `/v1`. */
  readonly baseUrl: URL;
  readonly apiKey: string | undefined;
  readonly slots: number;
  readonly pollMs: number;
  readonly resident: 'all' | readonly string[] | null;
  /** null: as far as the engine is recognised. */
  readonly routes: readonly EngineRoute[] | null;
  readonly inputs: readonly InputKind[] | null;
  readonly tools: boolean | null;
  readonly contextTokens: number | null;
  readonly displayNames: Readonly<Record<string, string>>;
  readonly userAgent: string;
  /** Why there are no models, once per change; null when there is a list again. */
  readonly onProblem: (problem: string | null) => void;
}

const paths: Record<EngineRoute, string> = { chat: '/v1/chat/completions', completions: '/v1/completions' };

/** Any server that speaks `GET /v1/models` and `POST /v1/chat/completions`; with `POST /v1/completions` where it has that, too. */
export class OpenAiCompatibleEngine implements Engine {
  readonly kind = 'openai-compatible';
  readonly name: string;
  readonly slots: number;
  private readonly http: EngineHttp;
  private readonly watch: ModelWatch;
  private running = 0;

  constructor(options: OpenAiCompatibleOptions) {
    this.name = options.name;
    this.slots = options.slots;
    this.http = new EngineHttp(options);
    this.watch = new ModelWatch({
      http: this.http,
      pollMs: options.pollMs,
      resident: options.resident,
      routes: options.routes,
      describe: options,
      busy: () => this.running > 0,
      onProblem: options.onProblem,
    });
  }

  get models$(): Observable<readonly EngineModel[]> {
    return this.watch.models$;
  }

  facts(): EngineFact {
    const { kind, version } = this.watch.fingerprint;
    return { name: this.name, kind, version };
  }

  start(): Promise<void> {
    return this.watch.start();
  }

  async stop(): Promise<void> {
    this.watch.stop();
    await this.http.close();
  }

  async run({ route, engineModel, body, stream, signal }: EngineCall): Promise<EngineAnswer> {
    const rewritten = asEngineBody(body, engineModel, stream);
    const finished = this.begin();
    try {
      const accept = stream ? 'text/event-stream' : 'application/json';
      const reply = await this.http.post(paths[route], rewritten, accept, signal);
      const answer = await readAnswer(reply, stream, signal, finished);
      if (answer.kind === 'whole') finished();
      return answer;
    } catch (error) {
      finished();
      // A poll would find out in seconds; until then the relay would send more requests here.
      if (error instanceof EngineFailure && error.failure.code === 'engine_error') this.watch.lookNow();
      throw error;
    }
  }

  private begin(): () => void {
    this.running += 1;
    let over = false;
    return () => {
      if (!over) this.running -= 1;
      over = true;
    };
  }
}

function asEngineBody(body: Buffer, model: string, stream: boolean): readonly Buffer[] {
  try {
    return rewriteRequestBody(body, { model, stream });
  } catch (error) {
    if (!(error instanceof NotJsonObjectError)) throw error;
    throw new EngineFailure(
      { code: 'invalid_request', status: 400, message: error.message, param: null, retry_after_seconds: null },
      { cause: error },
    );
  }
}
