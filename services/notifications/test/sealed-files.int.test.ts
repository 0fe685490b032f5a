/** The e-mail about a sealed document with its PDF and receipt, for users who want them. */
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { conflict, forbidden, type AppError } from '@karaar/base/errors';
import { documentsEvents } from '@karaar/contracts/documents/events';
import { documentsRpc, SEALED_PART_BYTES } from '@karaar/contracts/documents/rpc';
import type { WorldUser } from '@karaar/testing/service-world';
import { until } from '@karaar/testing/until';
import { sql } from 'kysely';
import { FILE_ATTEMPTS } from '../src/features/mail/mail.channel.ts';
import { MOST_BYTES } from '../src/features/mail/sealed-files.ts';
import { startApi, type Api } from './api.ts';

const CODE = '7T0HNGEC';
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

let api: Api;
let asha: WorldUser;
/** The files in documents, or its error. */
let files: Record<'pdf' | 'receipt', Buffer>;
let size: number | undefined;
let fault: AppError | 'damaged' | undefined;
let asked: number;
/** The largest e-mail that the server takes. */
let mostBytes: number;

beforeAll(async () => {
  api = await startApi('notifications-sealed-files', { mostBytes: () => mostBytes });
  await api.world.serve(documentsRpc.sealedPart, ({ file, offset }) => {
    asked += 1;
    if (fault && fault !== 'damaged') throw fault;
    const whole = files[file];
    const bytes = Buffer.from(whole.subarray(offset, offset + SEALED_PART_BYTES));
    if (fault) bytes[0] = (bytes[0] ?? 0) ^ 1;
    return {
      name: file === 'pdf' ? `${CODE}.pdf` : `${CODE}-receipt.html`,
      size: (file === 'pdf' ? size : undefined) ?? whole.length,
      sha256: sha256(whole),
      bytes: bytes.toString('base64'),
    };
  });
}, 120_000);
afterAll(() => api.stop());
beforeEach(async () => {
  [files, size, fault, asked, mostBytes] = [
    { pdf: randomBytes(2 * SEALED_PART_BYTES + 7), receipt: randomBytes(1_000) },
    undefined,
    undefined,
    0,
    2 * MOST_BYTES,
  ];
  asha = await api.world.addUser('Asha Rao');
});

const db = () => api.service.foundation.db;
const wantFiles = () => api.call(asha, 'PATCH', '/notifications/settings', { attach_sealed: true });
const sealed = () =>
  api.world.publish(documentsEvents.finalized, {
    document_id: randomUUID(),
    status: 'finalized',
    primary_user: asha.userId,
    involved_users: [asha.userId],
    change: 'document.finalized',
    actor_id: null,
  });
const delivery = async () => {
  const { rows } = await sql<{ state: string; attempts: number; reason: string | null }>`
    SELECT d.state, d.attempts, d.reason FROM deliveries d JOIN notifications n ON n.id = d.notification_id
    WHERE n.user_id = ${asha.userId} AND d.channel = 'email'`.execute(db());
  return rows[0];
};
const waits = (attempts: number) =>
  until(`attempt ${attempts}`, async () => {
    const now = await delivery();
    return now?.state === 'queued' && now.attempts === attempts && now.reason === 'no files yet';
  });
const tryAgain = () => sql`UPDATE deliveries SET due_at = now() WHERE state = 'queued'`.execute(db());
const mail = async () => {
  await until('the e-mail', async () => (await delivery())?.state === 'sent');
  expect(api.mailsTo(asha)).toHaveLength(1);
  return api.mailsTo(asha)[0];
};

it('has only the link if the user has not asked for the files', async () => {
  await sealed();
  const one = await mail();
  expect(one?.attachments).toEqual([]);
  expect(one?.text).not.toContain('attached');
  expect(asked).toBe(0);
});

it('has both files byte for byte, and no name of the document in subject or file names', async () => {
  await wantFiles();
  await sealed();
  const one = await mail();
  expect(one?.attachments).toEqual([
    { name: `${CODE}.pdf`, type: 'application/pdf', bytes: files.pdf.length, sha256: sha256(files.pdf) },
    {
      name: `${CODE}-receipt.html`,
      type: 'text/html',
      bytes: files.receipt.length,
      sha256: sha256(files.receipt),
    },
  ]);
  expect(one?.subject).toBe('Your document is sealed');
  expect(one?.text).toContain('The sealed PDF and its receipt are attached.');
});

it.each([
  [MOST_BYTES, true],
  [MOST_BYTES + 1, false],
])('has files of %d bytes together: %s, else says why not', async (bytes, attached) => {
  await wantFiles();
  if (attached) files.pdf = randomBytes(bytes - files.receipt.length);
  else size = bytes - files.receipt.length;
  await sealed();
  const one = await mail();
  expect(one?.attachments).toHaveLength(attached ? 2 : 0);
  if (attached) return;
  expect(one?.text).toContain('are too large for an e-mail, so they are not attached');
  expect(asked).toBe(2);
});

it('has the link and a sentence if the server refuses its size, and ends if it is refused without files', async () => {
  await wantFiles();
  mostBytes = 100_000;
  await sealed();
  const one = await mail();
  expect(one?.attachments).toEqual([]);
  expect(one?.text).toContain('are too large for an e-mail, so they are not attached');
  expect(await delivery()).toMatchObject({ attempts: 1 });
  asha = await api.world.addUser('Asha Rao');
  await wantFiles();
  mostBytes = 100;
  await sealed();
  await until('it has failed', async () => (await delivery())?.state === 'failed');
  expect(await delivery()).toMatchObject({ attempts: 1, reason: "the server's answer: refused" });
});

it.each([
  ['the document is not in the log yet', conflict('not_logged', 'Not yet')],
  ['bytes arrive damaged', 'damaged'],
] as const)('waits while %s', async (_why, what) => {
  await wantFiles();
  fault = what;
  await sealed();
  await waits(1);
  expect(api.mailsTo(asha)).toEqual([]);
  fault = undefined;
  await tryAgain();
  expect((await mail())?.attachments).toHaveLength(2);
});

it('has the link and a sentence after the last attempt', async () => {
  await wantFiles();
  fault = conflict('not_logged', 'Not yet');
  await sealed();
  for (let attempt = 1; attempt < FILE_ATTEMPTS; attempt += 1) {
    await waits(attempt);
    await tryAgain();
  }
  const one = await mail();
  expect(one?.attachments).toEqual([]);
  expect(one?.text).toContain('could not be attached. You find them in the document.');
});

it('has no file of a document that does not involve the user any more', async () => {
  await wantFiles();
  fault = forbidden('not_involved', 'No');
  await sealed();
  const one = await mail();
  expect(one?.attachments).toEqual([]);
  expect(one?.text).not.toContain('attached');
});
