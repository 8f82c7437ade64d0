/** Requests at the engines of one node. Most nodes have one engine, whose count is then read without another look-up. */
export class NodeLoad {
  private count = 0;
  private others: Map<string, number> | null = null;

  constructor(private readonly engine: string) {}

  get isEmpty(): boolean {
    return this.count === 0 && (this.others === null || this.others.size === 0);
  }

  at(engine: string): number {
    return engine === this.engine ? this.count : (this.others?.get(engine) ?? 0);
  }

  change(engine: string, by: number): void {
    if (engine === this.engine) {
      this.count += by;
      return;
    }
    const count = this.at(engine) + by;
    this.others ??= new Map();
    if (count === 0) this.others.delete(engine);
    else this.others.set(engine, count);
  }
}
