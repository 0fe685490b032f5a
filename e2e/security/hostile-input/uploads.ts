/** Files that are not what they say, or are made to break what reads them, at every route that takes files. */
import { promisify } from 'node:util';
import { crc32, deflate } from 'node:zlib';
import { EICAR } from '@karaar/testing/providers/clamd';
import { docx, textPdf } from '@karaar/testing/made-up/files';
import { PDF } from '@libpdf/core';
import { strToU8, unzipSync, zip, zipSync, type AsyncZippable } from 'fflate';
import { verification } from '../../src/person.ts';
import { gather } from '../../src/gather.ts';
import { bearer, type ProductCheck, type Finding, type Target } from '../check.ts';

export type HostileFile = {
  name: string;
  type: string;
  /** Made when it is sent: some are large before they are packed. */
  bytes: () => Uint8Array | Promise<Uint8Array>;
  /** Routes that must refuse it; at the others it must only do no harm. */
  refusedBy: readonly UploadRoute['name'][];
};

export type UploadRoute = {
  name: 'agreement' | 'photo' | 'identity' | 'chat' | 'verify';
  send: (target: Target, file: File) => Promise<Response>;
};

// Off the event loop: requests of other attempts go on while a bomb is packed.
const pack = promisify<Buffer, { level: number }, Buffer>(deflate);
const packZip = promisify<AsyncZippable, Uint8Array>(zip);
const LIMIT_MS = 60_000;
const MiB = 1024 * 1024;

/** What is dear to make is made when it is first asked for, and once. */
function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => (made ??= make());
}

const ascii = (text: string): Uint8Array => Uint8Array.from(text, (char) => char.charCodeAt(0) & 0xff);
const joined = (...parts: Uint8Array[]): Uint8Array => new Uint8Array(Buffer.concat(parts));

/** A PNG of so many pixels, all black, in few bytes (one bit a pixel). */
export async function pngBomb(width: number, height: number): Promise<Uint8Array> {
  const chunk = (type: string, data: Uint8Array): Uint8Array => {
    const body = joined(ascii(type), data);
    const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(data.length);
    check.writeUInt32BE(crc32(body));
    return joined(length, body, check);
  };
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head[8] = 1;
  const rows = await pack(Buffer.alloc((Math.ceil(width / 8) + 1) * height), { level: 9 });
  return joined(
    ascii('\x89PNG\r\n\x1a\n'),
    chunk('IHDR', head),
    chunk('IDAT', rows),
    chunk('IEND', Buffer.alloc(0)),
  );
}

const PDF_TYPE = 'application/pdf';
const WORD = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';
const ALL = ['agreement', 'photo', 'identity', 'chat', 'verify'] as const;
const IMAGES = ['photo', 'identity'] as const;
/** A message may carry any Word file: its reader gets it as it is, as a download. */
const OFFICE = ['agreement', 'photo', 'identity', 'verify'] as const;

/** A PDF whose one page draws a stream that unpacks to so many bytes. */
async function pdfBomb(bytes: number): Promise<Uint8Array> {
  const packed = await pack(Buffer.alloc(bytes, ' '), { level: 9 });
  const objects = [
    '1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n',
    '2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n',
    '3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 200]/Contents 4 0 R>>endobj\n',
    `4 0 obj<</Filter/FlateDecode/Length ${packed.length}>>stream\n`,
  ].join('');
  return joined(
    ascii(`%PDF-1.4\n${objects}`),
    packed,
    ascii('\nendstream endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n'),
  );
}

/** A Word file in which a picture unpacks to so many bytes. */
function wordBomb(bytes: number): Promise<Uint8Array> {
  return packZip({
    ...unzipSync(docx(['Terms'])),
    'word/media/zeros.bin': [new Uint8Array(bytes), { level: 9 }],
  });
}

