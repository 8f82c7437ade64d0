import { Injectable } from '@nestjs/common';
import { Subject, type Observable } from 'rxjs';

/** A change in the database: one that the audit trail records, or the state of an operation. */
export type ChangeNotice = 'audit' | 'operations';

/**
 * Notices between the relays on one database that there is something new to read. They carry no data, may be lost, and only make a relay
 * read before its next poll (`ChangePoll`). Without a bus they go nowhere.
 */
@Injectable()
export class ChangeNotices {
  private readonly received = new Subject<ChangeNotice>();
  private publish: ((notice: ChangeNotice) => void) | null = null;

  /** Emits the notices of other relays. */
  readonly received$: Observable<ChangeNotice> = this.received.asObservable();

  /** @param publish to all other relays; must neither throw nor wait */
  connect(publish: (notice: ChangeNotice) => void): void {
    this.publish = publish;
  }

  /** After the commit. */
  send(notice: ChangeNotice): void {
    this.publish?.(notice);
  }

  /** A notice of another relay has arrived. */
  receive(notice: ChangeNotice): void {
    this.received.next(notice);
  }
}
