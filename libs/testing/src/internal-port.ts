/** A stub for the internal port of a service: checks the credential and answers by path. */
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Answers by path, as functions of the JSON body. A buffer is sent as a PDF. */
export type InternalAnswers = Readonly<Record<string, (body: unknown) => unknown>>;

export type InternalPort = {
  /** Stays the same after closing and opening. */
  url: string;
  open: () => Promise<void>;
  /** Closes the port and all running requests. */
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
 * Starts the stub. It answers 401 to another credential, 404 to another path, and an `AppError` of an answer
 * with its status.
 *
 * @param secret the only valid credential
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
          // A request whose caller disconnected needs no response; every other error is rethrown.
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
