/** For the whole process: a closed pipe ends it quietly instead of as a crash. */
export function tolerateClosedPipes(): void {
  // `ferry models list | head -1` closes the pipe early: that is no failure.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    process.exit(0);
  });
  // When the supervisor dies, the pipe behind stderr dies with it; a last log line must not end an orderly stop.
  process.stderr.on('error', () => undefined);
}
