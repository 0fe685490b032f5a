import { call, toastText } from '@karaar/api-client';
import { documentsRoutes } from '@karaar/contracts/documents/http';
import { useTexts } from '@karaar/i18n';
import { ErrorState, Sheet, Skeleton, toast } from '@karaar/ui';
import { Switch } from '@karaar/ui/fields';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from 'react-router';
import { profileTexts } from '../../shared/catalogs/profile/texts.ts';

const key = ['documents', 'notice-settings'];

/**
 * Turns SMS for invitations and reminders on or off. Applies at once; a failure restores the stored state.
 */
export function TextMessages() {
  const t = useTexts(profileTexts);
  const queries = useQueryClient();
  const settings = useQuery({
    queryKey: key,
    queryFn: ({ signal }) => call(documentsRoutes.getTextMessageSettings, {}, { signal }),
  });
  const change = useMutation({
    mutationFn: (sms_notices: boolean) =>
      call(documentsRoutes.changeTextMessageSettings, { body: { sms_notices } }),
    onSuccess: (saved) => {
      queries.setQueryData(key, saved);
      toast.success(t(saved.sms_notices ? 'textsOn' : 'textsOff'));
    },
    onError: (error) => toast.error(toastText(error, t('textsSaveFailed'))),
  });
  return (
    <Sheet title={t('texts')}>
      {settings.isPending && <Skeleton height={44} />}
      {settings.isError && (
        <ErrorState
          title={toastText(settings.error, t('textsFailed'))}
          onRetry={() => void settings.refetch()}
          retrying={settings.isFetching}
        />
      )}
      {settings.data && (
        <Switch
          label={t('textsSwitch')}
          hint={t('textsNote')}
          checked={change.isPending ? change.variables : settings.data.sms_notices}
          disabled={change.isPending}
          onChange={(wanted) => change.mutate(wanted)}
        />
      )}
      <p>
        <Link to="/notifications/settings">{t('otherWays')}</Link>
      </p>
    </Sheet>
  );
}
