/** A stand-in for the documents service's printer: holds callers to the contract and keeps what they sent. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { randomBytes } from 'node:crypto';
import { AccountSheet } from '@karaar/contracts/documents/print';
import { internalRoutes } from '@karaar/contracts/internal';
import { Value } from 'typebox/value';

export type TestPrinter = {
  url: string;
  /** The only credential that it takes. */
  secret: string;
  /** Every sheet that was printed. */
  sheets: AccountSheet[];
  stop: () => Promise<void>;
};

/** Answers 401 to another credential, 422 for what is no sheet, else a PDF header. */
export async function startPrinter(): Promise<TestPrinter> {
  const sheets: AccountSheet[] = [];
  const secret = randomBytes(32).toString('base64url');
  const server = createServer((req, res) => {
    void (async () => {
      let text = '';
      for await (const chunk of req) text += String(chunk);
      if (req.headers.authorization !== `Bearer ${secret}`) return void res.writeHead(401).end();
      const body: unknown = JSON.parse(text);
      if (req.url !== internalRoutes.printAccountSheet.path || !Value.Check(AccountSheet, body)) {
        return void res.writeHead(422).end();
      }
      sheets.push(body);
      res.writeHead(200, { 'content-type': 'application/pdf' }).end('%PDF-1.7');
    })();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    secret,
    sheets,
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
