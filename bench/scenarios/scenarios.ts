/** All scenarios. Numbers refer to the target values in docs/internals/performance.md. */
import { ownScenarios } from './own-scenarios.js';
import { peerScenarios } from './peer-scenarios.js';
import type { Scenario } from './scenario.js';

export const scenarios: readonly Scenario[] = [...peerScenarios, ...ownScenarios];
