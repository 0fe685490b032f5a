import { call, toastText } from '@karaar/api-client';
import { invitationsRoutes } from '@karaar/contracts/documents/invitations';
import { useTexts } from '@karaar/i18n';
import { Button, Banner, Sheet, Skeleton, Stack, TextButton } from '@karaar/ui';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { Link, useLocation, useSearchParams } from 'react-router';
import { isToken, keepInvitation, pendingInvitation } from '../../shared/pending-invitation.ts';
import { useShell } from '../../shared/useShell.ts';
import { useTitle } from '../../shared/useTitle.ts';
import { Opening } from './Opening.tsx';
import { NotTheSigner } from './NotTheSigner.tsx';
import { ProveContact } from './ProveContact.tsx';
import css from './invitation.module.css';
import { invitationTexts } from './texts.ts';

/**
 * The target of an invitation link: the sender, a code for the invited number or address, then the document.
 */
export default function Invitation() {
  const t = useTexts(invitationTexts);
  useTitle(t('title'));
  const { user } = useShell();
  const { hash } = useLocation();
  // In the address, because signing in on the way renders the page again.
  const [search, setSearch] = useSearchParams();
  const isHandingOn = search.has('someone-else');
  const [pending, setPending] = useState(() => {
    const token = hash.slice(1);
    const kept = pendingInvitation();
    return isToken(token) && token !== kept?.token ? { token } : kept;
  });
  useEffect(() => {
    if (pending) keepInvitation(pending);
  }, [pending]);
  const token = pending?.token ?? '';
  const found = useQuery({
    queryKey: ['invitation', token],
    queryFn: ({ signal }) => call(invitationsRoutes.lookUpInvitation, { body: { token } }, { signal }),
    enabled: token !== '',
    retry: false,
  });
  if (!pending) return <Banner tone="rejected">{t('notWhole')}</Banner>;
  // The document is being opened, so the link may already have expired.
  const isOpening = !isHandingOn && user !== null && pending.proof !== undefined;
  if (isOpening) return <Opening pending={pending} byItself />;
  if (found.isError) return <Banner tone="rejected">{toastText(found.error, t('failed'))}</Banner>;
  if (!found.data) return <Skeleton height={220} />;
  const { channel, hint, inviter_name, inviter_char_id, stop_token } = found.data;
  if (isHandingOn)
    return (
      <div className={css.page}>
        <Sheet title={t('notMeTitle')}>
          <NotTheSigner
            pending={pending}
            hint={hint}
            sender={inviter_name}
            onProved={setPending}
            onBack={() => setSearch({}, { replace: true })}
          />
        </Sheet>
      </div>
    );
  return (
    <div className={css.page}>
      <Sheet title={t('title')}>
        <Stack gap={2}>
          <p className={css.asks}>{t('asks', { name: inviter_name })}</p>
          <p className="k-muted">{t('senderId', { id: inviter_char_id })}</p>
          <p>{t(channel === 'phone' ? 'forPhone' : 'forEmail', { hint })}</p>
          {user && channel === 'phone' ? (
            <Opening pending={pending} byItself={false} />
          ) : pending.proof !== undefined ? (
            <Entrances />
          ) : (
            <ProveContact token={pending.token} hint={hint} note={t('codeNote')} onProved={setPending} />
          )}
          <TextButton onClick={() => setSearch({ 'someone-else': '' })}>{t('notMe')}</TextButton>
          <p className="k-muted k-small">{t('unknownSender')}</p>
          {stop_token && (
            <Link className="k-small" to={`/invitation/stop#${stop_token}`}>
              {t('stopLink')}
            </Link>
          )}
        </Stack>
      </Sheet>
    </div>
  );
}

/** The address is proved; the user must still sign in or register. */
function Entrances() {
  const t = useTexts(invitationTexts);
  return (
    <Stack gap={1.5}>
      <Banner>{t('proved')}</Banner>
      <Button as={Link} to="/register" variant="primary" wide>
        {t('register')}
      </Button>
      <Button as={Link} to="/login" wide>
        {t('signIn')}
      </Button>
    </Stack>
  );
}
