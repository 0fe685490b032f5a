import { call, toastText } from '@karaar/api-client';
import { authRoutes } from '@karaar/contracts/auth/http';
import { useTexts } from '@karaar/i18n';
import { Button, Sheet, toast } from '@karaar/ui';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { meQuery } from '../../shared/queries.ts';
import { PasswordDialog } from './PasswordDialog.tsx';
import { securityTexts } from './texts.ts';

/** Creates new recovery codes, which replace the old ones. */
export function NewCodes({ onCodes }: { onCodes: (codes: readonly string[]) => void }) {
  const t = useTexts(securityTexts);
  const queries = useQueryClient();
  const [asking, setAsking] = useState(false);
  const renew = useMutation({
    mutationFn: (password: string) => call(authRoutes.renewRecoveryCodes, { body: { password } }),
    onSuccess: ({ recovery_codes }) => {
      void queries.invalidateQueries(meQuery);
      onCodes(recovery_codes);
    },
    onError: (error) => toast.error(toastText(error, t('failed'))),
  });
  return (
    <Sheet title={t('recovery')} note={t('recoveryNote')}>
      <div>
        <Button icon="refresh" onClick={() => setAsking(true)}>
          {t('newCodes')}
        </Button>
      </div>
      {asking && (
        <PasswordDialog
          title={t('newCodes')}
          text={t('newCodesText')}
          confirm={t('newCodes')}
          busy={renew.isPending}
          onConfirm={(password) => renew.mutate(password)}
          onClose={() => setAsking(false)}
        />
      )}
    </Sheet>
  );
}
