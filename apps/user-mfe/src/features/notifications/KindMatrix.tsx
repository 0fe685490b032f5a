import {
  ALWAYS_SENT,
  NOTIFICATION_CHANNELS,
  NOTIFICATION_KINDS,
  type NotificationChannel,
} from '@karaar/contracts/notifications/kinds';
import { useTexts, type KeyOf } from '@karaar/i18n';
import { KIND_NAMES } from './notification.ts';
import css from './notifications.module.css';
import type { SettingsData } from './settings.ts';
import type en from './texts/en.json';
import { notificationTexts } from './texts.ts';

type Preference = SettingsData['preferences'][number];

const CHANNELS: Record<NotificationChannel, KeyOf<typeof en>> = {
  app: 'inApp',
  email: 'byEmail',
  sms: 'bySms',
  whatsapp: 'byWhatsapp',
};

/** A checkbox for each kind and channel that can be switched; an empty cell if the kind lacks the channel. */
export function KindMatrix({
  preferences,
  onChange,
}: {
  preferences: readonly Preference[];
  onChange: (changed: Preference) => void;
}) {
  const t = useTexts(notificationTexts);
  const choices = new Map(preferences.map(({ kind, channel, wanted }) => [`${kind} ${channel}`, wanted]));
  const choiceOf = (kind: Preference['kind'], channel: NotificationChannel) =>
    choices.get(`${kind} ${channel}`);
  const channels = NOTIFICATION_CHANNELS.filter((channel) =>
    preferences.some((one) => one.channel === channel),
  );
  return (
    <table className={css.matrix}>
      <thead>
        <tr>
          <th scope="col">{t('kind')}</th>
          {channels.map((channel) => (
            <th key={channel} scope="col">
              {t(CHANNELS[channel])}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {NOTIFICATION_KINDS.filter((kind) => !ALWAYS_SENT.includes(kind)).map((kind) => (
          <tr key={kind}>
            <th scope="row">{t(KIND_NAMES[kind])}</th>
            {channels.map((channel) => (
              <td key={channel}>
                {choiceOf(kind, channel) !== undefined && (
                  <label className={css.check}>
                    <input
                      type="checkbox"
                      aria-label={`${t(KIND_NAMES[kind])}: ${t(CHANNELS[channel])}`}
                      checked={choiceOf(kind, channel)}
                      onChange={(event) => onChange({ kind, channel, wanted: event.target.checked })}
                    />
                  </label>
                )}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
