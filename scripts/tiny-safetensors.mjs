/**
 * `node scripts/tiny-safetensors.mjs FOLDER`: the model `tiny` in the format of Hugging Face, from the GGUF file that ships with Ferry, for
 * engines that read no GGUF. The weights are those of the file (q8_0) as 32-bit floats.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const source = fileURLToPath(new URL('../engines/models/tiny.gguf', import.meta.url));

const F32 = 0;
const Q8_0 = 8;
/** Weights that share a scale in q8_0. */
const BLOCK = 32;
const ALIGNMENT = 32;
const CONTROL = 3;
const USER_DEFINED = 4;
/** Qwen 2's, which the file names (`tokenizer.ggml.pre`). */
const CHUNKS =
  "(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\\r\\n\\p{L}\\p{N}]?\\p{L}+|\\p{N}| ?[^\\s\\p{L}\\p{N}]+[\\r\\n]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+";

/** Reads a GGUF file of version 3 (little-endian). @param {Buffer} file */
function readGguf(file) {
  let at = 8;
  const u32 = () => file.readUInt32LE((at += 4) - 4);
  const u64 = () => Number(file.readBigUInt64LE((at += 8) - 8));
  const text = () => {
    const length = u64();
    return file.toString('utf8', at, (at += length));
  };
  /** By the numbers of GGUF's types. @type {Readonly<Record<number, () => unknown>>} */
  const readers = {
    4: u32,
    5: () => file.readInt32LE((at += 4) - 4),
    6: () => file.readFloatLE((at += 4) - 4),
    7: () => file[(at += 1) - 1] === 1,
    8: text,
    9: () => {
      const type = u32();
      return Array.from({ length: u64() }, () => value(type));
    },
  };
  /** @param {number} type @returns {any} */
  function value(type) {
    const read = readers[type];
    if (read === undefined) throw new Error(`type ${type} of GGUF is not known here`);
    return read();
  }
  const tensorCount = u64();
  const fieldCount = u64();
  const fields = Object.fromEntries(Array.from({ length: fieldCount }, () => [text(), value(u32())]));
  const tensors = Array.from({ length: tensorCount }, () => ({
    name: text(),
    shape: Array.from({ length: u32() }, u64).toReversed(),
    type: u32(),
    offset: u64(),
  }));
  const start = Math.ceil(at / ALIGNMENT) * ALIGNMENT;
  return { fields, tensors: tensors.map((tensor) => ({ ...tensor, values: valuesOf(file, start, tensor) })) };
}

/** @param {Buffer} file @param {number} start @param {{ name: string, shape: number[], type: number, offset: number }} tensor */
function valuesOf(file, start, { name, shape, type, offset }) {
  const count = shape.reduce((product, size) => product * size, 1);
  const values = new Float32Array(count);
  let at = start + offset;
  if (type === F32) for (let index = 0; index < count; index += 1, at += 4) values[index] = file.readFloatLE(at);
  else if (type === Q8_0) {
    for (let block = 0; block < count; block += BLOCK, at += 2 + BLOCK) {
      const scale = half(file.readUInt16LE(at));
      for (let index = 0; index < BLOCK; index += 1) values[block + index] = scale * file.readInt8(at + 2 + index);
    }
  } else throw new Error(`${name} has type ${type}, which is not read here`);
  return values;
}

/** A 16-bit float. @param {number} bits */
function half(bits) {
  const sign = bits >> 15 === 0 ? 1 : -1;
  const exponent = (bits >> 10) & 31;
  const fraction = bits & 1023;
  return sign * (exponent === 0 ? fraction * 2 ** -24 : (1 + fraction / 1024) * 2 ** (exponent - 15));
}

/** llama.cpp rotates neighbours, Hugging Face the two halves of a head: the rows of Q and K are in another order. */
function inHalves({ values, shape: [rows, columns] }, heads) {
  const sorted = new Float32Array(values.length);
  const size = rows / heads;
  for (let row = 0; row < rows; row += 1) {
    const inHead = row % size;
    const target = row - inHead + (inHead % 2) * (size / 2) + Math.floor(inHead / 2);
    sorted.set(values.subarray(row * columns, (row + 1) * columns), target * columns);
  }
  return sorted;
}

const layerNames = {
  attn_norm: 'input_layernorm',
  attn_q: 'self_attn.q_proj',
  attn_k: 'self_attn.k_proj',
  attn_v: 'self_attn.v_proj',
  attn_output: 'self_attn.o_proj',
  ffn_norm: 'post_attention_layernorm',
  ffn_gate: 'mlp.gate_proj',
  ffn_up: 'mlp.up_proj',
  ffn_down: 'mlp.down_proj',
};

/** @param {string} name such as `blk.0.attn_q.weight` */
function nameThere(name) {
  if (name === 'token_embd.weight') return 'model.embed_tokens.weight';
  if (name === 'output_norm.weight') return 'model.norm.weight';
  const [, layer, part] = /^blk\.(\d+)\.(\w+)\.weight$/.exec(name) ?? [];
  if (layerNames[part] === undefined) throw new Error(`${name} has no name in the format of Hugging Face`);
  return `model.layers.${layer}.${layerNames[part]}.weight`;
}

