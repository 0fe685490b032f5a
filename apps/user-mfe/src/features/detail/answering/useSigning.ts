import { toastText } from '@karaar/api-client';
import type { SignedAnswer, SigningKey } from '@karaar/contracts/documents/signing-keys';
import { useTexts } from '@karaar/i18n';
import { toast } from '@karaar/ui';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { detailTexts } from '../../../shared/catalogs/detail/texts.ts';
import type { Decisions } from './useDecisions.ts';

/** Approves at once for a user without a passkey; otherwise asks first whether to sign with it. */
export function useSigning({ approve }: Pick<Decisions, 'approve'>) {
  const t = useTexts(detailTexts);
  const [keys, setKeys] = useState<readonly SigningKey[]>();
  const ask = useMutation({
    mutationFn: async () => {
      if (!('PublicKeyCredential' in window)) return [];
      const { keysToSignWith } = await import(/* webpackChunkName: "signing" */ '../../signing/keys.ts');
      return keysToSignWith();
    },
    onSuccess: (found) => {
      if (found.length === 0) approve.mutate(undefined);
      else setKeys(found);
    },
    // A failed request must not make a user with a passkey approve without it.
    onError: (error) => toast.error(toastText(error, t('approveFailed'))),
  });
  return {
    keys,
    asking: ask.isPending,
    start: () => ask.mutate(),
    approve: (signed?: SignedAnswer) => {
      setKeys(undefined);
      approve.mutate(signed);
    },
    close: () => setKeys(undefined),
  };
}
