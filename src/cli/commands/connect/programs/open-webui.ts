import path from 'node:path';
import { configDirectory } from '../../../../kernel/data-directory.js';
import { isLoopbackHost } from '../../../core/api/relay-address.js';
import { editEnvFile, envValue } from '../edits/env-edit.js';
import { shellWord } from '../../../../kernel/shell-words.js';
import { type Program, type ProgramPlace } from './program.js';

/** Open WebUI (https://docs.openwebui.com/getting-started/env-configuration) reads variables at its first start, and then its database. */
export function openWebUi({ env }: ProgramPlace): Program {
  const file = path.join(configDirectory(env), 'open-webui.env');
  return {
    title: 'Open WebUI',
    startsByCommand: false,
    isAgent: false,
    gains: { embeddings: 'search documents with a model of yours' },
    file: {
      path: file,
      edit: (text, { baseUrl, apiKey }) =>
        editEnvFile(text, { OPENAI_API_BASE_URL: `${seenFromContainer(baseUrl)}/v1`, OPENAI_API_KEY: apiKey }),
      keyIn: (text) => envValue(text, 'OPENAI_API_KEY'),
    },
    steps: ({ baseUrl }) => [
      `docker run -d --name open-webui ${networkOf(baseUrl)} --env-file ${shellWord(file)} -v open-webui:/app/backend/data ghcr.io/open-webui/open-webui:main`,
      'one that runs already: Admin Panel > Settings > Connections > OpenAI API, with the values of that file',
    ],
  };
}

const sharesHostNetwork = (baseUrl: string): boolean =>
  process.platform === 'linux' && isLoopbackHost(new URL(baseUrl).hostname);

/** Inside a container, loopback is the container itself unless it shares the host's network. */
function seenFromContainer(baseUrl: string): string {
  const url = new URL(baseUrl);
  if (!isLoopbackHost(url.hostname) || sharesHostNetwork(baseUrl)) return baseUrl;
  url.hostname = 'host.docker.internal';
  return url.toString().replace(/\/$/, '');
}

const networkOf = (baseUrl: string): string =>
  sharesHostNetwork(baseUrl) ? '--network=host -e PORT=3000' : '-p 3000:8080';
