/**
 * The graphics processors of this computer, as far as files tell: nothing is started, so a computer without one loses no time. Whether they
 * compute is shown by the probe (probe.ts).
 */
import { constants } from 'node:fs';
import { access, readdir, readFile } from 'node:fs/promises';
import path from 'node:path';

type Environment = Readonly<Record<string, string | undefined>>;

export interface GraphicsDevice {
  readonly name: string;
  /** Shares the memory and the bandwidth of the processor, and is usually no faster than that. */
  readonly slow: boolean;
  /** Files of the device under `/dev`; empty where the system has none. */
  readonly files: readonly string[];
  /** Files among `files` that this process may not open. */
  readonly closed: readonly string[];
}

export interface Graphics {
  readonly devices: readonly GraphicsDevice[];
  /** The loader of Vulkan, `libvulkan.so.1`; always true on systems where it comes with the drivers. */
  readonly vulkanLoader: boolean;
  /** Description files of Vulkan drivers. */
  readonly vulkanDrivers: readonly string[];
}

export interface GraphicsPlace {
  /** Root of the file system, for tests. */
  readonly root?: string;
  readonly platform?: NodeJS.Platform;
  readonly arch?: string;
  readonly env: Environment;
}

/** PCI vendors whose devices compute. Others are the display adapters of servers and virtual machines. */
const vendors: Readonly<Record<string, string>> = { '0x10de': 'NVIDIA', '0x1002': 'AMD', '0x8086': 'Intel' };
/** Where Intel's processors have theirs; a card has another address. */
const INTEL_INTEGRATED = /\/0000:00:02\.0$/;
const LIBRARY_FOLDERS = [
  '/usr/lib/x86_64-linux-gnu',
  '/usr/lib64',
  '/usr/lib',
  '/lib/x86_64-linux-gnu',
  '/lib64',
  '/usr/local/lib',
  '/run/opengl-driver/lib',
];
const DRIVER_FOLDERS = [
  '/usr/share/vulkan/icd.d',
  '/etc/vulkan/icd.d',
  '/usr/local/share/vulkan/icd.d',
  '/usr/local/etc/vulkan/icd.d',
  '/run/opengl-driver/share/vulkan/icd.d',
];

/** Never rejects. */
export async function readGraphics(place: GraphicsPlace): Promise<Graphics> {
  const { platform = process.platform, arch = process.arch, env, root = '/' } = place;
  const named = namedDevices(env);
  const inside = (file: string): string => path.join(root, file);
  if (platform === 'darwin') {
    const devices = arch === 'arm64' ? [{ name: 'Apple silicon', slow: false, files: [], closed: [] }] : [];
    return { devices, vulkanLoader: true, vulkanDrivers: [] };
  }
  if (platform === 'win32') {
    // The loader comes with the drivers of graphics processors; which these are is shown by the probe.
    const loader = path.join(env['SystemRoot'] ?? String.raw`C:\Windows`, 'System32', 'vulkan-1.dll');
    const there = await exists(inside(loader));
    const devices = there ? [{ name: 'a graphics processor', slow: false, files: [], closed: [] }] : [];
    return { devices: [...devices, ...named], vulkanLoader: there, vulkanDrivers: [] };
  }
  const [nvidia, others, vulkanLoader, vulkanDrivers] = await Promise.all([
    nvidiaDevices(inside),
    renderNodes(inside),
    anyExists([...listOf(env['LD_LIBRARY_PATH']), ...LIBRARY_FOLDERS].map((at) => inside(`${at}/libvulkan.so.1`))),
    driverFiles(inside, env),
  ]);
  // A GPU of NVIDIA has both kinds of files where the driver makes them; the driver's own ones give its name.
  const found = nvidia.length > 0 ? others.filter(({ name }) => !name.startsWith('NVIDIA')) : others;
  return { devices: [...nvidia, ...found, ...named], vulkanLoader, vulkanDrivers };
}

/** Devices that llama.cpp is told to use, also where it would not by itself, such as a renderer in software. */
const namedDevices = ({ GGML_VK_VISIBLE_DEVICES: named = '' }: Environment): readonly GraphicsDevice[] =>
  named === '' ? [] : [{ name: `Vulkan device ${named}`, slow: false, files: [], closed: [] }];

async function nvidiaDevices(inside: (file: string) => string): Promise<readonly GraphicsDevice[]> {
  const files = (await list(inside('/dev'))).filter((name) => /^nvidia\d+$/.test(name)).map((name) => `/dev/${name}`);
  const folder = inside('/proc/driver/nvidia/gpus');
  const sent = await Promise.all(
    (await list(folder)).map(async (gpu) => {
      const text = await readFile(path.join(folder, gpu, 'information'), 'utf8').catch(() => '');
      return /^Model:\s*(.+?)\s*$/m.exec(text)?.[1];
    }),
  );
  const names = sent.length >= files.length ? sent : files.map((_file, index) => sent[index]);
  return Promise.all(
    names.map(async (name, index) => {
      const own = files.slice(index, index + 1);
      return {
        name: name ?? 'NVIDIA graphics processor',
        slow: false,
        files: own,
        closed: await closedOf(inside, own),
      };
    }),
  );
}

async function renderNodes(inside: (file: string) => string): Promise<readonly GraphicsDevice[]> {
  const nodes = (await list(inside('/sys/class/drm'))).filter((name) => /^renderD\d+$/.test(name));
  const found = await Promise.all(
    nodes.map(async (node): Promise<GraphicsDevice | undefined> => {
      const device = inside(`/sys/class/drm/${node}/device`);
      const text = await readFile(path.join(device, 'uevent'), 'utf8').catch(() => '');
      const vendor = vendors[(await readFile(path.join(device, 'vendor'), 'utf8').catch(() => '')).trim()];
      if (vendor === undefined) return undefined;
      const slot = /^PCI_SLOT_NAME=(.+)$/m.exec(text)?.[1] ?? '';
      const slow = vendor === 'Intel' && INTEL_INTEGRATED.test(`/${slot}`);
      const files = [`/dev/dri/${node}`];
      const name = `${vendor} ${slow ? 'integrated graphics' : 'graphics processor'}`;
      return { name, slow, files, closed: await closedOf(inside, files) };
    }),
  );
  return found.flatMap((device) => device ?? []);
}

async function closedOf(inside: (file: string) => string, files: readonly string[]): Promise<readonly string[]> {
  const open = await Promise.all(
    files.map((file) =>
      access(inside(file), constants.R_OK | constants.W_OK).then(
        () => true,
        () => false,
      ),
    ),
  );
  return files.filter((_file, index) => open[index] !== true);
}

async function driverFiles(inside: (file: string) => string, env: Environment): Promise<readonly string[]> {
  const exactly = listOf(env['VK_DRIVER_FILES'] ?? env['VK_ICD_FILENAMES']);
  if (exactly.length > 0) return exactly;
  const folders = await Promise.all(
    DRIVER_FOLDERS.map(async (folder) =>
      (await list(inside(folder))).filter((name) => name.endsWith('.json')).map((name) => `${folder}/${name}`),
    ),
  );
  return [...folders.flat(), ...listOf(env['VK_ADD_DRIVER_FILES'])];
}

const listOf = (text = ''): readonly string[] => text.split(path.delimiter).filter((part) => part !== '');

const list = (folder: string): Promise<readonly string[]> => readdir(folder).catch(() => []);

const exists = (file: string): Promise<boolean> =>
  access(file).then(
    () => true,
    () => false,
  );

const anyExists = async (files: readonly string[]): Promise<boolean> =>
  (await Promise.all(files.map(exists))).includes(true);
