/** The wrapper of every list under `/api`, the same as that of `GET /v1/models`. */
export interface ListResponse<Item> {
  readonly object: 'list';
  readonly data: readonly Item[];
}

export const listResponse = <Item>(data: readonly Item[]): ListResponse<Item> => ({ object: 'list', data });

/** Times are whole seconds since 1970, as in the inventory (docs/reference/public-api.md#model-record). */
export const unixSeconds = (date: Date): number => Math.floor(date.getTime() / 1_000);
export const unixSecondsOrNull = (date: Date | null): number | null => (date === null ? null : unixSeconds(date));
