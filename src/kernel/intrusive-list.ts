/**
 * A place in a ring: alone, it is linked with itself. One link stands for the ring, before its first and behind its last. The links are
 * in the things themselves, so that coming and going costs no memory, and a thing that has left keeps none of its neighbours.
 */
export class IntrusiveListNode {
  previous: IntrusiveListNode = this;
  next: IntrusiveListNode = this;

  /** Behind the last of this ring. @param link must be alone */
  append(link: IntrusiveListNode): void {
    link.previous = this.previous;
    link.next = this;
    this.previous.next = link;
    this.previous = link;
  }

  /** Idempotent. */
  unlink(): void {
    this.previous.next = this.next;
    this.next.previous = this.previous;
    this.previous = this;
    this.next = this;
  }
}
