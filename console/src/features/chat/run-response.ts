import { ApiProblem } from '../../api/api-problem';
import { announceSignedOut } from '../../api/client';
import { streamChat } from './chat-stream';
import type { ChatRequest, ResponseTurn } from './conversation';

/** Text is drawn so often: each time the Markdown of the whole response is read again. */
const DRAW_EVERY_MS = 60;

type Change = { -readonly [Field in keyof ResponseTurn]?: ResponseTurn[Field] };

interface ResponseRun {
  readonly request: ChatRequest;
  readonly cluster: string | undefined;
  readonly signal: AbortSignal;
  readonly update: (change: Change) => void;
}

/** Collects what arrives and reports it in steps. Never rejects. */
export async function runResponse({ request, cluster, signal, update }: ResponseRun): Promise<void> {
  const startedAt = performance.now();
  const passedMs = (): number => performance.now() - startedAt;
  let change: Change = {};
  let text = '';
  let reasoning = '';
  let firstTokenMs: number | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const draw = (): void => {
    clearTimeout(timer);
    timer = undefined;
    update(change);
    change = {};
  };
  const collect = (more: Change): void => {
    Object.assign(change, more);
    timer ??= setTimeout(draw, DRAW_EVERY_MS);
  };
  const begun = (): void => {
    if (firstTokenMs === null) collect({ firstTokenMs: (firstTokenMs = passedMs()) });
  };
  const listener = {
    started: (requestId: string | null) => collect({ requestId }),
    text: (chunk: string) => {
      begun();
      collect({ text: (text += chunk) });
    },
    reasoning: (chunk: string) => {
      begun();
      collect({ reasoning: (reasoning += chunk) });
    },
    usage: (outputTokens: number) => collect({ outputTokens }),
  };
  try {
    await streamChat(request, listener, { signal, cluster });
    collect({ state: 'done', totalMs: passedMs() });
  } catch (error) {
    if (signal.aborted) collect({ state: 'stopped', totalMs: passedMs() });
    else {
      const { status, code, message, requestId } = ApiProblem.of(error);
      collect({ state: 'failed', totalMs: passedMs(), problem: { status, code, message, requestId } });
      // Also inside a stream, whose status was 200.
      if (code === 'invalid_credential') announceSignedOut();
    }
  }
  draw();
}
