import type { NotificationSettings } from '@karaar/contracts/notifications/http';
import type { Static } from 'typebox';

export type SettingsData = Static<typeof NotificationSettings>;
export type SettingsChange = Partial<SettingsData>;

/** Returns the settings after a change, as the service will return them. */
export function changed(now: SettingsData, { preferences = [], ...rest }: SettingsChange): SettingsData {
  const choices = new Map(preferences.map((one) => [`${one.kind} ${one.channel}`, one.wanted]));
  return {
    ...now,
    ...rest,
    preferences: now.preferences.map((one) => ({
      ...one,
      wanted: choices.get(`${one.kind} ${one.channel}`) ?? one.wanted,
    })),
  };
}
