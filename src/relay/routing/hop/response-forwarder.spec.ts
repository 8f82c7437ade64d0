import { beforeEach, describe, expect, it } from '@jest/globals';
import { completedEnd } from '../../../../test/support/link/link-pair.js';
import type { HeadMessage } from '../../../link/messages.js';
import { ResponseForwarder } from './response-forwarder.js';

const body = Buffer.from('{"text":"Hello."}');
const head: HeadMessage = { status: 200, content_type: 'application/json', content_length: body.length };

describe('a short answer on its way to another replica', () => {
  let log: string[];
  let takesWhole: boolean;
  let forwarder: ResponseForwarder;

  beforeEach(() => {
    log = [];
    takesWhole = true;
    forwarder = new ResponseForwarder(
      {
        head: () => log.push('head'),
        write: (bytes) => {
          log.push(`data ${bytes.length}`);
          return undefined;
        },
        takesWhole: () => takesWhole,
        whole: (_head, bytes) => log.push(`whole ${bytes.length}`),
        end: () => log.push('end'),
      },
      (bytes) => log.push(`taken ${bytes}`),
    );
  });
  const chunks = ['head', `data ${body.length}`, `taken ${body.length}`];

  it('a short answer on its way to another replica is one message, and gives the node no credit that it does not need any more', async () => {
    forwarder.begin(head);
    forwarder.push(body, true);
    forwarder.finish(completedEnd);
    await Promise.resolve();
    expect(log).toEqual([`whole ${body.length}`]);
  });

  it('goes piece by piece, and at once, to a replica of the version before', () => {
    takesWhole = false;
    forwarder.begin(head);
    expect(log).toEqual(['head']);
    forwarder.push(body, true);
    expect(log).toEqual(chunks);
    forwarder.finish(completedEnd);
    expect(log).toEqual([...chunks, 'end']);
  });

  it('goes piece by piece when others have used up the credit of the link, and nothing is lost', () => {
    forwarder.begin(head);
    forwarder.push(body, true);
    takesWhole = false;
    forwarder.finish(completedEnd);
    expect(log).toEqual([...chunks, 'end']);
  });

  it('a short answer on its way to another replica is not kept beyond the turn in which it came', async () => {
    forwarder.begin(head);
    await Promise.resolve();
    expect(log).toEqual(['head']);
    forwarder.push(body, true);
    expect(log).toEqual(chunks);
  });

  it('goes nowhere after its stream has ended', async () => {
    forwarder.begin(head);
    forwarder.push(body, true);
    forwarder.stop();
    await Promise.resolve();
    expect(log).toEqual([]);
  });
});
