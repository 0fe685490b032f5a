import type { NotificationSettings } from '@karaar/contracts/notifications/http';
import {
  ALWAYS_SENT,
  hasChannel,
  isWantedAtFirst,
  NOTIFICATION_CHANNELS,
  NOTIFICATION_KINDS,
} from '@karaar/contracts/notifications/kinds';
import { inTransaction } from '@karaar/db';
import { badRequest } from '@karaar/base/errors';
import type { Static } from 'typebox';
import type { Context } from '../../context.ts';
import { preferencesOf, setPreferences, setSettings, settingsOf } from './preferences.repository.ts';
import { readUnsubscribeToken } from './unsubscribe-token.ts';

type Settings = Static<typeof NotificationSettings>;

/** Returns the settings of a user: each kind on each channel that it has, as the user chose or by default. */
export async function getSettings(ctx: Pick<Context, 'db'>, userId: string): Promise<Settings> {
  const chosen = new Map(
    (await preferencesOf(ctx.db, userId)).map(({ kind, channel, wanted }) => [`${kind} ${channel}`, wanted]),
  );
  const { quietHours, namesInSubjects, attachSealed } = await settingsOf(ctx.db, userId);
  return {
    preferences: NOTIFICATION_KINDS.flatMap((kind) =>
      NOTIFICATION_CHANNELS.filter((channel) => hasChannel(kind, channel)).map((channel) => ({
        kind,
        channel,
        wanted:
          ALWAYS_SENT.includes(kind) || (chosen.get(`${kind} ${channel}`) ?? isWantedAtFirst(kind, channel)),
      })),
    ),
    quiet_hours: quietHours,
    names_in_subjects: namesInSubjects,
    attach_sealed: attachSealed,
  };
}

/**
 * Changes settings and returns them.
 * @throws 400 if the change switches off a kind that every user must get
 */
export async function changeSettings(
  ctx: Pick<Context, 'db'>,
  userId: string,
  change: Partial<Settings>,
): Promise<Settings> {
  if (change.preferences?.some(({ kind, wanted }) => !wanted && ALWAYS_SENT.includes(kind)))
    throw badRequest('always_told', 'You are always told of this. It cannot be switched off.');
  await inTransaction(ctx.db, async (tx) => {
    // If a kind and channel come twice, the last one counts.
    const possible = (change.preferences ?? []).filter(({ kind, channel }) => hasChannel(kind, channel));
    const named = new Map(possible.map((one) => [`${one.kind} ${one.channel}`, one]));
    await setPreferences(
      tx,
      [...named.values()].map((one) => ({ ...one, user_id: userId })),
    );
    await setSettings(tx, userId, {
      quietHours: change.quiet_hours,
      namesInSubjects: change.names_in_subjects,
      attachSealed: change.attach_sealed,
    });
  });
  return getSettings(ctx, userId);
}

/** Ends e-mails of one kind. Throws 400 for an invalid token. */
export async function unsubscribe(ctx: Pick<Context, 'db' | 'config'>, token: string): Promise<void> {
  const subject = readUnsubscribeToken(ctx.config.NOTIFICATIONS_SECRET, token);
  if (!subject || ALWAYS_SENT.includes(subject.kind))
    throw badRequest('unsubscribe_invalid', 'This link does not work. Switch e-mails off in the app.');
  await setPreferences(ctx.db, [
    { user_id: subject.userId, kind: subject.kind, channel: 'email', wanted: false },
  ]);
}
