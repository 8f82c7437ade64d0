import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { ReadinessRegistry } from '../lifecycle/readiness-registry.js';

/** The database answers. Bounded by its own query timeout. */
@Injectable()
export class DatabaseReadiness implements OnModuleInit {
  constructor(
    private readonly dataSource: DataSource,
    private readonly readiness: ReadinessRegistry,
  ) {}

  onModuleInit(): void {
    this.readiness.register({
      name: 'database',
      check: async () => {
        try {
          await this.dataSource.query('SELECT 1');
        } catch (error) {
          throw new Error('the database does not answer', { cause: error });
        }
      },
    });
  }
}
