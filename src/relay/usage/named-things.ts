import type { UsageRow } from './usage-row.js';

export interface NamedThing {
  readonly account_id: string;
  readonly kind: 'key' | 'node' | 'cluster' | 'model';
  readonly id: string;
  /** null: read from the database. */
  readonly name: string | null;
}

/** The objects that rows refer to: each once, with the newest name of a model. */
export class NamedThings {
  /** Keyed by account and id. */
  private readonly accounts = new Map<string, Map<string, NamedThing>>();

  get all(): readonly NamedThing[] {
    return [...this.accounts.values()].flatMap((things) => [...things.values()]);
  }

  add({ account_id, key_id, node_id, cluster_id, model, model_name }: UsageRow): void {
    let things = this.accounts.get(account_id);
    if (things === undefined) this.accounts.set(account_id, (things = new Map<string, NamedThing>()));
    // Ids of different kinds differ by prefix.
    if (!things.has(key_id)) things.set(key_id, { account_id, kind: 'key', id: key_id, name: null });
    if (node_id !== null && !things.has(node_id)) {
      things.set(node_id, { account_id, kind: 'node', id: node_id, name: null });
    }
    if (cluster_id !== null && !things.has(cluster_id)) {
      things.set(cluster_id, { account_id, kind: 'cluster', id: cluster_id, name: null });
    }
    if (model !== null && things.get(model)?.name !== model_name) {
      things.set(model, { account_id, kind: 'model', id: model, name: model_name });
    }
  }
}
