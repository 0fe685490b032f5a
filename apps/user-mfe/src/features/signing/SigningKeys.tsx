import { call, toastText } from '@karaar/api-client';
import { dropKey } from '@karaar/api-client/key-watch';
import { signingKeysRoutes, type SigningKey } from '@karaar/contracts/documents/signing-keys';
import { useTexts } from '@karaar/i18n';
import { Button, ErrorState, formatDate, Sheet, Skeleton, Stack, toast, useConfirm } from '@karaar/ui';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useUser } from '../../shared/useShell.ts';
import css from '../profile/profile.module.css';
import { profileTexts } from '../../shared/catalogs/profile/texts.ts';
import { AddSigningKey } from './AddSigningKey.tsx';
import { KeyChecks } from './KeyChecks.tsx';
import { keysQuery } from './keys.ts';

/** The user's passkeys for signing: added after a photo, named, removed. */
export default function SigningKeys() {
  const t = useTexts(profileTexts);
  const [adding, setAdding] = useState(false);
  // Polls after a key was added, until the log has it.
  const list = useQuery({
    ...keysQuery,
    refetchInterval: ({ state }) => (state.data?.some(({ logged }) => !logged) ? 2_000 : false),
  });
  return (
    <Sheet title={t('signingKeys')} note={t('signingKeysNote')}>
      <Stack>
        {list.isPending && <Skeleton height={56} />}
        {list.isError && (
          <ErrorState
            title={toastText(list.error, t('signingKeysFailed'))}
            onRetry={() => void list.refetch()}
            retrying={list.isFetching}
          />
        )}
        {list.data && <KeyChecks keys={list.data} />}
        {list.data?.length === 0 && <p className="k-muted">{t('noSigningKey')}</p>}
        {list.data && list.data.length > 0 && (
          <ul className={css.keys}>
            {list.data.map((key) => (
              <Key key={key._id} signingKey={key} />
            ))}
          </ul>
        )}
        <div>
          <Button icon="plus" onClick={() => setAdding(true)}>
            {t('addSigningKey')}
          </Button>
        </div>
      </Stack>
      {adding && <AddSigningKey onClose={() => setAdding(false)} />}
    </Sheet>
  );
}

function Key({
  signingKey: { _id: id, name, sha256, created_at, last_used_at, logged },
}: {
  signingKey: SigningKey;
}) {
  const t = useTexts(profileTexts);
  const { user_id: userId } = useUser();
  const queries = useQueryClient();
  const { ask, dialog } = useConfirm();
  const remove = useMutation({
    mutationFn: () => call(signingKeysRoutes.removeSigningKey, { params: { id } }),
    onSuccess: () => {
      dropKey(userId, sha256);
      toast.success(t('signingKeyRemoved'));
    },
    onError: (error) => toast.error(toastText(error, t('signingKeyFailed'))),
    onSettled: () => queries.invalidateQueries({ queryKey: keysQuery.queryKey }),
  });
  const askToRemove = async () => {
    const yes = await ask({
      title: t('removeSigningKeyOf', { name }),
      text: t('removeSigningKeyText'),
      confirm: t('removeSigningKey'),
    });
    if (yes) remove.mutate();
  };
  const added = formatDate(created_at);
  const used = last_used_at
    ? t('signingKeyUsed', { added, used: formatDate(last_used_at) })
    : t('signingKeyUnused', { added });
  return (
    <li className={css.key}>
      <div className={css.deviceText}>
        <strong>{name}</strong>
        <span className="k-muted k-num">{logged ? used : t('signingKeyWaits')}</span>
      </div>
      <Button
        compact
        variant="quiet"
        loading={remove.isPending}
        aria-label={t('removeSigningKeyOf', { name })}
        onClick={() => void askToRemove()}
      >
        {t('removeSigningKey')}
      </Button>
      {dialog}
    </li>
  );
}
