import { createHash } from 'node:crypto';
import { PDF, rgb } from '@libpdf/core';
import { textPdf } from '@karaar/testing/made-up/files';
import sharp from 'sharp';
import type { FinalPdfInput, FinalParty, RawFile, RawFileKind, Renderer } from '../types.ts';

export function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** Returns a PDF whose pages are kept as they are. */
export function rawFile(name: string, bytes: Uint8Array): RawFile {
  return { name, kind: 'pdf', sha256: sha256(bytes), pages: { bytes, sha256: sha256(bytes) } };
}

/** Returns a file with the pages that the renderer makes of it. */
export async function uploaded(
  { prepareUpload }: Renderer,
  file: { name: string; kind: RawFileKind; bytes: Uint8Array },
): Promise<RawFile> {
  const { pdf } = await prepareUpload(file);
  return {
    ...{ name: file.name, kind: file.kind, sha256: sha256(file.bytes) },
    pages: { bytes: pdf, sha256: sha256(pdf) },
  };
}

/** Returns a drawn face; `tone` distinguishes people. */
export function photo(tone = '#c98f6b'): Promise<Buffer> {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="480" height="640"><rect width="480" height="640" fill="#9fb4c7"/>
<ellipse cx="240" cy="300" rx="130" ry="170" fill="${tone}"/><circle cx="190" cy="270" r="14"/><circle cx="290" cy="270" r="14"/>
<path d="M190 390q50 40 100 0" stroke="#7a3b2e" stroke-width="8" fill="none"/></svg>`;
  return sharp(Buffer.from(svg)).jpeg().toBuffer();
}

/** Returns a drawn signature with a transparent background. */
export function signature(ink = '#1b2a6b'): Promise<Buffer> {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="800" height="300"><path d="M100 200C150 50 200 50 210 180S260 240 300 130 380 60 400 190 460 220 520 120q60-60 120 40"
stroke="${ink}" stroke-width="9" fill="none" stroke-linecap="round"/></svg>`;
  return sharp(Buffer.from(svg)).png().toBuffer();
}

export async function party(name: string, charId: string, role: FinalParty['role']): Promise<FinalParty> {
  return {
    name,
    charId,
    role,
    approval: {
      at: '2026-11-21T03:04:05Z',
      by: role === 'primary' ? 'key' : 'session',
      statementSha256: sha256(Buffer.from(charId)),
    },
    photo: await photo(),
    faceBox: { x: 0.23, y: 0.3, width: 0.54, height: 0.43 },
    face: { sha256: sha256(await photo()), source: 'live' },
    eye: { sha256: 'e'.repeat(64), source: 'device' },
    signature: await signature(),
    signMethod: 'drawn',
  };
}

/**
 * Returns one page with a square of a different colour in each corner, by the name of the unrotated corner.
 */
export async function cornersPdf(
  rotate: 0 | 90 | 180 | 270,
  size: [number, number] = [400, 600],
): Promise<Uint8Array> {
  const [width, height] = size;
  const pdf = PDF.create();
  const page = pdf.addPage({ width, height, rotate });
  const square = 80;
  page.drawRectangle({ x: 0, y: height - square, width: square, height: square, color: rgb(1, 0, 0) });
  page.drawRectangle({
    x: width - square,
    y: height - square,
    width: square,
    height: square,
    color: rgb(0, 1, 0),
  });
  page.drawRectangle({ x: 0, y: 0, width: square, height: square, color: rgb(0, 0, 1) });
  page.drawRectangle({ x: width - square, y: 0, width: square, height: square, color: rgb(1, 1, 0) });
  return pdf.save();
}

export async function agreement(change: Partial<FinalPdfInput> = {}): Promise<FinalPdfInput> {
  return {
    document: {
      name: 'Rent of the flat at 12, Lake Road',
      code: '7K3M9QXA',
      location: 'Pune',
      startDate: '2026-12-01',
      endDate: '2027-11-30',
      description: 'The tenant pays the rent by the 5th of each month.',
      pageDetails: [{ pageNo: 1, description: 'Inventory of the furniture' }],
      createdAt: '2026-11-20T09:00:00Z',
      days: 365,
      dailyRatePaise: 150,
      totalPaise: 54_750,
    },
    parties: [
      await party('Asha Rao', 'AB12CD34', 'primary'),
      await party('Vikram Shah', 'ZX98YV76', 'party'),
    ],
    files: [rawFile('lease.pdf', await textPdf('First page of the lease', 'Second page of the lease'))],
    auditTrail: [
      { at: '2026-11-20T09:00:00Z', actor: 'Asha Rao', action: 'created the agreement' },
      {
        at: '2026-11-21T03:04:05Z',
        actor: 'Vikram Shah',
        action: 'verified face, eye and signature and approved',
      },
    ],
    logOrigin: 'karaar.example/log',
    verifyUrl: 'https://karaar.example/verify?code=7K3M9QXA',
    seal: { level: 'B-B', signer: 'Karaar development seal', certFingerprint: 'ab'.repeat(32) },
    composedAt: '2026-11-21T06:00:00Z',
    ...change,
  };
}
