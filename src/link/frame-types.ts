/** Frame types of link version 1 (design §6). Numbers are on the wire: never reuse or renumber one. */
export const FrameType = {
  hello: 1,
  ready: 2,
  inventory: 3,
  status: 4,
  open: 5,
  body: 6,
  ack: 7,
  reject: 8,
  head: 9,
  data: 10,
  dataMore: 11,
  end: 12,
  window: 13,
  reset: 14,
  command: 15,
  progress: 16,
  result: 17,
  streams: 18,
  goAway: 19,
} as const;
export type FrameType = (typeof FrameType)[keyof typeof FrameType];

export const LINK_SUBPROTOCOL = 'ferry.link.v1';
export const LINK_VERSION = 1;

/** `stream u32 | type u8 | length u24` */
export const FRAME_HEADER_BYTES = 8;
export const MAX_FRAME_PAYLOAD_BYTES = 64 * 1024;
/** One WebSocket message carries one or more whole frames and stays below this. */
export const MAX_LINK_MESSAGE_BYTES = 256 * 1024;
/** Frames about the link itself rather than one request. */
export const CONTROL_STREAM = 0;
