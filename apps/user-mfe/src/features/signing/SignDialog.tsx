import { toastText } from '@karaar/api-client';
import type { SignedAnswer, SigningKey } from '@karaar/contracts/documents/signing-keys';
import { useTexts } from '@karaar/i18n';
import { Button, Modal, Banner, Row, SelectField, Stack } from '@karaar/ui';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { detailTexts } from '../../shared/catalogs/detail/texts.ts';
import { NoPasskey } from './authenticator.ts';
import { OtherStatement, signApproval } from './keys.ts';

type SignDialogProps = {
  documentId: string;
  keys: readonly SigningKey[];
  contentHash: string | undefined;
  onSigned: (signed: SignedAnswer) => void;
  /** Approves without a passkey. */
  onPlain: () => void;
  onClose: () => void;
};

/** Asks a user with a passkey to sign the approval with it, or to approve without it. */
export default function SignDialog({
  documentId,
  keys,
  contentHash,
  onSigned,
  onPlain,
  onClose,
}: SignDialogProps) {
  const t = useTexts(detailTexts);
  const [keyId, setKeyId] = useState(keys[0]?._id ?? '');
  const sign = useMutation({
    mutationFn: async () => {
      const key = keys.find(({ _id }) => _id === keyId);
      return key && (await signApproval(documentId, key, contentHash));
    },
    onSuccess: (signed) => signed && onSigned(signed),
  });
  return (
    <Modal title={t('signTitle')} opened onClose={onClose} width={480} dismissible="escape">
      <Stack gap={2}>
        <p>{t('signText')}</p>
        {keys.length > 1 && (
          <SelectField
            label={t('signKey')}
            options={keys.map(({ _id, name }) => ({ value: _id, label: name }))}
            placeholder={t('signKeyChoose')}
            value={keyId}
            onChange={(event) => setKeyId(event.target.value)}
          />
        )}
        {sign.isError && (
          <div role="alert">
            <Banner tone="rejected">{faultOf(sign.error)}</Banner>
          </div>
        )}
        <Row justify="flex-end">
          <Button onClick={onPlain} disabled={sign.isPending}>
            {t('signPlain')}
          </Button>
          <Button
            variant="primary"
            icon="shield"
            onClick={() => sign.mutate()}
            loading={sign.isPending}
            disabled={!keyId}
          >
            {t('signTitle')}
          </Button>
        </Row>
      </Stack>
    </Modal>
  );

  function faultOf(error: Error): string {
    if (error instanceof NoPasskey) return t('signRefused');
    return error instanceof OtherStatement ? t('signOther') : toastText(error, t('approveFailed'));
  }
}
