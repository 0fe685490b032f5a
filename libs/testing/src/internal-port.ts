/** The internal port of a service that is not there: holds callers to one credential and answers by path. */
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What an answer is given of: the JSON that was sent. A buffer is sent as a PDF. */
export type InternalAnswers = Readonly<Record<string, (body: unknown) => unknown>>;

export type InternalPort = {
  /** Stays the same when it is closed and opened again. */
  url: string;
  open: () => Promise<void>;
  /** Nobody answers any more: what is under way is cut off. */
  close: () => Promise<void>;
};

type Refusal = { status: number; code: string; detail: unknown };
const isRefusal = (error: unknown): error is Refusal =>
  typeof error === 'object' && error !== null && 'status' in error && 'code' in error && 'detail' in error;

async function jsonOf(req: IncomingMessage): Promise<unknown> {
  let text = '';
  for await (const chunk of req) text += String(chunk);
  return JSON.parse(text);
}

/**
 * Answers 401 to another credential, 404 to another path, and what an answer throws (an `AppError`) as it is.
 *
 * @param secret the only credential that it takes
 */
export async function startInternalPort(secret: string, answers: InternalAnswers): Promise<InternalPort> {
  let server: Server | undefined;
  let port = 0;
  const answerTo = async (req: IncomingMessage): Promise<{ status: number; body: unknown }> => {
    const body = await jsonOf(req);
    if (req.headers.authorization !== `Bearer ${secret}`)
      return { status: 401, body: { code: 'invalid_token', detail: 'This credential is not known here.' } };
    const answer = answers[req.url ?? ''];
    if (!answer) return { status: 404, body: { code: 'not_found', detail: 'There is nothing here.' } };
    try {
      return { status: 200, body: await answer(body) };
    } catch (error) {
      if (isRefusal(error)) return { status: error.status, body: { code: error.code, detail: error.detail } };
      return { status: 500, body: { code: 'internal', detail: 'Something went wrong.' } };
    }
  };
  const open = async (): Promise<void> => {
    if (server) return;
    const opened = createServer((req, res) => {
      void answerTo(req)
        .then(({ status, body }) => {
          const isFile = Buffer.isBuffer(body);
          res.writeHead(status, { 'content-type': isFile ? 'application/pdf' : 'application/json' });
          res.end(isFile ? body : JSON.stringify(body));
        })
        .catch((error: unknown) => {
          // A request that its caller cut off gets no answer; every other fault stays a fault.
          if (req.complete) throw error;
        });
    });
    await new Promise<void>((resolve) => opened.listen(port, '127.0.0.1', resolve));
    server = opened;
    port = (opened.address() as AddressInfo).port;
  };
  await open();
  return {
    url: `http://127.0.0.1:${port}`,
    open,
    close: async () => {
      const closing = server;
      server = undefined;
      if (!closing) return;
      closing.closeAllConnections();
      await new Promise<void>((resolve) => closing.close(() => resolve()));
    },
  };
}
