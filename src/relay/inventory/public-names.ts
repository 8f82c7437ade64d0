/**
 * Public ids of an account's models (docs/reference/inventory.md#public-ids): the display name if it is unique among the models of all
 * enrolled nodes, else the selector. Offline nodes count, so that ids do not change when a computer is switched off.
 */
import { isModelSelector, type ModelSelector } from '../../kernel/ids.js';

export interface PublicName {
  readonly id: string;
  readonly displayName: string;
}

export interface PublicNames {
  readonly bySelector: ReadonlyMap<ModelSelector, PublicName>;
  /** Models by display name; with more than one the name is ambiguous. */
  readonly claims: ReadonlyMap<string, readonly ModelSelector[]>;
  /** Display names by their lower-case form. */
  readonly byFoldedName: ReadonlyMap<string, readonly string[]>;
}

/** @param known every known model with its display names, which may differ between nodes */
export function publicNames(known: Iterable<readonly [ModelSelector, Iterable<string>]>): PublicNames {
  const claims = new Map<string, ModelSelector[]>();
  const chosen = new Map<ModelSelector, string>();
  for (const [selector, names] of known) {
    for (const name of new Set(names)) {
      const claimants = claims.get(name);
      if (claimants === undefined) claims.set(name, [selector]);
      else claimants.push(selector);
      // The smallest name, independent of the order of connections.
      const current = chosen.get(selector);
      if (current === undefined || name < current) chosen.set(selector, name);
    }
  }
  for (const claimants of claims.values()) claimants.sort();

  const bySelector = new Map<ModelSelector, PublicName>();
  for (const [selector, displayName] of chosen) {
    // A name in the form of a selector could impersonate another model.
    const usable = claims.get(displayName)?.length === 1 && !isModelSelector(displayName);
    bySelector.set(selector, { id: usable ? displayName : selector, displayName });
  }
  const byFoldedName = new Map<string, string[]>();
  for (const name of claims.keys()) {
    const alike = byFoldedName.get(name.toLowerCase());
    if (alike === undefined) byFoldedName.set(name.toLowerCase(), [name]);
    else alike.push(name);
  }
  return { bySelector, claims, byFoldedName };
}
