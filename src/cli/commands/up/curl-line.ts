import { shellWord } from '../../../kernel/shell-word.js';

/** A curl command for a shell that streams a chat. One line, so that pasting it is safe. */
export function curlLine(baseUrl: string, apiKey: string, model: string, platform = process.platform): string {
  const body = JSON.stringify({ model, stream: true, messages: [{ role: 'user', content: 'Count to 8' }] });
  const words = [
    `${baseUrl}/v1/chat/completions`,
    '-H',
    quote(`Authorization: Bearer ${apiKey}`, platform),
    '-H',
    quote('Content-Type: application/json', platform),
    '-d',
    quote(body, platform),
  ];
  return `curl -sN ${words.join(' ')}`;
}

/** cmd.exe does not support single quotes. */
const quote = (text: string, platform: NodeJS.Platform): string =>
  platform === 'win32' ? `"${text.replaceAll('"', '\\"')}"` : shellWord(text);
