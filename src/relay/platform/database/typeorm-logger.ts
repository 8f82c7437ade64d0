import { Logger } from '@nestjs/common';
import type { Logger as TypeOrmLogger } from 'typeorm';

/**
 * TypeORM's messages in the relay's log, without queries and their parameters, which contain digests and names
 * (docs/reference/security.md#logs).
 */
export class DatabaseLogger implements TypeOrmLogger {
  private readonly logger = new Logger('Database');

  logQuery(): void {
    // Queries are not even logged at debug level, because of their parameters.
  }

  logQueryError(error: string | Error): void {
    this.logger.debug(`query failed: ${error instanceof Error ? error.message : error}`);
  }

  logQuerySlow(milliseconds: number): void {
    this.logger.warn(`a query took ${milliseconds} ms`);
  }

  /** While it was idle. */
  logLostConnection(error: Error): void {
    this.logger.warn(`a connection is lost: ${error.message}`);
  }

  logSchemaBuild(message: string): void {
    this.logger.debug(message);
  }

  logMigration(message: string): void {
    this.logger.log(message);
  }

  log(level: 'log' | 'info' | 'warn', message: unknown): void {
    if (level === 'warn') this.logger.warn(String(message));
    else this.logger.debug(String(message));
  }
}
