/* A sheet as it comes: lines of JSON that say how far its making is, then the file (accounts/sheets/progress.py). */

const LINE_END = 10;

/** What came ended before the file did, or the making failed. */
export class BrokenOff extends Error {}

/**
 * @typedef {{rows?: number, of?: number | null, failed?: boolean, name?: string, type?: string, bytes?: number}} Told
 * @typedef {{name: string, type: string, rows: number, blob: Blob}} Sheet
 */

/**
 * Reads to the end; throws BrokenOff, or what the reader throws.
 * @param {ReadableStreamDefaultReader<Uint8Array<ArrayBuffer>>} reader
 * @param {(told: Told) => void} onTold of each line
 * @returns {Promise<Sheet>}
 */
export async function readSheet(reader, onTold) {
  /** @type {Uint8Array<ArrayBuffer>[]} */
  const pieces = [];
  /** @type {Told | undefined} */
  let about;
  let waiting = new Uint8Array(0);
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    waiting = about ? value : joined(waiting, value);
    while (!about && waiting.includes(LINE_END)) {
      const end = waiting.indexOf(LINE_END);
      const told = JSON.parse(new TextDecoder().decode(waiting.subarray(0, end)));
      waiting = waiting.slice(end + 1);
      onTold(told);
      if (told.failed) throw new BrokenOff();
      if (told.bytes !== undefined) about = told;
    }
    if (about) {
      pieces.push(waiting);
      size += waiting.length;
    }
  }
  if (!about || size !== about.bytes) throw new BrokenOff();
  const type = about.type || "";
  return { name: about.name || "", type, rows: about.rows || 0, blob: new Blob(pieces, { type }) };
}

/**
 * @param {Uint8Array<ArrayBuffer>} first
 * @param {Uint8Array<ArrayBuffer>} second
 */
function joined(first, second) {
  const both = new Uint8Array(first.length + second.length);
  both.set(first);
  both.set(second, first.length);
  return both;
}
