/**
 * Writes a GGUF file of the llama architecture with random weights (Q8_0) and the tokenizer of `tiny`, for measurements of speed. Only tokens
 * of plain letters can win, so that a response is as long as asked for, and is text.
 */
import { randomFillSync } from 'node:crypto';
import { closeSync, openSync, readFileSync, writeSync } from 'node:fs';

/** Of well-known models: Llama 3.2 1B (1.1 GB) and Mistral 7B (7.7 GB), with 32,768 tokens; and one for a trial without a device. */
export const sizes = {
  nano: { width: 256, layers: 2, heads: 8, keyHeads: 4, inner: 512, vocabulary: 2_048 },
  '1gb': { width: 2_048, layers: 16, heads: 32, keyHeads: 8, inner: 8_192, vocabulary: 32_768 },
  '7gb': { width: 4_096, layers: 32, heads: 32, keyHeads: 8, inner: 14_336, vocabulary: 32_768 },
};

const ALIGNMENT = 32;
const BLOCK_WEIGHTS = 32;
/** A scale of 16 bits and 32 weights of 8 bits. */
const BLOCK_BYTES = 34;
const CHUNK_BLOCKS = 1_000_000;
/** 0.0002 as a half: activations stay about 1, and the scale is no subnormal number, which some devices take as 0. */
const SCALE = 0x0a8e;
const F32 = 0;
const Q8_0 = 8;
const types = { u32: 4, i32: 5, f32: 6, bool: 7, text: 8, list: 9 };
const NORMAL_TOKEN = 1;
const UNUSED_TOKEN = 5;

/** @returns {number} its bytes */
export function writeRandomModel(file, size, tinyFile) {
  const { width, layers, heads, keyHeads, inner, vocabulary } = size;
  const tokenizer = readTokenizer(tinyFile);
  const given = tokenizer.get('tokenizer.ggml.tokens').value;
  const kinds = tokenizer.get('tokenizer.ggml.token_type').value;
  const words = [...given];
  while (words.length < vocabulary) words.push(`<|padding_${words.length}|>`);
  const metadata = new Map([
    ['general.architecture', { type: 'text', value: 'llama' }],
    ['general.file_type', { type: 'u32', value: 7 }],
    ['llama.block_count', { type: 'u32', value: layers }],
    ['llama.context_length', { type: 'u32', value: 131_072 }],
    ['llama.embedding_length', { type: 'u32', value: width }],
    ['llama.feed_forward_length', { type: 'u32', value: inner }],
    ['llama.attention.head_count', { type: 'u32', value: heads }],
    ['llama.attention.head_count_kv', { type: 'u32', value: keyHeads }],
    ['llama.attention.layer_norm_rms_epsilon', { type: 'f32', value: 1e-5 }],
    ['llama.rope.dimension_count', { type: 'u32', value: width / heads }],
    ['llama.rope.freq_base', { type: 'f32', value: 500_000 }],
    ['llama.vocab_size', { type: 'u32', value: vocabulary }],
    ...tokenizer,
    ['tokenizer.ggml.tokens', { type: 'list', of: 'text', value: words }],
    [
      'tokenizer.ggml.token_type',
      { type: 'list', of: 'i32', value: words.map((_, index) => kinds[index] ?? UNUSED_TOKEN) },
    ],
  ]);
  const keyWidth = (width / heads) * keyHeads;
  const tensors = [
    { name: 'token_embd.weight', shape: [width, vocabulary] },
    { name: 'output.weight', shape: [width, vocabulary], row: (index) => wins(words, kinds, index) },
    { name: 'output_norm.weight', shape: [width] },
  ];
  for (let layer = 0; layer < layers; layer++) {
    const add = (name, ...shape) => tensors.push({ name: `blk.${layer}.${name}.weight`, shape });
    add('attn_norm', width);
    add('attn_q', width, width);
    add('attn_k', width, keyWidth);
    add('attn_v', width, keyWidth);
    add('attn_output', width, width);
    add('ffn_norm', width);
    add('ffn_gate', width, inner);
    add('ffn_up', width, inner);
    add('ffn_down', inner, width);
  }
  return write(file, metadata, tensors);
}

const wins = (words, kinds, index) => kinds[index] === NORMAL_TOKEN && /^[a-z]+$/.test(words[index]);

const padded = (bytes) => Math.ceil(bytes / ALIGNMENT) * ALIGNMENT;

const bytesOf = ({ shape: [columns, rows = 0] }) =>
  rows === 0 ? columns * 4 : (columns / BLOCK_WEIGHTS) * BLOCK_BYTES * rows;

