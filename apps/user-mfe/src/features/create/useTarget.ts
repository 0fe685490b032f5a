import { call } from '@karaar/api-client';
import { authRoutes } from '@karaar/contracts/auth/http';
import { useTexts } from '@karaar/i18n';
import { userName } from '@karaar/ui';
import { useQuery } from '@tanstack/react-query';
import { useUser } from '../../shared/useShell.ts';
import { createTexts } from './texts.ts';

/** Characters of a user ID. */
const ID_LENGTH = 8;
/** As many as share a name that begins with these letters are looked through; an ID finds its user in any case. */
const LIMIT = 20;

/**
 * Whose user ID was typed: one wrong letter would invite a stranger. Only says so; whether somebody can be invited is the
 * server's to decide.
 */
export function useTarget(charId: string): { hint: string; error: string | undefined } {
  const t = useTexts(createTexts);
  const { char_id: own } = useUser();
  const whole = charId.length === ID_LENGTH && charId !== own;
  const found = useQuery({
    queryKey: ['users', 'named', charId],
    queryFn: ({ signal }) =>
      call(authRoutes.listUsers, { query: { search: charId, limit: LIMIT } }, { signal }),
    enabled: whole,
    staleTime: 60_000,
  });
  const hint = t('targetHint');
  if (charId === own) return { hint, error: t('targetYourself') };
  if (!whole || !found.data) return { hint, error: undefined };
  const user = found.data.find(({ char_id }) => char_id === charId);
  return user
    ? { hint: t('targetIs', { name: userName(user.name) }), error: undefined }
    : { hint, error: t('targetUnknown') };
}
