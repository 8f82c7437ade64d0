/** Frame types of link version 1 (docs/reference/link.md#frames). Numbers are on the wire: never reuse or renumber one. */
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
  replicas: 20,
  whole: 21,
} as const;
export type FrameType = (typeof FrameType)[keyof typeof FrameType];

export const LINK_SUBPROTOCOL = 'ferry.link.v1';
/** Opens a WebSocket without credentials that the relay closes at once: shows that an upgrade to `/link` gets through. */
export const LINK_CHECK_SUBPROTOCOL = 'ferry.check.v1';
export const LINK_VERSION = 1;

/** `stream u32 | type u8 | length u24` */
export const FRAME_HEADER_BYTES = 8;
export const MAX_FRAME_PAYLOAD_BYTES = 64 * 1024;
/** Body of a WHOLE frame, which cannot be cut: as much as a stream may send before others have their turn. */
export const MAX_WHOLE_BODY_BYTES = 16 * 1024;
/** One WebSocket message carries one or more whole frames and stays below this. */
export const MAX_LINK_MESSAGE_BYTES = 256 * 1024;
/** Frames about the link itself rather than one request. */
export const CONTROL_STREAM = 0;
export const MAX_STREAM_ID = 0xffff_ffff;

interface FrameTraits {
  /** Name in the protocol documentation, for error messages. */
  readonly name: string;
  /** On the control stream (true) or on a request's own stream (false); anywhere else it is malformed. */
  readonly control: boolean;
}

const traits: Record<FrameType, FrameTraits> = {
  [FrameType.hello]: { name: 'HELLO', control: true },
  [FrameType.ready]: { name: 'READY', control: true },
  [FrameType.inventory]: { name: 'INVENTORY', control: true },
  [FrameType.status]: { name: 'STATUS', control: true },
  [FrameType.open]: { name: 'OPEN', control: false },
  [FrameType.body]: { name: 'BODY', control: false },
  [FrameType.ack]: { name: 'ACK', control: false },
  [FrameType.reject]: { name: 'REJECT', control: false },
  [FrameType.head]: { name: 'HEAD', control: false },
  [FrameType.data]: { name: 'DATA', control: false },
  [FrameType.dataMore]: { name: 'DATA_MORE', control: false },
  [FrameType.end]: { name: 'END', control: false },
  [FrameType.window]: { name: 'WINDOW', control: false },
  [FrameType.reset]: { name: 'RESET', control: false },
  [FrameType.command]: { name: 'COMMAND', control: true },
  [FrameType.progress]: { name: 'PROGRESS', control: true },
  [FrameType.result]: { name: 'RESULT', control: true },
  [FrameType.streams]: { name: 'STREAMS', control: true },
  [FrameType.goAway]: { name: 'GOAWAY', control: true },
  [FrameType.replicas]: { name: 'REPLICAS', control: true },
  [FrameType.whole]: { name: 'WHOLE', control: false },
};

/** By the byte of a type: two look-ups for each frame received. */
const kinds = new Uint8Array(256);
const CONTROL_KIND = 1;
const STREAM_KIND = 2;
for (const type of Object.values(FrameType)) kinds[type] = traits[type].control ? CONTROL_KIND : STREAM_KIND;

export const frameName = (type: FrameType): string => traits[type].name;
export const isControlFrame = (type: FrameType): boolean => kinds[type] === CONTROL_KIND;
export const isFrameType = (value: number): value is FrameType => (kinds[value] ?? 0) !== 0;
