import { authEvents } from '@karaar/contracts/auth/events';
import type { Tx } from '@karaar/platform/db-kit';
import type { Context } from '../../context.ts';
import type { Database } from '../../db/schema.ts';
import { appendEvent, renamed } from '../agreements/agreement-events.repository.ts';
import { countChange, lockAgreement, rawFilesOf } from '../agreements/agreements.repository.ts';
import { filesDigest } from '../agreements/files/files-digest.ts';
import { openUnderOtherName, recordNames } from '../agreements/party-names.repository.ts';
import { announce } from '../agreements/transition.ts';

/** A changed name becomes a line in the person's open documents, and the other parties learn of it before anything is sealed. */
export async function renamesConsumers(ctx: Context): Promise<void> {
  await ctx.bus.consume({
    db: ctx.db,
    event: authEvents.userUpdated,
    handlerName: 'record-rename',
    lookUp: ({ data }) => ctx.directory.refresh(data.user_id),
    handle: async (_event, tx, user) => {
      if (!user) return;
      for (const id of await openUnderOtherName(tx, user.user_id, user.name))
        await recordRename(ctx, tx, id, user.user_id);
    },
  });
}

async function recordRename(ctx: Context, tx: Tx<Database>, id: string, userId: string): Promise<void> {
  const locked = await lockAgreement(tx, id);
  if (!locked) return;
  const [rename] = await recordNames(tx, id, [userId]);
  if (!rename) return;
  const { agreement } = locked;
  const { type, actorId, detail } = renamed(rename);
  await appendEvent(tx, {
    ...{ documentId: id, type, actorId, detail },
    statusFrom: agreement.status,
    statusTo: agreement.status,
    filesSha256: filesDigest(await rawFilesOf(tx, id)),
  });
  const version = await countChange(tx, id);
  await announce(ctx, tx, {
    before: agreement,
    after: agreement,
    version,
    change: type,
    actorId,
    subjectId: null,
  });
}
