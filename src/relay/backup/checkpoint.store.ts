import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';

@Injectable()
export class CheckpointStore {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * Writes what the embedded database has in memory into its files, and begins a new log. Takes milliseconds, whatever the size of the
   * database: its buffers are small (pglite.worker.js).
   */
  async checkpoint(): Promise<void> {
    await this.dataSource.query('CHECKPOINT');
  }
}
