export type Readiness =
  | { readonly status: 'up' }
  /** Requests are served; the message names what does not work. */
  | { readonly status: 'degraded' | 'down'; readonly message: string };

/** A dependency of the relay. */
export interface ReadinessCheck {
  /** The key in the body of `/readyz`. */
  readonly name: string;
  /** Never rejects. The message is public: no addresses and no secrets. */
  check(): Promise<Readiness>;
}

/** Features register their own checks, so that the health controller need not know them. */
export class ReadinessRegistry {
  private readonly registered: ReadinessCheck[] = [];
  private readonly fallbacks = new Map<string, () => boolean>();

  get checks(): readonly ReadinessCheck[] {
    return this.registered;
  }

  register(check: ReadinessCheck): void {
    this.registered.push(check);
  }

  /** @param works whether requests are still served while the dependency of this check is down */
  registerFallback(name: string, works: () => boolean): void {
    this.fallbacks.set(name, works);
  }

  hasWorkingFallback(name: string): boolean {
    return this.fallbacks.get(name)?.() ?? false;
  }
}
