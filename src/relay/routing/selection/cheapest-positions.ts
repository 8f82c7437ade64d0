/** The cheapest few positions of one decision, in the order of their costs; equal costs in the order in which they came. */
export class CheapestPositions {
  private readonly positions: Uint32Array;
  private readonly costs: Float64Array;
  private count = 0;

  constructor(limit: number) {
    this.positions = new Uint32Array(limit);
    this.costs = new Float64Array(limit);
  }

  get size(): number {
    return this.count;
  }

  /** The cheapest first. */
  at(rank: number): number {
    return this.positions[rank] ?? 0;
  }

  clear(): void {
    this.count = 0;
  }

  add(position: number, cost: number): void {
    const { positions, costs } = this;
    let rank = this.count;
    if (rank < costs.length) this.count += 1;
    else if (cost >= (costs[rank - 1] ?? Infinity)) return;
    else rank -= 1;
    for (; rank > 0 && (costs[rank - 1] ?? -Infinity) > cost; rank -= 1) {
      costs[rank] = costs[rank - 1] ?? 0;
      positions[rank] = positions[rank - 1] ?? 0;
    }
    costs[rank] = cost;
    positions[rank] = position;
  }
}
