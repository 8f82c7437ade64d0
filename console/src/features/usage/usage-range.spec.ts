import { describe, expect, it } from '@jest/globals';
import { seriesRequestOf } from './usage-range';

describe('what the usage page asks for', () => {
  it.each([
    [{}, { range: { since: '6d', bucket: 'day' }, by: 'model' }],
    [
      { range: '24h', by: 'key', cluster: 'cl_1' },
      { range: { since: '23h', bucket: 'hour' }, by: 'key', cluster: 'cl_1' },
    ],
    [
      { range: '30d', by: 'none' },
      { range: { since: '29d', bucket: 'day' }, by: 'none' },
    ],
    [
      { range: 'soon', by: 'colour' },
      { range: { since: '6d', bucket: 'day' }, by: 'model' },
    ],
    [
      { range: 'custom', from: '2026-11-02', to: '2026-11-01' },
      { range: { since: '6d', bucket: 'day' }, by: 'model' },
    ],
  ])('of the address %j it is %j', (search, request) => {
    expect(seriesRequestOf(search)).toEqual(request);
  });

  it('whole days of the calendar, by the hour when they are few', () => {
    const { range } = seriesRequestOf({ range: 'custom', from: '2026-11-01', to: '2026-11-02' });
    expect(range).toEqual({
      since: new Date('2026-11-01T00:00').toISOString(),
      until: new Date('2026-11-03T00:00').toISOString(),
      bucket: 'hour',
    });
  });
});
