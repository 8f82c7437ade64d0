import { shellWord } from '../../../kernel/shell-word.js';

/** A command that streams a chat when it is pasted into a shell. One line, so that nothing breaks on the way. */
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

/** cmd.exe knows no single quotes. */
const quote = (text: string, platform: NodeJS.Platform): string =>
  platform === 'win32' ? `"${text.replaceAll('"', '\\"')}"` : shellWord(text);
