/** What is measured. Numbers are those of the targets in docs/internals/performance.md. */
import { ownScenarios } from './own-scenarios.js';
import { peerScenarios } from './peer-scenarios.js';
import type { Scenario } from './scenario.js';

export const scenarios: readonly Scenario[] = [...peerScenarios, ...ownScenarios];
