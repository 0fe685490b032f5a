/** Bytes of UTF-8 for the document's name; file systems allow 255 for the whole file name. */
const MOST_BYTES = 180;
const UNSAFE = /[\p{Cc}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}\\/:*?"<>|]+/gu;
/** Invisible characters such as bidirectional marks, except the joiners that Indian scripts need. */
const INVISIBLE = /(?![\u200c\u200d])\p{Cf}/gu;

/** Returns the start of a document's file names: safe on every file system, and unique by the document's code. */
export function zipName(name: string, code: string): string {
  const safe = name
    .normalize('NFC')
    .replaceAll(INVISIBLE, '')
    .replaceAll(UNSAFE, ' ')
    .replaceAll(/\s+/g, ' ')
    .replace(/^[\s.]+/, '');
  return `${within(MOST_BYTES, safe).trim() || 'document'}-${code}`;
}

/** Returns the longest start of whole characters, as readers count them, within a number of bytes. */
function within(bytes: number, text: string): string {
  let rest = bytes;
  let end = 0;
  for (const { segment, index } of new Intl.Segmenter().segment(text)) {
    rest -= Buffer.byteLength(segment);
    if (rest < 0) break;
    end = index + segment.length;
  }
  return text.slice(0, end);
}
