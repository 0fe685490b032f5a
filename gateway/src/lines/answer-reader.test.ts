/** The reader of answers: what it takes, what it refuses, and that it never understands what undici's parser would not. */
import { Duplex } from 'node:stream';
import fc from 'fast-check';
import { Client } from 'undici';
import { AnswerReader } from './answer-reader.ts';

type Outcome = {
  status: number;
  headers: string[];
  body: string;
  /** `whole`, `cut` by the end of the connection, or refused. */
  end: 'whole' | 'cut' | 'refused';
  reusable: boolean;
};

/** Reads bytes that come in pieces and then end. */
function read(text: string, isHead = false, pieces: readonly number[] = []): Outcome {
  const bytes = Buffer.from(text, 'latin1');
  const outcome: Outcome = { status: 0, headers: [], body: '', end: 'cut', reusable: false };
  const reader = new AnswerReader();
  const events = {
    onAnswerHead: (status: number, headers: string[]) => Object.assign(outcome, { status, headers }),
    onAnswerData: (chunk: Buffer) => void (outcome.body += chunk.toString('latin1')),
  };
  reader.begin(events, isHead);
  // As on a line: always the same memory, in which the last read is still to be seen behind the new one.
  const memory = Buffer.alloc(16_384, 'HTTP/1.1 200 OK\r\n\r\n');
  let surplus = false;
  try {
    for (let at = 0, piece = 0; at < bytes.length && !reader.isComplete; piece += 1) {
      const size = Math.min(pieces[piece] ?? memory.length, bytes.length - at, memory.length);
      bytes.copy(memory, 0, at, at + size);
      surplus = reader.read(memory, size) < size || at + size < bytes.length;
      at += size;
    }
  } catch {
    return { ...outcome, end: 'refused' };
  }
  if (reader.isComplete || reader.endsWithConnection) outcome.end = 'whole';
  outcome.reusable = reader.isComplete && reader.persistent && !surplus;
  return outcome;
}

const answer = (lines: string[], body = '') => `${['HTTP/1.1 200 OK', ...lines].join('\r\n')}\r\n\r\n${body}`;

