import { stripUnprintable } from '../../../kernel/printable.js';
import type { ManagementApi } from '../../core/api/management-api.js';
import type { Schemas } from '../../core/api/management-api.types.js';
import { loggedOf } from '../explain/explain-request.js';
import { renderExplanation } from '../explain/render-explanation.js';

/** What `ferry explain` shows, or why it cannot. */
export async function explanationLines(
  api: ManagementApi,
  id: string,
  shown: { readonly colors: boolean; readonly columns: number },
): Promise<readonly string[]> {
  try {
    const request = await api.get<Schemas['ExplainedRequest']>(`/api/requests/${encodeURIComponent(id)}`);
    const text = renderExplanation(request, await loggedOf(api, request), { wide: false, ...shown });
    return [...text.split('\n'), '', 'any key: back'];
  } catch (error) {
    return [stripUnprintable(error instanceof Error ? error.message : String(error)), '', 'any key: back'];
  }
}
