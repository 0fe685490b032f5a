import type { Readable } from 'node:stream';
import { authEvents } from '@karaar/contracts/auth/events';
import type { User } from '@karaar/contracts/auth/http';
import { exportRpc, type ExportItem } from '@karaar/contracts/personal-data';
import { inTransaction, uuidv7 } from '@karaar/db';
import { ZipFile } from 'yazl';
import type { Context } from '../../context.ts';
import { listAllSessions } from '../sessions/sessions.repository.ts';
import type { UserRow } from './accounts.repository.ts';
import { requireUser } from './accounts.service.ts';
import { confirmed } from './step-up.ts';

/** Largest number of items of one kind. A truncated file says that it is. */
const MAX_ITEMS = 50_000;

const README = `Your Karaar data

profile.json     your profile; an Aadhaar number is kept encrypted and shown by its last four digits
id-image.jpg     your government ID, without the place and the camera that a photo may carry
sessions.json    where you are signed in, and were within the last month
documents.json   your agreements: name, code, status, your part, your own approval and how you verified
wallet.json      every movement of your wallet
payments.json    what you paid for which agreement
messages.json    the messages that you sent

Times are UTC. Amounts are rupees.
`;

/**
 * Collects everything before it streams, so that a service that does not answer causes an error (503) instead
 * of half a file.
 * @throws 429 after many exports, and as {@link confirmed} without the passkey's confirmation
 */
export async function exportUser(
  ctx: Context,
  { userId, grant }: { userId: string; grant: string | undefined },
  present: (user: UserRow) => User,
): Promise<Readable> {
  const step = await confirmed(ctx, { userId, act: { action: 'export' } }, grant);
  await ctx.exports(userId);
  await inTransaction(ctx.db, (tx) => step.spend(tx));
  const user = await requireUser(ctx, userId);
  const { govt_id_image: _link, ...profile } = present(user);
  const files = new Map<string, unknown>([
    ['profile.json', profile],
    ['sessions.json', await sessionsOf(ctx, userId)],
  ]);
  for (const [name, rpc] of Object.entries(exportRpc)) {
    files.set(`${name}.json`, await collect(ctx, rpc, userId));
  }
  const zip = new ZipFile();
  zip.addBuffer(Buffer.from(README), 'README.txt');
  for (const [name, content] of files) zip.addBuffer(Buffer.from(JSON.stringify(content, null, 2)), name);
  if (user.govt_id_image) {
    const image = await ctx.blobs.open(user.govt_id_image);
    // Compression does not make a JPEG smaller.
    zip.addReadStream(image.stream, 'id-image.jpg', { compress: false, size: image.size });
  }
  zip.end();
  await publishExport(ctx, userId);
  // yazl's type is too general: the stream is a PassThrough.
  return zip.outputStream as Readable;
}

/** The user is notified of every export, because an intruder would likely begin with one. */
const publishExport = (ctx: Context, userId: string): Promise<string> =>
  inTransaction(ctx.db, (tx) =>
    ctx.outbox.add(tx, authEvents.dataExported, {
      aggregateId: uuidv7(),
      aggregateVersion: 1,
      data: { user_id: userId },
    }),
  );

async function sessionsOf(ctx: Context, userId: string) {
  const rows = await listAllSessions(ctx.db, userId);
  return rows.map(({ device, network, created_at, expires_at, revoked_at }) => ({
    device,
    network,
    created_at,
    expires_at,
    signed_out_at: revoked_at,
  }));
}

async function collect(
  ctx: Context,
  rpc: (typeof exportRpc)[keyof typeof exportRpc],
  userId: string,
): Promise<ExportItem[]> {
  const all: ExportItem[] = [];
  let cursor: string | null = null;
  do {
    const page: { items: ExportItem[]; next_cursor: string | null } = await ctx.bus.request(rpc, {
      user_id: userId,
      cursor,
    });
    all.push(...page.items);
    cursor = page.next_cursor;
  } while (cursor !== null && all.length < MAX_ITEMS);
  if (cursor !== null) all.push({ note: `Only the first ${MAX_ITEMS} entries are in this file.` });
  return all;
}
