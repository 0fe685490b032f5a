/** Files with a false type, with code, or made to break their reader, at every route that takes files. */
import { promisify } from 'node:util';
import { deflate } from 'node:zlib';
import { EICAR } from '@karaar/testing/providers/clamd';
import { docx, pdfOf, textPdf } from '@karaar/testing/made-up/files';
import { PDF } from '@libpdf/core';
import { strToU8, unzipSync, zip, zipSync, type AsyncZippable } from 'fflate';
import pMap from 'p-map';
import sharp from 'sharp';
import { toForm, verification, type Part } from '../../src/person.ts';
import { bearer, brokenAfter, type ProductCheck, type Finding, type Target } from '../check.ts';

export type HostileFile = {
  name: string;
  type: string;
  /** Called when it is sent: a bomb is large before it is packed. */
  bytes: () => Uint8Array | Promise<Uint8Array>;
  /** Routes that must refuse it; the others must only survive it. */
  refusedBy: readonly UploadRoute['name'][];
};

type Fields = Record<string, string | Part>;
export type UploadRoute = {
  name: 'agreement' | 'photo' | 'identity' | 'chat' | 'verify';
  path: string;
  method?: 'POST' | 'PUT';
  fields: (file: Part, target: Target) => Fields | Promise<Fields>;
};

const LIMIT_MS = 60_000;
const MiB = 1024 * 1024;
const ascii = (text: string): Uint8Array => Buffer.from(text, 'latin1');
const joined = (...parts: Uint8Array[]): Uint8Array => Buffer.concat(parts);

const black = (width: number, height: number): Promise<Uint8Array> =>
  sharp({ create: { width, height, channels: 3, background: 'black' }, limitInputPixels: false })
    .toColourspace('b-w')
    .png()
    .toBuffer();

/** A PDF with one page, whose content unpacks to this size. */
async function pdfBomb(bytes: number): Promise<Uint8Array> {
  const packed = await promisify(deflate)(Buffer.alloc(bytes, ' '));
  const content = ascii(`<</Filter/FlateDecode/Length ${packed.length}>>\nstream\n`);
  return pdfOf([
    Buffer.from('<</Type/Catalog/Pages 2 0 R>>'),
    Buffer.from('<</Type/Pages/Kids[3 0 R]/Count 1>>'),
    Buffer.from('<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 200]/Contents 4 0 R>>'),
    Buffer.concat([content, packed, ascii('\nendstream')]),
  ]);
}

/** A Word file with a picture that unpacks to this size. */
const wordBomb = (bytes: number): Promise<Uint8Array> =>
  promisify<AsyncZippable, Uint8Array>(zip)({
    ...unzipSync(docx(['Terms'])),
    'word/media/zeros.bin': new Uint8Array(bytes),
  });

async function lockedPdf(): Promise<Uint8Array> {
  const locked = PDF.create();
  locked.addPage({ size: 'a4' });
  locked.setProtection({ userPassword: 'secret', ownerPassword: 'other' });
  return locked.save();
}

/** @param scanned false: without a malware scanner the product must only survive an infected file */
export async function hostileFiles(
  scanned = process.env['CLAMD_ADDRESS'] !== undefined,
): Promise<HostileFile[]> {
  const pdf = await textPdf('Terms');
  const svg = ascii(
    '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"><script>alert(1)</script></svg>',
  );
  const html = ascii('<!doctype html><script>alert(1)</script>');
  const macro = docx(['Terms'], { 'word/vbaProject.bin': 'Attribute VB_Name = "ThisDocument"' });
  const PDF_TYPE = 'application/pdf';
  const WORD = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';
  const IMAGES = ['photo', 'identity'] as const;
  const DOCUMENTS = ['agreement', 'verify'] as const;
  // A message may carry any Word file: the recipient only downloads it.
  const OFFICE = [...DOCUMENTS, ...IMAGES] as const;
  const ALL = [...OFFICE, 'chat'] as const;
  // prettier-ignore
  const files: [name: string, type: string, refusedBy: HostileFile['refusedBy'], bytes: HostileFile['bytes']][] = [
    ['empty.pdf', PDF_TYPE, ALL, () => new Uint8Array()],
    ['svg.png', 'image/png', ALL, () => svg],
    ['drawing.svg', 'image/svg+xml', ALL, () => svg],
    ['page.pdf', PDF_TYPE, ALL, () => html],
    ['page.html', 'text/html', ALL, () => html],
    ['program.exe', PDF_TYPE, ALL, () => joined(ascii('MZ'), new Uint8Array(200))],
    ['script.sh', 'image/jpeg', ALL, () => ascii('#!/bin/sh\nid\n')],
    ['pixels.png', 'image/png', IMAGES, () => black(30_000, 30_000)],
    ['cut.png', 'image/png', IMAGES, async () => (await black(64, 64)).slice(0, 40)],
    ['head.jpg', 'image/jpeg', IMAGES, () => ascii('\xff\xd8\xff\xe0')],
    ['cut.pdf', PDF_TYPE, DOCUMENTS, () => pdf.slice(0, 120)],
    ['locked.pdf', PDF_TYPE, DOCUMENTS, lockedPdf],
    ['bomb.pdf', PDF_TYPE, ['verify'], () => pdfBomb(300 * MiB)],
    ['macro.docx', WORD, OFFICE, () => macro],
    ['bomb.docx', WORD, OFFICE, () => wordBomb(600 * MiB)],
    ['eicar.docx', WORD, scanned ? ALL : IMAGES, () => docx(['Terms'], { 'word/media/eicar.com': EICAR })],
    ['not-word.docx', WORD, ALL, () => zipSync({ 'x.txt': strToU8('x') })],
    ['gif-and-pdf.gif', 'image/gif', IMAGES, () => joined(ascii('GIF89a'), pdf)],
    // PDF readers take it for a PDF, unpackers for a Word file.
    ['pdf-and-word.docx', WORD, [...IMAGES, 'verify'], () => joined(pdf, macro)],
    ['../../../../tmp/out.pdf', PDF_TYPE, [...IMAGES, 'verify'], () => pdf],
  ];
  return files.map(([name, type, refusedBy, bytes]) => ({ name, type, refusedBy, bytes }));
}

