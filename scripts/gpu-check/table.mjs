/** The results as Markdown. */
const rate = (value) => (value === undefined || value === null || Number.isNaN(value) ? '–' : formatRate(value));
const formatRate = (value) => (value < 100 ? value.toFixed(1) : Math.round(value).toLocaleString('en'));
const seconds = (value) => (value === undefined || value === null ? '–' : `${value.toFixed(1)} s`);
const gigabytes = (bytes) => (bytes === undefined || bytes === null ? '–' : `${(bytes / 1e9).toFixed(2)} GB`);
const row = (...cells) => `| ${cells.join(' | ')} |`;
const rows = (header, body) => [row(...header), row(...header.map(() => '---')), ...body].join('\n');
/** Best of the settings that were tried, because it is what a peer can do. */
const best = (values) => {
  const known = values.filter((value) => typeof value === 'number');
  return known.length === 0 ? undefined : Math.max(...known);
};

export function table(results) {
  const { models, settings } = results;
  const entries = Object.entries(models);
  const devices = results.driver.map(
    ({ name, driver, totalBytes }) => `${name}, ${gigabytes(totalBytes)}, driver ${driver}`,
  );
  return [
    `# Built-in engine on a graphics processor, ${results.date}`,
    '',
    `- Device, as its driver says: ${devices.join('; ') || 'no driver that says it'}`,
    `- Processor: ${results.processor}`,
    `- Engine: ${results.engine ?? 'did not start'}`,
    `- Starts: ${results.starts.map(startText).join('; ') || 'none'}`,
    `- ${settings.tokens} tokens per answer, ${settings.slotTokens} tokens of context per sequence, best of ${settings.rounds} rounds`,
    '',
    'Tokens a second, all sequences together; llama-server samples and speaks HTTP as Ferry does, “benches” are llama-bench and llama-batched-bench, which do not, the better of the runs with and without flash attention:',
    '',
    rows(
      ['Model', 'Program', ...settings.sequences.map((count) => `${count} at once`), 'Prefill'],
      entries.flatMap(([name, entry]) => speedRows(name, entry, settings.sequences)),
    ),
    '',
    'Memory and loading; “driver” is how much more of its memory was in use:',
    '',
    rows(
      ['Model', 'Device', 'Layers', 'VRAM reported', 'Driver', 'RAM reported', 'First load', 'Second load'],
      entries.map(([name, { memory, firstLoadSeconds, secondLoadSeconds }]) =>
        row(
          name,
          memory?.device ?? '–',
          memory?.layers ? `${memory.layers.on_gpu} of ${memory.layers.total}` : '–',
          gigabytes(memory?.reported?.vram_bytes),
          gigabytes(memory?.driverBytes),
          gigabytes(memory?.reported?.ram_bytes),
          seconds(firstLoadSeconds),
          seconds(secondLoadSeconds),
        ),
      ),
    ),
    '',
    `Out of memory: ${results.outOfMemory === null ? 'not measured' : outOfMemory(results.outOfMemory)}`,
    ...(results.notMeasured.length === 0
      ? []
      : ['', 'Not measured:', '', ...results.notMeasured.map((line) => `- ${line.replaceAll(/\s+/g, ' ')}`)]),
    '',
  ].join('\n');
}

function speedRows(name, entry, sequences) {
  const own = sequences.map((count) => entry.sequences[count]?.tokensPerSecond);
  const peers = sequences.map((count) =>
    best([
      ...(entry.batchedBench ?? []).filter((run) => run.sequences === count).map(({ decode }) => decode),
      ...(count === 1 ? (entry.llamaBench ?? []).map(({ decode }) => decode) : []),
    ]),
  );
  const ownPrefill = entry.prefill?.tokensPerSecond;
  const peerPrefill = best((entry.llamaBench ?? []).map(({ prefill }) => prefill));
  const share = (mine, theirs) =>
    mine === undefined || theirs === undefined ? '–' : `${Math.round((100 * mine) / theirs)} %`;
  const compared = (program, rates, prefill) => [
    row('', program, ...rates.map(rate), rate(prefill)),
    row('', 'share', ...own.map((value, index) => share(value, rates[index])), share(ownPrefill, prefill)),
  ];
  const server = entry.llamaServer;
  const served = sequences.map((count) => server?.sequences.find((run) => run.sequences === count)?.decode);
  return [
    row(name, 'Ferry', ...own.map(rate), rate(ownPrefill)),
    ...(server === undefined ? [] : compared('llama-server', served, server.prefill)),
    ...compared('benches', peers, peerPrefill),
  ];
}

const outOfMemory = ({ state, failure, stillLoaded, model }) =>
  `${model} with 131,072 tokens per sequence: ${state}${failure ? `, ${failure.code}: ${failure.message}` : ''}. Loaded after it: ${stillLoaded.join(', ') || 'nothing'}.`;

const startText = ({ seconds: took, secondsUntilLoaded: loaded }) =>
  `${seconds(took)}, ${loaded === undefined ? 'and tiny was not loaded' : `tiny loaded after ${seconds(loaded)}`}`;
