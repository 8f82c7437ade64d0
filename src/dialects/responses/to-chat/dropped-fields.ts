import type { FieldPath } from '../../requirements.js';

/** What the link carries (docs/reference/link.md#messages, END), and more than anyone reads. */
const MAX_FIELDS = 64;

/** Fields of a request that chat has no words for. Paths only: they end up in a header, where no text of a client belongs. */
export class DroppedFields {
  private readonly paths = new Set<FieldPath>();

  add(path: FieldPath): void {
    if (this.paths.size < MAX_FIELDS) this.paths.add(path);
  }

  list(): readonly FieldPath[] {
    return [...this.paths];
  }
}
