/**
 * The sample PDF on the welcome page. `npm run sample` writes it; a test checks that its wording is current.
 * Its people, faces and signatures are synthetic. It is not sealed, and each page says so.
 */
import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { LAW } from '@karaar/contracts/cms/law';
import type { FinalParty, FinalPdfInput } from '@karaar/rendering';
import { createRenderer } from '@karaar/rendering/renderer';
import { faceImage, type FaceImageOptions } from '@karaar/testing/faces/face-image';
import { CHROMIUM, SOFFICE } from '@karaar/testing/programs';
import { degrees, PDF, rgb } from '@libpdf/core';
import sharp from 'sharp';

export const SAMPLE = fileURLToPath(
  new URL('../../../apps/user-mfe/src/features/welcome/sample-agreement.pdf', import.meta.url),
);

export const MARK = 'Sample. This file is not sealed.';

const LEASE = [
  'Rent agreement',
  '',
  'Asha Rao (the owner) lets the flat at 12, Lake Road, Pune, to Vikram Shah (the tenant).',
  '',
  '1.  The tenant pays a rent of Rs 18,000 by the 5th of each month.',
  '2.  The tenant has paid a deposit of Rs 36,000. The owner returns it within 15 days',
  '     after the tenant has left, less the cost of damage beyond ordinary wear.',
  '3.  The tenant pays for electricity, water and gas as metered.',
  '4.  The owner repairs what wears out; the tenant repairs what the tenant breaks.',
  '5.  Either of them may end this agreement by a notice of one month.',
  '6.  The furniture of the flat is listed on the day on which the tenant moves in.',
];

/** A4 in points. */
const A4 = { width: 595, height: 842 };

async function lease(): Promise<Uint8Array> {
  const pdf = PDF.create();
  const page = pdf.addPage(A4);
  for (const [index, text] of LEASE.entries()) {
    page.drawText(text, { x: 64, y: 760 - index * 24, size: index === 0 ? 20 : 11 });
  }
  return pdf.save();
}

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

const SIGNATURES = {
  asha: 'M60 210C110 60 170 40 190 200S250 230 290 120 360 60 390 190 450 220 510 120q60-60 130 30',
  vikram: 'M80 80L180 230 270 60M310 120q-40 110 10 100T400 110q10 110 70 90t90-80q40-40 110 10',
};

async function party(
  [name, charId, role, at]: [string, string, FinalParty['role'], string],
  { face, stroke }: { face: FaceImageOptions; stroke: string },
): Promise<FinalParty> {
  const photo = await faceImage({ width: 480, height: 640, format: 'jpeg', ...face });
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="800" height="300"><path d="${stroke}" stroke="#1b2a6b" stroke-width="9" fill="none" stroke-linecap="round"/></svg>`;
  return {
    ...{ name, charId, role, photo },
    faceBox: null,
    approval: {
      at,
      by: role === 'primary' ? 'key' : 'session',
      statementSha256: sha256(Buffer.from(`statement of ${charId}`)),
    },
    face: { sha256: sha256(photo), source: 'live' },
    eye: { sha256: sha256(Buffer.from(`eye of ${charId}`)), source: 'live' },
    signature: await sharp(Buffer.from(svg)).png().toBuffer(),
    signMethod: 'drawn',
  };
}

async function agreement(): Promise<FinalPdfInput> {
  const bytes = await lease();
  const hash = sha256(bytes);
  return {
    document: {
      name: 'Sample: rent of the flat at 12, Lake Road',
      code: 'SAMPLE00',
      location: 'Pune',
      startDate: '2026-12-01',
      endDate: '2027-10-31',
      description: 'A sample. Its people do not exist, and it is not sealed.',
      pageDetails: [{ pageNo: 1, description: 'The terms of the rent' }],
      createdAt: '2026-11-20T09:00:00Z',
      days: 335,
      dailyRatePaise: 100,
      totalPaise: 33_500,
    },
    parties: [
      await party(['Asha Rao', 'AB12CD34', 'primary', '2026-11-21T04:31:00Z'], {
        face: { seed: 3, skin: 'tan' },
        stroke: SIGNATURES.asha,
      }),
      await party(['Vikram Shah', 'ZX98YV76', 'party', '2026-11-21T05:12:00Z'], {
        face: { seed: 7, skin: 'brown' },
        stroke: SIGNATURES.vikram,
      }),
    ],
    files: [{ name: 'rent-agreement.pdf', kind: 'pdf', sha256: hash, pages: { bytes, sha256: hash } }],
    auditTrail: [
      { at: '2026-11-20T09:00:00Z', actor: 'Asha Rao', action: 'created the agreement' },
      { at: '2026-11-21T04:31:00Z', actor: 'Asha Rao', action: 'approved the agreement' },
      { at: '2026-11-21T05:12:00Z', actor: 'Vikram Shah', action: 'approved the agreement' },
    ],
    logOrigin: 'karaar.example/log',
    verifyUrl: 'https://karaar.example/verify?code=SAMPLE00',
    seal: { level: 'B-B', signer: 'Sample', certFingerprint: sha256(Buffer.from('sample')) },
    composedAt: '2026-11-21T06:00:00Z',
    law: LAW,
  };
}

const RED = rgb(0.75, 0.2, 0.15);

async function marked(bytes: Uint8Array): Promise<Uint8Array> {
  const pdf = await PDF.load(bytes);
  for (const page of pdf.getPages()) {
    page.drawText('SAMPLE', {
      ...{ x: page.width * 0.16, y: page.height * 0.3, size: 130 },
      ...{ color: RED, opacity: 0.13, rotate: degrees(45) },
    });
    page.drawText(MARK, { x: page.width * 0.4, y: page.height - 24, size: 9, color: RED });
  }
  return pdf.save();
}

/** Returns the sample with the wording of this release. */
export async function makeSample(): Promise<Uint8Array> {
  const workDir = await mkdtemp(join(tmpdir(), 'karaar-sample-'));
  const renderer = createRenderer({
    ...{ chromiumPath: CHROMIUM, sofficePath: SOFFICE, workDir },
    chromiumSandbox: process.getuid?.() !== 0,
  });
  try {
    const { pdf } = await renderer.composeFinalPdf(await agreement());
    return await marked(pdf);
  } finally {
    await renderer.close();
    await rm(workDir, { recursive: true, force: true });
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await writeFile(SAMPLE, await makeSample());
