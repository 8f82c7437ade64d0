/** One answer of `POST /api/chat`: the session is the credential, no API key is in the browser. */
import { createParser } from 'eventsource-parser';
import { ApiProblem, problemOf } from '../../api/api-problem';
import type { ChatRequest } from './conversation';

export interface ChatStreamListener {
  /** The head is here. */
  started(requestId: string | null): void;
  text(chunk: string): void;
  reasoning(chunk: string): void;
  usage(outputTokens: number): void;
}

interface Chunk {
  readonly choices?: readonly {
    readonly delta?: { readonly content?: unknown; readonly reasoning_content?: unknown; readonly reasoning?: unknown };
  }[];
  readonly usage?: { readonly completion_tokens?: unknown } | null;
  readonly error?: unknown;
}

/** Resolves at the end of the response. @throws ApiProblem; DOMException `AbortError` after an abort */
export async function streamChat(
  request: ChatRequest,
  listener: ChatStreamListener,
  { signal, cluster }: { readonly signal: AbortSignal; readonly cluster: string | undefined },
): Promise<void> {
  const response = await post(request, signal, cluster);
  if (!response.ok || response.body === null) throw await ApiProblem.from(response);
  const requestId = response.headers.get('x-request-id');
  listener.started(requestId);
  const end: { failure?: ApiProblem | undefined; complete: boolean } = { complete: false };
  const parser = createParser({
    onEvent: ({ data }) => {
      if (data === '[DONE]') end.complete = true;
      else end.failure ??= readChunk(data, listener, requestId);
    },
  });
  const decoder = new TextDecoder();
  const reader = response.body.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      parser.feed(decoder.decode(value, { stream: true }));
    }
  } catch (error) {
    if (signal.aborted) throw error;
    throw new ApiProblem(0, 'network', 'The connection broke in the middle of the answer.', requestId, null, {
      cause: error,
    });
  }
  if (end.failure !== undefined) throw end.failure;
  if (!end.complete) throw new ApiProblem(0, 'incomplete', 'The answer ended too early.', requestId);
}

async function post(request: ChatRequest, signal: AbortSignal, cluster: string | undefined): Promise<Response> {
  try {
    return await fetch('/api/chat', {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(cluster !== undefined && { 'x-cluster-id': cluster }) },
      body: JSON.stringify(request),
      signal,
    });
  } catch (error) {
    if (signal.aborted) throw error;
    throw new ApiProblem(0, 'network', 'The relay cannot be reached.', null, null, { cause: error });
  }
}

/** @returns what the stream failed with */
function readChunk(data: string, listener: ChatStreamListener, requestId: string | null): ApiProblem | undefined {
  const chunk = parse(data);
  if (chunk === undefined) return undefined;
  if (chunk.error !== undefined) return problemOf(0, chunk, requestId);
  const delta = chunk.choices?.[0]?.delta;
  const reasoning = delta?.reasoning_content ?? delta?.reasoning;
  if (typeof reasoning === 'string' && reasoning !== '') listener.reasoning(reasoning);
  if (typeof delta?.content === 'string' && delta.content !== '') listener.text(delta.content);
  const tokens = chunk.usage?.completion_tokens;
  if (typeof tokens === 'number') listener.usage(tokens);
  return undefined;
}

function parse(data: string): Chunk | undefined {
  try {
    const chunk: unknown = JSON.parse(data);
    return typeof chunk === 'object' && chunk !== null ? chunk : undefined;
  } catch {
    return undefined;
  }
}
