/** Something the relay cannot do its work without. */
export interface ReadinessCheck {
  /** Its key in the body of `/readyz`. */
  readonly name: string;
  /** Rejects when it is not ready; the message is shown to whoever may ask, so it names no address and no secret. */
  check(): Promise<void>;
}

/** Features register their own checks; nobody edits the health controller for them. */
export class ReadinessRegistry {
  private readonly registered: ReadinessCheck[] = [];

  get checks(): readonly ReadinessCheck[] {
    return this.registered;
  }

  register(check: ReadinessCheck): void {
    this.registered.push(check);
  }
}
