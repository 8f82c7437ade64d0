/** Ids of tool calls that Anthropic's API accepts. */
const CALL_ID = /^[A-Za-z0-9_-]{1,64}$/;

/** Ids of the tool calls of one response: the engine's if unique, else new ones. */
export class CallIds {
  private readonly given = new Set<string>();

  constructor(private readonly newCallId: () => string) {}

  idFor(engineId: string): string {
    const id = CALL_ID.test(engineId) && !this.given.has(engineId) ? engineId : this.newCallId();
    this.given.add(id);
    return id;
  }
}
