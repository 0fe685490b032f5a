import { call, toastText, type Answer } from '@karaar/api-client';
import { authRoutes } from '@karaar/contracts/auth/http';
import { useTexts } from '@karaar/i18n';
import { Button, ErrorState, formatDate, Banner, Sheet, Skeleton, Stack, TextField, toast } from '@karaar/ui';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { makePasskey, NoPasskey } from '../../shared/passkeys/authenticator.ts';
import { passkeyTexts } from '../../shared/passkeys/texts.ts';
import { ADMIN_KEY, meQuery } from '../../shared/queries.ts';
import { PasswordDialog } from './PasswordDialog.tsx';
import css from './security.module.css';
import { securityTexts } from './texts.ts';

type Passkey = Answer<typeof authRoutes.passkeys>[number];

const passkeysKey = [ADMIN_KEY, 'passkeys'];

/** The admin's passkeys: adding and removing needs the password. */
export function Passkeys({ onCodes }: { onCodes: (codes: readonly string[]) => void }) {
  const t = useTexts(securityTexts);
  const sayPasskey = useTexts(passkeyTexts);
  const [name, setName] = useState(sayPasskey('thisDevice'));
  const [openDialog, setOpenDialog] = useState<'add' | Passkey | null>(null);
  const list = useQuery({
    queryKey: passkeysKey,
    queryFn: ({ signal }) => call(authRoutes.passkeys, {}, { signal }),
  });
  const { add, remove } = usePasskeyChanges({ onChanged: () => setOpenDialog(null), onCodes });
  return (
    <Sheet title={t('passkeys')} note={t('passkeysNote')}>
      <Stack>
        {list.isPending && <Skeleton height={56} />}
        {list.isError && (
          <ErrorState
            title={toastText(list.error, t('failed'))}
            onRetry={() => void list.refetch()}
            retrying={list.isFetching}
          />
        )}
        {list.data?.length === 0 && <Banner tone="warning">{t('noPasskey')}</Banner>}
        {list.data && list.data.length > 0 && <PasskeyList passkeys={list.data} onRemove={setOpenDialog} />}
        <div>
          <Button variant="primary" icon="plus" onClick={() => setOpenDialog('add')}>
            {sayPasskey('add')}
          </Button>
        </div>
      </Stack>
      {openDialog === 'add' && (
        <PasswordDialog
          title={sayPasskey('add')}
          confirm={sayPasskey('add')}
          busy={add.isPending}
          onConfirm={(password) => add.mutate({ name, password })}
          onClose={() => setOpenDialog(null)}
        >
          <TextField
            label={sayPasskey('name')}
            hint={sayPasskey('nameHint')}
            maxLength={60}
            value={name}
            onChange={(event) => setName(event.target.value)}
          />
        </PasswordDialog>
      )}
      {openDialog !== null && openDialog !== 'add' && (
        <PasswordDialog
          title={t('removeTitle', { name: openDialog.name })}
          text={t('removeText')}
          confirm={t('remove')}
          reject
          busy={remove.isPending}
          onConfirm={(password) => remove.mutate({ id: openDialog._id, password })}
          onClose={() => setOpenDialog(null)}
        />
      )}
    </Sheet>
  );
}

/** Adds and removes passkeys, each with the password. */
function usePasskeyChanges({
  onChanged,
  onCodes,
}: {
  onChanged: () => void;
  onCodes: (codes: readonly string[]) => void;
}) {
  const t = useTexts(securityTexts);
  const sayPasskey = useTexts(passkeyTexts);
  const queries = useQueryClient();
  const changed = () => {
    onChanged();
    void queries.invalidateQueries({ queryKey: passkeysKey });
    void queries.invalidateQueries(meQuery);
  };
  const onError = (error: unknown) =>
    toast.error(error instanceof NoPasskey ? sayPasskey(error.fault) : toastText(error, t('failed')));
  const add = useMutation({
    mutationFn: async ({ name, password }: { name: string; password: string }) => {
      const { ceremony_id, add: options } = await call(authRoutes.beginPasskey, { body: { password } });
      const added = await makePasskey(options);
      const called = name.trim() || sayPasskey('thisDevice');
      return call(authRoutes.addPasskey, { body: { ceremony_id, added, name: called } });
    },
    onSuccess: ({ recovery_codes }) => {
      changed();
      toast.success(t('passkeyAdded'));
      if (recovery_codes.length > 0) onCodes(recovery_codes);
    },
    onError,
  });
  const remove = useMutation({
    mutationFn: ({ id, password }: { id: string; password: string }) =>
      call(authRoutes.removePasskey, { params: { id }, body: { password } }),
    onSuccess: () => {
      changed();
      toast.success(t('passkeyRemoved'));
    },
    onError,
  });
  return { add, remove };
}

function PasskeyList({
  passkeys,
  onRemove,
}: {
  passkeys: readonly Passkey[];
  onRemove: (passkey: Passkey) => void;
}) {
  const t = useTexts(securityTexts);
  return (
    <ul className={css.passkeys}>
      {passkeys.map((passkey) => (
        <li key={passkey._id} className={css.passkey}>
          <div>
            <strong>{passkey.name}</strong>
            <p className="k-small k-muted">{datesOf(passkey)}</p>
          </div>
          <Button compact aria-label={`${t('remove')}: ${passkey.name}`} onClick={() => onRemove(passkey)}>
            {t('remove')}
          </Button>
        </li>
      ))}
    </ul>
  );

  function datesOf({ created_at, last_used_at }: Passkey): string {
    const added = formatDate(created_at);
    return last_used_at
      ? t('addedUsed', { added, used: formatDate(last_used_at) })
      : t('addedUnused', { added });
  }
}
