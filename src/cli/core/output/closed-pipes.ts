/** Makes the process exit silently instead of crashing when stdout is a closed pipe. */
export function tolerateClosedPipes(): void {
  // `ferry models list | head -1` closes the pipe early, which is not a failure.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    process.exit(0);
  });
  // stderr is closed when the supervisor dies; writing a log line must not interrupt the graceful shutdown.
  process.stderr.on('error', () => undefined);
}
