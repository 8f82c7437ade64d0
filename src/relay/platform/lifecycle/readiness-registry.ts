export type Readiness =
  | { readonly status: 'up' }
  /** What the relay is for goes on; the message says what does not. */
  | { readonly status: 'degraded' | 'down'; readonly message: string };

/** Something the relay cannot do its work without. */
export interface ReadinessCheck {
  /** Its key in the body of `/readyz`. */
  readonly name: string;
  /** Never rejects. The message is shown to whoever may ask, so it names no address and no secret. */
  check(): Promise<Readiness>;
}

/** Features register their own checks; nobody edits the health controller for them. */
export class ReadinessRegistry {
  private readonly registered: ReadinessCheck[] = [];
  private readonly standIns = new Map<string, () => boolean>();

  get checks(): readonly ReadinessCheck[] {
    return this.registered;
  }

  register(check: ReadinessCheck): void {
    this.registered.push(check);
  }

  /** @param works whether requests are still served while what the check of this name is about is down */
  registerStandIn(name: string, works: () => boolean): void {
    this.standIns.set(name, works);
  }

  hasStandIn(name: string): boolean {
    return this.standIns.get(name)?.() ?? false;
  }
}
