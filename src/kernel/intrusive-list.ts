/**
 * A node of a circular doubly linked list; alone, it is linked with itself. One node is the sentinel, before the first and after the last.
 * The links are in the elements themselves, so that insertion and removal allocate nothing.
 */
export class IntrusiveListNode {
  previous: IntrusiveListNode = this;
  next: IntrusiveListNode = this;

  /** Appends to the list of this sentinel. @param link must not be in a list */
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
