/** The language of the account (design: the server writes to a user in the user's language). */
import { call, queryKeys } from '@karaar/api-client';
import { authRoutes } from '@karaar/contracts/auth/http';
import { adoptLanguage, choiceOnThisPage, useLanguage, type Language } from '@karaar/i18n';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { profileQuery } from './profile-query.ts';

type Known = { chosen: Language | null; account: Language | null; page: Language };

/**
 * Returns the page's language: the choice on the page, else the account's, else the present one. `save` is
 * true if the account must change.
 */
export function reconcile({ chosen, account, page }: Known): { speak: Language; save: boolean } {
  const speak = chosen ?? account ?? page;
  return { speak, save: speak !== account };
}

/** Keeps the page and the account of a signed-in user in one language. */
export function useAccountLanguage(): void {
  const page = useLanguage();
  const queries = useQueryClient();
  const profile = useQuery(profileQuery);
  // One attempt each: two open pages of one user must not overwrite each other repeatedly.
  const tried = useRef<Language>(undefined);
  const { mutate } = useMutation({
    mutationFn: (language: Language) => call(authRoutes.updateProfile, { fields: { language }, files: {} }),
    onSuccess: (user) => queries.setQueryData(queryKeys.profile, user),
  });
  const known = profile.data !== undefined;
  const account = profile.data?.language ?? null;
  useEffect(() => {
    if (!known) return;
    const { speak, save } = reconcile({ chosen: choiceOnThisPage(), account, page });
    if (speak !== page) void adoptLanguage(speak);
    if (!save || tried.current === speak) return;
    tried.current = speak;
    mutate(speak);
  }, [known, account, page, mutate]);
}