function write(file, metadata, tensors) {
  const parts = [];
  const number = (value) => parts.push(u64(value));
  parts.push(Buffer.from('GGUF'), u32(3));
  number(tensors.length);
  number(metadata.size);
  for (const [key, { type, of, value }] of metadata) {
    parts.push(text(key), u32(types[type]));
    if (type === 'list') {
      parts.push(u32(types[of]));
      number(value.length);
      for (const item of value) parts.push(scalar(of, item));
    } else parts.push(scalar(type, value));
  }
  let offset = 0;
  for (const tensor of tensors) {
    const { name, shape } = tensor;
    parts.push(text(name), u32(shape.length));
    for (const length of shape) number(length);
    parts.push(u32(shape.length === 1 ? F32 : Q8_0));
    number(offset);
    offset += padded(bytesOf(tensor));
  }
  const head = Buffer.concat(parts);
  const descriptor = openSync(file, 'w');
  try {
    writeWhole(descriptor, head);
    writeWhole(descriptor, Buffer.alloc(padded(head.length) - head.length));
    const random = randomBlocks();
    for (const tensor of tensors) writeTensor(descriptor, tensor, random);
  } finally {
    closeSync(descriptor);
  }
  return padded(head.length) + offset;
}

/** The same random piece again and again: 7 GB take as long as the disk needs. */
function randomBlocks() {
  const blocks = randomFillSync(Buffer.allocUnsafe(CHUNK_BLOCKS * BLOCK_BYTES));
  for (let at = 0; at < blocks.length; at += BLOCK_BYTES) blocks.writeUInt16LE(SCALE, at);
  return blocks;
}

let position = 0;

function writeTensor(descriptor, tensor, random) {
  const { shape, row } = tensor;
  const size = bytesOf(tensor);
  const end = Buffer.alloc(padded(size) - size);
  if (shape.length === 1) {
    writeWhole(descriptor, Buffer.from(new Float32Array(shape[0]).fill(1).buffer));
  } else if (row !== undefined) {
    const rowBytes = size / shape[1];
    const nothing = Buffer.alloc(rowBytes);
    const rows = [];
    for (let index = 0; index < shape[1]; index++) {
      const start = (index * 7 * BLOCK_BYTES) % (random.length - rowBytes);
      rows.push(row(index) ? random.subarray(start, start + rowBytes) : nothing);
    }
    writeWhole(descriptor, Buffer.concat(rows));
  } else {
    for (let left = size; left > 0;) {
      const length = Math.min(left, random.length - position);
      writeWhole(descriptor, random.subarray(position, position + length));
      position = (position + length) % random.length;
      left -= length;
    }
  }
  writeWhole(descriptor, end);
}

function writeWhole(descriptor, bytes) {
  for (let done = 0; done < bytes.length;) done += writeSync(descriptor, bytes, done);
}

function u32(value) {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

function u64(value) {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(BigInt(value));
  return bytes;
}

function text(value) {
  const bytes = Buffer.from(value);
  return Buffer.concat([u64(bytes.length), bytes]);
}

function scalar(type, value) {
  if (type === 'text') return text(value);
  if (type === 'bool') return Buffer.from([value ? 1 : 0]);
  const bytes = Buffer.alloc(4);
  if (type === 'f32') bytes.writeFloatLE(value);
  else if (type === 'i32') bytes.writeInt32LE(value);
  else bytes.writeUInt32LE(value);
  return bytes;
}

/** The `tokenizer.*` entries of a GGUF file. */
function readTokenizer(file) {
  const bytes = readFileSync(file);
  const names = new Map(Object.entries(types).map(([name, code]) => [code, name]));
  let at = 16;
  const next = (length) => bytes.subarray(at, (at += length));
  const count = () => Number(next(8).readBigUInt64LE());
  const read = (type) => {
    if (type === 'text') return next(count()).toString('utf8');
    if (type === 'bool') return next(1)[0] === 1;
    if (type === 'f32') return next(4).readFloatLE();
    if (type === 'i32') return next(4).readInt32LE();
    if (type === 'u32') return next(4).readUInt32LE();
    throw new Error(`${file} has metadata of an unexpected type`);
  };
  const found = new Map();
  for (let left = count(); left > 0; left--) {
    const key = read('text');
    const type = names.get(next(4).readUInt32LE());
    const entry = { type };
    if (type === 'list') {
      entry.of = names.get(next(4).readUInt32LE());
      const length = count();
      entry.value = Array.from({ length }, () => read(entry.of));
    } else entry.value = read(type);
    if (key.startsWith('tokenizer.')) found.set(key, entry);
  }
  return found;
}
