import { call, toastText } from '@karaar/api-client';
import { authRoutes, type Session } from '@karaar/contracts/auth/http';
import { useTexts } from '@karaar/i18n';
import {
  Badge,
  Button,
  ErrorState,
  formatDateTime,
  Icon,
  Sheet,
  Skeleton,
  toast,
  useConfirm,
} from '@karaar/ui';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useShell } from '../../shared/useShell.ts';
import css from './profile.module.css';
import { profileTexts } from '../../shared/catalogs/profile/texts.ts';

const key = ['auth', 'sessions'];

/** The devices of the user; signs out one or all. */
export function Devices() {
  const t = useTexts(profileTexts);
  const { signOut } = useShell();
  const { ask, dialog } = useConfirm();
  const sessions = useQuery({
    queryKey: key,
    queryFn: ({ signal }) => call(authRoutes.listSessions, {}, { signal }),
  });
  const endAll = useMutation({
    mutationFn: () => call(authRoutes.endAllSessions, {}),
    onSuccess: () => void signOut(),
    onError: (error) => toast.error(toastText(error, t('signOutFailed'))),
  });
  const askToEndAll = async () => {
    const yes = await ask({ title: t('signOutAll'), text: t('signOutAllText'), confirm: t('signOutAll') });
    if (yes) endAll.mutate();
  };
  return (
    <Sheet
      title={t('devices')}
      note={t('devicesNote')}
      flush
      actions={
        <Button compact icon="logout" loading={endAll.isPending} onClick={() => void askToEndAll()}>
          {t('signOutAll')}
        </Button>
      }
    >
      {sessions.isPending && (
        <div className={css.device}>
          <Skeleton height={44} />
        </div>
      )}
      {sessions.isError && (
        <ErrorState
          title={toastText(sessions.error, t('devicesFailed'))}
          onRetry={() => void sessions.refetch()}
          retrying={sessions.isFetching}
        />
      )}
      {sessions.data && (
        <ul className={css.devices}>
          {sessions.data.map((session) => (
            <Device key={session._id} session={session} />
          ))}
        </ul>
      )}
      {dialog}
    </Sheet>
  );
}

function Device({ session }: { session: Session }) {
  const t = useTexts(profileTexts);
  const queries = useQueryClient();
  const name = session.device || t('unknownDevice');
  const end = useMutation({
    mutationFn: () => call(authRoutes.endSession, { params: { id: session._id } }),
    onSuccess: () => toast.success(t('signedOut')),
    onError: (error) => toast.error(toastText(error, t('signOutFailed'))),
    onSettled: () => queries.invalidateQueries({ queryKey: key }),
  });
  return (
    <li className={css.device}>
      <Icon name="phone" size={20} />
      <div className={css.deviceText}>
        <strong>{name}</strong>
        <span className="k-muted k-num">
          {t('deviceSince', { time: formatDateTime(session.created_at), network: session.network })}
        </span>
      </div>
      {session.is_current ? (
        <Badge tone="verified">{t('thisDevice')}</Badge>
      ) : (
        <Button
          compact
          variant="quiet"
          loading={end.isPending}
          aria-label={t('signOutDevice', { device: name })}
          onClick={() => end.mutate()}
        >
          {t('signOut')}
        </Button>
      )}
    </li>
  );
}