/** @param scanned whether the product has a scanner for malware; without one such a file must only do no harm */
export async function hostileFiles(
  scanned = process.env['CLAMD_ADDRESS'] !== undefined,
): Promise<HostileFile[]> {
  const pdf = await textPdf('Terms');
  const locked = PDF.create();
  locked.addPage({ size: 'a4' });
  locked.setProtection({ userPassword: 'secret', ownerPassword: 'other' });
  const lockedBytes = await locked.save();
  const svg = ascii(
    '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"><script>alert(1)</script></svg>',
  );
  const html = ascii('<!doctype html><script>alert(1)</script>');
  const macro = docx(['Terms'], { 'word/vbaProject.bin': 'Attribute VB_Name = "ThisDocument"' });
  const pixelsOnce = once(() => pngBomb(30_000, 30_000));
  const pdfOnce = once(() => pdfBomb(300 * MiB));
  const wordOnce = once(() => wordBomb(600 * MiB));
  const DOCUMENTS = ['agreement', 'verify'] as const;
  // prettier-ignore
  const files: [name: string, type: string, refusedBy: HostileFile['refusedBy'], bytes: HostileFile['bytes']][] = [
    ['empty.pdf', PDF_TYPE, ALL, () => new Uint8Array()],
    ['svg.png', 'image/png', ALL, () => svg],
    ['drawing.svg', 'image/svg+xml', ALL, () => svg],
    ['page.pdf', PDF_TYPE, ALL, () => html],
    ['page.html', 'text/html', ALL, () => html],
    ['program.exe', PDF_TYPE, ALL, () => joined(ascii('MZ'), new Uint8Array(200))],
    ['script.sh', 'image/jpeg', ALL, () => ascii('#!/bin/sh\nid\n')],
    ['pixels.png', 'image/png', IMAGES, pixelsOnce],
    ['cut.png', 'image/png', IMAGES, async () => (await pngBomb(64, 64)).slice(0, 40)],
    ['head.jpg', 'image/jpeg', IMAGES, () => ascii('\xff\xd8\xff\xe0')],
    ['cut.pdf', PDF_TYPE, DOCUMENTS, () => pdf.slice(0, 120)],
    ['locked.pdf', PDF_TYPE, DOCUMENTS, () => lockedBytes],
    ['bomb.pdf', PDF_TYPE, ['verify'], pdfOnce],
    ['macro.docx', WORD, OFFICE, () => macro],
    ['bomb.docx', WORD, OFFICE, wordOnce],
    ['eicar.docx', WORD, scanned ? ALL : IMAGES, () => docx(['Terms'], { 'word/media/eicar.com': EICAR })],
    ['not-word.docx', WORD, ALL, () => zipSync({ 'x.txt': strToU8('x') })],
    ['gif-and-pdf.gif', 'image/gif', IMAGES, () => joined(ascii('GIF89a'), pdf)],
    // PDF readers take it for a PDF, unpackers for a Word file.
    ['pdf-and-word.docx', WORD, [...IMAGES, 'verify'], () => joined(pdf, macro)],
    ['../../../../tmp/out.pdf', PDF_TYPE, [...IMAGES, 'verify'], () => pdf],
  ];
  return files.map(([name, type, refusedBy, bytes]) => ({ name, type, refusedBy, bytes }));
}

async function post(
  target: Target,
  path: string,
  fields: Record<string, string | File>,
  method = 'POST',
  open = false,
): Promise<Response> {
  const token = open ? undefined : await target.token('user');
  const body = new FormData();
  for (const [name, value] of Object.entries(fields)) body.append(name, value);
  const signal = AbortSignal.timeout(LIMIT_MS);
  return fetch(`${target.url}/api${path}`, { method, headers: bearer(token), body, signal });
}

export async function uploadRoutes(): Promise<UploadRoute[]> {
  const images = Object.entries(await verification(3)).map(
    ([name, { bytes, type, name: file }]) =>
      [name, new File([new Uint8Array(bytes)], file, { type })] as const,
  );
  return [
    {
      name: 'agreement',
      send: (target, file) =>
        post(target, '/documents/create', {
          name: 'Rent',
          raw_documents: file,
          ...Object.fromEntries(images),
        }),
    },
    {
      name: 'photo',
      send: (target, file) =>
        post(target, '/documents/verification/validate', { detect_type: 'faces', image: file }),
    },
    {
      name: 'identity',
      send: (target, file) => post(target, '/users/profile', { govt_id_image: file }, 'PUT'),
    },
    {
      name: 'chat',
      send: async (target, file) => {
        const others = await fetch(`${target.url}/api/users/all?limit=5`, {
          headers: bearer(await target.token('user')),
        });
        const [other] = (await others.json()) as { user_id: string }[];
        const to = other?.user_id ?? 'nobody';
        return post(target, '/messaging/send', { receiver_id: to, content: 'x', attachment: file });
      },
    },
    { name: 'verify', send: (target, file) => post(target, '/verify', { file }, 'POST', true) },
  ];
}

async function attempt(target: Target, route: UploadRoute, hostile: HostileFile): Promise<Finding[]> {
  const where = `${hostile.name} at ${route.name}`;
  const file = new File([new Uint8Array(await hostile.bytes())], hostile.name, { type: hostile.type });
  try {
    const response = await route.send(target, file);
    const text = await response.text();
    if (response.status >= 500) return [{ where, what: `answered ${response.status}` }];
    if (!hostile.refusedBy.includes(route.name)) return [];
    return isRefused(route, response.status, text) ? [] : [{ where, what: `was taken (${response.status})` }];
  } catch (error) {
    return [
      { where, what: `broke the connection or hung (${error instanceof Error ? error.name : 'unknown'})` },
    ];
  }
}

/** Photos are judged, and files to verify found invalid, with a 200: what counts is the verdict. */
function isRefused(route: UploadRoute, status: number, text: string): boolean {
  if (status >= 400) return true;
  if (route.name === 'photo') return (JSON.parse(text) as { ok: unknown }).ok === false;
  if (route.name === 'verify') return (JSON.parse(text) as { valid: unknown }).valid === false;
  return false;
}

export async function tryUploads(
  target: Target,
  files: readonly HostileFile[],
  at: readonly UploadRoute[],
): Promise<Finding[]> {
  const pairs = files.flatMap((file) => at.map((route) => ({ file, route })));
  const found = await gather(pairs, ({ file, route }) => attempt(target, route, file));
  const health = await fetch(`${target.url}/api/health`);
  const state = (await health.json()) as { status?: string };
  return state.status === 'ok'
    ? found
    : [...found, { where: 'afterwards', what: `the product is ${String(state.status)}` }];
}

export const uploads: ProductCheck = {
  name: 'uploads',
  needsPages: true,
  holds: 'hostile files are refused by every route, and nothing falls over them',
  run: async (target) => tryUploads(target, await hostileFiles(), await uploadRoutes()),
};
