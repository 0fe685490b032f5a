import { call, toastText } from '@karaar/api-client';
import { notificationsRoutes } from '@karaar/contracts/notifications/http';
import { useTexts } from '@karaar/i18n';
import { ErrorState, Page, PageSkeleton, Sheet, Stack, toast } from '@karaar/ui';
import { Switch } from '@karaar/ui/fields';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useTitle } from '../../shared/useTitle.ts';
import { KindMatrix } from './KindMatrix.tsx';
import { changed, type SettingsChange, type SettingsData } from './settings.ts';
import { notificationTexts } from './texts.ts';

const key = ['notifications', 'settings'];
/** The hours of the switch; the API accepts others. */
const NIGHT = { from: 22, until: 7 };

/** The channels and hours of notifications. Changes apply at once; a failure restores the stored state. */
export default function NotificationSettings() {
  const t = useTexts(notificationTexts);
  useTitle(t('settingsTitle'));
  const settings = useQuery({
    queryKey: key,
    queryFn: ({ signal }) => call(notificationsRoutes.getNotificationSettings, {}, { signal }),
  });
  const queries = useQueryClient();
  const change = useMutation({
    mutationKey: key,
    mutationFn: (body: SettingsChange) => call(notificationsRoutes.changeNotificationSettings, { body }),
    // One after the other: each response is the whole state, and an older one must not replace a newer one.
    scope: { id: 'notification-settings' },
    onMutate: (body) => {
      queries.setQueryData<SettingsData>(key, (now) => now && changed(now, body));
    },
    onSuccess: (saved) => {
      // WhatsApp for a kind changes the default of its SMS. Later changes are on the screen already.
      if (queries.isMutating({ mutationKey: key }) === 1) queries.setQueryData(key, saved);
    },
    onError: (error) => {
      toast.error(toastText(error, t('notSaved')));
      void queries.invalidateQueries({ queryKey: key });
    },
  });
  if (settings.isPending) return <PageSkeleton />;
  if (settings.isLoadingError) {
    return (
      <ErrorState
        title={toastText(settings.error, t('settingsFailed'))}
        onRetry={() => void settings.refetch()}
        retrying={settings.isFetching}
      />
    );
  }
  const { preferences, quiet_hours, names_in_subjects, attach_sealed } = settings.data;
  return (
    <Page title={t('settingsTitle')} lead={t('settingsLead')} narrow>
      <Sheet>
        <Stack>
          <KindMatrix preferences={preferences} onChange={(one) => change.mutate({ preferences: [one] })} />
          <p className="k-muted">{t('alwaysTold')}</p>
          {preferences.some(({ channel }) => channel === 'whatsapp') && (
            <p className="k-muted">{t('whatsappNote')}</p>
          )}
        </Stack>
      </Sheet>
      <Sheet>
        <Stack>
          <Switch
            label={t('quietTitle')}
            hint={t('quietText')}
            checked={quiet_hours !== null}
            onChange={(wanted) => change.mutate({ quiet_hours: wanted ? NIGHT : null })}
          />
          <Switch
            label={t('subjectsTitle')}
            hint={t('subjectsText')}
            checked={names_in_subjects}
            onChange={(wanted) => change.mutate({ names_in_subjects: wanted })}
          />
          <Switch
            label={t('attachTitle')}
            hint={t('attachText')}
            checked={attach_sealed}
            onChange={(wanted) => change.mutate({ attach_sealed: wanted })}
          />
        </Stack>
      </Sheet>
    </Page>
  );
}
