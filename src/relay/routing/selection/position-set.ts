/** A set of the numbers below a limit, from which members are drawn at random; every operation costs the same, whatever its size. */
export class PositionSet {
  /** The members first, in any order. */
  private readonly dense: Uint32Array;
  /** Where each number is in `dense`. */
  private readonly indexOf: Uint32Array;
  private members: number;

  /** Has all numbers. */
  constructor(limit: number) {
    this.dense = Uint32Array.from({ length: limit }, (_, position) => position);
    this.indexOf = this.dense.slice();
    this.members = limit;
  }

  get size(): number {
    return this.members;
  }

  has(position: number): boolean {
    return (this.indexOf[position] ?? Infinity) < this.members;
  }

  add(position: number): void {
    const index = this.indexOf[position];
    if (index === undefined || index < this.members) return;
    this.swap(index, this.members);
    this.members += 1;
  }

  delete(position: number): void {
    const index = this.indexOf[position] ?? Infinity;
    if (index >= this.members) return;
    this.members -= 1;
    this.swap(index, this.members);
  }

  addAll(): void {
    this.members = this.dense.length;
  }

  /**
   * A member that was not drawn before: the first `drawn` members are those that were.
   * @param random 0 ≤ random < 1
   */
  draw(drawn: number, random: number): number | undefined {
    if (drawn >= this.members) return undefined;
    this.swap(drawn, drawn + Math.floor(random * (this.members - drawn)));
    return this.dense[drawn];
  }

  private swap(one: number, other: number): void {
    const a = this.dense[one] ?? 0;
    const b = this.dense[other] ?? 0;
    this.dense[one] = b;
    this.dense[other] = a;
    this.indexOf[b] = one;
    this.indexOf[a] = other;
  }
}
