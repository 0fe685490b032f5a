import type { NotificationSettings } from '@karaar/contracts/notifications/http';
import {
  ALWAYS_SENT,
  hasChannel,
  isWanted,
  NOTIFICATION_KINDS,
  type Chosen,
  type NotificationKind,
} from '@karaar/contracts/notifications/kinds';
import { inTransaction } from '@karaar/db';
import { badRequest } from '@karaar/base/errors';
import type { Static } from 'typebox';
import type { Context } from '../../context.ts';
import { channelsIn, chosenIn } from './offered.ts';
import { preferencesOf, setPreferences, setSettings, settingsOf } from './preferences.repository.ts';
import { readUnsubscribeToken } from './unsubscribe-token.ts';

type Settings = Static<typeof NotificationSettings>;

/** Returns the settings of a user: each kind on each channel that it has, as the user chose or by default. */
export async function getSettings(ctx: Pick<Context, 'db' | 'config'>, userId: string): Promise<Settings> {
  const chosen: Partial<Record<NotificationKind, Chosen>> = {};
  for (const { kind, channel, wanted } of await preferencesOf(ctx.db, userId))
    chosen[kind] = { ...chosen[kind], [channel]: wanted };
  const { quietHours, namesInSubjects, attachSealed } = await settingsOf(ctx.db, userId);
  return {
    preferences: NOTIFICATION_KINDS.flatMap((kind) =>
      channelsIn(ctx.config)
        .filter((channel) => hasChannel(kind, channel))
        .map((channel) => ({
          kind,
          channel,
          wanted: isWanted(kind, channel, chosenIn(ctx.config, chosen[kind] ?? {})),
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
  ctx: Pick<Context, 'db' | 'config'>,
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
