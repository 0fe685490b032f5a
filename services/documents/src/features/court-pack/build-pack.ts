import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { LIST_NAME, writeList } from '@karaar/proof/pack';
import type { Context } from '../../context.ts';
import type { DocumentRecord } from '../agreements/agreement-records.repository.ts';
import type { PlaceInLog } from '../transparency-log/place.ts';
import { receiptOf } from '../receipt/receipt.service.ts';
import { storedFilesOf, type PackSource, type PackHolder } from './evidence-files.ts';
import { packRecord } from './pack-record.ts';
import { certificatePage } from './pages/certificate-page.ts';
import { hashPage } from './pages/hash-page.ts';
import { readMe } from './pages/read-me.ts';
import { timelinePage } from './pages/timeline-page.ts';
import { streamZip } from './stream-zip.ts';

export type Pack = { filename: string; open: () => Readable };

/** Builds the pack of a sealed document. Stored files are not read before `open`. */
export async function buildPack(
  ctx: Context,
  record: DocumentRecord,
  place: PlaceInLog,
  holder: PackHolder,
): Promise<Pack> {
  const madeAt = new Date().toISOString();
  const { document_code: code, sha256, sealed_at: sealedAt } = place.commitment;
  const packed = await packRecord(ctx, record, holder);
  const stored = await storedFilesOf(ctx, record, holder);
  const known = [
    ...stored,
    made('receipt.html', await receiptOf(ctx, place, record.document.id)),
    made('record/record.json', packed.json),
    made('record/timeline.html', timelinePage(code, packed.timeline)),
  ];
  const facts = {
    ...{ code, name: record.document.name, sha256, sealedAt, madeAt },
    person: holder.kind === 'party' ? holder.name : null,
    host: new URL(ctx.config.PUBLIC_URL).host,
  };
  const files = [
    ...known,
    made('certificate/hash-report.html', hashPage(facts, known)),
    made('certificate/section-63-4-draft-en.html', certificatePage('en', facts)),
    made('certificate/section-63-4-draft-hi.html', certificatePage('hi', facts)),
    made('READ-ME.txt', readMe(code, holder)),
  ];
  const { key, sign } = ctx.log.identity;
  const list = made(LIST_NAME, writeList({ code, madeAt, files }, key, sign));
  const open = () => Readable.from(streamZip(madeAt, [list, ...files]), { objectMode: false });
  return { filename: `${code}-court-pack.zip`, open };
}

function made(name: string, text: string): PackSource {
  const content = Buffer.from(text);
  return {
    name,
    sha256: createHash('sha256').update(content).digest('hex'),
    bytes: content.length,
    open: () => Promise.resolve(Readable.from([content])),
  };
}
