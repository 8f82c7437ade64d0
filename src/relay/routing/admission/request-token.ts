/**
 * Identifies a running request, a hedge, or a request of another replica in tables. A number, because the first hash of an object is a call
 * into C++, and because a resized table may outlive what it refers to.
 */
export type RequestToken = number;

let latest = 0;

/** Unique among all that run: the next turn comes after four billion requests. */
export const nextToken = (): RequestToken => (latest = (latest + 1) | 0);
