/** The token behind the `#` of a link: never sent to a server with the address, and never in its log. */
export const fragmentToken = (): string => globalThis.location.hash.slice(1);

/** Takes the token out of the address, so that neither the history nor somebody who looks on has it. */
export function takeFragmentToken(): string {
  const token = fragmentToken();
  if (token !== '') {
    const { pathname, search } = globalThis.location;
    globalThis.history.replaceState(globalThis.history.state, '', pathname + search);
  }
  return token;
}
