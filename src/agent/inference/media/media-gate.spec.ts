import { describe, expect, it } from '@jest/globals';
import { EngineFailure } from '../../engines/engine.js';
import { MediaGate, mayCarryMedia } from './media-gate.js';
import { FetchRefusal } from './public-web.js';

const pixel = 'data:image/png;base64,iVBORw0KGgo=';
const address = 'https://example.com/a.png';
const { signal } = new AbortController();
const saying = (...content: unknown[]): Buffer =>
  Buffer.from(JSON.stringify({ model: 'm', messages: [{ role: 'user', content }] }));
const image = (url: string) => ({ type: 'image_url', image_url: { url } });

const refused = (gate: MediaGate, body: Buffer): unknown => {
  try {
    void gate.admit(body, signal);
  } catch (error) {
    if (error instanceof EngineFailure) return error.failure;
    throw error;
  }
  return undefined;
};

describe('bodies passed to an engine unchanged', () => {
  it.each<[string, Buffer]>([
    ['text', Buffer.from('{"messages":[{"role":"user","content":"see https://example.com/a.png"}]}')],
    ['text in parts', saying({ type: 'text', text: address, annotations: [{ url: address }] })],
    ['a data URI', saying({ type: 'text', text: 'x' }, image(pixel))],
    ['a file named like an address', saying({ type: 'file', file: { filename: address, file_data: 'AAAA' } })],
    ['audio as base64', saying({ type: 'input_audio', input_audio: { data: 'AAAA', format: 'wav' } })],
    [
      'a tool whose parameter is an address',
      Buffer.from('{"messages":[],"tools":[{"parameters":{"url":"https://x"}}]}'),
    ],
    ['a type that is no text', saying({ type: { toString: null, valueOf: null } }, image(pixel))],
    ['what is no JSON', Buffer.from('{"image_url": ')],
  ])('%s', (_, body) => {
    expect(new MediaGate().admit(body, signal)).toBe(body);
  });
});

describe('media that an engine would have to open are 400', () => {
  it.each<[string, unknown, string]>([
    ['a web address', image(address), 'image_url.url'],
    ['a bare web address', { type: 'image_url', image_url: address }, 'image_url'],
    ['a part without a type', { image_url: { url: address } }, 'image_url.url'],
    ['a space before the address', image(` ${address}`), 'image_url.url'],
    ['a file', image('file:///etc/passwd'), 'image_url.url'],
    ['a second address beside data', { type: 'file', file: { file_data: 'AAAA', file_url: address } }, 'file.file_url'],
    ['an address in the place of data', { type: 'input_audio', input_audio: { data: address } }, 'input_audio.data'],
    ['another spelling', { type: 'image', source: { type: 'url', url: 'http://10.0.0.1/' } }, 'source.url'],
    ['a video', { type: 'video_url', video_url: { url: address } }, 'video_url.url'],
    ['an address of another name', { type: 'image_uri', image_uri: address }, 'image_uri'],
    ['a picture with a source', { type: 'image', src: address }, 'src'],
    ['a picture whose source is a text', { type: 'image', source: address }, 'source'],
    ['frames of a video', { type: 'video', frames: [address] }, 'frames[0]'],
    ['a source of a type that no field is named like', { type: 'input_image', src: address }, 'src'],
    ['frames of such a type', { type: 'video_frames', frames: ['file:///etc/passwd'] }, 'frames[0]'],
    ['a part in a part', { type: 'tool_result', content: [image(address)] }, 'content[0].image_url.url'],
  ])('%s', (_, part, field) => {
    const param = `messages[0].content[0].${field}`;
    expect(refused(new MediaGate(), saying(part))).toEqual({
      code: 'unsupported_capability',
      status: 400,
      message: `\`${param}\` must be a base64 data URI: media are not fetched.`,
      param,
      retry_after_seconds: null,
    });
  });

  it.each<[string, string, string]>([
    [
      'a list of images beside the content',
      `{"messages":[{"content":"x","images":["AAAA","${address}"]}]}`,
      'messages[0].images[1]',
    ],
    ['a list of images of the whole request', `{"prompt":"x","images":["${address}"]}`, 'images[0]'],
    [
      'a list of addresses',
      `{"messages":[{"content":[{"type":"x","image_urls":["${address}"]}]}]}`,
      'messages[0].content[0].image_urls[0]',
    ],
    [
      'an address that a part of text has as well',
      `{"messages":[{"content":[{"type":"text","text":"x","image_url":{"url":"${address}"}}]}]}`,
      'messages[0].content[0].image_url.url',
    ],
  ])('%s', (_, body, param) => {
    expect(refused(new MediaGate(), Buffer.from(body))).toMatchObject({ code: 'unsupported_capability', param });
  });

  it.each([
    `{"messages":[],"Messages":[{"Content":[{"Image_URL":{"Url":"${address}"}}]}]}`,
    `{"messages":[{"content":"x","IMAGES":["${address}"]}]}`,
  ])('media that an engine would have to open are 400 also where only the case of a name is another: %s', (body) => {
    expect(refused(new MediaGate(), Buffer.from(body))).toMatchObject({ code: 'unsupported_capability' });
  });

  it('and the one of a repeated key that is not looked at never reaches the engine', () => {
    const twice = (first: string, last: string): Buffer =>
      Buffer.from(
        `{"messages":[{"content":[{"type":"image_url","image_url":{"url":"${first}"},"image_url":{"url":"${last}"}}]}]}`,
      );
    expect(refused(new MediaGate(), twice(pixel, address))).toMatchObject({ code: 'unsupported_capability' });
    const admitted = new MediaGate().admit(twice(address, pixel), signal) as Buffer;
    expect(admitted.toString()).toBe(
      `{"messages":[{"content":[{"type":"image_url","image_url":{"url":"${pixel}"}}]}]}`,
    );
  });

  it('media that an engine would have to open are 400 also when its field name is escaped', () => {
    const body = Buffer.from(saying(image(address)).toString().replaceAll('url', '\\u0075rl'));
    expect(body.includes('url')).toBe(false);
    expect(refused(new MediaGate(), body)).toMatchObject({ code: 'unsupported_capability' });
  });
});

