/** Just enough of PostgreSQL's wire protocol to see a COMMIT and its answer pass by. */

type Tell = (type: string, body: Buffer) => void;

/**
 * Cuts one direction of a connection into messages, however it is cut into chunks.
 *
 * @param begins `startup`: the first message is a client's, which has no type
 * @returns takes the next chunk and tells each message that it completes
 */
function messages(begins: 'startup' | 'typed', tell: Tell): (chunk: Buffer) => void {
  let pending: Buffer = Buffer.alloc(0);
  let typed = begins === 'typed';
  return (chunk) => {
    pending = pending.length === 0 ? chunk : Buffer.concat([pending, chunk]);
    for (;;) {
      const lengthAt = typed ? 1 : 0;
      if (pending.length < lengthAt + 4) return;
      const size = lengthAt + pending.readInt32BE(lengthAt);
      if (pending.length < size) return;
      if (typed) tell(String.fromCharCode(pending[0] ?? 0), pending.subarray(lengthAt + 4, size));
      typed = true;
      pending = pending.subarray(size);
    }
  };
}

/** Watches one connection: what a client says as a simple query or prepares, and what the server says that it did. */
export type CommitWatch = {
  said: (chunk: Buffer) => void;
  answered: (chunk: Buffer) => void;
};

/**
 * @param happened called when the server says `COMMIT` to a client that asked for one: the transaction is kept. The
 *   COMMIT of a failed transaction is answered with ROLLBACK and does not count.
 */
export function commitWatch(happened: () => void): CommitWatch {
  let asked = false;
  return {
    said: messages('startup', (type, body) => {
      const text = type === 'Q' ? body.toString('latin1') : type === 'P' ? parsedText(body) : undefined;
      if (text !== undefined && /^\s*commit\b/i.test(text)) asked = true;
    }),
    answered: messages('typed', (type, body) => {
      if (type !== 'C' || !asked) return;
      const tag = body.toString('latin1').replace(/\0$/, '');
      if (tag === 'COMMIT') happened();
      if (tag === 'COMMIT' || tag === 'ROLLBACK') asked = false;
    }),
  };
}

/** A Parse message has the statement's name before its text. */
const parsedText = (body: Buffer): string => body.subarray(body.indexOf(0) + 1).toString('latin1');
