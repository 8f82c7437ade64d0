/** INVENTORY and STATUS: the models and the capacity of a node. */
import { z } from 'zod';
import { dialects, inputKinds, modelStates } from '../../kernel/dialect.js';
import { count, shortText } from './fields.js';

export const modelReport = z.object({
  /** Names the model on this node: `<engine name>/<engine's own model key>`. */
  key: z.string().min(1).max(600),
  engine: shortText,
  engine_model: z.string().min(1).max(400),
  display_name: z.string().min(1).max(200),
  canonical_name: z.string().min(1).max(200),
  digest: shortText.nullable(),
  quantization: shortText.nullable(),
  size_bytes: count.nullable(),
  context_length: count.nullable(),
  state: z.enum(modelStates),
  dialects: z.array(z.enum(dialects)).max(dialects.length),
  /** Requests beyond the contract that the node serves for the model. Absent: none. A newer node may name others than this version knows. */
  extension_dialects: z.array(shortText).max(16).optional(),
  inputs: z.array(z.enum(inputKinds)).max(inputKinds.length),
  /** Inputs of which the engine does not say whether the model takes them: tried, and learned from a refusal. Absent: none. */
  untried_inputs: z.array(z.enum(inputKinds)).max(inputKinds.length).optional(),
  /** null: the engine does not say. */
  tools: z.boolean().nullable(),
  reasoning: z.boolean().nullable(),
  embedding: z.boolean(),
  /** The node fetches images from public web addresses for this model. Absent: it does not (media are data URIs then). */
  remote_media: z.boolean().optional(),
  /** The engine does not respond now; this is the last reported state of the model. Absent: the engine responds. */
  engine_unreachable: z.boolean().optional(),
  /**
   * What the model takes in memory, measured or estimated: main memory, and memory of graphics processors (nothing where that is main memory).
   * Absent: not known, or not in memory.
   */
  memory: z.object({ ram_bytes: count, vram_bytes: count }).optional(),
  /** The computing device, such as `NVIDIA H200` or `processor`; several are separated by `, `. Absent: as `memory`. */
  device: shortText.optional(),
  /** Layers on a graphics processor; the processor computes the others. Absent: as `memory`. */
  gpu_layers: z.object({ on_gpu: count, total: count }).optional(),
});
export type ModelReport = z.output<typeof modelReport>;

/** A full list first, then deltas; `version` grows by one each time and restarts with a full list. One list may span several frames. */
export const inventoryMessage = z.object({
  version: count,
  full: z.boolean(),
  /** True on every part of a full list but the last: the relay swaps the list in only when it is complete. */
  more: z.boolean(),
  models: z.array(modelReport).max(200),
  removed: z.array(z.string().max(600)).max(1_000),
});
export type InventoryMessage = z.output<typeof inventoryMessage>;

export const gpuBackends = ['vulkan', 'cuda', 'metal'] as const;
export type GpuBackend = (typeof gpuBackends)[number];

export const gpuReport = z.object({
  name: shortText,
  total_bytes: count,
  /** null: its driver does not say. */
  free_bytes: count.nullable(),
  /** The GPU uses the memory of the host, as on Apple silicon. Absent: it has its own. */
  unified: z.boolean().optional(),
  /** How the built-in engine computes on it. Absent: it does not. */
  backend: z.enum(gpuBackends).optional(),
});
export type GpuReport = z.output<typeof gpuReport>;

export const statusMessage = z.object({
  /** All engines of the node right now. Capacity is counted per engine: its models share its slots. */
  engines: z
    .array(
      z.object({
        name: shortText,
        slots_total: count,
        slots_used: count,
        /** Slots among `slots_used` that hold requests of other replicas. Absent: none, or the node has one link. */
        slots_used_elsewhere: count.optional(),
        /** Requests that wait inside the engine. 0 where it does not tell. */
        queue_depth: count,
        /** Requests that the engine runs or queues for others than this node. Absent: it does not tell. */
        foreign_requests: count.optional(),
        /** As in HELLO, which an engine that appears later was not part of. Absent: as HELLO said. */
        kind: shortText.optional(),
        version: shortText.nullish(),
        /** The reason why the engine cannot serve now, such as `cannot be reached`; it completes the engine's name, for people. Absent: it serves. */
        problem: shortText.nullish(),
      }),
    )
    .max(64),
  paused: z.boolean(),
  draining: z.boolean(),
  /** A new process of the host could take this much. */
  memory_free_bytes: count.nullable(),
  /** The host's memory. Absent: not measured yet. */
  memory_total_bytes: count.nullish(),
  /** Absent: as `memory_total_bytes`. Empty: none that is known. */
  gpus: z.array(gpuReport).max(16).nullish(),
});
export type StatusMessage = z.output<typeof statusMessage>;
