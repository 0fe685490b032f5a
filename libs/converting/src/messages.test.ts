/** An agreement arrives at the converter unchanged, however the network splits it. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FinalPdfInput } from '@karaar/rendering';
import { agreement, rawFile } from '@karaar/rendering/testing/samples';
import { Value } from 'typebox/value';
import { ComposeRequest, packInput, unpackInput } from './messages.ts';
import { createReader, messageOf } from './wire.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'karaar-messages-'));
});
afterAll(() => rm(folder, { recursive: true }));

async function* inPieces(source: AsyncIterable<Uint8Array>, size: number): AsyncGenerator<Uint8Array> {
  for await (const piece of source)
    for (let at = 0; at < piece.length; at += size) yield piece.subarray(at, at + size);
}

async function travel(input: FinalPdfInput, size: number): Promise<FinalPdfInput> {
  const { content, parts } = packInput(input);
  const reader = createReader(inPieces(messageOf(content, parts), size));
  const head = await reader.head();
  if (!head || !Value.Check(ComposeRequest, head.content)) throw new Error('It is not a request');
  const paths: string[] = [];
  for (const [index, length] of head.sizes.slice(0, input.files.length).entries()) {
    paths.push(join(folder, `${size}-${index}`));
    await reader.toFile(length, paths[index] ?? '');
  }
  const images: Uint8Array[] = [];
  for (const length of head.sizes.slice(input.files.length)) images.push(await reader.bytes(length));
  expect(await reader.head()).toBeUndefined();
  return unpackInput(head.content, paths, images);
}

it.each([7, 4_096, 1_000_000])('in pieces of %d bytes', async (size) => {
  const sample = await agreement({ languages: ['hi', 'ta'] });
  const pages = join(folder, `pages-${size}`);
  await writeFile(pages, 'the pages');
  const { sha256 } = rawFile('b.pdf', Buffer.from('the pages'));
  const input: FinalPdfInput = {
    ...sample,
    files: [
      rawFile('a.pdf', Buffer.from('the file')),
      { name: 'b.pdf', kind: 'pdf', sha256: 'of the upload', pages: { path: pages, sha256 } },
    ],
  };
  const arrived = await travel(input, size);
  const { files, parties, ...rest } = arrived;
  const { files: _files, parties: _parties, ...sent } = input;
  expect(rest).toEqual(sent);
  expect(parties.map(({ photo, signature }) => [Buffer.from(photo), Buffer.from(signature)])).toEqual(
    input.parties.map(({ photo, signature }) => [Buffer.from(photo), Buffer.from(signature)]),
  );
  expect(files).toMatchObject([
    { name: 'a.pdf', sha256: input.files[0]?.sha256 },
    { name: 'b.pdf', sha256: 'of the upload', pages: { sha256 } },
  ]);
  expect(await Promise.all(files.map((file) => readFile(file.pages.path ?? '', 'utf8')))).toEqual([
    'the file',
    'the pages',
  ]);
});
