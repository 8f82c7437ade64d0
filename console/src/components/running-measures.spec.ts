import { expect, it } from '@jest/globals';
import { runningMeasures } from './running-measures';

const request = { stream: true, output_events: 412, ttft_ms: 200, age_ms: 10_475 };

it('says how many tokens there are, and how fast they come', () => {
  expect(runningMeasures(request)).toEqual(['412 tokens', '40 tok/s']);
  expect(runningMeasures({ ...request, output_events: 1 })).toEqual(['1 token']);
});

it('says something before the first token, and of what is not streamed', () => {
  for (const output_events of [0, null])
    expect(runningMeasures({ ...request, output_events, ttft_ms: null })).toEqual(['No tokens yet']);
  expect(runningMeasures({ ...request, stream: false, output_events: null })).toEqual(['Not streamed']);
});
