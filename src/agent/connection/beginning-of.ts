/**
 * Of a response that may be without an end: a relay, or what stands in its place, must not fill the node's memory.
 * @param isPartEnough what came before an error is returned. Default: the error is thrown
 */
export async function beginningOf(
  response: AsyncIterable<Buffer>,
  limitBytes: number,
  isPartEnough = false,
): Promise<string> {
  const parts: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const part of response) {
      parts.push(part);
      bytes += part.length;
      // Leaving the loop closes the connection.
      if (bytes > limitBytes) break;
    }
  } catch (error) {
    if (!isPartEnough) throw error;
  }
  return Buffer.concat(parts).toString('utf8', 0, Math.min(bytes, limitBytes));
}
