import { until } from '@karaar/testing/until';
import { csvStream, csvTime } from './index.ts';

async function text(stream: AsyncIterable<unknown>): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of stream) parts.push(Buffer.from(part as Uint8Array));
  return Buffer.concat(parts).toString('utf8');
}
async function* of<R>(...rows: R[]): AsyncGenerator<R> {
  yield* rows;
}

it('quotes separators and cells that a spreadsheet would run as a formula', async () => {
  const rows = of(['आशा, राव', 'say "yes"'], ['=HYPERLINK("http://x")', '+1'], ['line\nbreak', '@x']);
  expect(await text(csvStream(['Name', 'Note'], rows, (row) => row))).toBe(
    '\uFEFFName,Note\r\n"आशा, राव","say ""yes"""\r\n"\'=HYPERLINK(""http://x"")",\'+1\r\n"line\nbreak",\'@x\r\n',
  );
});

it('stops reading rows when the stream is closed, and reports a row that could not be read', async () => {
  let read = 0;
  let ended = false;
  async function* endless() {
    try {
      for (;;) yield [String((read += 1))];
    } finally {
      ended = true;
    }
  }
  const stream = csvStream(['n'], endless(), (row) => row);
  for await (const _chunk of stream) break;
  await until('reading has ended', () => ended);

  async function* broken(): AsyncGenerator<string[]> {
    yield ['1'];
    throw new Error('the database is away');
  }
  await expect(text(csvStream(['n'], broken(), (row) => row))).rejects.toThrow('away');
});

it('writes times in India’s time zone', () => {
  expect(csvTime(new Date('2026-11-21T18:40:00Z'))).toBe('2026-11-22 00:10:00');
});
