import { call, profileCompleteness, queryKeys, toastText } from '@karaar/api-client';
import { authRoutes, type User } from '@karaar/contracts/auth/http';
import {
  Button,
  CodeText,
  ErrorState,
  Facts,
  Notice,
  Page,
  PageSkeleton,
  Sheet,
  Stack,
  toast,
} from '@karaar/ui';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTitle } from '../../shared/useTitle.ts';
import css from './profile.module.css';
import { ProfileForm } from './ProfileForm.tsx';
import { profileTexts as texts } from './texts.ts';

/** The user's own record: viewed, refreshed, edited. */
export default function Profile() {
  useTitle(texts.title);
  const [editing, setEditing] = useState(false);
  const profile = useQuery({
    queryKey: queryKeys.profile,
    queryFn: ({ signal }) => call(authRoutes.profile, {}, { signal }),
  });
  const refresh = async () => {
    const { error } = await profile.refetch();
    if (error) toast.error(toastText(error, texts.refreshFailed));
    else toast.success(texts.refreshed);
  };
  if (profile.isPending) return <PageSkeleton />;
  if (!profile.data) {
    return (
      <ErrorState
        title={toastText(profile.error, texts.fetchFailed)}
        onRetry={() => void profile.refetch()}
        retrying={profile.isFetching}
      />
    );
  }
  return (
    <Page
      title={texts.title}
      narrow
      actions={
        !editing && (
          <>
            <Button icon="refresh" onClick={() => void refresh()} loading={profile.isFetching}>
              {texts.refresh}
            </Button>
            <Button variant="primary" icon="pen" onClick={() => setEditing(true)}>
              {texts.edit}
            </Button>
          </>
        )
      }
    >
      <Completeness user={profile.data} />
      {editing ? (
        <ProfileForm user={profile.data} onDone={() => setEditing(false)} />
      ) : (
        <ProfileView user={profile.data} />
      )}
    </Page>
  );
}

function Completeness({ user }: { user: User }) {
  const { isComplete, missing } = profileCompleteness(user);
  if (isComplete) return <Notice tone="verified">{texts.complete}</Notice>;
  return <Notice tone="waiting">{texts.missing(missing.map((field) => texts[field]).join(', '))}</Notice>;
}

function ProfileView({ user }: { user: User }) {
  return (
    <Stack gap={2.5}>
      <Sheet title={texts.basics}>
        <Facts
          entries={[
            [texts.id, <CodeText key="id" code={user.char_id} label={texts.id} />],
            [texts.name, user.name],
            [texts.email, user.email],
            [texts.phone_no, user.phone_no],
            [texts.city, user.city],
            [texts.state, user.state],
          ]}
        />
      </Sheet>
      <Sheet title={texts.govtId}>
        <Stack>
          <Facts
            entries={[
              [texts.govt_id_type, user.govt_id_type],
              [texts.govt_id_number, user.govt_id_number],
            ]}
          />
          {user.govt_id_image ? (
            <img className={css.idImage} src={user.govt_id_image} alt={texts.imageAlt} />
          ) : (
            <p className="k-muted">{texts.noImage}</p>
          )}
        </Stack>
      </Sheet>
    </Stack>
  );
}
