import { call, toastText } from '@karaar/api-client';
import { knowKey } from '@karaar/api-client/key-watch';
import { signingKeysRoutes } from '@karaar/contracts/documents/signing-keys';
import { useTexts } from '@karaar/i18n';
import { Button, Modal, Banner, Row, Stack, TextField, toast } from '@karaar/ui';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useUser } from '../../shared/useShell.ts';
import { profileTexts } from '../../shared/catalogs/profile/texts.ts';
import { PhotoCapture } from '../verification/PhotoCapture.tsx';
import { makePasskey, NoPasskey, type PasskeyFault } from './authenticator.ts';
import { keysQuery } from './keys.ts';

const ABOUT = { signing_key: true } as const;

const FAULTS = {
  unsupported: 'signingKeyUnsupported',
  deviceKnown: 'signingKeyKnown',
  refused: 'signingKeyRefused',
} as const satisfies Record<PasskeyFault, string>;

/** First a photo, then a name, then the passkey, which needs a press. */
export function AddSigningKey({ onClose }: { onClose: () => void }) {
  const t = useTexts(profileTexts);
  const { user_id: userId } = useUser();
  const queries = useQueryClient();
  const [photo, setPhoto] = useState<File>();
  const [name, setName] = useState(t('thisDevice'));
  const add = useMutation({
    mutationFn: async (taken: File) => {
      // A photo is valid for one attempt: another attempt takes a new one.
      const { ceremony_id, add: options } = await call(signingKeysRoutes.beginSigningKey, {
        fields: {},
        files: { profile_pic: taken },
      });
      const { added, keySha256 } = await makePasskey(options);
      // Noted before the request, so that a lost response does not make the user's own key unknown.
      if (keySha256) knowKey(userId, keySha256);
      const called = name.trim() || t('thisDevice');
      return call(signingKeysRoutes.addSigningKey, { body: { ceremony_id, added, name: called } });
    },
    onSuccess: () => {
      toast.success(t('signingKeyAdded'));
      void queries.invalidateQueries({ queryKey: keysQuery.queryKey });
      onClose();
    },
    onError: () => setPhoto(undefined),
  });
  const { error } = add;
  const fault = error instanceof NoPasskey ? t(FAULTS[error.fault]) : toastText(error, t('signingKeyFailed'));
  return (
    <Modal title={t('addSigningKey')} opened onClose={onClose} width={640} dismissible="escape" full={!photo}>
      <Stack gap={2}>
        {add.isError && (
          <div role="alert">
            <Banner tone="rejected">{fault}</Banner>
          </div>
        )}
        {photo ? (
          <>
            <TextField
              label={t('signingKeyName')}
              maxLength={60}
              value={name}
              onChange={(event) => setName(event.target.value)}
            />
            <p className="k-muted">{t('signingKeyNext')}</p>
            <Row justify="flex-end">
              <Button onClick={onClose} disabled={add.isPending}>
                {t('cancel')}
              </Button>
              <Button variant="primary" onClick={() => add.mutate(photo)} loading={add.isPending}>
                {t('signingKeyMake')}
              </Button>
            </Row>
          </>
        ) : (
          <>
            <p>{t('signingKeyPhoto')}</p>
            <PhotoCapture part="profile_pic" purpose="self-verify" about={ABOUT} onTaken={setPhoto} />
          </>
        )}
      </Stack>
    </Modal>
  );
}
