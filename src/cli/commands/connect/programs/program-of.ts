import os from 'node:os';
import type { Environment } from '../../../invocation.js';
import type { ConnectableProgram } from '../program-names.js';
import { claude } from './claude.js';
import { cline } from './cline.js';
import { codex } from './codex.js';
import { continueProgram } from './continue.js';
import { copilot } from './copilot.js';
import { cursor } from './cursor.js';
import { openWebUi } from './open-webui.js';
import { opencode } from './opencode.js';
import { pi } from './pi.js';
import type { Program } from './program.js';
import { qwenCode } from './qwen-code.js';
import { zed } from './zed.js';

/** @param asDefault where the program's file depends on it */
export function programOf(name: ConnectableProgram, env: Environment, asDefault: boolean): Program {
  const place = { home: env['HOME'] ?? os.homedir(), env, asDefault };
  switch (name) {
    case 'codex':
      return codex(place);
    case 'claude':
      return claude(place);
    case 'opencode':
      return opencode(place);
    case 'qwen':
      return qwenCode(place);
    case 'copilot':
      return copilot(place);
    case 'pi':
      return pi(place);
    case 'cline':
      return cline(place);
    case 'zed':
      return zed(place);
    case 'continue':
      return continueProgram(place);
    case 'openwebui':
      return openWebUi(place);
    case 'cursor':
      return cursor;
    default:
      return name satisfies never;
  }
}