describe('an answer', () => {
  it.each([
    ['with a length', answer(['content-length: 4'], 'body'), 'body', true],
    ['without a body', answer(['content-length: 0']), '', true],
    [
      'in chunks',
      answer(['transfer-encoding: chunked'], '3\r\nbod\r\n1;x=y\r\ny\r\n0\r\n\r\n'),
      'body',
      true,
    ],
    [
      'in chunks with trailers',
      answer(['Transfer-Encoding: Chunked'], '4\r\nbody\r\n0\r\nx-sum: 1\r\ny: 2\r\n\r\n'),
      'body',
      true,
    ],
    ['until the end of the connection', answer(['content-type: text/plain'], 'body'), 'body', false],
    ['whose service closes', answer(['content-length: 4', 'connection: Close'], 'body'), 'body', false],
    ['of an old service', 'HTTP/1.0 200 OK\r\ncontent-length: 4\r\n\r\nbody', 'body', false],
    ['after another one', answer(['content-length: 4'], 'bodyHTTP/1.1 200 OK\r\n'), 'body', false],
    [
      'after interim ones',
      `HTTP/1.1 103 Early Hints\r\nlink: x\r\n\r\n${answer(['content-length: 4'], 'body')}`,
      'body',
      true,
    ],
    ['without a reason', 'HTTP/1.1 200\r\ncontent-length: 4\r\n\r\nbody', 'body', true],
  ])('%s is read, in whatever pieces it comes', (_what, text, body, reusable) => {
    const whole = read(text);
    expect(whole).toMatchObject({ status: 200, body, end: 'whole', reusable });
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 9 }), { minLength: text.length }), (pieces) => {
        expect(read(text, false, pieces)).toEqual(whole);
      }),
      { numRuns: 50 },
    );
  });

  it('keeps its headers in their order, also those that come twice, without the space around them', () => {
    const text = answer([
      'Set-Cookie:a=1',
      'x-Y: \t z w \t',
      'set-cookie: b\xe9\xa0',
      'x-empty:',
      'content-length: 0',
    ]);
    expect(read(text).headers).toEqual(
      [
        ['set-cookie', 'a=1'],
        ['x-y', 'z w'],
        ['set-cookie', 'b\xe9\xa0'],
        ['x-empty', ''],
        ['content-length', '0'],
      ].flat(),
    );
  });

  it.each([204, 304])(
    'of status %i has no body; its line is used again only when it announced none',
    (status) => {
      const text = (...lines: string[]) => answer(lines).replace('200', String(status));
      expect(read(text())).toMatchObject({ end: 'whole', body: '', reusable: true });
      expect(read(text('content-length: 4'))).toMatchObject({ end: 'whole', body: '', reusable: false });
      expect(read(text('transfer-encoding: chunked'))).toMatchObject({
        end: 'whole',
        body: '',
        reusable: false,
      });
    },
  );

  it('to HEAD has a length and no body', () => {
    expect(read(answer(['content-length: 4']), true)).toMatchObject({
      end: 'whole',
      body: '',
      reusable: true,
    });
  });

  it.each([
    ['with a length', answer(['content-length: 5'], 'body')],
    ['in chunks', answer(['transfer-encoding: chunked'], '4\r\nbody\r\n')],
    ['in trailers', answer(['transfer-encoding: chunked'], '4\r\nbody\r\n0\r\n')],
    ['in its head', 'HTTP/1.1 200 OK\r\ncontent-le'],
  ])('that is not complete when the connection ends is cut: %s', (_what, text) => {
    expect(read(text).end).toBe('cut');
  });

  it.each([
    ['two lengths', answer(['content-length: 4', 'content-length: 4'], 'body')],
    ['a list of lengths', answer(['content-length: 4, 4'], 'body')],
    ['a signed length', answer(['content-length: +4'], 'body')],
    ['a hexadecimal length', answer(['content-length: 0x4'], 'body')],
    ['a space behind the length', answer(['content-length: 4 '], 'body')],
    ['an empty length', answer(['content-length:'], 'body')],
    ['a length beyond all numbers', answer(['content-length: 9999999999999999'], 'body')],
    ['length and chunks', answer(['content-length: 4', 'transfer-encoding: chunked'], '0\r\n\r\n')],
    ['chunks and length', answer(['transfer-encoding: chunked', 'content-length: 4'], '0\r\n\r\n')],
    ['chunks twice', answer(['transfer-encoding: chunked', 'transfer-encoding: chunked'], '0\r\n\r\n')],
    ['an encoding nobody asked for', answer(['transfer-encoding: gzip, chunked'], '0\r\n\r\n')],
    ['a space behind the encoding', answer(['transfer-encoding: chunked\t'], '0\r\n\r\n')],
    ['a hidden encoding', answer(['transfer-encoding: xchunked'], '0\r\n\r\n')],
    ['chunks of an old service', 'HTTP/1.0 200 OK\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n'],
    ['a space before the colon', answer(['content-length : 4'], 'body')],
    ['a folded header', answer(['x: a', ' b', 'content-length: 4'], 'body')],
    ['a header without a name', answer([': a', 'content-length: 4'], 'body')],
    ['a bare line feed', answer(['x: a\ncontent-length: 4'], 'body')],
    ['a bare return', answer(['x: a\rcontent-length: 4'], 'body')],
    ['a NUL', answer(['x: a\0', 'content-length: 4'], 'body')],
    ['another protocol', answer([]).replace('HTTP/1.1', 'HTTP/2.0')],
    ['a status of two digits', answer(['content-length: 0']).replace('200', '20')],
    ['a space before the status line', ` ${answer(['content-length: 0'])}`],
    ['a change of protocol', 'HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\n\r\n'],
    ['a call to go on', 'HTTP/1.1 100 Continue\r\n\r\n'],
    ['an interim answer with a body', 'HTTP/1.1 103 Early Hints\r\ncontent-length: 4\r\n\r\nbody'],
    [
      'an interim answer that closes',
      `HTTP/1.1 103 Early Hints\r\nconnection: close\r\n\r\n${answer(['content-length: 0'])}`,
    ],
    ['a trailer that is none', answer(['transfer-encoding: chunked'], '0\r\n0\r\n\r\n')],
    [
      'an extension of a chunk that is none',
      answer(['transfer-encoding: chunked'], '4;\x01\r\nbody\r\n0\r\n\r\n'),
    ],
    ['a chunk without a size', answer(['transfer-encoding: chunked'], '\r\nbody\r\n0\r\n\r\n')],
    ['a signed chunk', answer(['transfer-encoding: chunked'], '-4\r\nbody\r\n0\r\n\r\n')],
    [
      'a chunk with a space before its size',
      answer(['transfer-encoding: chunked'], ' 4\r\nbody\r\n0\r\n\r\n'),
    ],
    ['a chunk that is longer', answer(['transfer-encoding: chunked'], '3\r\nbody\r\n0\r\n\r\n')],
    ['a chunk beyond all numbers', answer(['transfer-encoding: chunked'], '100000000\r\nbody')],
    [
      'a chunk whose line ends in a line feed',
      answer(['transfer-encoding: chunked'], '4\nbody\r\n0\r\n\r\n'),
    ],
    ['a head without end', `HTTP/1.1 200 OK\r\n${'x: y\r\n'.repeat(4_000)}`],
    ['a size line without end', answer(['transfer-encoding: chunked'], `4;${'x'.repeat(400)}`)],
    ['trailers without end', answer(['transfer-encoding: chunked'], `0\r\n${'x: y\r\n'.repeat(4_000)}`)],
  ])('with %s is refused', (_what, text) => {
    expect(read(text).end).toBe('refused');
    expect(
      read(
        text,
        false,
        Array.from(text, () => 1),
      ).end,
    ).toBe('refused');
  });
});

