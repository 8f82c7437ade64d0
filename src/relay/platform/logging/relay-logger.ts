import type { LoggerService } from '@nestjs/common';
import type { Logger as Pino } from 'pino';

/** Logger contexts of the framework's own start, with one line per module and route: only for development. */
const FRAMEWORK_CONTEXTS = new Set([
  'NestFactory',
  'NestApplication',
  'InstanceLoader',
  'RoutesResolver',
  'RouterExplorer',
  'WebSocketsController',
  'HealthCheckService',
]);

type PinoLevel = 'debug' | 'info' | 'warn' | 'error' | 'fatal' | 'trace';

/** Nest's logger in JSON lines: `{ level, time, context, msg }`. */
export class RelayLogger implements LoggerService {
  constructor(private readonly pino: Pino) {}

  log(message: unknown, ...rest: unknown[]): void {
    this.write('info', message, rest);
  }
  warn(message: unknown, ...rest: unknown[]): void {
    this.write('warn', message, rest);
  }
  error(message: unknown, ...rest: unknown[]): void {
    this.write('error', message, rest);
  }
  fatal(message: unknown, ...rest: unknown[]): void {
    this.write('fatal', message, rest);
  }
  debug(message: unknown, ...rest: unknown[]): void {
    this.write('debug', message, rest);
  }
  verbose(message: unknown, ...rest: unknown[]): void {
    this.write('trace', message, rest);
  }

  /** Nest passes the context last, after the stack of an error or an object whose members become fields of the line. */
  private write(level: PinoLevel, message: unknown, rest: readonly unknown[]): void {
    const context = rest.at(-1);
    const detail = rest.length > 1 ? rest[0] : undefined;
    const quiet = level === 'info' && typeof context === 'string' && FRAMEWORK_CONTEXTS.has(context);
    this.pino[quiet ? 'debug' : level](
      {
        ...(typeof context === 'string' ? { context } : {}),
        ...(typeof detail === 'string' ? { stack: detail } : {}),
        ...(typeof detail === 'object' ? detail : {}),
        ...(message instanceof Error ? { stack: message.stack } : {}),
      },
      message instanceof Error ? message.message : String(message),
    );
  }
}
