import type { FieldPath } from '../../requirements.js';

/** Limit of the END message (docs/reference/link.md#messages). */
const MAX_FIELDS = 64;

/** Fields without an equivalent in chat. Only paths, because they are sent in a header, which must not contain text of a client. */
export class DroppedFields {
  private readonly paths = new Set<FieldPath>();

  add(path: FieldPath): void {
    if (this.paths.size < MAX_FIELDS) this.paths.add(path);
  }

  list(): readonly FieldPath[] {
    return [...this.paths];
  }
}
