/** A failed request, whatever failed: the relay's problem details (RFC 9457), or the network. */
export class ApiProblem extends Error {
  override readonly name = 'ApiProblem';

  /**
   * @param status of the response; 0 when none came
   * @param code the kind of problem for programs; `network` when no response came
   * @param requestId names the request in the relay's log
   * @param param the field, parameter or header at fault
   */
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly requestId: string | null = null,
    readonly param: string | null = null,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }

  static async from(response: Response): Promise<ApiProblem> {
    const requestId = response.headers.get('x-request-id');
    const body: unknown = await response.json().catch(() => null);
    return problemOf(response.status, body, requestId);
  }

  /** Anything that was thrown, as a problem that can be shown. */
  static of(thrown: unknown): ApiProblem {
    if (thrown instanceof ApiProblem) return thrown;
    const message = thrown instanceof Error ? thrown.message : String(thrown);
    return new ApiProblem(0, 'client_error', message, null, null, { cause: thrown });
  }
}

/** `/api` answers with problem details; `/v1` and the chat with OpenAI's `{ error: { message, code } }`. */
export function problemOf(status: number, body: unknown, requestId: string | null): ApiProblem {
  const whole = members(body);
  const inner = members(whole.error);
  const code = text(whole.code) ?? text(inner.code) ?? text(inner.type) ?? `http_${status}`;
  const message =
    text(whole.detail) ?? text(whole.title) ?? text(inner.message) ?? `The relay answered with ${status}.`;
  return new ApiProblem(
    status,
    code,
    message,
    text(whole.request_id) ?? text(inner.request_id) ?? requestId,
    text(whole.param) ?? text(inner.param) ?? null,
  );
}

const members = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};

const text = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);
