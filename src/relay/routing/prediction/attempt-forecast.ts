import type { AttemptPrediction } from './attempt-prediction.js';
import type { ModelStats } from './model-stats.js';
import type { NodeStats } from './node-stats.js';

/** The prediction for one request on one node, with the statistics that its outcome goes into. */
export interface AttemptForecast extends AttemptPrediction {
  readonly node: NodeStats;
  readonly model: ModelStats;
}
