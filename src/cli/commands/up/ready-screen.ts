import pc from 'picocolors';
import type { ReadyFacts } from './ready-facts.js';

const NAME_WIDTH = 19;

/** The text for people, the same on every start. @param runningPid pid of the process that runs it, if it is not this one */
export function readyScreen(facts: ReadyFacts, colors: boolean, runningPid?: number): string {
  const { bold, dim, green } = pc.createColors(colors);
  const row = (name: string, value: string): string => `  ${dim(name.padEnd(NAME_WIDTH))} ${value}`;
  return [
    '',
    `${green('●')} ${bold(runningPid === undefined ? 'Ferry is running' : `Ferry is running already (process ${runningPid})`)}`,
    '',
    row('OpenAI clients', facts.openai_base_url),
    row('Anthropic clients', facts.anthropic_base_url),
    row('API key', facts.api_key),
    row('Model', facts.model ?? 'none is loaded: ferry models list, then ferry models load MODEL'),
    ...(facts.console_url === null ? [] : [row('Website', `${facts.console_url}   ${dim('signs you in, once')}`)]),
    '',
    ...(facts.model === null ? [] : ['  Try it:', '', curlLine(facts.base_url, facts.api_key, facts.model), '']),
    dim(runningPid === undefined ? '  Ctrl-C to stop.' : '  Ctrl-C where it was started stops it.'),
    '',
  ].join('\n');
}

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
function quote(text: string, platform: NodeJS.Platform): string {
  return platform === 'win32' ? `"${text.replaceAll('"', '\\"')}"` : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
