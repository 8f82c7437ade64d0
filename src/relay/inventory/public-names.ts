/**
 * What each model of an account is called in public (docs/reference/inventory.md#public-ids): its display name where no other known model
 * has it, else its selector. Known means on any enrolled node, online or not, so that ids do not change when a computer is switched off.
 */
import { isModelSelector, type ModelSelector } from '../../kernel/ids.js';

export interface PublicName {
  readonly id: string;
  readonly displayName: string;
}

export interface PublicNames {
  readonly bySelector: ReadonlyMap<ModelSelector, PublicName>;
  /** Which models carry a display name. More than one: the name alone is ambiguous. */
  readonly claims: ReadonlyMap<string, readonly ModelSelector[]>;
}

/** @param known every known model with the display names that its nodes give it; nodes may differ. */
export function publicNames(known: Iterable<readonly [ModelSelector, Iterable<string>]>): PublicNames {
  const claims = new Map<string, ModelSelector[]>();
  const chosen = new Map<ModelSelector, string>();
  for (const [selector, names] of known) {
    for (const name of new Set(names)) {
      const claimants = claims.get(name);
      if (claimants === undefined) claims.set(name, [selector]);
      else claimants.push(selector);
      // Of several names the smallest, because it does not depend on which node connected first.
      const current = chosen.get(selector);
      if (current === undefined || name < current) chosen.set(selector, name);
    }
  }
  for (const claimants of claims.values()) claimants.sort();

  const bySelector = new Map<ModelSelector, PublicName>();
  for (const [selector, displayName] of chosen) {
    // A name that looks like a selector could pose as another model's.
    const usable = claims.get(displayName)?.length === 1 && !isModelSelector(displayName);
    bySelector.set(selector, { id: usable ? displayName : selector, displayName });
  }
  return { bySelector, claims };
}
