/** A stand-in for the documents service's printer: holds callers to the contract and keeps what they sent. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { AccountSheet } from '@karaar/contracts/documents/print';
import { Value } from 'typebox/value';

export type TestPrinter = {
  url: string;
  /** Every sheet that was printed. */
  sheets: AccountSheet[];
  stop: () => Promise<void>;
};

/** Answers 422 for what is no sheet, else a PDF header. */
export async function startPrinter(): Promise<TestPrinter> {
  const sheets: AccountSheet[] = [];
  const server = createServer((req, res) => {
    void (async () => {
      let text = '';
      for await (const chunk of req) text += String(chunk);
      const body: unknown = JSON.parse(text);
      if (req.url !== '/internal/account-sheet' || !Value.Check(AccountSheet, body)) {
        return void res.writeHead(422).end();
      }
      sheets.push(body);
      res.writeHead(200, { 'content-type': 'application/pdf' }).end('%PDF-1.7');
    })();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    sheets,
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
