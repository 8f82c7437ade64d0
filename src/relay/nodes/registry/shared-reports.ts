import { hash } from 'node:crypto';
import { LruMap } from '../../../kernel/lru-map.js';
import type { ModelReport } from '../../../link/messages.js';
import type { ReportedModel } from './online-node.js';

/** Bounds the reports of all nodes of all accounts; about a kilobyte each. */
const REMEMBERED_REPORTS = 4_096;

/**
 * Equal reports of several nodes as one object. Most nodes of a fleet report the same models: with a copy for each of them, a choice among 1,000
 * nodes reads memory that no cache holds.
 */
export class SharedReports {
  private readonly reports = new LruMap<string, ReportedModel>(REMEMBERED_REPORTS);

  /** @param read makes the model of a report that was not seen before; it depends on nothing else */
  modelOf(report: ModelReport, read: (report: ModelReport) => ReportedModel): ReportedModel {
    const key = hash('sha256', JSON.stringify(report), 'base64');
    let model = this.reports.get(key);
    if (model === undefined) this.reports.set(key, (model = read(report)));
    return model;
  }
}