async function newReceiver({ url, token }: Target): Promise<string> {
  const headers = bearer(await token('user', true));
  const { user_id } = (await (await fetch(`${url}/api/users/profile`, { headers })).json()) as {
    user_id?: string;
  };
  return user_id ?? 'no-such-user';
}

export async function uploadRoutes(): Promise<UploadRoute[]> {
  const images = await verification(3);
  let receiver: Promise<string> | undefined;
  const message = async (attachment: Part, target: Target) => {
    receiver ??= newReceiver(target);
    return { receiver_id: await receiver, content: 'x', attachment };
  };
  const agreement = (file: Part) => ({ name: 'Rent', raw_documents: file, ...images });
  return [
    { name: 'agreement', path: '/documents/create', fields: agreement },
    {
      name: 'photo',
      path: '/documents/verification/validate',
      fields: (image) => ({ detect_type: 'faces', image }),
    },
    { name: 'identity', path: '/users/profile', method: 'PUT', fields: (file) => ({ govt_id_image: file }) },
    { name: 'chat', path: '/messaging/send', fields: message },
    { name: 'verify', path: '/verify', fields: (file) => ({ file }) },
  ];
}

async function faultOf(
  target: Target,
  { name, path, method = 'POST', fields }: UploadRoute,
  file: Part,
  mustRefuse: boolean,
): Promise<string | undefined> {
  const headers = bearer(await target.token(name === 'verify' ? 'public' : 'user'));
  try {
    const body = toForm(await fields(file, target));
    const signal = AbortSignal.timeout(LIMIT_MS);
    const answer = await fetch(`${target.url}/api${path}`, { method, headers, body, signal });
    const text = await answer.text();
    if (answer.status >= 500) return `answered ${answer.status}`;
    return mustRefuse && !isRefused(name, answer.status, text)
      ? `was accepted (${answer.status})`
      : undefined;
  } catch (error) {
    return `broke the connection or hung (${error instanceof Error ? error.name : 'unknown'})`;
  }
}

/** Two routes answer 200 with a verdict. */
function isRefused(name: UploadRoute['name'], status: number, text: string): boolean {
  if (status >= 400) return true;
  if (name === 'photo') return (JSON.parse(text) as { ok: unknown }).ok === false;
  return name === 'verify' && (JSON.parse(text) as { valid: unknown }).valid === false;
}

export async function tryUploads(
  target: Target,
  files: readonly HostileFile[],
  at: readonly UploadRoute[],
): Promise<Finding[]> {
  const tryFile = async ({ name, type, bytes, refusedBy }: HostileFile): Promise<Finding[]> => {
    const file = { name, type, bytes: await bytes() };
    const found: Finding[] = [];
    for (const route of at) {
      const what = await faultOf(target, route, file, refusedBy.includes(route.name));
      if (what !== undefined) found.push({ where: `${name} at ${route.name}`, what });
    }
    return found;
  };
  const found = await pMap(files, tryFile, { concurrency: 4 });
  return [...found.flat(), ...(await brokenAfter(target))];
}

export const uploads: ProductCheck = {
  name: 'uploads',
  needsPages: true,
  holds: 'every route refuses hostile files, and the product survives them',
  run: async (target) => tryUploads(target, await hostileFiles(), await uploadRoutes()),
};
