import { afterEach, describe, expect, it } from '@jest/globals';
import { throwError } from 'rxjs';
import { eventually } from '../../test/support/clock/eventually.js';
import { UnhandledFailures, type UnhandledFailure } from './unhandled-failures.js';

let stop: () => void = () => undefined;

afterEach(() => {
  stop();
});

describe('an unhandled failure', () => {
  it('an unhandled failure of an observable is logged and counted instead of thrown', async () => {
    const logged: UnhandledFailure[] = [];
    const failures = new UnhandledFailures((failure) => logged.push(failure));
    stop = failures.watchProcess();
    throwError(() => new Error('nobody takes this')).subscribe();
    await eventually('it is logged', () => logged.length === 1);
    expect(logged[0]).toMatchObject({ source: 'observable', count: 1 });
    expect(logged[0]?.stack).toContain('nobody takes this');
    failures.note('request', 'not even an Error', 'req_1');
    expect(logged[1]).toEqual({ source: 'request', count: 2, req_id: 'req_1', stack: 'not even an Error' });
    expect(failures.count).toBe(2);
  });
});