describe('with image fetching enabled', () => {
  const asked: string[][] = [];
  const gate = new MediaGate({
    fetchAll: (addresses) => {
      asked.push([...addresses]);
      if (addresses.has('https://example.com/gone.png')) {
        return Promise.reject(new FetchRefusal('cannot be fetched', { address: 'https://example.com/gone.png' }));
      }
      return Promise.resolve(new Map(Array.from(addresses, (one) => [one, pixel])));
    },
  });

  it('images become data URIs, each fetched once', async () => {
    const admitted = await gate.admit(saying(image(address), { image_url: address }, image(pixel)), signal);
    expect(JSON.parse(admitted.toString())).toEqual(
      JSON.parse(saying(image(pixel), { image_url: pixel }, image(pixel)).toString()),
    );
    expect(asked.at(-1)).toEqual([address]);
  });

  it('an unavailable image is 400 with its field', async () => {
    const admitted = gate.admit(saying(image(address), image('https://example.com/gone.png')), signal);
    await expect(admitted).rejects.toMatchObject({
      failure: {
        status: 400,
        param: 'messages[0].content[1].image_url.url',
        message: '`messages[0].content[1].image_url.url` cannot be fetched.',
      },
    });
  });

  it('nothing but images over http(s) is fetched', () => {
    for (const part of [image('file:///etc/passwd'), { type: 'video_url', video_url: { url: address } }]) {
      expect(refused(gate, saying(image(address), part))).toMatchObject({ code: 'unsupported_capability' });
    }
  });

  it('the number of images is limited', async () => {
    const many = Array.from({ length: 33 }, (_unused, index) => image(`${address}?${String(index)}`));
    await expect(gate.admit(saying(...many), signal)).rejects.toMatchObject({ failure: { status: 400 } });
  });
});

it('text about files, data and URLs is not parsed for media', () => {
  const text = 'the "file", its "data", its "type": "image" and the "image_url" at https://example.com/?url="x"';
  expect(mayCarryMedia(Buffer.from(JSON.stringify({ messages: [{ role: 'user', content: text }] })))).toBe(false);
});