function safetensors(tensors, heads) {
  const header = {};
  const chunks = [];
  let offset = 0;
  for (const tensor of tensors) {
    const values = /attn_[qk]\./.test(tensor.name) ? inHalves(tensor, heads) : tensor.values;
    const bytes = Buffer.from(values.buffer, values.byteOffset, values.byteLength);
    header[nameThere(tensor.name)] = {
      dtype: 'F32',
      shape: tensor.shape,
      data_offsets: [offset, (offset += bytes.length)],
    };
    chunks.push(bytes);
  }
  const text = JSON.stringify({ __metadata__: { format: 'pt' }, ...header });
  const padded = Buffer.from(text.padEnd(Math.ceil(text.length / 8) * 8));
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(padded.length));
  return Buffer.concat([length, padded, ...chunks]);
}

function configOf(fields) {
  const llama = (name) => fields[`llama.${name}`];
  return {
    architectures: ['LlamaForCausalLM'],
    model_type: 'llama',
    hidden_size: llama('embedding_length'),
    intermediate_size: llama('feed_forward_length'),
    num_hidden_layers: llama('block_count'),
    num_attention_heads: llama('attention.head_count'),
    num_key_value_heads: llama('attention.head_count_kv'),
    head_dim: llama('embedding_length') / llama('attention.head_count'),
    max_position_embeddings: llama('context_length'),
    rms_norm_eps: Number(llama('attention.layer_norm_rms_epsilon').toPrecision(6)),
    rope_theta: llama('rope.freq_base'),
    vocab_size: fields['tokenizer.ggml.tokens'].length,
    bos_token_id: fields['tokenizer.ggml.bos_token_id'],
    eos_token_id: fields['tokenizer.ggml.eos_token_id'],
    pad_token_id: fields['tokenizer.ggml.padding_token_id'],
    tie_word_embeddings: true,
    hidden_act: 'silu',
    dtype: 'float32',
  };
}

function tokenizerOf(fields) {
  const tokens = fields['tokenizer.ggml.tokens'];
  const types = fields['tokenizer.ggml.token_type'];
  const added = tokens.flatMap((content, id) =>
    types[id] === CONTROL || types[id] === USER_DEFINED
      ? [
          {
            id,
            content,
            single_word: false,
            lstrip: false,
            rstrip: false,
            normalized: false,
            special: types[id] === CONTROL,
          },
        ]
      : [],
  );
  const byteLevel = { type: 'ByteLevel', add_prefix_space: false, trim_offsets: false, use_regex: false };
  return {
    version: '1.0',
    truncation: null,
    padding: null,
    added_tokens: added,
    normalizer: null,
    pre_tokenizer: {
      type: 'Sequence',
      pretokenizers: [{ type: 'Split', pattern: { Regex: CHUNKS }, behavior: 'Isolated', invert: false }, byteLevel],
    },
    post_processor: byteLevel,
    decoder: byteLevel,
    model: {
      type: 'BPE',
      dropout: null,
      unk_token: null,
      continuing_subword_prefix: null,
      end_of_word_suffix: null,
      fuse_unk: false,
      byte_fallback: false,
      vocab: Object.fromEntries(tokens.map((token, id) => [token, id])),
      merges: fields['tokenizer.ggml.merges'],
    },
  };
}

function tokenizerConfigOf(fields) {
  const token = (name) => fields['tokenizer.ggml.tokens'][fields[`tokenizer.ggml.${name}_token_id`]];
  return {
    tokenizer_class: 'PreTrainedTokenizerFast',
    bos_token: token('bos'),
    eos_token: token('eos'),
    pad_token: token('padding'),
    add_bos_token: false,
    clean_up_tokenization_spaces: false,
    model_max_length: fields['llama.context_length'],
    // Which parser mlx-lm reads the calls with: it recognises other templates only.
    tool_parser_type: 'json_tools',
    chat_template: fields['tokenizer.chat_template'],
  };
}

/** @param {string} folder made when it is missing */
export function writeTinySafetensors(folder) {
  const { fields, tensors } = readGguf(readFileSync(source));
  mkdirSync(folder, { recursive: true });
  const write = (name, content) => writeFileSync(path.join(folder, name), content);
  const config = configOf(fields);
  write('model.safetensors', safetensors(tensors, config.num_attention_heads));
  const json = {
    'config.json': config,
    'generation_config.json': { eos_token_id: config.eos_token_id, pad_token_id: config.pad_token_id },
    'tokenizer.json': tokenizerOf(fields),
    'tokenizer_config.json': tokenizerConfigOf(fields),
  };
  for (const [name, content] of Object.entries(json)) write(name, JSON.stringify(content));
  write('chat_template.jinja', fields['tokenizer.chat_template']);
}

const [, program, folder] = process.argv;
if (program === fileURLToPath(import.meta.url)) {
  if (folder === undefined) throw new Error('name a folder');
  writeTinySafetensors(path.resolve(folder));
}
