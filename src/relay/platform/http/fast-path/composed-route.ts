import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  ForbiddenException,
  type CanActivate,
  type ExceptionFilter,
  type PipeTransform,
  type Type,
} from '@nestjs/common';
import { ExecutionContextHost } from '@nestjs/core/helpers/execution-context-host.js';
import { isObservable, lastValueFrom } from 'rxjs';

/** A route of one parameter, with nothing but global guards before it and one filter behind it. */
export interface RouteParts {
  readonly guards: readonly CanActivate[];
  readonly controller: object;
  /** A method of the controller. */
  readonly method: (parameter: unknown) => unknown;
  readonly parameter: CustomParameter;
  readonly filter: ExceptionFilter;
  readonly status: number;
}

/** Of `createParamDecorator`, with its pipe. */
export interface CustomParameter {
  readonly factory: (data: unknown, context: ExecutionContextHost) => unknown;
  readonly data: unknown;
  readonly metatype: Type | undefined;
  readonly pipe: PipeTransform<unknown, unknown>;
}

/** Sends what the method returns, as `AbstractHttpAdapter.reply` does. */
type Reply = (res: ServerResponse, result: unknown, status: number) => unknown;

const READY = Promise.resolve();

/**
 * One request of a route whose guards, parameter, method and filter are called in Nest's order, but directly. Nest makes some fifteen promises
 * for each request, because any of them may be asynchronous; here only those are waited for that are.
 */
export class ComposedRequest extends ExecutionContextHost {
  /** @param onFailure called when the filter fails */
  constructor(
    private readonly parts: RouteParts,
    req: IncomingMessage,
    private readonly res: ServerResponse,
    next: () => void,
    private readonly reply: Reply,
    private readonly onFailure: (error: unknown) => void,
  ) {
    super([req, res, next], parts.controller.constructor as Type, parts.method);
  }

  /** The guards see the request before its body. One turn of microtasks later, a body that came with the head is there. */
  start(): void {
    let admission: Promise<void>;
    try {
      admission = this.admission();
    } catch (error) {
      void READY.then(() => {
        this.refuse(error);
      });
      return;
    }
    void admission.then(this.proceed, this.refuse);
  }

  private admission(): Promise<void> {
    const { guards } = this.parts;
    let next = 0;
    for (const guard of guards) {
      next += 1;
      const admits = guard.canActivate(this);
      if (admits !== true) return this.lateAdmission(admits, guards.slice(next));
    }
    return READY;
  }

  private async lateAdmission(
    admits: ReturnType<CanActivate['canActivate']>,
    others: readonly CanActivate[],
  ): Promise<void> {
    await requireAdmission(admits);
    for (const guard of others) await requireAdmission(guard.canActivate(this));
  }

  private readonly proceed = (): void => {
    const { factory, data, metatype, pipe } = this.parts.parameter;
    try {
      const value = pipe.transform(factory(data, this), { type: 'custom', metatype, data: data as string });
      if (value instanceof Promise) value.then(this.call).catch(this.refuse);
      else this.call(value);
    } catch (error) {
      this.refuse(error);
    }
  };

  private readonly call = (parameter: unknown): void => {
    const { controller, method } = this.parts;
    const result = method.call(controller, parameter);
    const sent = result instanceof Promise ? result.then(this.send) : this.send(result);
    if (sent instanceof Promise) sent.catch(this.refuse);
  };

  private readonly send = (result: unknown): unknown => this.reply(this.res, result, this.parts.status);

  private readonly refuse = (error: unknown): void => {
    try {
      this.parts.filter.catch(error, this);
    } catch (failure) {
      this.onFailure(failure);
    }
  };
}

/** @throws ForbiddenException with the message of Nest */
async function requireAdmission(admits: ReturnType<CanActivate['canActivate']>): Promise<void> {
  const admitted = await (isObservable(admits) ? lastValueFrom(admits) : admits);
  if (!admitted) throw new ForbiddenException('Forbidden resource');
}
