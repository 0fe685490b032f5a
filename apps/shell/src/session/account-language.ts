/** The language of the account (design: what the server writes to a user is in the user's language). */
import { call, queryKeys } from '@karaar/api-client';
import { authRoutes } from '@karaar/contracts/auth/http';
import { adoptLanguage, choiceOnThisPage, useLanguage, type Language } from '@karaar/i18n';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { profileQuery } from './profile-query.ts';

type Known = { chosen: Language | null; account: Language | null; page: Language };

/**
 * What the page speaks: what was chosen on it, else what the account says, else what it speaks already. The account
 * follows where it says something else.
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
  // Tried once each: where two open pages of one user disagree, neither overrules the other again and again.
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
