import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { DataSource, EntitySubscriberInterface } from 'typeorm';
import { UsageRecorder } from './usage-recorder.js';

/** Tells the recorder of every query that the database has answered. */
@Injectable()
export class UsageAtRecovery implements EntitySubscriberInterface {
  constructor(
    @InjectDataSource() dataSource: DataSource,
    private readonly recorder: UsageRecorder,
  ) {
    dataSource.subscribers.push(this);
  }

  afterQuery({ success }: { readonly success?: boolean }): void {
    if (success === true) this.recorder.databaseAnswers();
  }
}
