import { call, profileCompleteness, queryKeys, toastText } from '@karaar/api-client';
import { authRoutes, type User } from '@karaar/contracts/auth/http';
import { screen, useTexts } from '@karaar/i18n';
import {
  Button,
  CodeText,
  ErrorState,
  Facts,
  LanguageMenu,
  LoadBoundary,
  Banner,
  Page,
  PageSkeleton,
  Person,
  Sheet,
  Skeleton,
  Stack,
  TextButton,
  toast,
  userName,
} from '@karaar/ui';
import { useQuery } from '@tanstack/react-query';
import { Suspense, useState } from 'react';
import { idTypeText, isIdType } from '../../shared/identity/id-image.ts';
import { phoneText } from '../../shared/phone-text.ts';
import { sharedTexts } from '../../shared/texts.ts';
import { useTitle } from '../../shared/useTitle.ts';
import { Devices } from './Devices.tsx';
import { OwnData } from './OwnData.tsx';
import { EmailProof } from './EmailProof.tsx';
import { PhoneChange } from './PhoneChange.tsx';
import { PhoneMove } from './PhoneMove.tsx';
import css from './profile.module.css';
import { ProfileForm } from './ProfileForm.tsx';
import { TextMessages } from './TextMessages.tsx';
import { profileTexts } from '../../shared/catalogs/profile/texts.ts';

// One chunk for all code that signs with passkeys.
const SigningKeys = screen(() => import(/* webpackChunkName: "signing" */ '../signing/SigningKeys.tsx'), []);

/** The user's profile: view, refresh, edit. */
export default function Profile() {
  const t = useTexts(profileTexts);
  useTitle(t('title'));
  const [editing, setEditing] = useState(false);
  const profile = useQuery({
    queryKey: queryKeys.profile,
    queryFn: ({ signal }) => call(authRoutes.profile, {}, { signal }),
  });
  const refresh = async () => {
    const { error } = await profile.refetch();
    if (error) toast.error(toastText(error, t('refreshFailed')));
    else toast.success(t('refreshed'));
  };
  if (profile.isPending) return <PageSkeleton />;
  if (!profile.data) {
    return (
      <ErrorState
        title={toastText(profile.error, t('fetchFailed'))}
        onRetry={() => void profile.refetch()}
        retrying={profile.isFetching}
      />
    );
  }
  return (
    <Page
      title={t('title')}
      narrow
      actions={
        !editing && (
          <>
            <Button icon="refresh" onClick={() => void refresh()} loading={profile.isFetching}>
              {t('refresh')}
            </Button>
            <Button variant="primary" icon="pen" onClick={() => setEditing(true)}>
              {t('edit')}
            </Button>
          </>
        )
      }
    >
      <Completeness user={profile.data} />
      {!profile.data.email_proved && <EmailProof email={profile.data.email} />}
      {editing ? (
        <ProfileForm user={profile.data} onDone={() => setEditing(false)} />
      ) : (
        <>
          <ProfileView user={profile.data} />
          <Devices />
          <LoadBoundary>
            <Suspense fallback={<Skeleton height={200} />}>
              <SigningKeys />
            </Suspense>
          </LoadBoundary>
          <Sheet title={t('language')} note={t('languageNote')}>
            <LanguageMenu />
          </Sheet>
          <TextMessages />
          <OwnData user={profile.data} />
        </>
      )}
    </Page>
  );
}

function Completeness({ user }: { user: User }) {
  const t = useTexts(profileTexts);
  const { isComplete, missing } = profileCompleteness(user);
  if (isComplete) return <Banner tone="verified">{t('complete')}</Banner>;
  return (
    <Banner tone="warning">{t('missing', { names: missing.map((field) => t(field)).join(', ') })}</Banner>
  );
}

function ProfileView({ user }: { user: User }) {
  const t = useTexts(profileTexts);
  const sayShared = useTexts(sharedTexts);
  const [changing, setChanging] = useState(false);
  const idType = user.govt_id_type ?? '';
  return (
    <Stack gap={2.5}>
      <Sheet title={t('basics')}>
        <ul className={css.who}>
          <Person name={userName(user.name)} src={user.profile_pic} note={user.email} />
        </ul>
        <Stack>
          <Facts
            entries={[
              [t('id'), <CodeText key="id" code={user.char_id} label={t('id')} />],
              [
                t('phone_no'),
                <span key="phone" className={css.phone}>
                  <span className="k-num k-nowrap">{phoneText(user.phone_no)}</span>
                  <TextButton onClick={() => setChanging(true)}>{t('changePhone')}</TextButton>
                </span>,
              ],
              [t('city'), user.city],
              [t('state'), user.state],
            ]}
          />
          {user.phone_move && <PhoneMove move={user.phone_move} />}
        </Stack>
        <PhoneChange opened={changing} onClose={() => setChanging(false)} />
      </Sheet>
      <Sheet title={t('govtId')}>
        <Stack>
          <Facts
            entries={[
              [t('govt_id_type'), isIdType(idType) ? sayShared(idTypeText(idType)) : idType],
              [t('govt_id_number'), user.govt_id_number],
            ]}
          />
          {user.govt_id_image ? (
            <img className={css.idImage} src={user.govt_id_image} alt={t('imageAlt')} />
          ) : (
            <p className="k-muted">{t('noImage')}</p>
          )}
        </Stack>
      </Sheet>
    </Stack>
  );
}
