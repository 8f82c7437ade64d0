/** Client of the relay's inference routes for `ferry chat`, with an API key like any application. */
import type { EventSourceMessage } from 'eventsource-parser';
import { readEvents } from '../../core/api/event-reader.js';
import type { InferenceAccess } from '../../core/api/inference-key.js';
import { unexpected } from '../../core/api/management-api.js';
import { REQUEST_TIMEOUT_MS, unreachable } from '../../core/api/unreachable.js';
import { didYouMean } from '../../core/args/pick-named.js';
import { CliError } from '../../core/errors/cli-error.js';
import { exitCodes, type ExitCode } from '../../core/errors/exit-codes.js';
import { pickModelId } from '../models/find-model.js';

export interface ChatMessage {
  readonly role: 'system' | 'user' | 'assistant';
  readonly content: string;
}

export interface ChatQuestion {
  readonly model: string;
  readonly messages: readonly ChatMessage[];
  readonly maxTokens: number | undefined;
  readonly clusterId: string | undefined;
}

interface ModelRecord {
  readonly id: string;
  readonly loaded?: boolean;
}

interface ErrorBody {
  readonly error?: { readonly message?: unknown; readonly code?: unknown };
  readonly request_id?: unknown;
}

interface ClientRequest extends RequestInit {
  readonly headers?: Readonly<Record<string, string>>;
}

export interface ChatStream {
  readonly requestId: string | null;
  readonly events: AsyncGenerator<EventSourceMessage>;
}

export class InferenceClient {
  /** By what was given instead. */
  private readonly wholeNames = new Map<string, string>();

  constructor(private readonly access: InferenceAccess) {}

  /** Lists the models of online nodes. @throws CliError as every method here */
  async models(): Promise<readonly ModelRecord[]> {
    const { baseUrl } = this.access;
    try {
      const response = await this.send('/v1/models', { signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS) });
      const { data } = (await response.json()) as { data?: readonly ModelRecord[] };
      if (data === undefined) throw unexpected(baseUrl);
      return data;
    } catch (error) {
      if (error instanceof CliError) throw error;
      throw error instanceof SyntaxError ? unexpected(baseUrl) : unreachable(baseUrl, error);
    }
  }

  async loadedModels(): Promise<readonly string[]> {
    return (await this.models()).filter(({ loaded }) => loaded === true).map(({ id }) => id);
  }

  /** A name that the relay does not know may be a part of one, or another one in other letters. */
  async chat(question: ChatQuestion, signal: AbortSignal): Promise<ChatStream> {
    const model = this.wholeNames.get(question.model) ?? question.model;
    try {
      return await this.ask({ ...question, model }, signal);
    } catch (error) {
      if (!(error instanceof CliError) || error.code !== 'model_not_found') throw error;
      const whole = await this.wholeName(model, error);
      const stream = await this.ask({ ...question, model: whole }, signal);
      this.wholeNames.set(model, whole);
      return stream;
    }
  }

  private async wholeName(given: string, refusal: CliError): Promise<string> {
    // Without the list, the refusal is all there is to say.
    const ids = await this.models().then(
      (models) => models.map(({ id }) => id),
      () => [],
    );
    const whole = pickModelId(ids, given);
    if (whole !== undefined && whole !== given) return whole;
    const { code, exitCode, message, requestId } = refusal;
    throw new CliError(code, exitCode, message, {
      hint: didYouMean(given, ids) ?? refusal.hint,
      requestId,
      cause: refusal,
    });
  }

  private async ask({ model, messages, maxTokens, clusterId }: ChatQuestion, signal: AbortSignal): Promise<ChatStream> {
    const response = await this.send('/v1/chat/completions', {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(clusterId === undefined ? {} : { 'x-cluster-id': clusterId }),
      },
      body: JSON.stringify({
        model,
        messages,
        stream: true,
        stream_options: { include_usage: true },
        ...(maxTokens === undefined ? {} : { max_tokens: maxTokens }),
      }),
      signal,
    });
    const requestId = response.headers.get('x-request-id');
    if (response.body === null) throw this.broken(requestId);
    return { requestId, events: readEvents(response.body, { signals: [signal] }) };
  }

  /** The response ended before it was complete. */
  broken(requestId: string | null, cause?: unknown): CliError {
    return new CliError('stream_ended_early', exitCodes.failure, 'the answer broke off', {
      hint: 'ask again; ferry explain --last 1 says what happened',
      requestId: requestId ?? undefined,
      cause,
    });
  }

  private async send(path: string, init: ClientRequest): Promise<Response> {
    const { baseUrl, apiKey } = this.access;
    let response: Response;
    try {
      // A redirect could carry the key to another server.
      response = await fetch(`${baseUrl}${path}`, {
        redirect: 'error',
        ...init,
        headers: { ...init.headers, authorization: `Bearer ${apiKey}` },
      });
    } catch (error) {
      if (init.signal?.aborted === true) throw error;
      throw unreachable(baseUrl, error);
    }
    if (!response.ok) throw await failureOf(response, baseUrl);
    return response;
  }
}

async function failureOf(response: Response, baseUrl: string): Promise<CliError> {
  const text = await response.text();
  const { error, request_id: requestId } = parse(text);
  const reason = response.headers.get('x-ferry-reason');
  if (reason !== null) {
    return new CliError('no_node_for_user', exitCodes.noEligibleNode, noNode(reason), {
      hint: 'ferry models shows what is loaded, ferry nodes what is online; ferry models load MODEL',
      requestId: response.headers.get('x-request-id') ?? undefined,
    });
  }
  const plain = text.length <= 200 && !text.startsWith('<') ? text.trim() : '';
  const message =
    typeof error?.message === 'string'
      ? error.message
      : response.status === 401
        ? `the relay at ${baseUrl} does not accept this API key`
        : plain || `the relay at ${baseUrl} answered ${String(response.status)}`;
  const code = typeof error?.code === 'string' ? error.code : plain || `http_${String(response.status)}`;
  return new CliError(code, exitCodeOf(response), message, {
    hint: hintOf(response.status),
    requestId: typeof requestId === 'string' ? requestId : (response.headers.get('x-request-id') ?? undefined),
  });
}

/** @param reason see `NoNodeReason` of the relay; a newer relay may know more */
function noNode(reason: string): string {
  switch (reason) {
    case 'no_node_online':
      return 'no node that has the model is online';
    case 'model_not_loaded':
      return 'the model is not loaded on any node';
    case 'model_loading':
      return 'the model is being loaded; ask again when it is';
    case 'engine_unreachable':
      return 'the engine that has the model does not answer';
    case 'cluster_offline':
      return 'no node of the cluster is online';
    default:
      return `no node can answer now: ${reason.replaceAll('_', ' ')}`;
  }
}

function exitCodeOf({ status }: Response): ExitCode {
  if (status === 401) return exitCodes.notSignedIn;
  if (status === 404) return exitCodes.notFound;
  return status === 503 ? exitCodes.noEligibleNode : exitCodes.failure;
}

function hintOf(status: number): string | undefined {
  switch (status) {
    case 401:
      return 'another one with --key or FERRY_API_KEY; ferry keys create NAME --save makes one';
    case 404:
      return 'ferry models list';
    case 503:
      return 'ferry models list shows what is loaded; ferry models load MODEL';
    default:
      return undefined;
  }
}

function parse(text: string): ErrorBody {
  try {
    return JSON.parse(text) as ErrorBody;
  } catch {
    return {};
  }
}