/** What undici's client makes of the same bytes. */
async function undiciReads(text: string, isHead: boolean): Promise<Outcome> {
  const outcome: Outcome = { status: 0, headers: [], body: '', end: 'cut', reusable: false };
  const wire = new Duplex({
    read: () => undefined,
    write(_chunk, _encoding, done) {
      done();
      setImmediate(() => {
        this.push(Buffer.from(text, 'latin1'));
        this.push(null);
      });
    },
  });
  const client = new Client('http://service', {
    // undici asks for a socket of the net; any stream of bytes will do.
    connect: (_options, done) => void setImmediate(() => done(null, wire as never)),
  });
  await new Promise<void>((resolve) => {
    client.dispatch(
      { path: '/', method: isHead ? 'HEAD' : 'GET' },
      {
        onRequestStart: () => undefined,
        onResponseStart: (_controller, status) => void (outcome.status = status),
        onResponseData: (_controller, chunk) => void (outcome.body += chunk.toString('latin1')),
        onResponseEnd: () => {
          outcome.end = 'whole';
          resolve();
        },
        onResponseError: () => resolve(),
      },
    );
  });
  await client.destroy();
  return outcome;
}

describe('beside undici', () => {
  const nasty = fc.constantFrom(
    ...[
      '\r\n',
      '\n',
      '\r',
      ' ',
      '\t',
      ':',
      ';',
      ',',
      '0',
      '4',
      'a',
      '\0',
      '\x0b',
      '\xff',
      '-',
      '\r\n\r\n',
      '0\r\n\r\n',
    ],
    ...[
      'content-length: 4\r\n',
      'Content-Length: 3\r\n',
      'transfer-encoding: chunked\r\n',
      'connection: close\r\n',
    ],
    ...[
      'Transfer-Encoding: gzip\r\n',
      'x: y\r\n',
      ' folded\r\n',
      '4\r\nbody\r\n',
      'HTTP/1.1 200 OK\r\n',
      'body',
    ],
  );
  const seeds = fc.constantFrom(
    answer(['content-length: 4'], 'body'),
    answer(['x: y', 'transfer-encoding: chunked'], '4\r\nbody\r\n2;a=b\r\nab\r\n0\r\n\r\n'),
    answer(['x: y', 'connection: close'], 'body'),
    'HTTP/1.1 204 No Content\r\nx: y\r\n\r\n',
    'HTTP/1.1 304 Not Modified\r\ncontent-length: 4\r\n\r\n',
    'HTTP/1.1 103 Early Hints\r\nlink: x\r\n\r\nHTTP/1.1 404 Not Found\r\ncontent-length: 2\r\n\r\n{}',
  );
  const mutation = fc.record({ at: fc.nat(), drop: fc.nat({ max: 3 }), put: nasty });
  const mutated = fc.tuple(seeds, fc.array(mutation, { maxLength: 3 })).map(([seed, mutations]) =>
    mutations.reduce((text, { at, drop, put }) => {
      const place = at % (text.length + 1);
      return text.slice(0, place) + put + text.slice(place + drop);
    }, seed),
  );
  const composed = fc.array(nasty, { maxLength: 8 }).map((parts) => `HTTP/1.1 200 OK\r\n${parts.join('')}`);

  it('nothing passes that it would refuse, and what passes means the same', async () => {
    let passed = 0;
    await fc.assert(
      fc.asyncProperty(fc.oneof(mutated, composed), fc.boolean(), async (text, isHead) => {
        const ours = read(text, isHead);
        if (ours.end !== 'whole') return;
        passed += 1;
        const { status, body } = ours;
        expect(await undiciReads(text, isHead)).toMatchObject({ status, body, end: 'whole' });
      }),
      { numRuns: Number(process.env['FUZZ_RUNS'] ?? 2_000) },
    );
    // Otherwise nothing was compared.
    expect(passed).toBeGreaterThan(200);
  });
});
