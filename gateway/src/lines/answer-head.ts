/** An answer of a service that breaks the rules of HTTP/1.1: nothing more is believed of its connection. */
export class MalformedAnswer extends Error {
  readonly code = 'MALFORMED_ANSWER';
}

/** As flat pairs: name in lower case, value. A name may come more than once. */
export type AnswerHeaders = string[];

/** The first value of a header. @param name in lower case */
export function headerOf(headers: Readonly<AnswerHeaders>, name: string): string | undefined {
  for (let at = 0; at < headers.length; at += 2) if (headers[at] === name) return headers[at + 1];
  return undefined;
}

export type AnswerHead = {
  status: number;
  headers: AnswerHeaders;
  /** Bytes of the body as announced; -1 when they were not. */
  length: number;
  chunked: boolean;
  /** The service keeps the connection for the next request. */
  persistent: boolean;
  /** Milliseconds for which it keeps it when nothing is asked; -1 when it did not say. */
  keptMs: number;
};

/** RFC 9112 §4, with any reason or none. */
const STATUS_LINE = /HTTP\/1\.([01]) ([1-5]\d\d)(?: [\t\x20-\x7e\x80-\xff]*)?\r\n/y;
/**
 * RFC 9112 §5: no space before the colon, no folded line, no control character in the value. What does not match is
 * refused, never repaired: two readers who repair a head differently are what smuggling lives on.
 */
const FIELD_LINE = /([!#$%&'*+\-.^_`|~0-9A-Za-z]+):[\t ]*([\t\x20-\x7e\x80-\xff]*)\r\n/y;
const LENGTH = /^\d{1,15}$/;
/** Headers that say where an answer ends. */
const FRAMING = new Set(['content-length', 'transfer-encoding']);
const CLOSE = /(?:^|,)[\t ]*close[\t ]*(?:,|$)/i;
const KEPT = /(?:^|,)[\t ]*timeout=(\d{1,6})[\t ]*(?:,|$)/i;

/**
 * Reads the head of an answer.
 * @param text from the status line to the CRLF of the last header, in Latin-1
 * @throws MalformedAnswer
 */
export function parseAnswerHead(text: string): AnswerHead {
  STATUS_LINE.lastIndex = 0;
  const first = STATUS_LINE.exec(text);
  if (first === null) throw new MalformedAnswer('The answer does not begin with a status line');
  const isOld = first[1] === '0';
  const headers: AnswerHeaders = [];
  const head: AnswerHead = {
    status: Number(first[2]),
    headers,
    length: -1,
    chunked: false,
    persistent: !isOld,
    keptMs: -1,
  };
  for (let at = first[0].length; at < text.length; at = FIELD_LINE.lastIndex) {
    FIELD_LINE.lastIndex = at;
    const field = FIELD_LINE.exec(text);
    if (field === null) throw new MalformedAnswer('The answer has a line that is no header');
    const name = (field[1] ?? '').toLowerCase();
    const value = withoutEnd(field[2] ?? '');
    // Spaces behind it are allowed, but not every reader passes over them.
    if (value !== field[2] && FRAMING.has(name))
      throw new MalformedAnswer('The answer does not say clearly where it ends');
    headers.push(name, value);
    note(head, name, value);
  }
  if (head.chunked && (head.length !== -1 || isOld))
    throw new MalformedAnswer('The answer does not say clearly where it ends');
  return head;
}

/** Is this line, without its end, a header? */
export function isField(line: string): boolean {
  FIELD_LINE.lastIndex = 0;
  return FIELD_LINE.test(`${line}\r\n`);
}

/** What a header says about the connection and the length of the answer. */
function note(head: AnswerHead, name: string, value: string): void {
  switch (name) {
    case 'content-length':
      // Twice, even the same: somebody in between may have read the other one.
      if (head.length !== -1 || !LENGTH.test(value))
        throw new MalformedAnswer('The length of the answer is not one number');
      head.length = Number(value);
      break;
    case 'transfer-encoding':
      if (head.chunked || value.toLowerCase() !== 'chunked')
        throw new MalformedAnswer('The answer is encoded in a way that was not asked for');
      head.chunked = true;
      break;
    case 'connection':
      if (CLOSE.test(value)) head.persistent = false;
      break;
    case 'keep-alive': {
      const seconds = KEPT.exec(value)?.[1];
      if (seconds !== undefined) head.keptMs = Number(seconds) * 1_000;
      break;
    }
  }
}

/** Without spaces and tabs at its end; `trimEnd` would also take a non-breaking space, which is a value's own. */
function withoutEnd(value: string): string {
  let end = value.length;
  while (end > 0 && (value[end - 1] === ' ' || value[end - 1] === '\t')) end -= 1;
  return end === value.length ? value : value.slice(0, end);
}
