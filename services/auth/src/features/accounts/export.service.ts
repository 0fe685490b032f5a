/** A person's own data as a ZIP: what this service keeps, and what the others answer. */
import type { Readable } from 'node:stream';
import type { User } from '@karaar/contracts/auth/http';
import { exportRpc, type ExportItem } from '@karaar/contracts/personal-data';
import { ZipFile } from 'yazl';
import type { Context } from '../../context.ts';
import { listSessions } from '../sessions/sessions.service.ts';
import type { UserRow } from './accounts.repository.ts';
import { requireUser } from './accounts.service.ts';

/** Items of one kind at most; a file that was cut says so. */
const MAX_ITEMS = 50_000;

const README = `Your Karaar data

profile.json     your profile; an Aadhaar number is kept encrypted and shown by its last four digits
id-image.jpg     your government ID, without the place and the camera that a photo may carry
sessions.json    where you are signed in now
documents.json   your agreements: name, code, status, your part, your own approval and how you verified
wallet.json      every movement of your wallet
payments.json    what you paid for which agreement
messages.json    the messages that you sent

Times are UTC. Amounts are rupees.
`;

/**
 * Collects first and streams then: a service that is away is an error now (503), not half a file.
 * Throws 429 when asked for too often.
 */
export async function exportUser(
  ctx: Context,
  userId: string,
  present: (user: UserRow) => User,
): Promise<Readable> {
  await ctx.exports(userId);
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
    // A JPEG does not get smaller.
    zip.addReadStream(image.stream, 'id-image.jpg', { compress: false, size: image.size });
  }
  zip.end();
  // yazl's type says less than what it is: a PassThrough.
  return zip.outputStream as Readable;
}

async function sessionsOf(ctx: Context, userId: string) {
  return (await listSessions(ctx, userId)).map(({ device, network, created_at, expires_at }) => ({
    device,
    network,
    created_at,
    expires_at,
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
